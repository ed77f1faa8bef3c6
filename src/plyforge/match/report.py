"""Tables of a match: standings and cross-table."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from plyforge.match.ratings import Estimate, Score
from plyforge.match.results import Standing, Standings
from plyforge.match.store import StoredGame
from plyforge.match.tables import Table

_MAX_FAULTS: Final = 10
"""Maximum number of reasons that are listed."""


def tables(standings: Standings) -> list[Table]:
    """Return the standings and, with more than two players, the cross-table."""
    if len(standings.rows) > 2:
        return [standings_table(standings), cross_table(standings)]
    return [standings_table(standings)]


def difference_remark(names: Sequence[str], standings: Standings) -> list[str]:
    """With two players, describe by how much the first of the plan is better."""
    if standings.difference is None or standings.superiority is None:
        return []
    return [
        f"{names[0]} against {names[1]}: Elo {difference_text(standings.difference)},"
        f" likelihood of superiority {100 * standings.superiority:.1f} %,"
        f" pairs {', '.join(map(str, standings.against[0, 1].pairs))}"
    ]


def final_score_remark(names: Sequence[str], standings: Standings) -> list[str]:
    """With two players in a game with final scores, describe the mean one of the first."""
    mean = standings.final_score
    if mean is None:
        return []
    return [
        f"final score of {names[0]}: {mean.value:+.3f} a game"
        f" (95 %: {mean.low:+.3f} to {mean.high:+.3f})"
    ]


def games_remark(standings: Standings, first_side: str) -> str:
    """Describe how the games ended."""
    share = (standings.first.wins + standings.first.draws / 2) / max(standings.games, 1)
    return (
        f"{standings.games} games: {standings.draws} drawn, {standings.loops} loops,"
        f" {standings.adjudicated} adjudicated; {first_side} scores {100 * share:.1f} %"
    )


COLUMNS: Final = {
    "Elo": "rating; the mean of all players is 0",
    "±": "half the width of the 95 % confidence interval of the rating",
    "games": "games played",
    "+": "games won",
    "=": "games drawn",
    "-": "games lost",
    "score": "points per game: 100 % if all are won; a draw is half a point",
    "loops": "games that ended without a winner although one side was ahead",
    "faults": "games lost by an error, an illegal move or too much time",
    "s/game": "seconds of thinking per game",
    "points": "a win is 1, a draw half a point; against each player, points of games",
}
"""What the columns of the tables mean."""


def standings_table(standings: Standings) -> Table:
    """Return a table with one row per player, best first."""
    headings = (
        *("player", "Elo", "±", "games", "+", "=", "-", "score", "loops", "faults", "s/game"),
    )
    return Table(headings, tuple(_standing_row(row) for row in standings.rows))


def _standing_row(row: Standing) -> tuple[str, ...]:
    games = max(row.games, 1)
    return (
        row.name,
        f"{row.rating.value:+.0f}",
        margin_text(row.rating),
        str(row.games),
        *(str(count) for count in (row.score.wins, row.score.draws, row.score.losses)),
        f"{100 * row.points / games:.1f} %",
        str(row.loops),
        str(row.forfeits),
        f"{row.seconds / games:.2f}",
    )


def cross_table(standings: Standings) -> Table:
    """Return the points of each player against each other, best first."""
    order = standings.rows
    headings = ("player", *(str(place) for place in range(1, len(order) + 1)), "points")
    rows = []
    for place, row in enumerate(order, start=1):
        cells = [
            _format_score(standings.against.get((row.player, other.player))) for other in order
        ]
        cells[place - 1] = "·"
        rows.append((f"{place} {row.name}", *cells, points_text(row.points)))
    return Table(headings, tuple(rows))


def figures_table(standings: Standings) -> Table:
    """Return standings and cross-table as one table of plain numbers, for other programs."""
    headings = (
        *("player", "elo", "elo_low", "elo_high", "games", "wins", "draws", "losses", "points"),
        *("loops", "faults", "seconds", "nodes"),
        *(f"against {row.name}" for row in standings.rows),
    )
    return Table(headings, tuple(_figures(row, standings) for row in standings.rows))


def _figures(row: Standing, standings: Standings) -> tuple[str, ...]:
    rating, score = row.rating, row.score
    scores = [standings.against.get((row.player, other.player)) for other in standings.rows]
    return (
        row.name,
        *(f"{value:.1f}" for value in (rating.value, rating.low, rating.high)),
        *(str(count) for count in (row.games, score.wins, score.draws, score.losses)),
        points_text(row.points),
        *(str(count) for count in (row.loops, row.forfeits)),
        f"{row.seconds:.3f}",
        str(row.nodes),
        *("" if each is None else points_text(each.wins + each.draws / 2) for each in scores),
    )


def _format_score(score: Score | None) -> str:
    if score is None:
        return ""
    games = score.wins + score.draws + score.losses
    return f"{points_text(score.wins + score.draws / 2)}/{games}"


def fault_remarks(names: Sequence[str], games: Iterable[StoredGame]) -> list[str]:
    """Return a line for each player and reason with the number of games lost by it."""
    counts: Counter[tuple[str, str]] = Counter()
    for game in games:
        if game.result.ending == "forfeit":
            loser = game.pairing.first if game.result.points == 0 else game.pairing.second
            counts[names[loser], game.result.reason.partition(" loses: ")[2]] += 1
    return [
        f"{name} lost {count} {'game' if count == 1 else 'games'} by a fault: {reason}"
        for (name, reason), count in counts.most_common(_MAX_FAULTS)
    ]


def points_text(points: float) -> str:
    """Format points: halves as .5, integers without a fraction."""
    return f"{points:.1f}".removesuffix(".0")


def margin_text(estimate: Estimate) -> str:
    """Format the figure after ±."""
    return "∞" if math.isinf(estimate.margin) else f"{estimate.margin:.0f}"


def difference_text(estimate: Estimate) -> str:
    """Format an Elo difference with its interval; infinite where one side has all points."""
    value = "∞" if math.isinf(estimate.value) else f"{abs(estimate.value):.0f}"
    sign = "-" if estimate.value < 0 else "+"
    return f"{sign}{value} (95 %: {_limit(estimate.low)} to {_limit(estimate.high)})"


def _limit(value: float) -> str:
    return f"{value:+.0f}".replace("inf", "∞")

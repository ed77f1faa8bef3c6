"""A match in tables: standings and cross-table."""

import math
from collections.abc import Sequence

from plyforge.match.ratings import Estimate, Score
from plyforge.match.results import Standing, Standings
from plyforge.match.tables import Table


def tables(found: Standings) -> list[Table]:
    """Standings, and who beat whom where there are more than two players."""
    told = [standings_table(found)]
    return [*told, cross_table(found)] if len(found.rows) > 2 else told


def difference_remark(names: Sequence[str], found: Standings) -> list[str]:
    """With two players, how much better the first of the plan is."""
    if found.difference is None or found.superiority is None:
        return []
    return [
        f"{names[0]} against {names[1]}: Elo {difference_text(found.difference)},"
        f" likelihood of superiority {100 * found.superiority:.1f} %,"
        f" pairs {', '.join(map(str, found.against[0, 1].pairs))}"
    ]


def games_remark(found: Standings, first_side: str) -> str:
    """How the games ended, whoever played them."""
    share = (found.first.wins + found.first.draws / 2) / max(found.games, 1)
    return (
        f"{found.games} games: {found.draws} drawn, {found.loops} loops,"
        f" {found.adjudicated} adjudicated; {first_side} scores {100 * share:.1f} %"
    )


def standings_table(found: Standings) -> Table:
    """One row a player, the best first."""
    headings = (
        *("player", "Elo", "±", "games", "+", "=", "-", "score", "loops", "faults", "s/game"),
    )
    return Table(headings, tuple(_standing_row(row) for row in found.rows))


def _standing_row(row: Standing) -> tuple[str, ...]:
    games = max(row.games, 1)
    return (
        row.name,
        f"{row.rating.value:+.0f}",
        margin(row.rating),
        str(row.games),
        *(str(count) for count in (row.score.wins, row.score.draws, row.score.losses)),
        f"{100 * row.points / games:.1f} %",
        str(row.loops),
        str(row.forfeits),
        f"{row.seconds / games:.2f}",
    )


def cross_table(found: Standings) -> Table:
    """Everyone's points against everyone, the best first."""
    order = found.rows
    headings = ("player", *(str(place) for place in range(1, len(order) + 1)), "points")
    rows = []
    for place, row in enumerate(order, start=1):
        cells = [_against(found.against.get((row.player, other.player))) for other in order]
        cells[place - 1] = "·"
        rows.append((f"{place} {row.name}", *cells, points_text(row.points)))
    return Table(headings, tuple(rows))


def figures_table(found: Standings) -> Table:
    """Standings and cross-table as one table of plain numbers, for other programs."""
    headings = (
        *("player", "elo", "elo_low", "elo_high", "games", "wins", "draws", "losses", "points"),
        *("loops", "faults", "seconds", "nodes"),
        *(f"against {row.name}" for row in found.rows),
    )
    return Table(headings, tuple(_figures(row, found) for row in found.rows))


def _figures(row: Standing, found: Standings) -> tuple[str, ...]:
    rating, score = row.rating, row.score
    met = [found.against.get((row.player, other.player)) for other in found.rows]
    return (
        row.name,
        *(f"{value:.1f}" for value in (rating.value, rating.low, rating.high)),
        *(str(count) for count in (row.games, score.wins, score.draws, score.losses)),
        points_text(row.points),
        *(str(count) for count in (row.loops, row.forfeits)),
        f"{row.seconds:.3f}",
        str(row.nodes),
        *("" if each is None else points_text(each.wins + each.draws / 2) for each in met),
    )


def _against(score: Score | None) -> str:
    if score is None:
        return ""
    games = score.wins + score.draws + score.losses
    return f"{points_text(score.wins + score.draws / 2)}/{games}"


def points_text(points: float) -> str:
    """Halves as .5, whole numbers as such."""
    return f"{points:.1f}".removesuffix(".0")


def margin(estimate: Estimate) -> str:
    """The figure after ±."""
    return "∞" if math.isinf(estimate.margin) else f"{estimate.margin:.0f}"


def difference_text(estimate: Estimate) -> str:
    """A difference in Elo with its interval; infinite where all points went one way."""
    value = "∞" if math.isinf(estimate.value) else f"{abs(estimate.value):.0f}"
    sign = "-" if estimate.value < 0 else "+"
    return f"{sign}{value} (95 %: {_limit(estimate.low)} to {_limit(estimate.high)})"


def _limit(value: float) -> str:
    return f"{value:+.0f}".replace("inf", "∞")

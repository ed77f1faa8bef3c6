"""Checks of the engine by matches: writes docs/results/matches.md and matches.csv.

    python scripts/match_checks.py [--db FILE] [--jobs J] [--folder FOLDER] [CHECK ...]

Each game is stored when it ends; run the same command again to resume.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from plyforge.jobs.executor import Executor
from plyforge.jobs.local import local_executor
from plyforge.match.openings import OpeningSource
from plyforge.match.plan import Plan
from plyforge.match.players import MoveLimits
from plyforge.match.ratings import Score
from plyforge.match.report import difference_text
from plyforge.match.results import Standings, standings
from plyforge.match.schedule import Format
from plyforge.match.store import Store
from plyforge.match.tables import Table
from plyforge.match.tournament import Tournament

RESULTS = Path(__file__).parents[1] / "docs" / "results"

DEPTHS = {
    "tictactoe": (9, 1),
    "connect4": (6, 4),
    "checkers": (7, 5),
    "giveaway": (7, 5),
    "othello": (5, 3),
    "hex:7": (3, 1),
    "andantino": (3, 1),
    "kalah": (6, 4),
    "chess": (4, 2),
    "tree:incremental,6,12": (4, 2),
}
"""The deeper and the shallower depth of each game."""
PLIES = {"tictactoe": 2, "tree:incremental,6,12": 2}
"""Random plies of an opening in games where four are too many."""
GAMES = {"tictactoe": 40, "tree:incremental,6,12": 20, "hex:7": 200}
"""Games where there are too few openings for 60, or 60 games decide nothing."""
LEVELS = (1, 4, 7, 10, 13, 16)


@dataclass(frozen=True)
class Check:
    """A claim, and the matches that test it: the first player of each should win."""

    name: str
    claim: str
    plans: tuple[Plan, ...]


def _openings(game: str) -> OpeningSource:
    return OpeningSource("random", PLIES.get(game, 4))


def _make_duel(game: str, one: str, other: str, games: int = 60, **more: object) -> Plan:
    return Plan(game, (one, other), games, openings=_openings(game), **more)  # type: ignore[arg-type]


def checks() -> list[Check]:
    """Return all checks."""
    deeper = [
        _make_duel(game, f"engine:depth={deep}", f"engine:depth={shallow}", GAMES.get(game, 60))
        for game, (deep, shallow) in DEPTHS.items()
    ]
    evaluating = [
        _make_duel(game, f"engine:depth={shallow}", f"engine:depth={shallow},evaluation=none")
        for game, (_, shallow) in DEPTHS.items()
        if game not in PLIES
    ]
    short = MoveLimits(time=0.02)
    presets = [
        _make_duel(game, "engine:preset=play", "engine:preset=exact", 200, limits=short)
        for game in ("checkers", "giveaway", "othello", "connect4", "chess")
    ]
    levels = [
        Plan(
            game,
            tuple(f"engine:level={n},name=level {n}" for n in reversed(LEVELS)),
            10,
            Format.ROUND_ROBIN,
            _openings(game),
        )
        for game in ("connect4", "checkers", "othello")
    ]
    return [
        Check("depth", "a deeper search beats a shallower one", tuple(deeper)),
        Check("evaluation", "the hand evaluation beats none at the same depth", tuple(evaluating)),
        Check("preset", "`play` beats `exact` at 0.02 s a move", tuple(presets)),
        Check("levels", "a higher level beats a lower one", tuple(levels)),
    ]


def _run(check: Check, store: Store, executor: Executor) -> Iterator[tuple[Plan, Standings]]:
    for plan in check.plans:
        tournament = Tournament(plan, store, executor)
        tournament.prepare()
        for _ in tournament.run():
            done = len(tournament.games)
            sys.stderr.write(f"\r\x1b[K{check.name} {plan.game}: {done} of {plan.total} games")
        yield plan, standings(plan.names, tournament.games)
    sys.stderr.write("\n")


def duels_table(rows: list[tuple[Plan, Standings]]) -> Table:
    headings = ("game", "first", "second", "+", "=", "-", "loops", "Elo", "superior", "holds")
    return Table(headings, tuple(_duel_row(plan, result) for plan, result in rows))


def _duel_row(plan: Plan, result: Standings) -> tuple[str, ...]:
    assert result.difference is not None
    score: Score = result.against[0, 1]
    low, high = result.difference.low, result.difference.high
    verdict = "yes" if low > 0 else "no" if high < 0 else "not decided"
    return (
        plan.game,
        *plan.names,
        *(str(count) for count in (score.wins, score.draws, score.losses)),
        str(result.loops),
        difference_text(result.difference),
        f"{100 * (result.superiority or 0):.1f} %",
        verdict,
    )


def levels_table(rows: list[tuple[Plan, Standings]]) -> Table:
    headings = ("game", *(f"level {n}" for n in LEVELS), "in order")
    lines = []
    for plan, result in rows:
        elo = {row.name: row.rating for row in result.rows}
        values = [elo[f"level {n}"] for n in LEVELS]
        rising = all(a.value < b.value for a, b in pairwise(values))
        texts = [f"{estimate.value:+.0f} ±{estimate.margin:.0f}" for estimate in values]
        lines.append((plan.game, *texts, "yes" if rising else "no"))
    return Table(headings, tuple(lines))


HEAD = """# Checks of the engine by matches

Written by `python scripts/match_checks.py`. Each opening (random plies from seed 0) is played with
both sides; intervals are 95 %, from pairs ([ratings](../match/ratings.md)). A claim holds where the
whole interval is above 0. Loops are games without a winner although one side is ahead
([matches](../match/matches.md)).
"""


def write_page(chosen: list[Check], store: Store, executor: Executor, folder: Path) -> None:
    """Play the matches of some checks; write their tables to `matches.md` and `matches.csv`."""
    parts, tables = [HEAD], []
    for check in chosen:
        rows = list(_run(check, store, executor))
        table = levels_table(rows) if check.name == "levels" else duels_table(rows)
        parts += [f"## {check.name.capitalize()}: {check.claim}", "", table.markdown()]
        tables.append(table.csv())
    (folder / "matches.md").write_text("\n".join(parts), encoding="utf-8")
    (folder / "matches.csv").write_text("\n".join(tables), encoding="utf-8")


def main() -> None:
    known = {check.name: check for check in checks()}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--db", default="match_checks.db")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--folder", type=Path, default=RESULTS)
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"of {', '.join(known)}")
    arguments = parser.parse_args()
    for name in arguments.checks:
        if name not in known:
            parser.error(f"unknown check '{name}'; known: {', '.join(known)}")
    arguments.folder.mkdir(exist_ok=True)
    with Store(arguments.db) as store:
        chosen = [known[name] for name in arguments.checks or known]
        write_page(chosen, store, local_executor(arguments.jobs), arguments.folder)


if __name__ == "__main__":
    main()

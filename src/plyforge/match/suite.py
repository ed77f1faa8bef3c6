"""Test suites: positions with best moves, or with moves to avoid.

A position is solved if the move at the end is right.  It was solved at the first iteration since
which the best move was always right.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, RecordError
from plyforge.engine import Engine, Info, score_text
from plyforge.engine.limits import Limits
from plyforge.game.game import Game
from plyforge.match.tables import Table
from plyforge.records.epd import EpdRecord, read_epd

_STEPS: Final = (1, 2, 5)
"""The steps of the limits in the summary, in each power of ten."""


@dataclass(frozen=True)
class Problem:
    """A position with the moves that solve it."""

    name: str
    position: Any
    best: tuple[int, ...]
    """The moves to find; any other is wrong.  None if only `avoid` counts."""
    avoid: tuple[int, ...]

    def is_solved_by(self, move: int) -> bool:
        return move not in self.avoid and (not self.best or move in self.best)

    def expected(self, game: Game) -> str:
        """Return the moves to find and to avoid, as text."""
        words = [game.move_text(self.position, move) for move in self.best]
        words += [f"not {game.move_text(self.position, move)}" for move in self.avoid]
        return " ".join(words)


@dataclass(frozen=True)
class Attempt:
    """The search of a problem; depth, nodes and seconds are those at which it was solved."""

    problem: Problem
    move: int
    score: float
    depth: int | None
    nodes: int | None
    seconds: float | None
    total_nodes: int
    total_seconds: float

    @property
    def solved(self) -> bool:
        return self.seconds is not None

    def fields(self, game: Game) -> dict[str, Any]:
        """Return the attempt for JSON."""
        position = self.problem.position
        return {
            "id": self.problem.name,
            "position": game.text(position),
            "best_moves": [game.move_text(position, move) for move in self.problem.best],
            "avoid_moves": [game.move_text(position, move) for move in self.problem.avoid],
            "move": game.move_text(position, self.move),
            "score": score_text(self.score),
            "solved": self.solved,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "total_nodes": self.total_nodes,
            "total_seconds": self.total_seconds,
        }


def read_problems(game: Game, text: str) -> list[Problem]:
    """Read the problems of a text in EPD; an error names the line."""
    problems = [_read_problem(game, record) for record in read_epd(text)]
    if not problems:
        raise RecordError("there is no position in it")
    return problems


def _read_problem(game: Game, record: EpdRecord) -> Problem:
    try:
        position = game.parse(record.position)
        if not game.legal_moves(position):
            raise PlyforgeError("the game is over in this position")
        best, avoid = (
            tuple(game.parse_move(position, word) for word in record.operations.get(name, []))
            for name in ("bm", "am")
        )
        if not best and not avoid:
            raise PlyforgeError(
                "there is neither a best move (bm) nor one to avoid (am); write bm Nf3; behind the"
                " position"
            )
    except PlyforgeError as error:
        raise RecordError(f"line {record.line}: {error}") from None
    return Problem(record.name, position, best, avoid)


def attempt_all(engine: Engine, problems: Iterable[Problem], limits: Limits) -> Iterator[Attempt]:
    """Search each problem with an empty table, and yield the attempts."""
    for problem in problems:
        engine.clear()
        yield attempt(engine, problem, limits)


def attempt(engine: Engine, problem: Problem, limits: Limits) -> Attempt:
    """Search one problem."""
    since: Info | None = None

    def watch(info: Info) -> None:
        nonlocal since
        if not problem.is_solved_by(info.move):
            since = None
        elif since is None:
            since = info

    result = engine.analyse(
        problem.position, depth=limits.depth, time=limits.time, nodes=limits.nodes, report=watch
    )
    if problem.is_solved_by(result.move) and result.bound != "none":
        since = since or result
    else:
        since = None
    return Attempt(
        problem,
        result.move,
        result.score,
        None if since is None else since.lines[0].depth,
        None if since is None else since.nodes,
        None if since is None else since.seconds,
        result.nodes,
        result.seconds,
    )


def attempts_table(game: Game, attempts: Iterable[Attempt]) -> Table:
    """Return a row for each attempt."""
    rows = []
    for one in attempts:
        problem = one.problem
        found = (
            (f"{one.depth}", f"{one.nodes:,}", f"{one.seconds:.2f}") if one.solved else ("",) * 3
        )
        rows.append(
            (
                problem.name,
                problem.expected(game),
                game.move_text(problem.position, one.move),
                score_text(one.score),
                "yes" if one.solved else "no",
                *found,
            )
        )
    headings = ("position", "expected", "move", "score", "solved", "depth", "nodes", "seconds")
    return Table(headings, tuple(rows))


def count_solved(attempts: list[Attempt], measure: str) -> dict[float, int]:
    """Return the number solved within limits of `depth`, `nodes` or `seconds`.

    The limits are all depths, or the numbers 1, 2, 5, 10, 20, 50 and so on that make a difference.
    """
    values = sorted(getattr(one, measure) for one in attempts if one.solved)
    if not values:
        return {}
    limits = list(range(1, values[-1] + 1)) if measure == "depth" else _round_limits(values)
    counts = {limit: sum(value <= limit for value in values) for limit in limits}
    before = [0, *counts.values()]
    return {limit: n for (limit, n), old in zip(counts.items(), before, strict=False) if n > old}


def _round_limits(values: list[float]) -> list[float]:
    """Return round numbers from 0.001 up to the first that is not less than any value."""
    limits: list[float] = []
    power = -3
    while True:
        for step in _STEPS:
            limits.append(step * 10**power if power >= 0 else step / 10**-power)
            if limits[-1] >= values[-1]:
                return limits
        power += 1


def summary_lines(attempts: list[Attempt]) -> list[str]:
    """Describe how many were solved, and by which depth, nodes and time."""
    solved, total = sum(one.solved for one in attempts), len(attempts)
    nodes, seconds = sum(a.total_nodes for a in attempts), sum(a.total_seconds for a in attempts)
    lines = [f"{solved} of {total} solved; {nodes:,} nodes in {seconds:.1f} s"]
    for measure, unit in (("depth", ""), ("nodes", ""), ("seconds", " s")):
        counts = count_solved(attempts, measure)
        if counts:
            parts = [f"{limit:,}{unit}: {count}" for limit, count in counts.items()]
            lines.append(
                f"solved by {'time' if measure == 'seconds' else measure}: {', '.join(parts)}"
            )
    return lines

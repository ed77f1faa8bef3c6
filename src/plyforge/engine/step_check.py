"""Checks of search steps: does a step that claims exactness return minimax values?

Positions of random games are searched with the step, with and without the other enhancements, and
by plain minimax.  Values must be equal.  For a step that does not claim exactness, the same
searches count how often and by how much values differ; what is reported as proved must be right.
"""

import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from plyforge.compilation.kernel import Backend
from plyforge.core.errors import GameFileError
from plyforge.core.randomness import Stream
from plyforge.engine import overrun
from plyforge.engine.engine import Engine
from plyforge.engine.overrun import Overseer
from plyforge.engine.result import SearchResult
from plyforge.game.game import Game, History
from plyforge.games import load
from plyforge.search.steps.step import Step

GAMES: Final = (
    "tictactoe",
    "tree:uniform,branching=3,depth=6,seed={seed}",
    "tree:cyclic,seed={seed}",
    "connect4:4x4",
    "kalah:3,2",
    "checkers",
)
"""Games to check on if none is given: with wins, scores, cycles, double turns and no moves left."""
MAX_DEPTHS: Final[dict[Backend, int]] = {"python": 4, "compiled": 7}
MAX_SECONDS = 60.0
"""The time that one search has."""
_ENTRIES: Final = 1 << 12
_WAYS: Final[dict[str, tuple[str, ...]]] = {"alone": ("all",), "with the preset 'exact'": ()}
"""The switches that are off."""


class _EndlessStep(BaseException):
    """Raised within a search that does not end."""


@dataclass(frozen=True)
class StepProblem:
    """A position where a step does not keep what it claims."""

    game: str
    position: str
    depth: int
    way: str
    message: str

    def __str__(self) -> str:
        return (
            f"{self.game}, position {self.position}, depth {self.depth}, {self.way}: {self.message}"
        )


@dataclass
class StepReport:
    """What a check of a step has found."""

    step: str
    claims_exact: bool
    searches: int = 0
    different: int = 0
    """Searches whose value is not the minimax value."""
    max_difference: float = 0.0
    problems: list[StepProblem] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems


def check_step(
    step: Step,
    games: tuple[str, ...] = GAMES,
    *,
    positions: int = 20,
    seed: int = 0,
    backend: Backend = "python",
    report: Callable[[int], None] | None = None,
) -> StepReport:
    """Compare searches with a step with minimax, and return what was found.

    It stops at the first problem.  `report` is called with the number of positions checked so far.
    """
    found, done = StepReport(step.name, step.exact), 0
    for name in games:
        game = load(name.format(seed=seed + 1), backend)
        minimax = Engine(game, driver="minimax", entries=_ENTRIES)
        engines = {
            way: Engine(game, driver="alphabeta", steps=[step], entries=_ENTRIES, off=off)
            for way, off in _WAYS.items()
        }
        for number, root in enumerate(_roots(game, positions, seed)):
            depth = 1 + number % MAX_DEPTHS[backend]
            truth = minimax.analyse(root, depth=depth)
            for way, engine in engines.items():
                engine.clear()
                with _end_of_step(step, root):
                    result = engine.analyse(root, depth=depth)
                _compare(found, root, way, result, truth)
                if found.problems:
                    return found
            done += 1
            if report is not None:
                report(done)
    return found


@contextmanager
def _end_of_step(step: Step, root: History) -> Iterator[None]:
    """Raise an error if a search does not end: uncompiled code can be interrupted."""
    overseer, done = Overseer(_EndlessStep), threading.Event()

    def watch() -> None:
        wait = MAX_SECONDS
        while not done.wait(wait):
            overseer.stop()
            wait = overrun.GRACE

    watcher = threading.Thread(target=watch, name="plyforge-step-check", daemon=True)
    try:
        with overseer.watch():
            watcher.start()
            yield
    except _EndlessStep as error:
        own = [one.lineno for one in traceback.extract_tb(error.__traceback__) if _is_in(one, step)]
        line = f", line {own[-1]}" if own else ""
        raise GameFileError(
            f"{step.file}{line}: a search with the step '{step.name}' did not end within"
            f" {MAX_SECONDS:g} s in position {root.game.text(root.position)}"
        ) from None
    finally:
        done.set()


def _is_in(place: traceback.FrameSummary, step: Step) -> bool:
    return Path(place.filename) == Path(step.file).resolve() or place.filename == step.file


def _roots(game: Game, count: int, seed: int) -> Iterator[History]:
    """Yield positions of random games that are not over."""
    for number in range(count):
        stream = Stream(seed).split(f"step {number}")
        history = game.history()
        for _ in range(stream.below(12)):
            longer = history.copy()
            longer.play(stream.choice(history.legal_moves()))
            if longer.verdict().over:
                break
            history = longer
        yield history


def _compare(
    found: StepReport, root: History, way: str, mine: SearchResult, truth: SearchResult
) -> None:
    """Record how a result differs from minimax."""
    found.searches += 1
    if mine.score != truth.score:
        found.different += 1
        found.max_difference = max(found.max_difference, abs(mine.score - truth.score))
    message = _mistake(found.claims_exact, mine, truth)
    if message:
        game = root.game
        place = (game.name, game.text(root.position), truth.depth, way)
        found.problems.append(StepProblem(*place, message))


def _mistake(claims_exact: bool, mine: SearchResult, truth: SearchResult) -> str:
    """Return what is wrong with a result, or an empty text."""
    if claims_exact and mine.score != truth.score:
        return f"the value is {mine.score:g}, and by minimax {truth.score:g}"
    if mine.proved and truth.proved and mine.score != truth.score:
        return f"{mine.score:g} is reported as proved, but the proved value is {truth.score:g}"
    return ""

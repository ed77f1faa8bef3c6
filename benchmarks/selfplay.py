"""Games that learning plays against itself: an hour of one core, compiled and in pure Python.

Checkers at depth 4 with its own evaluation, as data that learning changes. The pure Python side is
the same code with `backend="python"`: the same search of the same positions, uncompiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from benchmarks.clock import Settings, in_process, interleave
from benchmarks.table import Row
from benchmarks.targets import RATIOS
from plyforge.compilation.kernel import Backend
from plyforge.evaluate import evaluation_of
from plyforge.learn.games import GamePlan, GameTask, play_task

DEPTH, PLIES, QUICK_PLIES = 4, 40, 8
"""Games end after so many plies; both sides play the same moves."""
_SEED = 1


def rows(settings: Settings) -> Iterator[Row]:
    plies = QUICK_PLIES if settings.quick else PLIES
    _play("compiled", QUICK_PLIES)  # so that no contender compiles
    contenders = [
        in_process(lambda backend=backend: _play(backend, plies), settings.min_seconds)
        for backend in ("compiled", "python")
    ]
    ours, theirs = interleave(contenders, settings.rounds)
    yield Row(
        "selfplay",
        "checkers",
        f"depth {DEPTH}, games of {plies} plies, against pure Python",
        plies,
        unit="moves/s",
        ours=ours.rate,
        theirs=theirs.rate,
        ratio=ours.rate / theirs.rate,
        target=RATIOS.get(("selfplay", "python")),
    )


def _play(backend: Backend, plies: int) -> int:
    """Play a game; return how many moves were searched."""
    plan = GamePlan("checkers", "", DEPTH, _SEED, opening=0, max_plies=plies, backend=backend)
    weights = _weights().tobytes()
    played = play_task(GameTask(plan, 0, (weights, weights)), _report)
    return len(played.moves)


@cache
def _weights() -> Any:
    return evaluation_of(GamePlan("checkers").load_game()).vector


def _report(stage: str, seconds: Any) -> None:
    """Reports of a job are for its executor."""

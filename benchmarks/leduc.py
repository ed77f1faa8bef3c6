"""Seconds to exploitability 0.001 in Leduc hold'em by CFR+, against OpenSpiel's Python and C++.

Exploitability is NashConv / 2.  All three run the same algorithm: alternating updates, regrets of
at least 0, and averages weighted by the iteration; after equally many iterations their
exploitability is the same.  So the number of iterations that ours needs is found first, then each
runs that many, and the exploitability of each is checked.  Building the tree takes time, too: it is
in the second row.  OpenSpiel's Python is timed for fewer iterations, and the rest is extrapolated.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.clock import MeasurementError, Settings
from benchmarks.table import Row
from benchmarks.targets import LEDUC_RATIO, Target

GOAL = 0.001
COMPARISON = "leduc"
PYTHON_ITERATIONS = 3
ROUNDS = 3


def rows(settings: Settings) -> Iterator[Row]:
    """Measure CPU seconds, the best of some rounds in turns."""
    try:
        pyspiel = importlib.import_module("pyspiel")
        python_cfr = importlib.import_module("open_spiel.python.algorithms.cfr")
    except ImportError as error:
        yield Row(COMPARISON, "leduc", "CFR+", note=f"not measured: {error}")
        return
    goal = 0.05 if settings.quick else GOAL
    iterations, _ = _ours(goal, None)
    game = pyspiel.load_game("leduc_poker")
    solving: list[float] = []
    building: list[float] = []
    theirs: list[float] = []
    for _ in range(1 if settings.quick else ROUNDS):
        _, (built, solved) = _ours(goal, iterations)
        building.append(built)
        solving.append(solved)
        theirs.append(_cpp(pyspiel, game, iterations, goal))
    slow = _python(python_cfr, game, iterations)
    ours, whole, cpp = min(solving), min(building) + min(solving), min(theirs)
    case = f"CFR+ to exploitability {goal:g}"
    note = f"{iterations} iterations; CPU time"
    yield _row(case, f"{note}; against C++", ours, cpp, LEDUC_RATIO)
    yield _row(f"{case}, with building the tree", f"{note}; against C++", whole, cpp, None)
    extrapolated = f"{note}; against Python, extrapolated from {PYTHON_ITERATIONS}"
    yield _row(case, extrapolated, ours, slow, None)


def _row(case: str, note: str, ours: float, theirs: float, target: Target | None) -> Row:
    return Row(
        COMPARISON, "leduc", case, ours=ours, theirs=theirs, unit="CPU s", ratio=theirs / ours,
        target=target, note=note,
    )  # fmt: skip


def _ours(goal: float, iterations: int | None) -> tuple[int, tuple[float, float]]:
    """Return the number of iterations, and the seconds of building the tree and of iterating."""
    from plyforge.equilibrium import RegretMinimizer, build_tree, load

    start = time.process_time()
    minimizer = RegretMinimizer(build_tree(load("leduc")))
    built = time.process_time()
    if iterations is None:
        while minimizer.iterate(1) > goal:
            pass
    else:
        _check(minimizer.iterate(iterations), goal)
    ended = time.process_time()
    return minimizer.iterations, (built - start, ended - built)


def _cpp(pyspiel: Any, game: Any, iterations: int, goal: float) -> float:
    solver = pyspiel.CFRPlusSolver(game)
    start = time.process_time()
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    seconds = time.process_time() - start
    _check(pyspiel.nash_conv(game, solver.average_policy()) / 2, goal)
    return seconds


def _python(cfr: Any, game: Any, iterations: int) -> float:
    solver = cfr.CFRPlusSolver(game)
    start = time.process_time()
    for _ in range(PYTHON_ITERATIONS):
        solver.evaluate_and_update_policy()
    return (time.process_time() - start) / PYTHON_ITERATIONS * iterations


def _check(reached: float, goal: float) -> None:
    if not reached <= goal:
        raise MeasurementError(f"exploitability is {reached:g}, not {goal:g}")

"""Seconds to exploitability 0.001 in Leduc hold'em by CFR+, against OpenSpiel's Python and C++.

Exploitability is NashConv / 2.  All three run the same algorithm: alternating updates, regrets of
at least 0, and averages weighted by the iteration.  Rounding makes them part after some hundred
iterations, so each runs until it reaches the goal.  Ours is timed with the test for that after each
iteration, OpenSpiel's without it.  Building the tree takes time, too: it is in the second row.
OpenSpiel's Python is timed for some iterations, and the rest is extrapolated to those of C++.
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
MIN_SHARE, MAX_SHARE = 0.8, 3.0
"""The range in which the number of OpenSpiel's iterations is looked for, as shares of ours."""
TEST_EVERY = 5


def rows(settings: Settings) -> Iterator[Row]:
    """Measure CPU seconds, the best of some rounds in turns."""
    try:
        pyspiel = importlib.import_module("pyspiel")
        python_cfr = importlib.import_module("open_spiel.python.algorithms.cfr")
    except ImportError as error:
        yield Row(COMPARISON, "leduc", "CFR+", note=f"not measured: {error}")
        return
    goal = 0.05 if settings.quick else GOAL
    game = pyspiel.load_game("leduc_poker")
    solving: list[float] = []
    building: list[float] = []
    theirs: list[float] = []
    iterations, their_iterations = _ours(goal)[0], 0
    for _ in range(1 if settings.quick else ROUNDS):
        _, (built, solved) = _ours(goal)
        building.append(built)
        solving.append(solved)
        their_iterations, seconds = _cpp(pyspiel, game, iterations, goal)
        theirs.append(seconds)
    slow = _python(python_cfr, game, their_iterations)
    ours, whole, cpp = min(solving), min(building) + min(solving), min(theirs)
    case = f"CFR+ to exploitability {goal:g}"
    note = f"{iterations} and {their_iterations} iterations; CPU time"
    yield _row(case, f"{note}; against C++", ours, cpp, LEDUC_RATIO)
    yield _row(f"{case}, with building the tree", f"{note}; against C++", whole, cpp, None)
    extrapolated = f"{note}; against Python, extrapolated from {PYTHON_ITERATIONS}"
    yield _row(case, extrapolated, ours, slow, None)


def _row(case: str, note: str, ours: float, theirs: float, target: Target | None) -> Row:
    return Row(
        COMPARISON, "leduc", case, ours=ours, theirs=theirs, unit="CPU s", ratio=theirs / ours,
        target=target, note=note,
    )  # fmt: skip


def _ours(goal: float) -> tuple[int, tuple[float, float]]:
    """Return the number of iterations, and the seconds of building the tree and of iterating."""
    from plyforge.equilibrium import RegretMinimizer, build_tree, load

    start = time.process_time()
    minimizer = RegretMinimizer(build_tree(load("leduc")))
    built = time.process_time()
    while minimizer.iterate(1) > goal:
        pass
    ended = time.process_time()
    return minimizer.iterations, (built - start, ended - built)


def _cpp(pyspiel: Any, game: Any, iterations: int, goal: float) -> tuple[int, float]:
    """Return iterations and seconds; exploitability is tested when ours has reached the goal."""
    solver = pyspiel.CFRPlusSolver(game)
    done, seconds = 0, 0.0
    while True:
        start = time.process_time()
        solver.evaluate_and_update_policy()
        seconds += time.process_time() - start
        done += 1
        if done >= MIN_SHARE * iterations and done % TEST_EVERY == 0:
            if pyspiel.nash_conv(game, solver.average_policy()) / 2 <= goal:
                return done, seconds
            if done > MAX_SHARE * iterations:
                raise MeasurementError(
                    f"OpenSpiel has not reached {goal:g} after {done} iterations"
                )


def _python(cfr: Any, game: Any, iterations: int) -> float:
    solver = cfr.CFRPlusSolver(game)
    start = time.process_time()
    for _ in range(PYTHON_ITERATIONS):
        solver.evaluate_and_update_policy()
    return (time.process_time() - start) / PYTHON_ITERATIONS * iterations

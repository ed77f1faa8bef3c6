"""Plain ExpectiMax compiled by Numba alone: the values of `expectimax`, for many trees.

It uses no code of the project's compilation or search, prunes nothing and remembers nothing.  The
functions of the rules are compiled as they stand, so they may use only what Numba knows.
"""

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np

from plyforge.core.scores import LOSS, ONGOING, WIN


def compile_expectimax(file: Path) -> Callable[[Any, int], float]:
    """Return a function of a position and a depth, for the rules in a file."""
    rules: dict[str, Any] = {"__name__": file.stem}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), rules)
    for name in [name for name, one in rules.items() if isinstance(one, FunctionType)]:
        rules[name] = numba.njit(rules[name])
    search = _compile_search(rules, float(max(map(abs, rules["EVALUATION_RANGE"]))))
    return lambda position, depth: float(search(rules["Position"](*position), depth))


def _compile_search(rules: dict[str, Any], limit: float) -> Any:
    outcome, stuck, evaluate = rules["outcome"], rules["stuck"], rules["evaluate"]
    chance, chance_outcomes = rules["chance"], rules["chance_outcomes"]
    moves, play, turn = rules["moves"], rules["play"], rules["turn"]

    @numba.njit
    def round32(number: float) -> float:
        return np.float64(np.float32(number)) + 0.0  # type: ignore[no-any-return]

    @numba.njit
    def value_of_result(result: float) -> Any:
        if result == WIN:
            return limit
        if result == LOSS:
            return 0.0 - limit
        return round32(result)

    @numba.njit
    def search(position: Any, depth: int) -> Any:
        result = outcome(position)
        if result != ONGOING:
            return value_of_result(result)
        side = turn(position)
        if chance(position):
            if depth <= 0:
                return round32(evaluate(position))
            total = 0.0
            for drawn, probability in chance_outcomes(position):
                child = play(position, drawn)
                below = search(child, depth)
                total += probability * (below if turn(child) == side else 0.0 - below)
            return round32(total)
        best = -np.inf
        for move in moves(position):
            if depth <= 0:
                return round32(evaluate(position))
            child = play(position, move)
            below = search(child, depth - 1)
            best = max(best, below if turn(child) == side else 0.0 - below)
        return best if best > -np.inf else value_of_result(stuck(position))

    return search

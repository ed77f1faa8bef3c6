"""Helpers for tests of evaluations: positions of random games, and compiled values."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

import plyforge
from plyforge import Game
from plyforge.compilation.hooks_api import begin, evaluate
from plyforge.compilation.kernel import BuiltKernel, Kernel, build
from plyforge.core.randomness import Stream


def _value(position: Any, states: Any, weights: Any) -> float:
    begin(position, states, weights)
    return evaluate(position, states, 0, weights)


load = cache(plyforge.load)

EVALUATE = Kernel("evaluate", _value, "float64(position, address, address)")


@cache
def compiled(game: Game) -> BuiltKernel:
    """A kernel that does nothing but evaluate."""
    return build(EVALUATE, game.rules, game.position_type)


def compiled_evaluation(game: Game) -> Callable[[Any], float]:
    """A game's compiled evaluation, for comparison with the uncompiled one."""
    call, block = compiled(game).call, game.rules.weights
    address = 0 if block is None else block.words.ctypes.data
    stateful = game.rules.constant("STATE") is not None
    states = game.rules.new_states(1) if stateful else np.zeros(1)
    return lambda position: float(call(position, states.ctypes.data, address))


def random_positions(game: Game, games: int, plies: int, seed: int = 7) -> Iterator[Any]:
    """Every position of some random games."""
    stream = Stream(seed)
    for _ in range(games):
        position = game.initial()
        for _ in range(plies):
            yield position
            moves = game.moves(position)
            if not moves:
                break
            position = game.play(position, stream.choice(moves))


def total(terms: Iterable[tuple[str, float, float]]) -> float:
    return sum(value * weight for _, value, weight in terms)

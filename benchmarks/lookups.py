"""A game without rules whose evaluation looks up entries of many tables, at random indices."""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from plyforge.compilation.hooks_api import evaluate, play
from plyforge.evaluate import patterns, quantise
from plyforge.game.forms import install_evaluation
from plyforge.game.game import Game
from plyforge.game.validation import read_module
from plyforge.rules import table

COUNT = 46
_WORD = (1 << 48) - 1


class Position(NamedTuple):
    word: int


def initial() -> Position:
    return Position(1)


def moves(position: Position) -> Any:
    yield 0


def step(position: Position, move: int) -> Position:
    return Position((position.word * 25_214_903_917 + 11) & _WORD)


def run(position: Any, weights: Any, count: int) -> float:
    """Evaluate `count` positions; return the sum."""
    total = 0.0
    for _ in range(count):
        position = play(position, 0)
        total += evaluate(position, 0, 0, weights)
    return total


def game(digits: int) -> Game:
    """Return the game with an evaluation of so many tables of 3 to the power `digits`."""
    size = 3**digits
    module = ModuleType("lookups")
    vars(module).update(__file__=__file__, initial=initial, moves=moves, play=step)
    tables = {f"table {n}": table(_index(n, size), size) for n in range(COUNT)}
    declared = patterns(tables)
    weights = np.random.default_rng(digits).integers(-500, 500, declared.form.size)
    evaluation = quantise(declared.with_weights(weights))
    bare = Game(read_module("lookups", module))
    return bare.with_rules(install_evaluation(bare.rules, evaluation))


def _index(number: int, size: int) -> Any:
    """Return an index function: some bits of a product, as a number below the size."""
    scope: dict[str, Any] = {"__name__": __name__}
    mixed = f"(position.word * {2 * number + 40_503}) >> {8 + number % 16} & 0xFFFF"
    exec(f"def index(position):\n    return ({mixed}) * {size} >> 16\n", scope)
    return scope["index"]

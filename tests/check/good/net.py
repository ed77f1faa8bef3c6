"""An evaluation by a net over a table, with int16 weights: it has a state of its own."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from plyforge.evaluate import quantise
from plyforge.rules import net, table

MAX_MOVES = 3
EVALUATION_RANGE = (-100, 100)


class Position(NamedTuple):
    heap: int
    side: int


def initial() -> Position:
    return Position(15, 0)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move, 1 - position.side)


def turn(position: Position) -> int:
    return position.side


def digits(position: Position) -> tuple[int, int, int]:
    return position.heap // 4, 4 + position.heap % 4, 8 + position.side


_EMPTY = net({"digits": table(digits, 10, 3)}, (8, 2))
_WEIGHTS = np.random.default_rng(5).normal(0, 0.5, _EMPTY.form.size)
EVALUATION = quantise(_EMPTY.with_weights(_WEIGHTS))

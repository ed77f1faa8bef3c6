"""Nets of Othello and connect four over tables, as tests of state between plies need them."""

from functools import cache
from typing import Any

import numpy as np

import plyforge
from plyforge.evaluate import Evaluation, net, table
from plyforge.game.game import Game
from plyforge.rules import popcount

CELLS = 20
RANGE = (-1000.0, 1000.0)


def cells(position: Any) -> tuple[int, ...]:
    """For each of the first cells of a 5x4 board: what is on it, seen by the side to move."""
    mine, theirs = position.mine, position.stones ^ position.mine
    return (
        content(mine, theirs, 0), content(mine, theirs, 1), content(mine, theirs, 5),
        content(mine, theirs, 6), content(mine, theirs, 10), content(mine, theirs, 15),
    )  # fmt: skip


def content(mine: int, theirs: int, cell: int) -> int:
    return (mine >> cell & 1) + 2 * (theirs >> cell & 1)


def colours(position: Any) -> tuple[int, ...]:
    """The same for the first player and the second, so that a move changes few of them."""
    mine, theirs = position.mine, position.stones ^ position.mine
    if popcount(position.stones) & 1:
        mine, theirs = theirs, mine
    return (
        content(mine, theirs, 0), 3 + content(mine, theirs, 1), 6 + content(mine, theirs, 5),
        9 + content(mine, theirs, 6), 12 + content(mine, theirs, 10),
        15 + content(mine, theirs, 15), 18 + content(mine, theirs, 20),
    )  # fmt: skip


def side(position: Any) -> int:
    return popcount(position.stones) & 1


def lead(position: Any) -> int:
    return popcount(position.mine & 0x7C00) - popcount((position.stones ^ position.mine) & 0x7C00)


def share(position: Any) -> float:
    return popcount(position.stones) / 20


TABLES = {"colours": table(colours, 21, 7), "side": table(side, 2)}
DECLARED: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "clipped": (TABLES, (16,), {}),
    "wide": (TABLES, (150,), {"activation": "relu"}),
    "odd": ({"cells": table(cells, 3, 6)}, (5, 3), {"activation": ("linear", "tanh")}),
    "sigmoid": (TABLES, (7,), {"activation": "sigmoid"}),
    "features too": ({"lead": lead, **TABLES, "share": share}, (9, 4), {"output": "tanh"}),
    "features only": ({"lead": lead, "share": share}, (6,), {}),
}


@cache
def board() -> Game:
    return plyforge.load("connect4:5x4")


def nets(scale: float = 0.6, seed: int = 4) -> dict[str, Evaluation]:
    """Every net with random weights."""
    stream = np.random.default_rng(seed)
    found = {}
    for name, (inputs, hidden, options) in DECLARED.items():
        empty = net(inputs, hidden, unit=0.01, **options)
        found[name] = empty.with_weights(stream.normal(0, scale, empty.form.size))
    return found

"""Random trees with chance, as a game: MAX, chance, MIN, chance and so on, all of one width.

Leaves have independent values, uniform from -1 to 1.  Moves come in random order, or those with the
best values first.  After `depth` moves there is a leaf, without chance between.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyforge.core.randomness import random_words

NAME = "Random trees with chance"
EVALUATION_RANGE = (-1.0, 1.0)
MAX_MOVES = 64
BRANCHING, OUTCOMES = 4, 6


class Position(NamedTuple):
    leaves: NDArray[np.float64]
    """The values of all leaves for MAX."""
    order: NDArray[np.int64]
    """The moves of every node in the order in which they are tried, level by level."""
    level: int
    node: int
    """The number of the node in its level; after a move, that of the move."""
    rolls: int
    depth: int


def initial(seed: int = 1, depth: int = 2, best_first: int = 0) -> Position:
    width = BRANCHING * (BRANCHING * OUTCOMES) ** (depth - 1)
    words = random_words(width, seed) >> np.uint64(11)
    leaves = (words.astype(np.float64) * 2.0**-52 - 1.0).astype(np.float32).astype(np.float64)
    return Position(leaves, make_order(leaves, depth, best_first), 0, 0, 0, depth)


def make_order(leaves: NDArray[np.float64], depth: int, best_first: int) -> NDArray[np.int64]:
    """Return the order of moves: by their values for the side to move, or as they are."""
    levels = []
    values = leaves
    for level in range(depth - 1, -1, -1):
        rows = values.reshape(-1, BRANCHING) * (1.0 if level % 2 == 0 else -1.0)
        plain = np.tile(np.arange(BRANCHING), (len(rows), 1))
        levels.append(np.argsort(-rows, axis=1, kind="stable") if best_first else plain)
        best = rows.max(axis=1) * (1.0 if level % 2 == 0 else -1.0)
        values = best.reshape(-1, OUTCOMES).mean(axis=1) if level > 0 else best
    return np.concatenate([one.ravel() for one in reversed(levels)]).astype(np.int64)


def turn(position: Position) -> int:
    return position.level % 2


def chance(position: Position) -> bool:
    return position.rolls == 1


def chance_outcomes(position: Position) -> Iterator[tuple[int, float]]:
    for outcome in range(OUTCOMES):
        yield outcome, 1 / OUTCOMES


def moves(position: Position) -> Iterator[int]:
    if position.level < position.depth:
        first, width = 0, 1
        for _ in range(position.level):
            first += BRANCHING * width
            width *= BRANCHING * OUTCOMES
        for place in range(BRANCHING):
            yield position.order[first + BRANCHING * position.node + place]


def play(position: Position, move: int) -> Position:
    leaves, order, level, node, rolls, depth = position
    if rolls == 1:
        return Position(leaves, order, level, node * OUTCOMES + move, 0, depth)
    last = level + 1 == depth
    return Position(leaves, order, level + 1, node * BRANCHING + move, 0 if last else 1, depth)


def can_move(position: Position) -> bool:
    return position.level < position.depth


def evaluate(position: Position) -> float:
    if position.level < position.depth:
        return 0.0
    value = float(position.leaves[position.node])
    return value if position.level % 2 == 0 else -value


def stuck(position: Position) -> float:
    return evaluate(position)


def key(position: Position) -> Any:
    return (position.level * 2 + position.rolls) * 100_000_000 + position.node

"""A graph in layers whose keys are small numbers: the worst case for a table without locks."""

from typing import Any, NamedTuple

NAME = "Small keys"
MAX_MOVES = 4
EVALUATION_RANGE = (-100, 100)
NO_PROGRESS_LIMIT = None

LAYERS = 16
WIDTH = 300


class Position(NamedTuple):
    layer: int
    place: int


def initial() -> Position:
    return Position(0, 0)


def moves(position: Position, out: Any) -> int:
    count = 4 if position.layer < LAYERS - 1 else 0
    for move in range(count):
        out[move] = move
    return count


def play(position: Position, move: int) -> Position:
    mixed = (position.place * 7919 + position.layer * 104729 + move * 1299709 + 1) % 1000003
    return Position(position.layer + 1, mixed * mixed % 1000003 % WIDTH)


def key(position: Position) -> int:
    return 1 + position.layer * WIDTH + position.place


def evaluate(position: Position) -> float:
    return (position.place * 31337 + position.layer * 271) % 201 - 100


def stuck(position: Position) -> int:
    return evaluate(position)


def irreversible(position: Position, move: int) -> bool:
    return True

"""An evaluation with a running state, and a carried key."""

from collections.abc import Iterator
from typing import Any, NamedTuple

MAX_MOVES = 3
FACTOR = 0x9E3779B97F4A7


class Position(NamedTuple):
    heap: int
    side: int
    carried: int


def initial() -> Position:
    return Position(15, 0, 15 * FACTOR)


def moves(position: Position, out: list[int]) -> int:
    number = 0
    for count in (1, 2, 3):
        if count <= position.heap:
            out[number] = count
            number += 1
    return number


def noisy_moves(position: Position) -> Iterator[int]:
    if position.heap in (1, 2, 3):
        yield position.heap


def play(position: Position, move: int) -> Position:
    side = 1 - position.side
    return Position(
        position.heap - move, side, position.carried - move * FACTOR + side - position.side
    )


def turn(position: Position) -> int:
    return position.side


def key(position: Position) -> int:
    return position.carried


def scratch_key(position: Position) -> int:
    return position.heap * FACTOR + position.side


STATE = ("int16", 1)


def begin(position: Position, state: Any) -> None:
    state[0] = position.heap % 4


def advance(state: Any, position: Position, move: int, child: Position, child_state: Any) -> None:
    child_state[0] = (state[0] - move) % 4


def evaluate(position: Position, state: Any) -> float:
    return -1.0 if state[0] == 0 else 0.5

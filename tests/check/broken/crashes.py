"""Ends its process, like compiled rules that write outside an array."""

import os
import signal
from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int


def initial() -> Position:
    return Position(15)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move)


def to_text(position: Position) -> str:
    if position.heap < 6:
        os.kill(os.getpid(), signal.SIGKILL)
    return str(position.heap)


def from_text(text: str) -> Position:
    return Position(int(text))

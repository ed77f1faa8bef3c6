"""`with_extras` refuses a choice that `extras` offers."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int
    side: int
    may_pass: bool


def initial() -> Position:
    return Position(15, 0, True)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move, 1 - position.side, position.may_pass)


def turn(position: Position) -> int:
    return position.side


def extras(position: Position) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {"May pass": ("yes" if position.may_pass else "no", ("yes", "no"))}


def with_extras(position: Position, values: dict[str, str]) -> Position:
    if values["May pass"] == "no":
        raise ValueError("everybody may pass")
    return position

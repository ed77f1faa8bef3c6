"""Matching pennies: the first player wins if both coins show the same side."""

from collections.abc import Iterator

from plyforge.rules import ONGOING

NAME = "Matching pennies"
Position = tuple[int, ...]  # the moves so far
TEXTS = ("heads", "tails")


def initial() -> Position:
    return ()


def turn(position: Position) -> int:
    return len(position) % 2


def moves(position: Position) -> Iterator[int]:
    yield 0
    yield 1


def play(position: Position, move: int) -> Position:
    return (*position, move)


def outcome(position: Position) -> int:
    """The result for the first player, whose turn it is again."""
    if len(position) < 2:
        return ONGOING
    return 1 if position[0] == position[1] else -1


def information(position: Position) -> str:
    """The second player does not see the coin that lies on the table."""
    return "choose"


def move_text(position: Position, move: int) -> str:
    return TEXTS[move]

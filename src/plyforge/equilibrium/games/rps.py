"""Rock-paper-scissors: the second player moves without knowing the first one's move."""

from collections.abc import Iterator

from plyforge.rules import ONGOING

NAME = "Rock-paper-scissors"
Position = tuple[int, ...]  # the moves so far
TEXTS = ("rock", "paper", "scissors")


def initial() -> Position:
    return ()


def turn(position: Position) -> int:
    return len(position) % 2


def moves(position: Position) -> Iterator[int]:
    yield 0
    yield 1
    yield 2


def play(position: Position, move: int) -> Position:
    return (*position, move)


def outcome(position: Position) -> int:
    """The result for the first player, whose turn it is again."""
    if len(position) < 2:
        return ONGOING
    return (0, 1, -1)[(position[0] - position[1]) % 3]


def information(position: Position) -> str:
    """The second player does not see the move that has been made."""
    return "choose"


def move_text(position: Position, move: int) -> str:
    return TEXTS[move]

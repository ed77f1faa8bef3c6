"""`play` changes the list of the position that it was given."""

from collections.abc import Iterator

MAX_MOVES = 4


def initial() -> list[int]:
    return [3, 4, 5]


def moves(position: list[int]) -> Iterator[int]:
    for heap, size in enumerate(position):
        if size:
            yield heap


def play(position: list[int], move: int) -> list[int]:
    position[move] -= 1
    return position

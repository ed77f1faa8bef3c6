"""A game whose positions are plain Python objects, which runs uncompiled only."""

from collections.abc import Iterator

MAX_MOVES = 3


def initial() -> str:
    return "ooooooo"


def moves(position: str) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= len(position):
            yield count


def play(position: str, move: int) -> str:
    return position[move:]

"""The keys of positions in a book, and scores seen from the position before."""

from typing import Any

from plyforge.game.game import Game, History
from plyforge.search.values import from_root

_SIGN = 1 << 63


def book_key(game: Game, position: Any) -> int:
    """Return the smallest key of a position and its images, as a signed number for SQLite."""
    images = [position, *game.symmetries(position)]
    return min((int(game.key(image)) ^ _SIGN) - _SIGN for image in images)


def from_child(score: float, same_side: bool) -> float:
    """Return the score of a position for the side that moved there.

    Wins are one ply further away.
    """
    return from_root(score if same_side else 0.0 - score, 1)


def children(history: History) -> list[tuple[int, History]]:
    """Return every legal move with the game after it."""
    found = []
    for move in history.legal_moves():
        child = history.copy()
        child.play(move)
        found.append((move, child))
    return found

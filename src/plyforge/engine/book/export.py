"""The positions of a book with the weights of their moves, for other formats."""

from typing import Any, Final

from plyforge.engine.book.book import BookMove, OpeningBook
from plyforge.engine.book.keys import book_key

_MAX_WEIGHT: Final = 0xFFFF
_GOOD_SHARE: Final = 0.1
"""How much worse than the best a move may score to be in the export, as a share of `ahead`."""

Entries = list[tuple[Any, list[tuple[int, int]]]]
"""Positions, each with moves and their weights."""


def book_entries(book: OpeningBook) -> Entries:
    """Return the positions that the moves of a book reach from the start, with good moves.

    With scores, those are the moves with the best one, or nearly, and weigh the same; without,
    moves weigh as much as they have won.
    """
    entries: Entries = []
    waiting, seen = [book.game.history()], set()
    while waiting:
        history = waiting.pop()
        key = book_key(book.game, history.position)
        if key in seen:
            continue
        seen.add(key)
        moves = book.moves(history)
        weights = _weights(moves, _GOOD_SHARE * book.game.ahead)
        if weights:
            entries.append((history.position, weights))
        for one in moves:
            child = history.copy()
            child.play(one.move)
            waiting.append(child)
    return entries


def _weights(moves: list[BookMove], margin: float) -> list[tuple[int, int]]:
    scored = [one for one in moves if one.score is not None]
    if scored:
        best = max(one.score for one in scored if one.score is not None)
        good = [one for one in scored if one.score is not None and one.score >= best - margin]
        return [(one.move, 1) for one in good]
    won = [(one.move, one.games * (one.points or 0.0)) for one in moves]
    top = max((weight for _, weight in won), default=0.0)
    scale = min(1.0, _MAX_WEIGHT / top) if top else 1.0
    return [(move, max(1, round(weight * scale))) for move, weight in won if weight > 0]

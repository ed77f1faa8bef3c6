"""Adding games to a book: how often positions and moves occurred, and what they scored."""

from collections.abc import Iterable

from plyforge.core.scores import outcome_name
from plyforge.engine.book.book import OpeningBook
from plyforge.engine.book.keys import book_key
from plyforge.game.game import Game, History
from plyforge.records.record import GameRecord

_POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


def add_games(book: OpeningBook, records: Iterable[GameRecord], max_plies: int) -> tuple[int, int]:
    """Count the first plies of games; return how many were added and how many have no result."""
    added = skipped = 0
    for record in records:
        history = book.game.replay(record)
        points = _first_points(record, history)
        if points is None:
            skipped += 1
            continue
        book.file.add_game(_steps(book.game, history, points, max_plies))
        added += 1
    return added, skipped


def _steps(game: Game, history: History, points: float, plies: int) -> list[tuple[int, float]]:
    """Return the key of every position, and the points of its side to move."""
    steps, seen = [], set()
    for ply, position in enumerate(history.positions[: plies + 1]):
        key = book_key(game, position)
        if key in seen:  # a game counts once for a position that recurs
            break
        seen.add(key)
        steps.append((key, points if history.turn_at(ply) == 0 else 1 - points))
    return steps


def _first_points(record: GameRecord, history: History) -> float | None:
    """Return the points of the first player, from the record or from the end of the game."""
    if record.result in _POINTS:
        return _POINTS[record.result]
    verdict = history.verdict()
    if not verdict.over:
        return None
    points = {"win": 1.0, "draw": 0.5, "loss": 0.0}[outcome_name(verdict.value)]
    return points if history.turn == 0 else 1 - points

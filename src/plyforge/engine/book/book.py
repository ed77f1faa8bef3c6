"""A book as players and analyses use it: the moves that it has in a position, best first."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from plyforge.core.errors import PlyforgeError, clip
from plyforge.core.randomness import Stream
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.book.keys import book_key, children, from_child
from plyforge.engine.book.store import BookFile, BookPosition, read_game_name
from plyforge.engine.result import Line
from plyforge.game.game import Game, History
from plyforge.jobs.user_files import read_bytes

_MAX_LINE: Final = 200
"""Plies of a line of book moves: a book may contain cycles."""


@dataclass(frozen=True)
class BookMove:
    """A move that a book has; scores and points are for the side that makes it."""

    move: int
    score: float | None
    depth: int
    proved: bool
    games: int
    """The games in which it was played; in a book with weights instead, its weight."""
    points: float | None
    """The share of points that it has won in them; None if that is not known."""


class Book(Protocol):
    """What is needed of a book to play from it."""

    def moves(self, history: History) -> list[BookMove]:
        """Return the moves that the book has in a position, best first."""


class OpeningBook:
    """A book in a file of Plyforge."""

    def __init__(self, game: Game, file: BookFile) -> None:
        self.game, self.file = game, file

    @classmethod
    def open(cls, game: Game, path: Path, *, writing: bool = False) -> "OpeningBook":
        """Open a book; with `writing`, make it if there is none."""
        file = BookFile(path, writing=writing)
        start = game.text(game.initial())
        try:
            if writing:
                file.claim()
                file.begin(game_name(game), start)
            else:
                file.check_game(game_name(game), start)
        except BaseException:
            file.close()
            raise
        return cls(game, file)

    def close(self) -> None:
        """Close its file."""
        self.file.close()

    def find(self, position: Any) -> BookPosition | None:
        """Return what it knows of a position."""
        key = book_key(self.game, position)
        return self.file.find([key]).get(key)

    def moves(self, history: History) -> list[BookMove]:
        """Return its moves in a position: by score, then by the games in which they were played."""
        if history.verdict().over:
            return []
        after = [
            (move, child, book_key(self.game, child.position)) for move, child in children(history)
        ]
        played = self.file.games_by_child(book_key(self.game, history.position))
        known = self.file.find(key for _, _, key in after)
        found = [
            _move(move, known[key], played.get(key, 0), child.turn == history.turn)
            for move, child, key in after
            if key in known and (played.get(key) or known[key].score is not None)
        ]
        return sorted(found, key=_order, reverse=True)


class GameBook:
    """A book in a format of the game's own, such as Polyglot in chess."""

    def __init__(self, game: Game, path: Path) -> None:
        self._file = path
        with self._naming_file():
            self._find = game.rules.hooks["read_book"](read_bytes(path))

    def moves(self, history: History) -> list[BookMove]:
        """Return its moves by weight."""
        if history.verdict().over:
            return []
        with self._naming_file():
            found = self._find(history.position)
        moves = [BookMove(move, None, 0, False, weight, None) for move, weight in found]
        return sorted(moves, key=lambda one: one.games, reverse=True)

    @contextmanager
    def _naming_file(self) -> Iterator[None]:
        """Turn what is wrong with the file into an error that names it."""
        try:
            yield
        except ValueError as error:
            raise PlyforgeError(f"{clip(str(self._file))}: {error}; give another book") from None


def open_book(game: Game, path: Path | str) -> Book:
    """Open a book to read: a file of Plyforge, or one in the game's own format."""
    path = Path(path)
    if read_game_name(path) is not None:
        return OpeningBook.open(game, path)
    if "read_book" in game.rules.hooks:
        return GameBook(game, path)
    raise PlyforgeError(
        f"'{clip(str(path))}' is not a book of Plyforge; 'plyforge book build' makes one"
    )


def game_name(game: Game) -> str:
    """Return the name of a game with its variant."""
    return f"{game.name}:{game.variant}" if game.variant else game.name


def choose_move(moves: Sequence[BookMove], stream: Stream) -> BookMove:
    """Choose the move to play: one of the best scores, else one by how often it was played."""
    best = moves[0].score
    if best is not None:
        return stream.choice([one for one in moves if one.score == best])
    total = sum(one.games for one in moves)
    place = stream.below(max(total, 1))
    for one in moves:
        place -= one.games
        if place < 0:
            return one
    return moves[0]


def book_lines(book: Book, root: History, count: int, *, proved_only: bool = False) -> list[Line]:
    """Return the best lines of a book that have scores, followed as far as it goes."""
    moves = [one for one in book.moves(root) if one.score is not None]
    if not moves or (proved_only and not all(one.proved for one in moves)):
        return []
    if proved_only and len(moves) < len(root.legal_moves()) and not _is_won(moves[0]):
        return []
    lines = []
    for one in moves[:count]:
        assert one.score is not None
        lines.append(Line(one.score, _follow(book, root, one.move), one.proved, one.depth))
    return lines


def _is_won(move: BookMove) -> bool:
    return move.proved and move.score is not None and move.score > SCORE_LIMIT


def _follow(book: Book, root: History, first: int) -> tuple[int, ...]:
    """Return a move and the best moves after it, as far as the book has scores."""
    history = root.copy()
    history.play(first)
    line = [first]
    while len(line) < _MAX_LINE:
        moves = [one for one in book.moves(history) if one.score is not None]
        if not moves:
            break
        line.append(moves[0].move)
        history.play(moves[0].move)
    return tuple(line)


def _move(move: int, known: BookPosition, games: int, same_side: bool) -> BookMove:
    score = None if known.score is None else from_child(known.score, same_side)
    points = None
    if known.games:
        points = known.points / known.games
        points = points if same_side else 1 - points
    return BookMove(move, score, known.depth + 1, known.proved, games, points)


def _order(move: BookMove) -> tuple[float, int]:
    return (float("-inf") if move.score is None else move.score, move.games)

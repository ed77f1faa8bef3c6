"""The opening books of a server, and what the page for analysis shows of them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine import score_text
from plyforge.engine.book import Book, BookMove, open_book
from plyforge.engine.book.book import game_name
from plyforge.engine.book.store import read_game_name
from plyforge.game.game import Game, History
from plyforge.games import load, names
from plyforge.interfaces.web.outgoing import BookMoveView, BookView
from plyforge.interfaces.web.view import readable_move

_REPLIES: Final = 4
"""Replies that are shown below a move."""
_ANSWERED_MOVES: Final = 6
"""Moves below which replies are shown: the best ones."""


class BookCatalog:
    """Books by the names of their games."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._books: dict[str, Book] = {}
        for path in paths:
            game = _find_game(Path(path))
            if game_name(game) in self._books:
                raise PlyforgeError(f"--book: there are two books of {game_name(game)}; give one")
            self._books[game_name(game)] = open_book(game, path)

    def __len__(self) -> int:
        return len(self._books)

    def view(self, history: History) -> BookView:
        """Return the moves of a position and the replies to them."""
        book, ply = self._books.get(game_name(history.game)), len(history.moves)
        if book is None:
            return BookView(ply=ply, moves=None)
        moves = [
            _view(history, one, book if number < _ANSWERED_MOVES else None)
            for number, one in enumerate(book.moves(history))
        ]
        return BookView(ply=ply, moves=moves)


def _find_game(path: Path) -> Game:
    """Return the game of a book: it names it, or it is in the format of a built-in game."""
    name = read_game_name(path)
    if name is not None:
        return load(name)
    with_format = [game for game in map(load, names()) if "read_book" in game.rules.hooks]
    for game in with_format:
        return game
    raise PlyforgeError(f"'{clip(str(path))}' is not a book")


def _view(history: History, one: BookMove, book: Book | None) -> BookMoveView:
    replies: list[BookMoveView] = []
    if book is not None:
        child = history.copy()
        child.play(one.move)
        replies = [_view(child, reply, None) for reply in book.moves(child)[:_REPLIES]]
    return BookMoveView(
        text=readable_move(history.game, history.position, one.move),
        score=None if one.score is None else score_text(one.score),
        proved=one.proved,
        games=one.games,
        points=one.points,
        replies=replies,
    )

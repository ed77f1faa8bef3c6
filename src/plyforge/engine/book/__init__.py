"""Opening books: positions with scores and with the results of games."""

from plyforge.engine.book.book import (
    Book,
    BookMove,
    OpeningBook,
    book_lines,
    choose_move,
    open_book,
)
from plyforge.engine.book.store import BookPosition

__all__ = [
    "Book",
    "BookMove",
    "BookPosition",
    "OpeningBook",
    "book_lines",
    "choose_move",
    "open_book",
]

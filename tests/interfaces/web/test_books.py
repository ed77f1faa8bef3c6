"""Opening books on the page for analysis."""

from pathlib import Path

import pytest

import plyforge
from plyforge import Engine
from plyforge.core.errors import PlyforgeError
from plyforge.engine.book import OpeningBook
from plyforge.engine.book.expansion import Expansion, Limits
from plyforge.engine.book.games import add_games
from plyforge.interfaces.web.books import BookCatalog
from plyforge.records.record import GameRecord


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a book of tic-tac-toe with games and scores."""
    game = plyforge.load("tictactoe")
    book = OpeningBook.open(game, tmp_path / "t.book", writing=True)
    engine = Engine(game, backend="python", entries=4096)
    Expansion(book, engine, game.history(), Limits(), weight=0).run(1)
    add_games(book, [GameRecord(("b2", "a1"), "1-0"), GameRecord(("b2", "a2"), "0-1")], 5)
    book.close()
    return tmp_path / "t.book"


def test_moves_have_scores_games_and_replies(path: Path) -> None:
    catalog = BookCatalog([str(path)])
    history = plyforge.load("tictactoe").history()
    view = catalog.view(history)
    assert view.moves is not None
    assert len(view.moves) == 9
    centre = view.moves[0]
    assert (centre.text, centre.score, centre.proved) == ("b2", "0", True)
    assert (centre.games, centre.points) == (2, 0.5)
    assert {reply.text for reply in centre.replies} <= {*("a1", "a3", "c1", "c3")} | {
        *("a2", "b1", "b3", "c2")
    }
    assert centre.replies[0].games == 1


def test_a_game_without_a_book_has_none(path: Path) -> None:
    catalog = BookCatalog([str(path)])
    view = catalog.view(plyforge.load("connect4:4x4").history())
    assert view.moves is None
    assert not BookCatalog()


def test_wrong_files_are_named(path: Path, tmp_path: Path) -> None:
    with pytest.raises(PlyforgeError, match="two books of tictactoe"):
        BookCatalog([str(path), str(path)])
    with pytest.raises(PlyforgeError, match=r"none\.book.*no such file"):
        BookCatalog([str(tmp_path / "none.book")])
    (tmp_path / "text.bin").write_text("abc")
    with pytest.raises(PlyforgeError, match=r"text\.bin: 3 bytes are no Polyglot book"):
        BookCatalog([str(tmp_path / "text.bin")])

"""Books: the moves of a position, games, engines and players that use them."""

from pathlib import Path

import pytest

import plyforge
from plyforge import Engine
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.engine.book import BookMove, OpeningBook, choose_move, open_book
from plyforge.engine.book.expansion import Expansion, Limits
from plyforge.engine.book.games import add_games
from plyforge.engine.solve import solve
from plyforge.match.players import MoveLimits, player
from plyforge.records.record import GameRecord


@pytest.fixture
def proved(tmp_path: Path) -> Path:
    """Return a book that proves tic-tac-toe."""
    game, path = plyforge.load("tictactoe"), tmp_path / "tictactoe.book"
    book = OpeningBook.open(game, path, writing=True)
    engine = Engine(game, backend="python", entries=4096)
    Expansion(book, engine, game.history(), Limits(), weight=0).run(1)
    book.close()
    return path


def records(*games: tuple[str, str]) -> list[GameRecord]:
    return [GameRecord(tuple(moves.split()), result) for moves, result in games]


def test_games_are_counted_by_move_and_by_side(tmp_path: Path) -> None:
    game = plyforge.load("tictactoe")
    book = OpeningBook.open(game, tmp_path / "t.book", writing=True)
    added = add_games(
        book,
        records(("a1 b2 c3", "1-0"), ("a1 b2 c1", "0-1"), ("a1 a2", "1/2-1/2"), ("b2", "*")),
        max_plies=2,
    )
    assert added == (3, 1)
    corners = book.moves(game.history())  # equal up to symmetry
    assert [(one.games, one.points, one.score) for one in corners] == [(3, 0.5, None)] * 4
    history = game.history()
    history.play_text("a1")
    found = {game.move_text(history.position, m.move): m for m in book.moves(history)}
    assert {name: (m.games, m.points) for name, m in found.items()} == {
        "b2": (2, 0.5),
        **dict.fromkeys(("a2", "b1"), (1, 0.5)),
    }
    history.play_text("b2")
    assert book.moves(history) == []  # more plies than were added
    assert book.file.drop_rare(2) == 1
    history.undo()
    assert len(book.moves(history)) == 1
    book.close()


def test_the_same_position_by_another_order_is_one_entry(tmp_path: Path) -> None:
    game = plyforge.load("tictactoe")
    book = OpeningBook.open(game, tmp_path / "t.book", writing=True)
    add_games(book, records(("a1 b2 c3", "1-0"), ("c3 b2 a1", "0-1")), max_plies=9)
    history = game.history()
    for text in ("c3", "b2", "a1"):
        history.play_text(text)
    known = book.find(history.position)
    assert known is not None
    assert (known.games, known.points) == (2, 1.0)
    book.close()


def test_an_engine_does_not_search_positions_of_its_book(proved: Path) -> None:
    game = plyforge.load("tictactoe")
    engine = Engine(game, book=proved, backend="python", entries=4096)
    result = engine.analyse()
    assert (result.driver, result.score, result.proved, result.nodes) == ("book", 0.0, True, 0)
    assert len(engine.analyse(multipv=3).lines) == 3
    assert engine.analyse(depth=2, use_book="none").nodes > 0
    assert engine.analyse("X../.O./... X").driver != "book"
    assert solve(engine).outcome == "draw"


def test_solving_takes_only_proved_scores(tmp_path: Path) -> None:
    game, path = plyforge.load("tictactoe"), tmp_path / "t.book"
    book = OpeningBook.open(game, path, writing=True)
    engine = Engine(game, backend="python", entries=4096)
    Expansion(book, engine, game.history(), Limits(depth=1)).run(1)
    book.close()
    with_book = Engine(game, book=path, backend="python", entries=4096)
    assert with_book.analyse().driver == "book"
    assert solve(with_book).result.nodes > 0


def test_players_choose_from_the_book_by_their_seed(proved: Path) -> None:
    game = plyforge.load("tictactoe", "python")
    chosen = set()
    for seed in range(12):
        one = player(game, f"engine:depth=1,book={proved}", MoveLimits())
        one.begin(seed)
        choice = one.choose(game.history(), None)
        assert (choice.nodes, choice.score) == (0, 0.0)
        one.begin(seed)
        assert one.choose(game.history(), None) == choice
        chosen.add(choice.move)
    assert len(chosen) > 1
    level = player(game, f"engine:level=1,book={proved}", MoveLimits())
    level.begin(0)
    assert level.choose(game.history(), None).nodes == 0


def test_moves_without_scores_are_chosen_by_how_often_they_were_played() -> None:
    moves = [BookMove(n, None, 0, False, games, None) for n, games in enumerate((90, 10, 0))]
    counts = [0, 0, 0]
    stream = Stream(1)
    for _ in range(500):
        counts[choose_move(moves, stream).move] += 1
    assert counts[2] == 0
    assert 20 < counts[1] < 90


def test_a_book_of_another_game_or_variant_is_refused(proved: Path, tmp_path: Path) -> None:
    with pytest.raises(PlyforgeError, match="is a book of tictactoe; give one of connect4:4x4"):
        Engine("connect4:4x4", book=proved)
    with pytest.raises(PlyforgeError, match="there is no such file"):
        Engine("tictactoe", book=tmp_path / "none.book")
    other = tmp_path / "other.book"
    other.write_text("no book")
    with pytest.raises(PlyforgeError, match=r"is not a book of Plyforge.*makes one"):
        open_book(plyforge.load("tictactoe"), other)
    other.write_bytes(proved.read_bytes()[:3000])
    with pytest.raises(PlyforgeError, match=r"other\.book"):
        open_book(plyforge.load("tictactoe"), other)
    assert list(tmp_path.glob("*-wal")) == []


def test_two_builders_do_not_write_one_book(tmp_path: Path) -> None:
    game = plyforge.load("tictactoe")
    book = OpeningBook.open(game, tmp_path / "t.book", writing=True)
    with pytest.raises(PlyforgeError, match="another process is building this book"):
        OpeningBook.open(game, tmp_path / "t.book", writing=True)
    book.close()

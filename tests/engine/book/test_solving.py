"""Solving through a book: values are those of trying everything, and work is not lost."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Engine, Game, PlyforgeError
from plyforge.core.scores import LOSS, WIN
from plyforge.engine.book import OpeningBook
from plyforge.engine.book.solving import BookSolver, next_window
from plyforge.engine.solve_moves import solve_moves
from plyforge.search.values import next_above
from tests.reference.solved import one_ply_before, solve


def solve_through_book(game: Game, path: Path, line: str, plies: int) -> tuple[dict, int]:  # type: ignore[type-arg]
    history = game.history()
    if line:
        history.play_text(line)
    engine = Engine(game, entries=1 << 12, backend="python")
    book = OpeningBook.open(game, path, writing=True)
    solver = BookSolver(book, engine, history, plies)
    found = {one.move: one.score for one in solver.run()}
    book.close()
    return found, solver.searches


@pytest.mark.parametrize(
    ("name", "line", "plies"),
    [("tictactoe", "b2 b1", 1), ("tictactoe", "a1 b1 b2", 2), ("tictactoe", "a1", 4)],
)
def test_all_moves_have_the_values_of_trying_everything(
    tmp_path: Path, name: str, line: str, plies: int
) -> None:
    game = plyforge.load(name)
    found, searches = solve_through_book(game, tmp_path / "t.book", line, plies)
    history = game.history()
    history.play_text(line)
    known: dict[int, float] = {}
    assert found == {
        move: -one_ply_before(solve(game, game.play(history.position, move), known))
        for move in history.legal_moves()
    }
    assert searches > 0
    # The book answers without a search.
    engine = Engine(game, entries=1 << 10, backend="python", book=str(tmp_path / "t.book"))
    again = list(solve_moves(history, engine))
    assert {one.move: one.score for one in again} == found
    assert sum(one.nodes for one in again) == 0
    start = engine.analyse(history, use_book="proved")
    assert (start.score, start.nodes) == (max(found.values()), 0)


def test_what_was_searched_is_not_searched_again(tmp_path: Path) -> None:
    game = plyforge.load("tictactoe")
    whole, searches = solve_through_book(game, tmp_path / "whole.book", "a1 b2", 2)
    book = OpeningBook.open(game, tmp_path / "t.book", writing=True)
    history = game.history()
    history.play_text("a1 b2")
    engine = Engine(game, entries=1 << 12, backend="python")

    def interrupt() -> None:
        if solver.searches == 5:
            raise KeyboardInterrupt

    solver = BookSolver(book, engine, history, 2, interrupt)
    with pytest.raises(KeyboardInterrupt):
        list(solver.run())
    book.close()
    resumed, rest = solve_through_book(game, tmp_path / "t.book", "a1 b2", 2)
    assert resumed == whole
    assert 0 < rest < searches
    assert solve_through_book(game, tmp_path / "t.book", "a1 b2", 2) == (whole, 0)


def test_a_game_in_which_positions_come_back_is_refused(tmp_path: Path) -> None:
    game = plyforge.load("checkers")
    book = OpeningBook.open(game, tmp_path / "t.book", writing=True)
    with pytest.raises(PlyforgeError, match="does not go with checkers"):
        BookSolver(book, Engine(game, entries=1 << 10, backend="python"), game.history(), 2)
    book.close()


@given(st.sampled_from([WIN - 7.0, WIN - 250.0, LOSS + 8.0, 0.0, 3.0, -64.0, 0.25, float(WIN)]))
@settings(deadline=None)
def test_windows_close_in_on_every_value(value: float) -> None:
    lower, upper, questions = float(LOSS), float(WIN), 0
    while lower < upper:
        low, high = next_window(lower, upper)
        assert lower <= low < high <= upper
        assert high == (low + 1 if abs(low) > 2**23 else next_above(low))
        if value >= high:
            lower = high
        else:
            upper = low
        questions += 1
    assert lower == value
    assert questions < 200

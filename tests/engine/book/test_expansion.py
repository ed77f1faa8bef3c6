"""Expanded books: scores are minimax values of the graph, and building can be resumed."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Engine, Game
from plyforge.engine.book import OpeningBook
from plyforge.engine.book.expansion import BEST_FIRST, DROP_OUT, METHODS, Expansion, Limits
from plyforge.engine.book.keys import book_key, children, from_child
from plyforge.game.game import History

GAME = "tree:incremental,3,6,seed=4"


def build(
    game: Game, path: Path, count: int, limits: Limits | None = None, **more: object
) -> tuple[OpeningBook, int]:
    book = OpeningBook.open(game, path, writing=True)
    engine = Engine(game, entries=4096, backend="python")
    expansion = Expansion(book, engine, game.history(), limits or Limits(depth=1), **more)  # type: ignore[arg-type]
    return book, expansion.run(count)


def slow_score(book: OpeningBook, history: History) -> float:
    """Return the minimax value of the graph, by recursion."""
    known = book.find(history.position)
    assert known is not None
    assert known.score is not None
    if not known.expanded:
        return known.score
    return max(
        from_child(slow_score(book, child), child.turn == history.turn)
        for _, child in children(history)
    )


@given(
    seed=st.integers(0, 1000),
    count=st.integers(1, 12),
    method=st.sampled_from(METHODS),
    weight=st.sampled_from([0.0, 1.0, 20.0]),
)
@settings(max_examples=15, deadline=None)
def test_the_score_of_the_start_is_the_minimax_value_of_the_graph(
    tmp_path_factory: pytest.TempPathFactory, seed: int, count: int, method: str, weight: float
) -> None:
    game = plyforge.load(f"tree:incremental,3,6,seed={seed}")
    path = tmp_path_factory.mktemp("books") / "tree.book"
    book, _ = build(game, path, count, method=method, weight=weight)
    start = book.find(game.initial())
    assert start is not None
    assert start.score == slow_score(book, game.history())
    book.close()


@pytest.mark.parametrize("method", METHODS)
def test_a_small_game_is_proved_in_the_end(tmp_path: Path, method: str) -> None:
    game = plyforge.load("tictactoe")
    book, expanded = build(game, tmp_path / "t.book", 10_000, Limits(depth=4), method=method)
    start = book.find(game.initial())
    assert expanded < 10_000
    assert start is not None
    assert (start.score, start.proved) == (0.0, True)
    best = book.moves(game.history())[0]
    assert (best.score, best.proved) == (0.0, True)
    book.close()


@pytest.mark.parametrize("method", METHODS)
def test_a_book_that_was_built_in_parts_is_the_same(tmp_path: Path, method: str) -> None:
    game = plyforge.load(GAME)
    whole, _ = build(game, tmp_path / "whole.book", 8, method=method)
    for _ in range(4):
        part, _ = build(game, tmp_path / "part.book", 2, method=method)
        part.close()
    part = OpeningBook.open(game, tmp_path / "part.book")
    assert dict(part.file.positions()) == dict(whole.file.positions())
    whole.close()


def test_best_first_follows_one_line_and_drop_out_looks_aside(tmp_path: Path) -> None:
    game = plyforge.load("tree:incremental,4,12,seed=2")
    depths = {}
    for method, weight in ((BEST_FIRST, 1.0), (DROP_OUT, 0.0)):
        lines: list[tuple[int, ...]] = []
        book = OpeningBook.open(game, tmp_path / f"{method}.book", writing=True)
        engine = Engine(game, entries=4096, backend="python")
        expansion = Expansion(
            book, engine, game.history(), Limits(depth=1), method=method, weight=weight
        )
        expansion.run(12, lambda one, lines=lines: lines.append(one.line))  # type: ignore[misc]
        depths[method] = max(map(len, lines))
        book.close()
    assert depths[DROP_OUT] == 2  # 1 + 4 + 7 positions: by length alone
    assert depths[BEST_FIRST] > depths[DROP_OUT]


def test_a_position_and_its_images_have_one_key() -> None:
    game = plyforge.load("andantino")
    history = game.history()
    for _ in range(5):
        history.play(history.legal_moves()[0])
    keys = {book_key(game, image) for image in game.symmetries(history.position)}
    assert keys == {book_key(game, history.position)}

"""Othello's evaluation: its features against a slow twin, its sum, symmetry and range."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Game
from plyforge.evaluate import compiled_evaluation
from plyforge.games import othello
from plyforge.games.othello import evaluation
from tests.games.evaluations import load
from tests.games.tiers import examples, with_long
from tests.reference.othello import Game as Twin
from tests.reference.othello_evaluation import features as count_slowly

game = plyforge.load("othello")
value_of, terms_of = othello.EVALUATION.evaluate, othello.EVALUATION.terms
seeds = st.integers(0, 2**32)
variants = pytest.mark.parametrize("variant", with_long(["8", "4"], ["6", "8,empties"]))
randomly = examples(4)


@pytest.fixture(autouse=True)
def _words_wrap() -> Iterator[None]:
    """Uncompiled words of 64 bits warn where compiled ones wrap in silence."""
    with np.errstate(over="ignore"):
        yield


def random_game(board: Game, seed: int) -> Iterator[othello.Position]:
    """The positions of a random game, the finished one too."""
    stream, position = Random(seed), board.initial()
    while True:
        yield position
        moves = board.moves(position)
        if not moves:
            return
        position = board.play(position, stream.choice(moves))


def random_placement(seed: int, size: int) -> othello.Position:
    """Discs anywhere: also what no game leads to, such as corners without their neighbours."""
    stream = Random(seed)
    cells = stream.choices("XO-", [stream.random() + 0.1 for _ in range(3)], k=size * size)
    return game.parse("".join(cells) + stream.choice([" X", " O"]))


def twin_of(position: othello.Position) -> Twin:
    cells, mover, *_ = game.text(position).split()
    size = othello.rules.size_of(position)
    rows = [list(cells[start : start + size]) for start in range(0, len(cells), size)]
    return Twin(size, rows, mover)


def features(position: othello.Position) -> dict[str, int]:
    return dict(zip(evaluation.WEIGHTS, evaluation.features(position), strict=True))


@variants
@given(seed=seeds)
@randomly
def test_features_are_the_twins_along_random_games(variant: str, seed: int) -> None:
    for position in random_game(load(f"othello:{variant}"), seed):
        assert features(position) == count_slowly(twin_of(position))


@pytest.mark.parametrize("size", [4, 6, 8])
@given(seed=seeds)
@examples(30)
def test_features_are_the_twins_in_arbitrary_positions(size: int, seed: int) -> None:
    position = random_placement(seed, size)
    assert features(position) == count_slowly(twin_of(position))


@variants
@given(seed=seeds)
@randomly
def test_terms_add_up_to_the_evaluation(variant: str, seed: int) -> None:
    for position in [*random_game(load(f"othello:{variant}"), seed), random_placement(seed, 8)]:
        terms = terms_of(position)
        assert sum(value * weight for _, value, weight in terms) == value_of(position)
        names = list(evaluation.WEIGHTS)
        assert [name for name, _, _ in terms[: len(names)]] == names


@variants
@given(seed=seeds)
@randomly
def test_both_backends_return_the_same_value(variant: str, seed: int) -> None:
    board = load(f"othello:{variant}")
    compiled = compiled_evaluation(board)
    for position in [*random_game(board, seed), random_placement(seed, 8)]:
        assert compiled(position) == value_of(position)


@variants
@given(seed=seeds)
@randomly
def test_all_features_except_parity_change_sign_for_the_other_side(variant: str, seed: int) -> None:
    for position in random_game(load(f"othello:{variant}"), seed):
        swapped = position._replace(mine=position.theirs, theirs=position.mine)
        mine, theirs = features(position), features(swapped)
        assert mine.pop("parity") == theirs.pop("parity")
        assert mine == {name: -count for name, count in theirs.items()}


@variants
@given(seed=seeds)
@randomly
def test_images_and_colours_do_not_matter(variant: str, seed: int) -> None:
    for position in random_game(load(f"othello:{variant}"), seed):
        images = [*othello.symmetries(position), position._replace(side=1 - position.side)]
        assert {value_of(image) for image in images} == {value_of(position)}


@given(seed=seeds)
@settings(deadline=None)
def test_evaluations_lie_within_the_maximum_score(seed: int) -> None:
    minimum, maximum = othello.EVALUATION_RANGE
    position = random_placement(seed, 8)
    assert minimum < value_of(position) < maximum


def test_the_excess_over_the_limit_is_a_term() -> None:
    position = game.parse("X" * 60 + "O---" + " X")
    assert value_of(position) == evaluation.LIMIT
    name, value, weight = terms_of(position)[-1]
    assert (name, weight) == ("beyond the limit", -1)
    assert value > 0


@pytest.mark.parametrize(
    ("cells", "stable"),
    [
        pytest.param("X" + "-" * 63, 1, id="a corner"),
        pytest.param("-X" + "-" * 62, 0, id="the edge beside an empty corner"),
        pytest.param("XXX-----XX------X" + "-" * 47, 6, id="a triangle on a corner"),
        pytest.param("X-------X-------X" + "-" * 47, 3, id="an edge from a corner"),
        pytest.param("OXXXXXXO" + "-" * 56, 4, id="a full edge, both colours"),
    ],
)
def test_stable_discs(cells: str, stable: int) -> None:
    assert features(game.parse(f"{cells} X"))["stable"] == stable


def test_the_example_of_the_documentation() -> None:
    text = "---O------OO------XOXO---OXXOXX-XXXXXOO-XXXOXOO-X-XXX-----XXX--- X"
    position = game.parse(text)
    assert value_of(position) == -3.859375
    assert terms_of(position) == [
        ("mobility", 4, 0.9375),
        ("frontier", 7, -0.9375),
        ("corners", 0, 7.65625),
        ("x-cells", 0, -7.8125),
        ("c-cells", 1, -1.296875),
        ("edges", 5, 0.140625),
        ("stable", 0, 1.15625),
        ("discs", 10, 0.125),
        ("parity", -1, 1.703125),
    ]

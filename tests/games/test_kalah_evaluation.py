"""Kalah's evaluation: its features against a slow twin, its sum, symmetry and range."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.evaluate import compiled_evaluation
from plyforge.games import kalah
from plyforge.games.kalah import evaluation
from plyforge.rules import ONGOING
from tests.games.tiers import examples
from tests.reference.kalah import Game as Twin
from tests.reference.kalah_evaluation import features as count_slowly

game = plyforge.load("kalah")
value_of, terms_of = kalah.EVALUATION.evaluate, kalah.EVALUATION.terms
seeds = st.integers(0, 2**32)
sizes = pytest.mark.parametrize(
    "size", [(6, 4), (6, 6), (3, 2), (9, 1), (1, 1), (1, 63), (2, 31), (3, 20), (9, 7)]
)
randomly = examples(4)


def random_game(size: tuple[int, int], seed: int) -> Iterator[tuple[kalah.Position, Twin]]:
    """The positions of a random game, the finished one too."""
    stream, twin, position = Random(seed), Twin(*size), kalah.initial(*size)
    yield position, twin
    while kalah.outcome(position) == ONGOING:
        move = stream.choice(list(kalah.moves(position)))
        position = kalah.play(position, move)
        twin.play(move + 1)
        yield position, twin


@sizes
@given(seed=seeds)
@randomly
def test_features_are_the_twins_along_random_games(size: tuple[int, int], seed: int) -> None:
    for position, twin in random_game(size, seed):
        assert list(evaluation.features(position)) == count_slowly(twin)


@sizes
@given(seed=seeds)
@randomly
def test_terms_add_up_to_the_evaluation_which_is_whole_and_in_range(
    size: tuple[int, int], seed: int
) -> None:
    minimum, maximum = kalah.EVALUATION_RANGE
    for position, _ in random_game(size, seed):
        value = value_of(position)
        assert type(value) is int
        assert minimum < value < maximum
        terms = terms_of(position)
        assert sum(count * weight for _, count, weight in terms) == value
        *_, (name, rest, _) = terms
        assert name == "rounding"
        assert abs(rest) <= 0.5 or abs(value) == evaluation.LIMIT


@sizes
@given(seed=seeds)
@randomly
def test_both_backends_return_the_same_value(size: tuple[int, int], seed: int) -> None:
    compiled = compiled_evaluation(game)
    for position, _ in random_game(size, seed):
        assert compiled(position) == value_of(position)


@sizes
@given(seed=seeds)
@randomly
def test_both_sides_are_evaluated_alike(size: tuple[int, int], seed: int) -> None:
    """Names do not matter, and the other side's counts are its own, seen from across."""
    for position, _ in random_game(size, seed):
        assert value_of(position._replace(side=1 - position.side)) == value_of(position)
        swapped = kalah.Position(
            position.theirs,
            position.mine,
            position.their_store,
            position.store,
            1 - position.side,
            position.pits,
        )
        stores, row, pits, *chances = evaluation.features(position)
        my_extra, their_extra, my_capture, their_capture = chances
        assert evaluation.features(swapped) == (
            *(-stores, -row, -pits),
            *(their_extra, my_extra, their_capture, my_capture),
        )


@pytest.mark.parametrize(
    ("text", "extra", "capture"),
    [
        pytest.param("4,4,4,4,4,4/0 4,4,4,4,4,4/0 S", 1, 0, id="the start"),
        pytest.param("1,0,4,4,4,4/0 4,4,4,4,7,4/4 S", 1, 8, id="a capture with the first pit"),
        pytest.param("1,0,4,4,4,4/4 4,4,4,4,0,4/7 S", 1, 0, id="nothing across"),
        pytest.param("0,13,0,0,0,0/0 4,4,4,4,4,4/11 S", 0, 6, id="a whole lap"),
        pytest.param("0,14,0,0,0,0/0 4,4,4,4,4,4/10 S", 0, 0, id="more than a lap"),
        pytest.param("0,0,0,0,0,14/0 4,4,4,4,4,4/10 S", 1, 0, id="more than a lap, to the store"),
    ],
)
def test_chances_of_the_side_to_move(text: str, extra: int, capture: int) -> None:
    position = game.parse(text)
    _, _, _, found, _, best, _ = evaluation.features(position)
    assert (found, best) == (extra, capture)


def test_the_example_of_the_documentation() -> None:
    position = game.parse("5,5,0,0,6,1/3 1,0,7,7,6,6/1 S")
    assert value_of(position) == -2
    assert terms_of(position) == [
        ("stores", 2, 1),
        ("seeds", -10, 0.15625),
        ("filled pits", -1, 1.25),
        ("own extra moves", 2, 1.375),
        ("other side's extra moves", 0, -0.46875),
        ("own capture", 0, 0.9375),
        ("other side's capture", 7, -0.5),
        ("rounding", -0.4375, 1),
    ]

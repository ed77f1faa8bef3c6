"""Connect four's evaluation: its features against a slow twin, its sum, symmetry and range."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Game
from plyforge.evaluate import compiled_evaluation
from plyforge.games import connect4
from plyforge.games.connect4 import evaluation
from plyforge.rules import ONGOING
from tests.games.evaluations import load
from tests.games.tiers import examples, with_long
from tests.reference.connect4 import Game as Twin
from tests.reference.connect4_evaluation import features as count_slowly

game = plyforge.load("connect4")
value_of, terms_of = connect4.EVALUATION.evaluate, connect4.EVALUATION.terms
seeds = st.integers(0, 2**32)
sizes = pytest.mark.parametrize(
    "size",
    with_long(
        ["7x6", "5x4", "3x3"],
        ["8x6", "6x5", "5x5", "4x4", "9x6", "4x14", "15x3", "2x30", "1x62"],
    ),
)
randomly = examples(3)


def random_game(board: Game, seed: int) -> Iterator[connect4.Position]:
    """The positions of a random game, the finished one too."""
    stream, position = Random(seed), board.initial()
    while True:
        yield position
        moves = board.moves(position)
        if not moves or board.outcome(position) != ONGOING:
            return
        position = board.play(position, stream.choice(moves))


def twin_of(position: connect4.Position) -> Twin:
    twin = Twin(connect4.columns_of(position), position.rows)
    stones = connect4.pieces(position)
    for column, pile in enumerate(twin.columns, 1):
        names = (f"{column}.{row}" for row in range(1, position.rows + 1))
        pile += [stones[name] for name in names if name in stones]
    twin.mover = connect4.PLAYERS[connect4.turn(position)]
    return twin


@sizes
@given(seed=seeds)
@randomly
def test_features_are_the_twins_along_random_games(size: str, seed: int) -> None:
    for position in random_game(load(f"connect4:{size}"), seed):
        assert list(evaluation.features(position)) == count_slowly(twin_of(position))


@sizes
@given(seed=seeds)
@randomly
def test_terms_add_up_to_the_evaluation_which_lies_in_its_range(size: str, seed: int) -> None:
    minimum, maximum = connect4.EVALUATION_RANGE
    for position in random_game(load(f"connect4:{size}"), seed):
        value = value_of(position)
        assert type(value) is int
        assert minimum < value < maximum
        assert sum(count * weight for _, count, weight in terms_of(position)) == value


@sizes
@given(seed=seeds)
@randomly
def test_both_backends_return_the_same_value(size: str, seed: int) -> None:
    board = load(f"connect4:{size}")
    compiled = compiled_evaluation(board)
    for position in random_game(board, seed):
        assert compiled(position) == value_of(position)


@sizes
@given(seed=seeds)
@randomly
def test_the_mirror_image_has_the_same_value(size: str, seed: int) -> None:
    for position in random_game(load(f"connect4:{size}"), seed):
        images = {value_of(image) for image in connect4.symmetries(position)}
        assert images == {value_of(position)}


@sizes
@given(seed=seeds)
@randomly
def test_line_features_change_sign_for_the_other_side(size: str, seed: int) -> None:
    for position in random_game(load(f"connect4:{size}"), seed):
        swapped = position._replace(mine=position.stones ^ position.mine)
        *_, pairs, lines = evaluation.features(position)
        *_, their_pairs, their_lines = evaluation.features(swapped)
        assert (pairs, lines) == (-their_pairs, -their_lines)


def term_values(columns: str) -> dict[str, int]:
    return {name: value for name, value, _ in terms_of(game.parse(columns))}


@pytest.mark.parametrize(
    ("columns", "value"),
    [
        pytest.param("11223", 0, id="one threat can be blocked"),
        pytest.param("112237", 1, id="an own win"),
        pytest.param("44335", -1, id="two threats cannot be blocked"),
        pytest.param("443356", 1, id="one of two threats is left"),
    ],
)
def test_immediate_wins(columns: str, value: int) -> None:
    assert term_values(columns)["at once"] == value


@pytest.mark.parametrize(
    ("size", "row", "player"),
    [("7x6", 1, "X"), ("7x6", 2, "O"), ("8x6", 3, "X"), ("5x5", 1, "X"), ("6x5", 1, "O")],
)
def test_rows_belong_to_the_side_that_will_move_there_in_the_end(
    size: str, row: int, player: str
) -> None:
    position = load(f"connect4:{size}").initial()
    full = position.floor * ((1 << position.rows) - 1)
    of_first = evaluation.rows_of_mover(position, full)
    assert bool(of_first >> (row - 1) & 1) == (player == "X")


def test_the_example_of_the_documentation() -> None:
    position = game.parse("..X..../..O..../..O.X../..O.O../..X.XO./XXO.XO. X")
    assert value_of(position) == 20
    assert terms_of(position) == [
        ("at once", 0, 400),
        ("zugzwang", 1, 40),
        ("threats on own rows", 1, 80),
        ("threats on other rows", 0, 10),
        ("pairs", -3, 24),
        ("open lines", -7, 4),
    ]

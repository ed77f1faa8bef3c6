"""The basic and the teaching evaluation of chess: features against python-chess, symmetries."""

from collections.abc import Iterator
from functools import cache

import chess
import numpy as np
import pytest

import plyforge
from plyforge import Game
from plyforge.evaluate import Evaluation, compiled_evaluation, with_evaluation
from plyforge.games import chess as ours
from plyforge.games.chess import evaluation, features, teaching
from plyforge.games.chess.position import PASS_MOVE, Position
from tests.games.evaluations import random_positions, total
from tests.reference.chess_features import COUNTS, feature, phase

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 10}
ENDINGS = [
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 1",
    "8/P6k/8/8/2pP4/1p6/1P3K2/8 w - - 0 1",
    "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1",
    "QQQQQQQQ/Q6k/8/8/8/8/8/RNBK1BNR b - - 0 1",
]

game = with_evaluation(plyforge.load("chess"), "basic")
taught = with_evaluation(game, "teaching")
BASIC = evaluation.EVALUATION
TEACHING: Evaluation = taught.rules.constant("EVALUATION")
both = pytest.mark.parametrize("guess", [BASIC, TEACHING], ids=["basic", "teaching"])


@pytest.fixture(autouse=True)
def _words_wrap() -> Iterator[None]:
    """Uncompiled rules run as the core calls them, with 64-bit overflow allowed."""
    with np.errstate(over="ignore"):
        yield


@cache
def every_position() -> list[Position]:
    return [*random_positions(game, 3, 150), *(game.parse(fen) for fen in ENDINGS)]


def swapped(position: Position) -> Position:
    """The same board with the colours exchanged, so that the mover stays the mover."""
    return position._replace(side=1 - position.side)


@pytest.mark.parametrize("name", COUNTS)
def test_a_feature_agrees_with_its_twin(name: str) -> None:
    values = set()
    for position in every_position():
        board = chess.Board(ours.to_text(position))
        (value,) = [value for term, value, _ in BASIC.terms(position) if term == name]
        assert value == feature(name, board), board.fen()
        values.add(value)
    assert len(values) > 1


def test_the_phase_agrees_with_its_twin() -> None:
    found = [features.phase(position) for position in every_position()]
    assert found == [phase(chess.Board(ours.to_text(position))) for position in every_position()]
    assert {0, 24} <= set(found)


def test_every_feature_has_a_twin() -> None:
    assert [name for name, _, _ in BASIC.terms(ours.initial())] == [
        *COUNTS,
        "rounding",
    ]


@both
def test_the_terms_add_up_to_the_evaluation_in_both_backends(guess: Evaluation) -> None:
    evaluate = compiled_evaluation(game if guess is BASIC else taught)
    for position in every_position():
        value = guess.evaluate(position)
        assert value == evaluate(position)
        assert value == pytest.approx(total(guess.terms(position)), abs=1e-6)


def test_rounding_takes_less_than_a_centipawn() -> None:
    for position in every_position():
        assert abs(BASIC.terms(position)[-1][1]) < 1
        assert int(BASIC.evaluate(position)) == BASIC.evaluate(position)


@both
def test_what_is_good_for_one_side_is_bad_for_the_other(guess: Evaluation) -> None:
    for position in every_position():
        assert guess.evaluate(ours.play(position, PASS_MOVE)) == -guess.evaluate(position)


@both
def test_colours_do_not_matter(guess: Evaluation) -> None:
    for position in every_position():
        assert guess.evaluate(swapped(position)) == guess.evaluate(position)


@pytest.mark.parametrize("rated", [game, taught], ids=["basic", "teaching"])
def test_values_lie_within_the_range(rated: Game) -> None:
    low, high = rated.rules.constant("EVALUATION_RANGE")
    assert all(low < rated.evaluation(position) < high for position in every_position())


def test_the_teaching_material_is_that_of_python_chess_counts() -> None:
    for position in every_position():
        board = chess.Board(ours.to_text(position))
        expected = sum(
            WORTH.get(piece.piece_type, 0) * (1 if piece.color == board.turn else -1)
            for piece in board.piece_map().values()
        )
        assert teaching_material(position) == expected


def teaching_material(position: Position) -> float:
    return total(term for term in TEACHING.terms(position) if term[0] != "knights' squares")


def test_the_teaching_example_of_a_queen_against_two_rooks() -> None:
    position = game.parse("3rkr2/7p/8/8/8/8/6PP/3QK3 w - - 0 1")
    assert teaching_material(position) == 12 - 11


def test_a_knight_counts_by_its_distance_from_the_edge() -> None:
    for square in chess.SQUARES:
        file, rank = chess.square_file(square), chess.square_rank(square)
        from_edge = min(file, rank, 7 - file, 7 - rank)
        assert teaching.KNIGHT_TABLE[square] == 1 + min(from_edge, 2)


def test_the_knights_of_both_sides_are_read_from_one_table() -> None:
    position = game.parse("4k3/8/8/4N3/8/8/1n6/N3K3 b - - 0 1")
    assert teaching.knight_places(position) == 2 - (3 + 1)

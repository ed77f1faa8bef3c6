"""Checkers and give-away: each feature against its slow twin, and what evaluations promise."""

from collections.abc import Iterator
from functools import cache
from types import ModuleType

import pytest

import plyforge
from plyforge.core.randomness import Stream
from plyforge.evaluate import compiled_evaluation
from plyforge.games import checkers, giveaway
from tests.games.evaluations import random_positions, total
from tests.reference.checkers import Game as Twin
from tests.reference.checkers import Pieces, is_king_row
from tests.reference.checkers_features import FEATURES

OF_THE_TURN = ("attacking", "attacked", "the move")
"""Features that are more than one side's count less the other's."""
DISTINCT = {"English checkers": 0.8, "Give-away checkers": 0.5}

game = plyforge.load("checkers")
both_games = pytest.mark.parametrize("rules", [checkers, giveaway], ids=lambda rules: rules.NAME)


def placements(count: int) -> Iterator[Twin]:
    """Positions with pieces anywhere, kings as likely as men."""
    stream = Stream(3)
    for _ in range(count):
        pieces: Pieces = {}
        for colour in "bw":
            for _ in range(stream.below(13)):
                square, piece = 1 + stream.below(32), stream.choice([colour, colour.upper()])
                if square not in pieces:
                    pieces[square] = piece.upper() if is_king_row(piece, square) else piece
        yield Twin(pieces, stream.choice(["b", "w"]))


@cache
def every_position() -> list[checkers.Position]:
    placed = [game.parse(twin.text()) for twin in placements(200)]
    return [*random_positions(game, 4, 120), *placed]


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_agrees_with_its_twin(name: str) -> None:
    values = set()
    for position in every_position():
        pieces = {int(square): piece for square, piece in game.pieces(position).items()}
        (value,) = [v for n, v, _ in checkers.EVALUATION.terms(position) if n == name]
        assert value == FEATURES[name](pieces, "bw"[position.side]), game.text(position)
        values.add(value)
    assert len(values) > 1


@both_games
def test_the_terms_add_up_to_the_evaluation_in_both_backends(rules: ModuleType) -> None:
    evaluate = compiled_evaluation(plyforge.load(rules.__name__.split(".")[-1]))
    for position in every_position():
        value = rules.EVALUATION.evaluate(position)
        assert value == evaluate(position)
        assert value == pytest.approx(total(rules.EVALUATION.terms(position)), abs=1e-9)


def test_the_terms_of_give_away_are_features_of_checkers() -> None:
    for position in every_position():
        values = {name: value for name, value, _ in checkers.EVALUATION.terms(position)}
        for name, value, _ in giveaway.EVALUATION.terms(position):
            assert value == values[name]


@both_games
def test_the_rotated_board_with_colours_exchanged_has_the_same_value(rules: ModuleType) -> None:
    for position in every_position():
        assert len({rules.EVALUATION.evaluate(image) for image in rules.symmetries(position)}) == 1


def test_what_is_good_for_one_side_is_bad_for_the_other() -> None:
    for position in every_position():
        turned = position._replace(side=1 - position.side)
        here, there = checkers.EVALUATION.terms(position), checkers.EVALUATION.terms(turned)
        for (name, value, _), (_, opposite, _) in zip(here, there, strict=True):
            assert name in OF_THE_TURN or value == -opposite


def test_no_sum_reaches_the_limits_in_checkers() -> None:
    """Twelve pieces against none is the most: a piece gives its owner more than it gives away."""
    weight = {name: abs(weight) for name, _, weight in checkers.EVALUATION.terms(game.initial())}
    placed = 6 * weight["advancement"] + weight["back row"] + weight["men in centre"]
    man = weight["men"] + placed + 2 * weight["mobility"] + weight["runaway men"]
    king = weight["kings"] + weight["kings in centre"] + 4 * weight["mobility"]
    burden = 6 * weight["advancement"] + weight["dog holes"]
    assert max(weight["attacking"], weight["attacked"]) + burden < weight["men"] < weight["kings"]
    most = 12 * max(man, king) + weight["majority"] + weight["the move"]
    assert most < checkers.EVALUATION_RANGE[1] == -checkers.EVALUATION_RANGE[0]


def test_no_sum_reaches_the_limits_in_give_away() -> None:
    """Twelve pieces of each side, every one with the most that it can give or take."""
    weight = {name: abs(weight) for name, _, weight in giveaway.EVALUATION.terms(game.initial())}
    man = weight["men"] + weight["attacking"]
    # Where a king's or a man's place is worth more than its burden, the owner may gain by it.
    king = weight["kings in centre"] + 4 * weight["mobility"] - weight["kings"]
    assert 6 * weight["advancement"] + 2 * weight["mobility"] < weight["men"]
    assert weight["kings"] < weight["men"]
    most = 12 * (man + max(king, 0)) + weight["the move"]
    assert most < giveaway.EVALUATION_RANGE[1] == -giveaway.EVALUATION_RANGE[0]


@both_games
def test_most_positions_have_different_values(rules: ModuleType) -> None:
    positions = set(random_positions(game, 12, 120))
    values = {rules.EVALUATION.evaluate(position) for position in positions}
    assert len(values) > len(positions) * DISTINCT[rules.NAME]


@both_games
def test_a_finished_game_can_be_evaluated(rules: ModuleType) -> None:
    low, high = rules.EVALUATION_RANGE
    for fen in ("B:W32:B", "W:W:B1", "B:W:B", "B:W9,14,32:B5"):
        assert low < rules.EVALUATION.evaluate(game.parse(fen)) < high

"""The evaluation of checkers: each feature against its slow twin, and what all of them promise."""

from collections.abc import Iterator

import pytest

import plyforge
from plyforge.core.randomness import Stream
from plyforge.games import checkers
from tests.games.evaluations import compiled, random_positions, total
from tests.reference.checkers import Game as Twin
from tests.reference.checkers import Pieces, is_king_row
from tests.reference.checkers_features import FEATURES

OF_THE_TURN = ("attacking", "attacked", "the move")
"""Features that are more than one side's count less the other's."""
game = plyforge.load("checkers")


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


def every_position() -> list[checkers.Position]:
    placed = [game.parse(twin.text()) for twin in placements(400)]
    return [*random_positions(game, 12, 120), *placed]


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_agrees_with_its_twin(name: str) -> None:
    values = set()
    for position in every_position():
        pieces = {int(square): piece for square, piece in game.pieces(position).items()}
        (value,) = [v for n, v, _ in checkers.terms(position) if n == name]
        assert value == FEATURES[name](pieces, "bw"[position.side]), game.text(position)
        values.add(value)
    assert len(values) > 1


def test_the_terms_add_up_to_the_evaluation_in_both_gears() -> None:
    evaluate = compiled(game).call
    for position in every_position():
        value = checkers.evaluate(position)
        assert value == evaluate(position)
        assert value == pytest.approx(total(checkers.terms(position)), abs=1e-9)


def test_the_board_turned_round_with_colours_exchanged_is_worth_the_same() -> None:
    for position in every_position():
        assert len({checkers.evaluate(image) for image in checkers.symmetries(position)}) == 1


def test_what_is_good_for_one_side_is_bad_for_the_other() -> None:
    for position in every_position():
        turned = position._replace(side=1 - position.side)
        here, there = checkers.terms(position), checkers.terms(turned)
        for (name, value, _), (_, opposite, _) in zip(here, there, strict=True):
            assert name in OF_THE_TURN or value == -opposite


def test_no_sum_reaches_the_limits() -> None:
    """Twelve pieces against none is the most: a piece gives its owner more than it gives away."""
    weight = {name: abs(weight) for name, _, weight in checkers.terms(game.initial())}
    placed = 6 * weight["advancement"] + weight["back row"] + weight["men in centre"]
    man = weight["men"] + placed + 2 * weight["mobility"] + weight["runaway men"]
    king = weight["kings"] + weight["kings in centre"] + 4 * weight["mobility"]
    burden = 6 * weight["advancement"] + weight["dog holes"]
    assert max(weight["attacking"], weight["attacked"]) + burden < weight["men"] < weight["kings"]
    most = 12 * max(man, king) + weight["majority"] + weight["the move"]
    assert most < checkers.EVALUATION_RANGE[1] == -checkers.EVALUATION_RANGE[0]


def test_most_positions_have_a_value_of_their_own() -> None:
    positions = set(random_positions(game, 12, 120))
    assert len({checkers.evaluate(position) for position in positions}) > len(positions) * 0.8


def test_a_finished_game_can_be_evaluated() -> None:
    for fen in ("B:W32:B", "W:W:B1", "B:W:B"):
        low, high = checkers.EVALUATION_RANGE
        assert low < checkers.evaluate(game.parse(fen)) < high

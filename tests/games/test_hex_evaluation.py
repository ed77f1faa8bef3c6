"""Hex's evaluation: distances against a slow twin, its sides, its symmetries, the swap."""

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.evaluate import compiled_evaluation
from plyforge.games import hex as hexgame
from plyforge.games.hex import Position
from plyforge.games.hex.distance import distances, net, potential
from plyforge.games.hex.rules import build as build_position
from plyforge.games.hex.rules import stones_of
from tests.games.tiers import examples
from tests.reference import hex_evaluation as twin
from tests.reference.hex import Game as Twin

FAR = 1000
DOCUMENTED = "...../B.R.R/B..../..B.R/..... R"


HOOKS = plyforge.load("hex").rules.hooks
evaluate, terms = HOOKS["evaluate"], HOOKS["terms"]


@cache
def compiled() -> Any:
    return compiled_evaluation(plyforge.load("hex"))


def random_pair(random: Random, size: int, swap: bool) -> tuple[Position, Twin]:
    """A position of a random game, perhaps its last one, and the twin there."""
    position, game = hexgame.initial(size, swap), Twin(size, swap)
    for _ in range(random.randrange(size * size)):
        if game.winner:
            break
        name = random.choice(sorted(game.moves()))
        position = hexgame.play(position, hexgame.parse_move(position, name))
        game.play(name)
    return position, game


sizes = st.sampled_from([1, 2, 3, 4, 5, 6, 8, 11])
pairs = st.builds(random_pair, st.randoms(use_true_random=True), sizes, st.booleans())


def reflect_and_swap_colours(position: Position) -> Position:
    """The board reflected in the long diagonal, with the colours exchanged."""
    red, blue = ([(f, r) for r, f in stones_of(position, side)] for side in (1, 0))
    return build_position(red, blue, 1 - position.side, False, position.size)


@given(pairs)
@examples(20)
def test_every_two_distance_is_the_twins(pair: tuple[Position, Twin]) -> None:
    position, game = pair
    for side, colour in enumerate("RB"):
        board = net(position, side)
        for edge in (1, 2):
            found = distances(board, edge, FAR)
            for (file, rank), expected in twin.distances(game, colour, edge == 2).items():
                assert found[rank * board.stride + file] == min(expected, FAR)
        assert potential(board, 2 * position.size + 2) == twin.potential(game, colour)


@given(pairs)
@examples(20)
def test_the_evaluation_is_the_twins_in_both_backends_and_the_sum_of_its_terms(
    pair: tuple[Position, Twin],
) -> None:
    position, game = pair
    value = evaluate(position)
    assert value == twin.evaluate(game)
    assert compiled()(position) == value
    assert sum(feature * weight for _, feature, weight in terms(position)) == value
    assert hexgame.EVALUATION_RANGE[0] < value < hexgame.EVALUATION_RANGE[1]


@given(pairs)
@examples(13)
def test_images_and_exchanged_colours_have_the_same_value(pair: tuple[Position, Twin]) -> None:
    position = pair[0]._replace(swap=False)
    value = evaluate(position)
    assert [evaluate(image) for image in hexgame.symmetries(position)] == [value, value]
    assert evaluate(reflect_and_swap_colours(position)) == value


@given(pairs)
@examples(13)
def test_what_one_side_gains_the_other_loses(pair: tuple[Position, Twin]) -> None:
    position = pair[0]._replace(swap=False)
    other = position._replace(side=1 - position.side)
    assert evaluate(other) == -evaluate(position)


@pytest.mark.parametrize("cell", ["a1", "c2", "c3", "e5"])
def test_a_side_that_may_swap_has_the_better_of_both_sides(cell: str) -> None:
    board = plyforge.load("hex:5,swap")
    history = board.history()
    history.play_text(cell)
    stay = evaluate(history.position._replace(swap=False))
    open_to_swap = evaluate(history.position)
    history.play_text("swap")
    swapped = -evaluate(history.position)
    assert swapped == -stay
    assert open_to_swap == max(stay, swapped)


@pytest.mark.parametrize("size", [1, 2, 11, 26])
def test_the_empty_board_is_even(size: int) -> None:
    position = hexgame.initial(size)
    assert compiled()(position) == evaluate(position) == 0


def test_the_documented_position_has_the_documented_terms() -> None:
    position = hexgame.from_text(DOCUMENTED)
    assert [potential(net(position, side), FAR) for side in (0, 1)] == [(5, 3), (6, 1)]
    assert terms(position) == [("potential", 1, 100), ("mobility", 2, 1)]

"""Andantino's evaluation: every feature against a slow twin, its sides, its symmetries."""

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.evaluate import compiled_evaluation
from plyforge.games import andantino
from plyforge.games.andantino import Position
from plyforge.games.andantino.board import ROWS
from plyforge.games.andantino.evaluation import variation
from plyforge.games.andantino.features import count_walled, count_winning_cells, lanes, rows
from plyforge.rules import ONGOING
from tests.games.test_andantino import random_position, twin_of
from tests.games.tiers import examples
from tests.reference import andantino_evaluation as twin

positions = st.builds(
    random_position, st.randoms(use_true_random=True), st.integers(3, 10), st.booleans()
)
SIDES = [(0, "W"), (1, "B")]
value_of, terms_of = andantino.EVALUATION.evaluate, andantino.EVALUATION.terms
DOCUMENTED = "W/h8,j8,g9,j9,j10,k10,k11,m11,j12,l12,m12,k13/i7,i8,h9,i9,k9,h10,i10,l10,j11,l11,k12"
DOCUMENTED_VALUES = [0, -2, 2, -3, 1, 1, 1]


@cache
def compiled(**changes: int) -> Any:
    """The compiled evaluation, with some parameters changed."""
    game = plyforge.load("andantino")
    hooks = {**game.rules.hooks, "evaluate": variation(**changes).evaluate}
    return compiled_evaluation(game.with_rules(replace(game.rules, hooks=hooks)))


def swap_colours(position: Position) -> Position:
    """The same stones in the other colours, and so the other side to move."""
    stones = np.roll(position.stones, ROWS)
    return position._replace(stones=stones, placed=position.placed + 1)


@given(positions)
@examples(20)
def test_every_feature_is_the_twins(position: Position) -> None:
    if andantino.outcome(position) != ONGOING:
        return
    game = twin_of(position)
    for player, colour in SIDES:
        mine = player * ROWS
        cells = lanes(position, mine)
        for count_blocked in (False, True):
            found = twin.rows(game, colour, count_blocked)
            assert rows(cells, count_blocked) == (found[2], found[3], found[4])
        prey = twin.count_walled(game.stones, game.board, colour)
        assert count_walled(position.stones, mine) == (prey[4], prey[5], prey[6])
        wins = len(twin.winning_cells(game, colour))
        assert count_winning_cells(position, mine, cells, 1000) == wins
        assert count_winning_cells(position, mine, cells, 2) == min(wins, 2)


@given(positions)
@examples(20)
def test_the_evaluation_is_the_twins_in_both_backends_and_the_sum_of_its_terms(
    position: Position,
) -> None:
    value = value_of(position)
    assert compiled()(position) == value
    assert sum(feature * weight for _, feature, weight in terms_of(position)) == value
    assert andantino.EVALUATION_RANGE[0] < value < andantino.EVALUATION_RANGE[1]
    if andantino.outcome(position) == ONGOING:
        assert value == twin.evaluate(twin_of(position))


def test_the_documented_position_has_the_documented_terms() -> None:
    position = andantino.from_text(DOCUMENTED)
    assert [value for _, value, _ in terms_of(position)] == DOCUMENTED_VALUES
    assert value_of(position) == 15


@given(positions)
@examples(13)
def test_images_have_the_same_value(position: Position) -> None:
    value = value_of(position)
    assert [value_of(image) for image in andantino.symmetries(position)] == [value] * 12


@given(positions)
@examples(13)
def test_colours_do_not_matter(position: Position) -> None:
    assert value_of(swap_colours(position)) == value_of(position)


@given(positions)
@examples(13)
def test_without_look_ahead_what_one_side_gains_the_other_loses(position: Position) -> None:
    evaluate = variation(CELLS_TO_WIN=0, CELLS_TO_HAVE_WON=0).evaluate
    other = position._replace(placed=position.placed + 1)
    assert evaluate(other) == -evaluate(position)


@pytest.mark.parametrize(
    "changes",
    [{"COUNT_BLOCKED": True}, {"CELLS_TO_WIN": 0}, {"CELLS_TO_HAVE_WON": 0}, {"WALLED_FOUR": 1}],
    ids=str,
)
def test_every_part_left_open_by_the_report_can_be_varied(changes: dict[str, int]) -> None:
    varied_by = variation(**changes)
    evaluate, terms = varied_by.evaluate, varied_by.terms
    random = Random(1)
    varied = [random_position(random, 10, True) for _ in range(60)]
    assert [evaluate(p) for p in varied] != [value_of(p) for p in varied]
    for position in varied:
        value = evaluate(position)
        assert sum(feature * weight for _, feature, weight in terms(position)) == value


@pytest.mark.long
def test_a_compiled_variation_returns_the_same_values() -> None:
    changes = {"COUNT_BLOCKED": True, "CELLS_TO_WIN": 0, "WINNING_FEATURE": 500, "WALLED_FOUR": 3}
    evaluate = variation(**changes).evaluate
    random = Random(2)
    for _ in range(40):
        position = random_position(random, 10, True)
        assert compiled(**changes)(position) == evaluate(position)


def test_a_variation_of_a_parameter_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown parameter 'WEIGHT'"):
        variation(WEIGHT=1)

"""The numbers that stand for results."""

import numpy as np
import pytest

from plyforge.core.scores import (
    DRAW,
    LOSS,
    ONGOING,
    SCORE_LIMIT,
    WIN,
    is_result,
    outcome_name,
)


def test_every_number_is_exact_in_32_bits() -> None:
    for value in (WIN, LOSS, DRAW, ONGOING, SCORE_LIMIT, SCORE_LIMIT - 1, 1 - SCORE_LIMIT):
        assert float(np.float32(value)) == value


def test_results_and_scores_do_not_overlap() -> None:
    assert LOSS == -WIN < -SCORE_LIMIT < DRAW < SCORE_LIMIT < WIN < ONGOING


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (WIN, "win"),
        (LOSS, "loss"),
        (DRAW, "draw"),
        (-0.0, "draw"),
        (ONGOING, "ongoing"),
        (float(ONGOING), "ongoing"),
        (3, "win"),
        (0.5, "win"),
        (-0.5, "loss"),
        (-SCORE_LIMIT, "loss"),
    ],
)
def test_results_have_names_and_scores_are_named_by_their_sign(value: float, name: str) -> None:
    assert outcome_name(value) == name


@pytest.mark.parametrize("value", [WIN, LOSS, DRAW, 0.5, -64, SCORE_LIMIT, -SCORE_LIMIT])
def test_results_and_scores_within_the_limit_end_a_game(value: float) -> None:
    assert is_result(value)


@pytest.mark.parametrize(
    "value", [ONGOING, SCORE_LIMIT + 1, WIN - 1, -SCORE_LIMIT - 1, float("nan"), float("inf")]
)
def test_other_values_do_not_end_a_game(value: float) -> None:
    assert not is_result(value)

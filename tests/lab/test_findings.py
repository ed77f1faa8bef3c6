"""Findings: the published figure, ours, and a verdict."""

import pytest

from plyforge.lab import Estimate, format_estimate, judge, judge_level


@pytest.mark.parametrize(
    ("value", "low", "high", "verdict"),
    [
        (40.0, 39.0, 41.0, "reproduced"),  # the figure itself
        (49.0, 48.0, 50.0, "reproduced"),  # near
        (50.0, 50.0, 50.0, "reproduced"),  # just near
        (50.5, 50.4, 50.6, "not reproduced"),
        (80.0, 35.0, 120.0, "reproduced"),  # far, but not surely
        (80.0, 41.0, 120.0, "not reproduced"),
        (-40.0, -41.0, -39.0, "not reproduced"),
        (float("nan"), float("nan"), float("nan"), "not reproduced"),
    ],
)
def test_close_or_within_the_interval_is_reproduced(value, low, high, verdict):
    assert judge("x", 40.0, Estimate(value, low, high, 9)).verdict == verdict


def test_an_experiment_can_choose_the_tolerance():
    found = Estimate(44.0, 43.0, 45.0, 9)
    assert judge("x", 40.0, found, tolerance=0.1).verdict == "reproduced"
    assert judge("x", 40.0, found, tolerance=0.05).verdict == "not reproduced"


def test_a_custom_tolerance_is_stated():
    found = Estimate(44.0, 43.0, 45.0, 9)
    assert judge("x", 40.0, found, tolerance=0.15, why="so").why == (
        "so; within 15 % counts as reproduced"
    )
    assert judge("x", 40.0, found, tolerance=0.15).why == "within 15 % counts as reproduced"
    assert judge("x", 40.0, found).why == ""


def test_incomparable_figures_get_no_verdict():
    for value in (40.0, 80.0):
        found = judge("x", 40.0, Estimate(value, value, value, 9), comparable=False)
        assert found.verdict == "not comparable"
    assert judge("x", 40.0, None, comparable=False).verdict == "not measured"


def test_only_zero_is_close_to_zero():
    assert judge("x", 0.0, Estimate(0.1, 0.05, 0.2, 9)).verdict == "not reproduced"
    assert judge("x", 0.0, Estimate(0.1, -0.05, 0.2, 9)).verdict == "reproduced"


def test_a_finding_has_both_figures_and_a_reason():
    found = judge("leaves", 42.0, Estimate(38.04, 36.0, 40.5, 9), " %", why="other depth")
    assert (found.claim, found.published, found.found) == ("leaves", "42 %", "38 % (36 to 40.5)")
    assert found.why == "other depth"


def test_missing_figures_get_no_verdict():
    found = judge("leaves", 42.0, None)
    assert (found.found, found.verdict) == ("not measured", "not measured")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (0.12345, "0.123"),
        (123.456, "123"),
        (999.4, "999"),
        (999.7, "1,000"),
        (-999.7, "-1,000"),
        (1234567.8, "1,234,568"),
    ],
)
def test_figures_are_short_and_have_no_exponent(value, text):
    assert format_estimate(Estimate(value, value, value, 1)) == f"{text} ({text} to {text})"


@pytest.mark.parametrize(
    ("value", "low", "high", "verdict"),
    [
        (1.2, 1.1, 1.3, "reproduced"),
        (1.24, 1.23, 1.25, "reproduced"),  # within a quarter of the effect of 0.2
        (1.0, 0.99, 1.01, "not reproduced"),  # within a quarter of 1.2, but no effect at all
        (1.1, 0.9, 1.3, "not comparable"),  # holds both
        (0.8, 0.7, 0.9, "not reproduced"),
    ],
)
def test_an_effect_is_compared_with_no_effect(value, low, high, verdict):
    assert judge("x", 1.2, Estimate(value, low, high, 9), none=1.0).verdict == verdict


@pytest.mark.parametrize(
    ("value", "low", "high", "verdict"),
    [
        (1.04, 1.03, 1.05, "reproduced"),
        (0.96, 0.5, 1.5, "reproduced"),
        (1.2, 0.9, 1.5, "not comparable"),
        (1.2, 1.1, 1.3, "not reproduced"),
    ],
)
def test_a_claim_of_equality_is_judged_by_a_margin(value, low, high, verdict):
    found = judge_level("x", "as good", 1.0, Estimate(value, low, high, 9), 0.05)
    assert found.verdict == verdict
    assert found.why.startswith("within 0.05 counts")
    assert judge_level("x", "as good", 1.0, None, 0.05).verdict == "not measured"

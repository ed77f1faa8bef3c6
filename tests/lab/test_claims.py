"""Claims: rules, verdicts, and the correction for many tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.lab import (
    Claim,
    Data,
    Equals,
    Exactly,
    LessThan,
    MoreThan,
    NotComparable,
    Within,
    format_estimate,
    statistics,
)
from plyforge.lab.claims import Judgement, holm, judge_claims
from plyforge.lab.statistics import Estimate

NOTHING = Data([], ())


def estimate(low, high, games=25):
    """A figure whose interval has these ends."""
    values = np.linspace(-1, 1, games)
    spread = statistics.mean(values.tolist())
    return spread.rescale((high - low) / (spread.high - spread.low), (low + high) / 2)


def finding_of(rule, found, **fields):
    claim = Claim("x", "as printed", "figure", rule, lambda data: found, **fields)
    (finding,) = judge_claims([claim], NOTHING)
    return finding


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (39.0, 41.0, "reproduced"),  # inside the margin, contains the figure
        (41.0, 44.0, "reproduced"),  # inside the margin
        (30.0, 50.0, "reproduced"),  # contains the figure
        (43.0, 48.0, "undecided"),  # partly within the margin
        (46.0, 48.0, "refuted"),
        (30.0, 34.0, "refuted"),
    ],
)
def test_a_number_is_reproduced_or_refuted_by_its_margin(low, high, verdict):
    assert finding_of(Equals(40.0, 5.0), estimate(low, high)).verdict == verdict


def test_an_interval_with_the_figure_and_no_effect_decides_nothing():
    rule = Equals(40.0, 5.0, no_effect=0.0)
    assert finding_of(rule, estimate(-5.0, 60.0)).verdict == "undecided"
    assert finding_of(rule, estimate(20.0, 60.0)).verdict == "reproduced"


@pytest.mark.parametrize(
    ("low", "high", "more", "less"),
    [
        (1.1, 1.3, "reproduced", "refuted"),
        (0.7, 0.9, "refuted", "reproduced"),
        (0.9, 1.2, "undecided", "undecided"),
    ],
)
def test_directions(low, high, more, less):
    assert finding_of(MoreThan(1.0), estimate(low, high)).verdict == more
    assert finding_of(LessThan(1.0), estimate(low, high)).verdict == less


def test_counts_must_be_equal_and_need_no_interval():
    single = statistics.mean([14.0])
    assert finding_of(Exactly(14), single).verdict == "reproduced"
    assert finding_of(Exactly(15), single).verdict == "refuted"
    assert finding_of(MoreThan(1), single).verdict == "undecided"
    assert "too few games" in finding_of(MoreThan(1), single).reason


def test_other_quantities_are_not_compared():
    found = finding_of(
        NotComparable("the opponent is not stated"), estimate(1, 2), note="short games"
    )
    assert found.verdict == "not comparable"
    assert found.reason == "short games; the opponent is not stated"


def test_missing_figures_are_not_measured():
    for rule in (Equals(1, 0.1), MoreThan(1), Exactly(1), NotComparable("x")):
        assert finding_of(rule, None).verdict == "not measured"


def test_undecided_says_how_many_games_would_decide():
    found = finding_of(MoreThan(1.0), estimate(0.9, 1.3, games=25))
    # The figure is 0.1 above, its interval reaches 0.2: four times the games.
    assert found.reason == "25 games; about 100 would decide"
    assert "no number" in finding_of(MoreThan(1.0), estimate(0.9, 1.1)).reason


def test_many_tests_are_corrected_together():
    weak, none = estimate(1.001, 1.2), estimate(0.8, 1.2)
    claims = [Claim("weak", "", "", MoreThan(1.0), lambda data: weak)]
    assert judge_claims(claims, NOTHING)[0].verdict == "reproduced"
    claims += [Claim(f"{i}", "", "", MoreThan(1.0), lambda data: none) for i in range(9)]
    # Undecided claims reject nothing, so they are no tests.
    assert judge_claims(claims, NOTHING)[0].verdict == "reproduced"
    claims += [Claim(f"also {i}", "", "", MoreThan(1.0), lambda data: weak) for i in range(3)]
    verdicts = [one.verdict for one in judge_claims(claims, NOTHING)]
    assert verdicts == ["undecided"] * 13
    assert "Holm" in judge_claims(claims, NOTHING)[0].reason


def slow_holm(p_values):
    """Holm's rule as printed: reject in order of size while p <= 0.05 / (m - rank)."""
    kept = sorted(p_values)
    rejected = 0
    while rejected < len(kept) and kept[rejected] <= 0.05 / (len(kept) - rejected):
        rejected += 1
    limit = kept[rejected - 1] if rejected else -1
    return [p <= limit for p in p_values]


@given(st.lists(st.floats(0, 0.2), unique=True, max_size=12))
def test_the_correction_equals_the_printed_rule(p_values):
    assert holm(p_values) == slow_holm(p_values)


def test_one_false_verdict_is_rare_among_many_true_hypotheses():
    chance = np.random.default_rng(2)
    wrong = sum(any(holm(chance.uniform(size=20).tolist())) for _ in range(2000))
    assert wrong / 2000 < 0.065


def test_the_registered_text_states_claim_figure_and_rule():
    claim = Claim("saves leaves", "42 %", "leaves at 13", Equals(42, 5, 0), lambda d: None, " %")
    assert claim.registered == (
        "saves leaves; published: 42 %; leaves at 13; interval contains 42 % and not 0 %, or is"
        " within ±5 % of it; refuted if further away than that"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.12345, "0.123"),
        (999.7, "1,000"),
        (-999.7, "-1,000"),
        (1234567.8, "1,234,568"),
    ],
)
def test_figures_are_short_and_have_no_exponent(value, text):
    assert format_estimate(Estimate(value, value, value, 1)) == f"{text} ({text} to {text})"
    assert format_estimate(statistics.mean([value])) == text
    assert format_estimate(None) == "not measured"


def test_a_judgement_without_a_test_has_no_p_value():
    assert Exactly(3).judge(estimate(3, 3)) == Judgement("reproduced")
    assert Equals(3, 0.1).judge(estimate(2, 5)) == Judgement("reproduced")


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.95, 1.05, "reproduced"),
        (0.5, 1.5, "undecided"),
        (1.05, 1.2, "undecided"),
        (1.2, 1.3, "refuted"),
        (0.7, 0.8, "refuted"),
    ],
)
def test_a_wide_interval_does_not_show_that_a_figure_is_within_a_margin(
    low: float, high: float, verdict: str
) -> None:
    assert finding_of(Within(1, 0.1), estimate(low, high)).verdict == verdict

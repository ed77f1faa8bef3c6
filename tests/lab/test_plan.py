"""Planned sizes give intervals of the wanted width, checked by simulation."""

from dataclasses import replace

import numpy as np
import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.lab.data import Data, Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.plan import (
    MIN_GAMES,
    _chi_square_quantile,
    find_spread,
    games_needed,
    make_plan,
    pilot_positions,
)

TOGETHER = 5
MARGIN = 0.05
BETWEEN, WITHIN = 0.2, 0.1
"""Standard deviations of the logarithm of the ratio, between games and within one."""
TRUE_RATIO = 0.7 * np.exp((BETWEEN**2 + WITHIN**2) / 2)


def simulate(rng: np.random.Generator, games: int) -> list[Measurement]:
    """Return measurements of games whose positions resemble each other."""
    shape = (games, TOGETHER)
    base = rng.lognormal(5, 0.3, shape)
    effect = rng.normal(0, BETWEEN, (games, 1)) + rng.normal(0, WITHIN, shape)
    other = 0.7 * base * np.exp(effect)
    rows = zip(base.ravel(), other.ravel(), strict=True)
    return [
        Measurement(case, name, 4, 0, {"count": float(value), "seconds": 0.5})
        for case, pair in enumerate(rows)
        for name, value in zip(("base", "half"), pair, strict=True)
    ]


@pytest.fixture
def games(toy: Experiment) -> Experiment:
    """The toy experiment with several positions from each game."""
    return replace(toy, together=TOGETHER, metrics=(("count", "count"),))


@pytest.mark.long
def test_planned_intervals_are_narrow_enough_and_cover_the_truth(games: Experiment) -> None:
    rng = np.random.default_rng(7)
    trials, narrow, covered, widths = 150, 0, 0, []
    for _ in range(trials):
        plan = make_plan(games, games.data(simulate(rng, 12)), MARGIN)
        estimate = games.data(simulate(rng, plan.needs[0].games)).ratio("half", "base", 4, "count")
        width = (estimate.high - estimate.low) / 2
        widths.append(width / estimate.value / MARGIN)
        narrow += width <= MARGIN * estimate.value
        covered += estimate.contains(TRUE_RATIO)
    assert narrow / trials == pytest.approx(0.8, abs=0.1)
    assert covered / trials == pytest.approx(0.95, abs=0.05)
    assert 0.75 < np.median(widths) < 1, "the plan wastes games, or has too few"


def test_games_count_and_not_positions(games: Experiment) -> None:
    """As if positions were independent, the plan would ask for far too few."""
    made = simulate(np.random.default_rng(3), 100)
    by_games = make_plan(games, games.data(made), MARGIN)
    by_positions = make_plan(replace(games, together=1), Data(made, ("base", "half")), MARGIN)
    assert by_games.positions > 2 * by_positions.positions


def test_a_smaller_margin_needs_more_games_by_its_square() -> None:
    assert games_needed(0.2, 10_000, 0.01) == pytest.approx(
        4 * games_needed(0.2, 10_000, 0.02), rel=0.02
    )


def test_a_smaller_pilot_needs_more_games() -> None:
    needs = [games_needed(0.2, pilot, 0.02) for pilot in (3, 5, 10, 50, 1000)]
    assert needs == sorted(needs, reverse=True)
    assert games_needed(0.0, 10, 0.02) == MIN_GAMES


def test_quantiles_are_those_of_tables() -> None:
    for freedom, value in ((4, 1.6488), (9, 5.3801), (49, 40.534)):
        assert _chi_square_quantile(0.2, freedom) == pytest.approx(value, rel=0.02)


def test_a_spread_is_that_of_the_interval(games: Experiment) -> None:
    made = simulate(np.random.default_rng(1), 200)
    data = games.data(made)
    values, base = (data.values(name, 4, "count") for name in ("half", "base"))
    ratio, deviation, count = find_spread(values, base, [i // TOGETHER for i in range(len(values))])
    estimate = data.ratio("half", "base", 4, "count")
    assert ratio == pytest.approx(estimate.value)
    width = (estimate.high - estimate.low) / 2
    assert 1.96 * deviation * ratio / np.sqrt(count) == pytest.approx(width, rel=0.1)


def test_time_is_that_of_all_searches_of_the_run(games: Experiment) -> None:
    made = simulate(np.random.default_rng(2), 20)
    plan = make_plan(games, games.data(made), MARGIN, repeats=3)
    assert plan.seconds == pytest.approx(2 * 0.5 * 3 * plan.positions)
    untimed = [replace(m, values={"count": m.values["count"]}) for m in made]
    assert make_plan(games, games.data(untimed), MARGIN).seconds is None


def test_groups_are_planned_apart(toy: Experiment) -> None:
    grouped = replace(toy, groups=("calm", "wild"))
    rng = np.random.default_rng(5)
    made = []
    for case in range(40):
        base = rng.lognormal(5, 0.3)
        factor = rng.lognormal(0, 0.3 if case % 2 else 0.01)
        made.append(Measurement(case, "base", 4, 0, {"count": base}))
        made.append(Measurement(case, "half", 4, 0, {"count": base * factor}))
    calm, wild = make_plan(grouped, grouped.data(made), MARGIN).needs
    assert (calm.group, calm.games, calm.positions) == ("calm", MIN_GAMES, 2 * MIN_GAMES)
    assert wild.games > 100
    assert wild.positions == 2 * wild.games


def test_a_pilot_has_ten_games_of_each_group_but_no_more_than_the_experiment(toy) -> None:
    assert pilot_positions(toy) == 6
    assert pilot_positions(replace(toy, positions=1000, together=40)) == 400
    assert pilot_positions(replace(toy, positions=1000, groups=("a", "b", "c"))) == 30


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0.0}, "margin must be above 0 % and below 100 %, not 0 %"),
        ({"margin": 2.0}, "not 200 %"),
        ({"margin": 0.02, "metric": "cuont"}, "unknown metric 'cuont'; did you mean 'count'"),
    ],
)
def test_wrong_input_is_refused(games: Experiment, options, message) -> None:
    data = games.data(simulate(np.random.default_rng(1), 3))
    with pytest.raises(PlyforgeError, match=message):
        make_plan(games, data, **options)


def test_a_pilot_of_one_game_is_refused(games: Experiment) -> None:
    data = games.data(simulate(np.random.default_rng(1), 1))
    with pytest.raises(PlyforgeError, match="no comparison of 'count' over at least two games"):
        make_plan(games, data, MARGIN)
    with pytest.raises(PlyforgeError, match="the pilot has no measurements"):
        make_plan(games, games.data([]), MARGIN)

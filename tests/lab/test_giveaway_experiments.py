"""The experiments with real-valued evaluations, at a small scale."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from plyforge.games import load
from plyforge.jobs.local import local_executor
from plyforge.lab.cases import Case
from plyforge.lab.catalog import load_experiment
from plyforge.lab.claims import judge_claims
from plyforge.lab.data import TIMES, Data, Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.experiments import (
    _comparisons,
    _grains,
    branching,
    deepening_real,
    epsilon,
    grain,
    mtd_real,
    mtd_real_sizes,
    replacement_real,
    table_through_games,
)
from plyforge.lab.measuring import measure_search
from plyforge.lab.report import Report
from plyforge.lab.runner import Scale, run_experiment
from plyforge.lab.store import LabStore, Run

LONG = (
    *("mtd-real", "mtd-real-sizes", "replacement-real"),
    *("mtd-real-failure", "real-or-integer", "grain", "epsilon", "enhancements-real"),
    *("deepening-real", "table-through-games", "mtd-real-learned"),
)
"""They compile kernels of give-away, some for several evaluations."""
NAMES = (
    "branching",
    *(pytest.param(name, marks=pytest.mark.long) for name in LONG),
)


def _of_grain(*grains: str) -> Callable[[str], bool]:
    return lambda name: name.endswith(grains)


# Every evaluation needs its own kernel: two are enough besides the game's.
KEPT: dict[str, Callable[[str], bool]] = {
    "grain": _of_grain("grain 1", "grain 0.0001"),
    "replacement-real": lambda name: name.count(",") == 1 or name.endswith("cleared"),
    "table-through-games": lambda name: name.count(",") == 1,
}
SCALES = {
    "replacement-real": Scale(1, (3,)),
    "table-through-games": Scale(1, (2,)),
    "mtd-real-failure": Scale(2, (4,)),
    "grain": Scale(2, (12,)),
    "epsilon": Scale(4, (10,)),
    "enhancements-real": Scale(4, (12,)),
}
"""Charts of the last three are those of one depth."""


def _cut_down(name: str) -> Experiment:
    experiment = load_experiment(name)
    kept = KEPT.get(name, lambda name: True)
    return replace(experiment, variations=tuple(v for v in experiment.variations if kept(v.name)))


def _run(name: str, processes: int, scale: Scale) -> tuple[Experiment, Run, list[Measurement]]:
    experiment = _cut_down(name)
    with LabStore(":memory:") as store:
        number = store.run(experiment, 0)
        made = list(run_experiment(experiment, scale, store, number, 0, local_executor(processes)))
        assert made[-1][0] == made[-1][1]
        return experiment, number, store.measurements(number)


@pytest.mark.parametrize("name", NAMES)
def test_a_small_run_has_a_report_with_named_axes(name):
    experiment, number, made = _run(name, 0, SCALES.get(name, Scale(4, (3, 4))))
    report = Report(experiment, number, made)
    assert len(report.findings) == len(experiment.claims)
    assert report.charts or name == "table-through-games"  # too slow at the depth of its charts
    assert all(chart.y_label and (chart.x_label or chart.x_names) for chart in report.charts)
    assert "nan" not in report.markdown()


@pytest.mark.parametrize("name", [*NAMES[:4], *LONG])
def test_claims_and_tables_keep_to_the_form_of_the_results(name):
    experiment = load_experiment(name)
    assert experiment.source.startswith("Mańdziuk and Osman 2004")
    assert all(claim.place and claim.metric and claim.published for claim in experiment.claims)
    assert experiment.question
    assert experiment.method
    assert experiment.threats
    empty = experiment.data([])
    assert {finding.verdict for finding in judge_claims(experiment.claims, empty)} <= {
        "not measured"
    }
    assert experiment.tables is not None
    assert len(experiment.tables(empty)) <= 8
    assert all(len(table.headings) <= 7 for table in experiment.tables(empty))


def _counts(name: str, processes: int, scale: Scale) -> dict[tuple[int, str], dict[str, float]]:
    return {
        (one.case, one.variation): {k: v for k, v in one.values.items() if k not in TIMES}
        for one in _run(name, processes, scale)[2]
    }


@pytest.mark.long
@pytest.mark.parametrize("name", ["mtd-real", "replacement-real"])
def test_counts_do_not_depend_on_the_number_of_processes(name):
    scale = Scale(1, (3,))
    assert _counts(name, 0, scale) == _counts(name, 1, scale)


@pytest.mark.long
def test_all_exact_drivers_find_the_same_value():
    _, _, made = _run("mtd-real", 0, Scale(4, (4,)))
    values: dict[int, set[float]] = {}
    for one in made:
        if not one.variation.startswith(mtd_real.REAL) and mtd_real.FINE not in one.variation:
            values.setdefault(one.case, set()).add(one.values["value"])
    assert all(len(found) == 1 for found in values.values())


@pytest.mark.parametrize("steps", [1, 10, 10_000])
def test_a_rounded_evaluation_is_within_half_a_grain_of_the_fine_one(steps):
    evaluate = vars(_grains.rounded_evaluation(steps))["evaluate"]
    for case in mtd_real.cases(0, 30):
        position = case.history(load(case.game)).position
        assert abs(evaluate(position) - _grains.evaluate_finely(position)) <= 0.5 / steps + 1e-12


@pytest.mark.parametrize("experiment", [mtd_real, mtd_real_sizes])
def test_the_sample_for_some_configurations_has_every_ply_of_a_game(experiment):
    last = experiment.variations()[-1 if experiment is mtd_real else 0]
    sample = [n for n in range(1000) if experiment.wanted(n, last, 13)]
    assert len(sample) < 100
    assert {number % mtd_real.PLIES for number in sample} == set(range(mtd_real.PLIES))


def test_small_tables_are_searched_at_all_positions():
    for one in mtd_real_sizes.variations():
        wanted = sum(mtd_real_sizes.wanted(number, one, 13) for number in range(110))
        assert wanted == (110 if one.name.endswith(("2^14", "2^15")) else 10)


def _measurement(case: int, name: str, depth: int, nodes: float, **more: float) -> Measurement:
    figures = ("leaves", "interior", "nodes", "seconds", "transpositions")
    values = {**dict.fromkeys(figures, float(nodes)), "searches": 1.0, "value": 0.5, **more}
    return Measurement(case, name, depth, 0, values)


def _finding(claims, data: Data, beginning: str):
    found = [f for f in judge_claims(claims, data) if f.claim.statement.startswith(beginning)]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(("factor", "verdict"), [(9, "reproduced"), (0.5, "refuted")])
def test_whether_realmtdf_is_far_worse_depends_on_the_factor_alone(factor, verdict):
    names = (mtd_real.TTHH, mtd_real.REAL)
    rows = [_measurement(case, names[0], 13, 1000 + case) for case in range(8)]
    rows += [_measurement(case, names[1], 13, factor * (1000 + case)) for case in range(8)]
    worse = _finding(mtd_real.claims(), Data(rows, names), "realMTD(f) is far worse")
    assert worse.verdict == verdict


def test_only_positions_with_few_searches_count_for_the_claim_below_twenty():
    """Many searches cost ten times as much here, which the claim says nothing about."""
    names = (mtd_real.TTHH, mtd_real.REAL)
    rows = [_measurement(case, names[0], 13, 1000) for case in range(20)]
    for case in range(20):
        many = case % 2
        searches, nodes = (40, 10_000) if many else (19, 500 + case)
        rows.append(_measurement(case, names[1], 13, nodes, searches=searches))
    found = _finding(mtd_real.claims(), Data(rows, names), "MTD(f) is faster than the full window")
    assert found.verdict == "reproduced"
    assert found.estimate.count == 10


@pytest.mark.parametrize(
    ("searches", "share", "verdict"), [(14, 0.0, "reproduced"), (15, 10.0, "refuted")]
)
def test_one_search_too_many_refutes_the_claim_that_the_bound_is_never_reached(
    searches, share, verdict
):
    rows = [
        _measurement(case, mtd_real.BI, 13, 1, printed=searches if case == 3 else 9.0)
        for case in range(10)
    ]
    # A won position is outside the range in which the bound holds.
    rows.append(_measurement(10, mtd_real.BI, 13, 1, printed=30.0, value=1e7))
    found = _finding(mtd_real.claims(), Data(rows, (mtd_real.BI,)), "MTD-bi never reaches")
    assert found.estimate.value == pytest.approx(share)
    assert found.verdict == verdict


def test_a_different_value_at_one_depth_refutes_that_mtd_bi_is_exact():
    names = (mtd_real.TTHH, mtd_real.BI)
    rows = [_measurement(c, name, d, 1) for c in range(5) for d in (8, 13) for name in names]
    assert _comparisons.equal_values(Data(rows, names), [names], (8, 13)).value == 100
    rows[-1] = _measurement(4, names[1], 13, 1, value=0.25)
    assert _comparisons.equal_values(Data(rows, names), [names], (8, 13)).value == 80


def test_a_ratio_of_ratios_has_the_interval_of_a_jackknife_written_out():
    figures = [(30, 20, 9, 10), (44, 21, 11, 12), (25, 24, 14, 9), (31, 30, 8, 8)]
    data = Data((), (), together=1)
    found = _comparisons.quotient_of_sums(data, dict(enumerate(figures)))

    def quotient(rows):
        a, b, c, d = (sum(column) for column in zip(*rows, strict=True))
        return math.log((a / b) / (c / d))

    left_out = [quotient(figures[:i] + figures[i + 1 :]) for i in range(4)]
    mean = sum(left_out) / 4
    error = math.sqrt(3 / 4 * sum((one - mean) ** 2 for one in left_out))
    assert found.value == pytest.approx(math.exp(quotient(figures)))
    assert found.error == pytest.approx(error)
    assert found.high == pytest.approx(found.value * math.exp(3.18245 * error), rel=1e-4)


def test_a_ratio_of_ratios_by_games_adds_the_positions_of_each():
    rows = {case: (1.0 + case, 2.0, 3.0, 4.0 + case) for case in range(6)}
    together = _comparisons.quotient_of_sums(Data((), (), together=2), rows)
    sums = {
        game: tuple(map(sum, zip(rows[2 * game], rows[2 * game + 1], strict=True)))
        for game in range(3)
    }
    assert together.games == 3
    alone = _comparisons.quotient_of_sums(Data((), ()), sums)
    assert (together.value, together.low) == pytest.approx((alone.value, alone.low))


def test_costs_are_grouped_by_how_full_the_table_is():
    """Three times the leaves in a table with forty nodes per entry, no more in an empty one."""
    names = [
        replacement_real.name_of("TTHH", rule, size)
        for size in ("", "2^14")
        for rule in ("newer", "deeper")
    ]
    costs = dict(zip(names, (1 << 14, 1 << 14, 1 << 14, 3 << 14), strict=True))
    rows = [_measurement(0, name, 13, nodes) for name, nodes in costs.items()]
    points = replacement_real.by_fullness(Data(rows, tuple(names)), "TTHH", "deeper", 13)
    assert [(full, cost.value) for full, cost in points] == [(40 / 64, 0.0), (40.0, 200.0)]


@pytest.mark.long
def test_a_cleared_table_gives_the_means_of_single_searches():
    case = Case("giveaway", replacement_real.cases(0, 1)[0].moves[:5])
    experiment = load_experiment("replacement-real")
    cleared = experiment.variation("MTD-bi, newer, cleared")
    figures = experiment.measure(case, cleared, 4)
    single = [
        measure_search(Case(case.game, case.moves[:ply]), cleared, 4)["leaves"] for ply in range(6)
    ]
    assert figures["leaves"] == pytest.approx(sum(single) / 6)


@pytest.mark.long
def test_a_kept_table_saves_leaves():
    case = Case("giveaway", replacement_real.cases(0, 1)[0].moves[:9])
    experiment = load_experiment("replacement-real")
    kept, cleared = (
        experiment.measure(case, experiment.variation(name), 6)["leaves"]
        for name in ("TTHH, newer", "TTHH, newer, cleared")
    )
    assert kept < cleared


def test_a_sequence_of_games_follows_from_its_first():
    first, second = table_through_games.cases(0, 2)
    games = table_through_games.sequence(first, 4)
    assert games == table_through_games.sequence(first, 4)
    assert games[0] == first.moves
    assert games[1:] != table_through_games.sequence(second, 4)[1:]
    assert len(set(games)) == 4
    assert {len(moves) for moves in games} == {table_through_games.PLIES - 1}
    for moves in games:
        Case("giveaway", moves).history(load("giveaway"))


@pytest.mark.long
def test_a_sequence_keeps_its_table_from_game_to_game_and_starts_empty(monkeypatch):
    """The same game twice: the second time, its results are in the table."""
    case = Case("giveaway", table_through_games.cases(0, 1)[0].moves[:3])
    monkeypatch.setattr(table_through_games, "QUARTER", 1)
    monkeypatch.setattr(table_through_games, "sequence", lambda case, games: [case.moves] * 2)
    variation = load_experiment("table-through-games").variation("TTHH, newer")
    figures = table_through_games.measure(case, variation, 5)
    assert figures["last"] < figures["first"] / 2
    again = table_through_games.measure(case, variation, 5)
    assert {k: v for k, v in again.items() if k not in TIMES} == {
        k: v for k, v in figures.items() if k not in TIMES
    }


@pytest.mark.long
def test_the_error_of_realmtdf_is_zero_as_its_windows_leave_no_gaps():
    experiment, _, made = _run("epsilon", 0, Scale(12, (4,)))
    data = experiment.data(made)
    for width in epsilon.WIDTHS:
        errors = epsilon.errors(data, width, 4)
        assert errors
        assert set(errors.values()) == {0.0}


def test_errors_are_distances_from_the_value_of_the_full_window():
    name = epsilon.name_of(epsilon.REAL, 10.0)
    rows = [
        _measurement(0, epsilon.TTHH, 10, 1, value=3.0),
        _measurement(0, name, 10, 1, value=-1.0),
        _measurement(1, epsilon.TTHH, 10, 1, value=1e7),
        _measurement(1, name, 10, 1, value=1e7),
    ]
    assert epsilon.errors(Data(rows, (epsilon.TTHH, name)), 10.0, 10) == {0: 4.0}


def test_a_sum_of_both_drivers_is_compared():
    names = [
        replacement_real.name_of(driver, rule)
        for rule in ("deeper-timestamp", "newer")
        for driver in ("TTHH", "MTD-bi")
    ]
    rows = [
        _measurement(case, name, 13, nodes)
        for case in range(4)
        for name, nodes in zip(names, (10, 30, 20, 20), strict=True)
    ]
    found = _finding(
        replacement_real.claims(), Data(rows, tuple(names)), "'deeper + timestamp' is as efficient"
    )
    assert (found.estimate.value, found.verdict) == (1.0, "reproduced")


def test_savings_with_deepening_are_those_of_the_same_deepening():
    names = [
        deepening_real.name_of(driver, step)
        for step in ("", deepening_real.ONE)
        for driver in ("TTHH", "MTD-bi")
    ]
    rows = [
        _measurement(case, name, 13, nodes)
        for case in range(3)
        for name, nodes in zip(names, (100, 40, 20, 25), strict=True)
    ]
    data = Data(rows, tuple(names))
    leaves = [deepening_real.savings(data, step, 13)[0].value for step in ("", deepening_real.ONE)]
    assert leaves == pytest.approx([60.0, -25.0])


def test_checkers_and_give_away_checkers_have_the_same_tree():
    """Seven moves from the start, and 49, 302 and 1469 sequences, as published for checkers."""
    figures = [
        branching.measure(Case(game), branching.variations()[0], depth)
        for game in ("giveaway", "checkers")
        for depth in (2, 4)
    ]
    assert figures[:2] == figures[2:] == [{"nodes": 7, "moves": 49}, {"nodes": 302, "moves": 1469}]


def test_small_tables_of_the_grain_experiment_are_searched_at_some_positions():
    small, large = (
        sum(grain.wanted(number, one, 12) for number in range(grain.POSITIONS))
        for one in (grain.variations()[-1], grain.variations()[0])
    )
    assert (small, large) == (grain.SMALL_POSITIONS, grain.POSITIONS)

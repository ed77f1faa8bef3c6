"""The experiments on alpha-beta, at a small scale; figures from theory are met exactly."""

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from plyforge.jobs.local import local_executor
from plyforge.lab.catalog import load_experiment
from plyforge.lab.claims import Exactly, judge_claims
from plyforge.lab.data import TIMES, Data, Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.experiments import (
    collisions,
    deepening,
    drivers,
    enhancements,
    fail_soft,
    minimal_tree,
)
from plyforge.lab.runner import Scale, list_jobs, run_experiment
from plyforge.lab.store import LabStore
from tests.games.tiers import with_long
from tests.search.kernel.linking import kernels_built_once

__all__ = ["kernels_built_once"]

SIZES: dict[str, tuple[int, tuple[int, ...], set[str]]] = {
    "minimal-tree": (9, (2, 3, 4, 5, 6), {"connect4", *minimal_tree.GROUPS[:6]}),
    "deepening": (8, (3, 4), {"connect4", *deepening.TREES, deepening.RELATED}),
    "enhancements": (4, (3,), {"connect4"}),
    "drivers": (3, (4, 5), {"connect4"}),
    "fail-soft": (10, (6,), set(fail_soft.GROUPS)),
    "collisions": (2, (5,), set()),
}
"""Positions, depths, and groups that need at most three kernels."""


def cut_down(name: str) -> tuple[Experiment, Scale]:
    """Return an experiment without most games."""
    experiment = load_experiment(name)
    positions, depths, groups = SIZES[name]

    def wanted(number: int, variation: object, depth: int) -> bool:
        there = (
            not experiment.groups or experiment.groups[number % len(experiment.groups)] in groups
        )
        return there and experiment.wanted(number, variation, depth)  # type: ignore[arg-type]

    return replace(experiment, wanted=wanted), Scale(positions, depths)


@cache
def measure_cut_down(name: str) -> Data:
    experiment, scale = cut_down(name)
    made = [
        Measurement(
            job.number,
            job.variation,
            job.depth,
            job.repeat,
            experiment.measure(job.case, experiment.variation(job.variation), job.depth),
        )
        for job in list_jobs(experiment, scale, seed=0)
    ]
    return Data(made, tuple(one.name for one in experiment.variations), experiment.groups)


@pytest.mark.parametrize(
    "name",
    # The game of `collisions` has a kernel that no other test needs.
    [pytest.param(name, marks=[pytest.mark.long] * (name == "collisions")) for name in SIZES],
)
def test_a_small_run_has_findings_tables_and_charts(name: str) -> None:
    experiment, data = load_experiment(name), measure_cut_down(name)
    assert all(finding.figure for finding in judge_claims(experiment.claims, data))
    for table in experiment.tables(data) if experiment.tables else ():
        assert all(len(row) == len(table.headings) <= 7 for row in table.rows)
        assert len(table.rows) <= 15
    charts = experiment.charts(data)
    assert any(series.x for chart in charts for series in chart.series)
    for chart in charts:
        assert chart.y_label
        assert chart.x_label or chart.x_names
    values = {}
    for one in data.measurements:
        exact = name not in ("collisions", "fail-soft", "minimal-tree")
        if exact and "minimax" not in one.variation:
            assert (
                values.setdefault((one.case, one.depth), one.values["value"])
                == (one.values["value"])
            )


@pytest.mark.parametrize("name", SIZES)
def test_without_measurements_nothing_is_claimed(name: str) -> None:
    experiment = load_experiment(name)
    empty = Data([], tuple(one.name for one in experiment.variations), experiment.groups)
    assert {one.verdict for one in judge_claims(experiment.claims, empty)} == {"not measured"}
    assert not any(s.x for c in experiment.charts(empty) for s in c.series if not s.published)


@pytest.mark.parametrize("width", minimal_tree.WIDTHS)
@pytest.mark.parametrize("depth", [2, 3, 4, 5])
def test_best_order_takes_the_leaves_of_the_minimal_tree(width: int, depth: int) -> None:
    assert leaves(f"b = {width}", minimal_tree.BEST, depth) == (
        width ** ((depth + 1) // 2) + width ** (depth // 2) - 1
    )


def test_ten_moves_and_nine_plies_take_109999_leaves() -> None:
    assert minimal_tree.minimal_leaves(10, 9) == 109_999
    assert leaves("b = 10", minimal_tree.BEST, 9) == 109_999


@pytest.mark.parametrize(("width", "depth"), [(2, 5), (3, 4), (5, 3)])
def test_worst_order_takes_every_leaf(width: int, depth: int) -> None:
    assert leaves(f"b = {width}", minimal_tree.WORST, depth) == width**depth


def test_the_cheaper_refutation_takes_two_leaves() -> None:
    """MIN's best move takes one leaf more for each cutoff in the large tree."""
    group = minimal_tree.UNEVEN
    assert leaves(group, minimal_tree.CHEAPEST, 6) == 2
    assert leaves(group, minimal_tree.BEST_FIRST, 6) == 1 + 3**2


def test_diamonds_take_every_path_without_a_table() -> None:
    group = minimal_tree.DIAMOND
    assert leaves(group, minimal_tree.PATHS, 8) == 2**8
    assert leaves(group, minimal_tree.PATHS_TABLE, 8) == 2


def leaves(group: str, name: str, depth: int) -> float:
    experiment = load_experiment("minimal-tree")
    case = minimal_tree.cases(0, len(experiment.groups))[experiment.groups.index(group)]
    return minimal_tree.measure(case, experiment.variation(name), depth)["leaves"]


def test_growth_in_random_order_is_the_golden_ratio_for_two_moves() -> None:
    assert minimal_tree.random_factor(2) == pytest.approx((1 + 5**0.5) / 2)


def test_deepening_in_minimax_adds_the_shallower_trees() -> None:
    data = measure_cut_down("deepening")
    for width, group in zip(deepening.WIDTHS, deepening.TREES, strict=True):
        part = data.part(group)
        once, deeper = (
            part.values(name, 4, "leaves")[0]
            for name in (deepening.MINIMAX, deepening.MINIMAX + deepening.STEP_1)
        )
        assert once == width**4
        assert deeper == width + width**2 + width**3 + width**4


def test_exact_claims_hold_in_a_small_run() -> None:
    for name in ("minimal-tree", "deepening"):
        findings = judge_claims(load_experiment(name).claims, measure_cut_down(name))
        exact = [one for one in findings if isinstance(one.claim.rule, Exactly)]
        assert {one.verdict for one in exact} <= {"reproduced", "not measured"}
        assert sum(one.verdict == "reproduced" for one in exact) >= 3


def test_an_iteration_is_the_difference_of_two_searches() -> None:
    rows = [
        Measurement(0, drivers.MTDF, depth, 0, {"nodes": nodes})
        for depth, nodes in ((4, 100.0), (5, 200.0), (6, 400.0))
    ]
    data = Data(rows, (drivers.MTDF,))
    assert drivers.growths(data, drivers.MTDF, 6) == {0: pytest.approx(math.log(2))}
    assert drivers.growths(data, drivers.MTDF, 5) == {}


def test_a_share_of_the_reduction_is_weighted_by_game() -> None:
    """Of 100 leaves, 90 can be saved; 45 are half of that, whatever another game counts."""
    leaves = {enhancements.PLAIN: 100.0, "table": 55.0, enhancements.GRAPH: 10.0}
    rows = [
        Measurement(case, name, 3, 0, {"leaves": scale * leaves.get(name, 50.0)})
        for case, scale in ((0, 1.0), (1, 1000.0))
        for name in (*enhancements.NAMES, enhancements.GRAPH)
    ]
    names = (*enhancements.NAMES, enhancements.GRAPH)
    data = Data(rows, names, ("small", "large"))
    found = enhancements.share(data, "table", {"small": 3, "large": 3}, enhancements.GRAPH)
    assert found is not None
    assert found.value == pytest.approx(50)


def test_there_are_sixty_four_combinations() -> None:
    assert len(enhancements.NAMES) == len(set(enhancements.NAMES)) == 64
    assert len(enhancements.variations()) == 65


def test_only_listings_as_printed_are_wrong() -> None:
    data = measure_cut_down("fail-soft")
    sound = {fail_soft.SOFT, fail_soft.HARD, fail_soft.VISION, fail_soft.NO_TABLE}
    for name in fail_soft.SEARCHES:
        wrong = sum(data.values(name, 6, "wrong", (name,)))
        assert wrong == 0 or name not in sound
    assert sum(data.values(fail_soft.UNFLAGGED, 6, "wrong")) > 0


@pytest.mark.long
def test_whole_keys_are_right_in_the_smallest_table() -> None:
    data = measure_cut_down("collisions")
    smallest = collisions.name_of(max(collisions.KEYS), min(collisions.TABLES))
    share = collisions.wrong_share(data, smallest, 5)
    assert share is not None
    assert share.value == 0


def test_games_with_real_evaluations_are_rounded() -> None:
    assert set(drivers.WHOLE) <= set(drivers.GAMES)


@pytest.mark.long
@pytest.mark.parametrize("name", with_long(["minimal-tree"], ["fail-soft"]))
def test_counts_do_not_depend_on_the_number_of_processes(name: str, tmp_path: Path) -> None:
    experiment, scale = cut_down(name)
    scale = replace(scale, positions=min(scale.positions, 4), depths=scale.depths[:2])
    made = []
    for processes in (0, 1):
        with LabStore(str(tmp_path / f"{processes}.db")) as store:
            number = store.run(experiment, 0)
            assert list(
                run_experiment(experiment, scale, store, number, 0, local_executor(processes))
            )
            made.append(
                {
                    (one.case, one.variation, one.depth): {
                        metric: value for metric, value in one.values.items() if metric not in TIMES
                    }
                    for one in store.measurements(number)
                }
            )
    assert made[0] == made[1] != {}

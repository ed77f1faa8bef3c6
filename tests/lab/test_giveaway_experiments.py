"""The experiments with real-valued evaluations, at a small scale."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from plyforge.games import load
from plyforge.jobs.local import local_executor
from plyforge.lab.data import Data, Measurement
from plyforge.lab.experiment import Experiment, load_experiment
from plyforge.lab.experiments import _grains, _mtd_real_open, _replacement_open, mtd_real
from plyforge.lab.report import Report
from plyforge.lab.runner import Scale, run_experiment
from plyforge.lab.store import LabStore, Run

NAMES = (
    "mtd-real",
    "replacement-real",
    *(
        pytest.param(name, marks=pytest.mark.long)
        for name in ("mtd-real-failure", "real-or-integer", "grain")
    ),
)
"""Those in the long tier compile kernels for several evaluations."""


def _of_grain(*grains: str) -> Callable[[str], bool]:
    return lambda name: name.endswith(grains)


# Every evaluation needs its own kernel: two are enough besides the game's.
KEPT: dict[str, Callable[[str], bool]] = {
    "grain": _of_grain("grain 1", "grain 0.0001"),
    "replacement-real": lambda name: name.count(",") == 1 or name.endswith("cleared"),
}
SCALES = {"replacement-real": Scale(1, (3,)), "mtd-real-failure": Scale(2, (4,))}


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
def test_a_small_run_has_findings_and_charts_with_named_axes(name):
    experiment, number, made = _run(name, 0, SCALES.get(name, Scale(4, (3, 4))))
    report = Report(experiment, number, made)
    assert report.findings
    assert all(finding.found for finding in report.findings)
    assert report.charts
    assert all(chart.y_label and (chart.x_label or chart.x_names) for chart in report.charts)
    assert "nan" not in report.markdown()


@pytest.mark.parametrize(
    "name", ["mtd-real", pytest.param("replacement-real", marks=pytest.mark.long)]
)
def test_counts_do_not_depend_on_the_number_of_processes(name):
    scale = Scale(1, (3,))
    counts = [
        {
            (one.case, one.variation): {k: v for k, v in one.values.items() if k != "seconds"}
            for one in _run(name, processes, scale)[2]
        }
        for processes in (0, 1)
    ]
    assert counts[0] == counts[1]


def test_all_exact_drivers_find_the_same_value():
    _, _, made = _run("mtd-real", 0, Scale(4, (4,)))
    values: dict[int, set[float]] = {}
    for one in made:
        if one.variation != mtd_real.REAL:
            values.setdefault(one.case, set()).add(one.values["value"])
    assert all(len(found) == 1 for found in values.values())


@pytest.mark.parametrize("steps", [1, 10, 10_000])
def test_a_rounded_evaluation_is_within_half_a_grain_of_the_fine_one(steps):
    evaluate = vars(_grains.rounded_evaluation(steps))["evaluate"]
    for case in mtd_real.cases(0, 30):
        position = case.history(load(case.game)).position
        assert abs(evaluate(position) - _grains.evaluate_finely(position)) <= 0.5 / steps + 1e-12


def test_the_sample_for_open_points_has_every_ply_of_a_game():
    sample = [n for n in range(1000) if _mtd_real_open.wanted(n, 13)]
    assert {number % mtd_real.PLIES for number in sample} == set(range(mtd_real.PLIES))


def _measurement(case: int, name: str, depth: int, nodes: int, searches: int = 1) -> Measurement:
    figures = ("leaves", "interior", "nodes", "seconds", "transpositions")
    return Measurement(
        case, name, depth, 0, {**dict.fromkeys(figures, float(nodes)), "searches": searches}
    )


@pytest.mark.parametrize(("factor", "verdict"), [(9, "reproduced"), (0.5, "not reproduced")])
def test_whether_realmtdf_is_far_worse_depends_on_the_factor_alone(factor, verdict):
    names = [_mtd_real_open.name_of(one, "2^14") for one in (_mtd_real_open.TTHH, mtd_real.REAL)]
    rows = [_measurement(case, names[0], 13, 1000) for case in range(8)]
    rows += [_measurement(case, names[1], 13, int(1000 * factor), 40) for case in range(8)]
    found = _mtd_real_open.findings(Data(rows, tuple(names)), 13)
    worse = next(one for one in found if one.claim.startswith("realMTD(f) is far worse"))
    assert (worse.verdict, "2^14" in worse.claim) == (verdict, True)


def test_costs_are_grouped_by_how_full_the_table_is():
    """Three times the leaves in a table with forty nodes per entry, no more in an empty one."""
    names = [
        _replacement_open.name_of("TTHH", rule, size)
        for size in ("", "2^14")
        for rule in ("newer", "deeper")
    ]
    costs = dict(zip(names, (1 << 14, 1 << 14, 1 << 14, 3 << 14), strict=True))
    rows = [_measurement(0, name, 13, nodes) for name, nodes in costs.items()]
    points = _replacement_open.by_fullness(Data(rows, tuple(names)), "TTHH", "deeper")
    assert [(full, cost.value) for full, cost in points] == [(40 / 64, 0.0), (40.0, 200.0)]

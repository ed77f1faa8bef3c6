"""The experiments on Koneru's report, at a small scale."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from plyforge.core.scores import ONGOING
from plyforge.games import load
from plyforge.games.andantino.rules import build, symmetries
from plyforge.jobs.local import local_executor
from plyforge.lab import random_cases
from plyforge.lab.data import Data, Measurement
from plyforge.lab.experiment import Experiment, load_experiment
from plyforge.lab.experiments import andantino_minimax as minimax
from plyforge.lab.experiments import andantino_replacement as replacement
from plyforge.lab.experiments import andantino_table as table
from plyforge.lab.experiments._koneru_program import ABOUT_TO_WIN, evaluate, evaluate_for
from plyforge.lab.runner import Scale, run_experiment
from plyforge.lab.store import LabStore

NAMES = (
    "andantino-minimax",
    "andantino-ordering",
    "andantino-parity",
    "andantino-replacement",
    "andantino-table",
)


def cut_down(name: str) -> Experiment:
    """Return an experiment without the variations that need their own kernel."""
    experiment = load_experiment(name)
    kept = [
        one
        for one in experiment.variations
        if one.evaluation is None and one.extra.get("key", 64) == 64
    ]
    return replace(experiment, variations=tuple(kept))


def run_small(
    experiment: Experiment,
    folder: Path,
    positions: int,
    depths: tuple[int, ...],
    processes: int = 0,
) -> list[Measurement]:
    with LabStore(str(folder / f"{processes}.db")) as store:
        number = store.run(experiment, 0)
        for _ in run_experiment(
            experiment, Scale(positions, depths), store, number, 0, local_executor(processes)
        ):
            pass
        return store.measurements(number)


def data_of(experiment: Experiment, measurements: list[Measurement]) -> Data:
    return Data(measurements, tuple(one.name for one in experiment.variations))


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_names_its_source_and_describes_the_report(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.source.startswith("S. Koneru")
    assert "report" in experiment.notes
    assert experiment.cases(1, 2) == experiment.cases(1, 3)[:2]


@pytest.mark.parametrize(
    ("name", "positions", "depths"),
    [
        ("andantino-minimax", 3, (4,)),
        ("andantino-ordering", 3, (3, 4)),
        pytest.param("andantino-parity", 3, (2, 3, 4, 5), marks=pytest.mark.long),
        ("andantino-replacement", 1, (3,)),
        ("andantino-table", 1, (2, 4)),
    ],
)
def test_a_small_run_has_findings_and_charts(
    name: str, positions: int, depths: tuple[int, ...], tmp_path: Path
) -> None:
    experiment = cut_down(name)
    data = data_of(experiment, run_small(experiment, tmp_path, positions, depths))
    assert all(one.claim and one.found for one in experiment.findings(data))
    assert len(experiment.findings(data)) >= 2
    charts = experiment.charts(data)
    assert charts
    for chart in charts:
        assert chart.y_label
        assert chart.x_label
        assert any(series.x for series in chart.series)
    assert all(table.rows for table in (experiment.tables(data) if experiment.tables else ()))


def test_experiments_accept_empty_data() -> None:
    for name in NAMES:
        experiment = load_experiment(name)
        empty = data_of(experiment, [])
        experiment.findings(empty)
        experiment.charts(empty)


@pytest.mark.long
def test_the_minimax_column_is_found_in_positions_with_two_to_six_stones() -> None:
    counts = {2: Counter[float](), 4: Counter[float](), 6: Counter[float]()}
    for case in minimax.cases(0, 80):
        stones = int(case.label.split()[0])
        if stones in counts:
            figures = minimax.measure(case, minimax.variations()[0], 4)
            counts[stones][figures["printed"]] += 1
    assert counts[2] == {305: 1}
    assert counts[4] == {1649: 2}
    assert (counts[6][3283], counts[6].total()) == (9, 21)


@pytest.mark.parametrize(
    ("position", "printed"),
    [("B/j8,j9,j10,k10/i8,k8,i9,k9", 7405), ("B/j8,j9,k9,j10,l10/i7,i8,i9,k10,l11", 11307)],
)
def test_the_minimax_column_is_found_with_eight_and_ten_stones(position: str, printed: int) -> None:
    case = minimax.Case(minimax.GAME, start=position)
    assert minimax.measure(case, minimax.variations()[0], 4)["printed"] == printed


def test_alpha_beta_by_evaluation_visits_the_smallest_tree_with_two_stones() -> None:
    by_value = next(one for one in minimax.variations() if one.name == minimax.EVALUATION)
    figures = minimax.measure(minimax.cases(0, 1)[0], by_value, 4)
    assert (figures["least"], figures["most"]) == (77, 77)


def test_the_tree_of_depth_two_has_fourteen_nodes_in_every_order() -> None:
    start = table.cases(0, 1)[0]
    for one in table.variations():
        if one.evaluation is None:
            assert table.measure(start, one, 2)["nodes"] == table.TREE[2]
            assert table.measure(start, one, 2)["transpositions"] == table.FOUND[2]


@pytest.mark.parametrize("depth", [2, 4, 6])
def test_the_published_programs_search_has_the_published_counts(depth: int) -> None:
    program = next(one for one in table.variations() if one.name == table.PROGRAM)
    figures = table.measure(table.cases(0, 1)[0], program, depth)
    assert figures == {"nodes": table.TREE[depth], "transpositions": table.FOUND[depth]}


def test_the_published_programs_evaluation_is_the_same_in_every_view() -> None:
    game = load("andantino")
    for case in random_cases("andantino", 9, 1, 10):
        position = case.history(game).position
        assert len({evaluate(view) for view in symmetries(position)}) == 1


def test_the_published_programs_evaluation_sees_rows_and_threats() -> None:
    """A row counts in both directions; a four with a legal fifth cell, if its owner has moved."""
    two = build([(10, 10), (10, 11)], [(8, 8)], 10, ONGOING)
    assert evaluate_for(two, 1) - evaluate_for(two, 0) == 4
    white = [(9, column) for column in (7, 8, 9, 10)]
    four = build([(8, 11), (10, 11), (3, 3), (15, 15)], white, 10, ONGOING)
    assert evaluate_for(four, 0) > ABOUT_TO_WIN
    assert evaluate(four) == evaluate_for(four, 1) < -ABOUT_TO_WIN


def test_a_sound_table_of_any_size_gives_the_same_game() -> None:
    case = replacement.cases(0, 1)[0]
    names = [replacement.name_of(replacement.NEW, bits, replacement.ONE_PLY) for bits in (8, 20)]
    small, large = (
        replacement.measure(case, one, 3) for one in replacement.variations() if one.name in names
    )
    assert small["moves"] == large["moves"]
    assert small["nodes"] >= large["nodes"]


@pytest.mark.parametrize("name", ["andantino-replacement", "andantino-ordering"])
def test_counts_do_not_depend_on_the_number_of_processes(name: str, tmp_path: Path) -> None:
    experiment = cut_down(name)
    experiment = replace(experiment, variations=experiment.variations[:4])
    here, there = (run_small(experiment, tmp_path, 2, (3,), processes) for processes in (0, 1))
    for measurement in (*here, *there):
        measurement.values.pop("seconds", None)
    assert here == there

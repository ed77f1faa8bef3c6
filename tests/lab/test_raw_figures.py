"""Raw figures: small files, from which a report can be written again."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from plyforge.jobs.serial import SerialExecutor
from plyforge.lab import raw_figures
from plyforge.lab.catalog import experiment_names, load_experiment
from plyforge.lab.data import Data, Measurement
from plyforge.lab.report import Report
from plyforge.lab.runner import choose_scale, run_experiment
from plyforge.lab.store import LabStore

RESULTS = Path(__file__).parents[2] / "docs" / "results"
SMALL = ("andantino-table", "andantino-replacement", "branching")


@pytest.fixture
def report() -> Report:
    """A run of an experiment that compiles nothing."""
    fail_soft = load_experiment("fail-soft")
    with LabStore(":memory:") as store:
        stored = store.run(fail_soft, 0)
        for _ in run_experiment(
            fail_soft,
            choose_scale(fail_soft, positions=4, depths=(2,)),
            store,
            stored,
            0,
            SerialExecutor(),
        ):
            pass
        return Report(fail_soft, store.add_times(stored), store.measurements(stored))


def test_a_report_is_the_same_from_its_raw_figures(report: Report, tmp_path: Path) -> None:
    raw_figures.write(report, tmp_path)
    loaded = raw_figures.load_report("fail-soft", tmp_path)
    assert loaded.measurements == report.measurements
    assert loaded.markdown() == report.markdown()
    assert loaded.charts == report.charts


def test_the_same_run_gives_the_same_file(report: Report, tmp_path: Path) -> None:
    files = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        raw_figures.write(report, folder)
        files.append([path.read_bytes() for path in sorted(folder.iterdir())])
    assert files[0] == files[1]


def test_figures_that_the_report_does_not_read_are_left_out(report: Report, tmp_path: Path) -> None:
    more = [replace(m, values={**m.values, "unread": 1}) for m in report.measurements]
    raw_figures.write(replace(report, measurements=more), tmp_path)
    text = gzip.decompress((tmp_path / "fail-soft.seed-0.csv.gz").read_bytes()).decode()
    assert text.splitlines()[0] == "position,configuration,depth,repeat,wrong,error,nodes"
    assert raw_figures.read("fail-soft", tmp_path, 0) == report.measurements


ALL = ("leaves", "interior", "nodes", "seconds", "depth")


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ({"leaves": 3, "interior": 2, "nodes": 5}, {"leaves": 3, "interior": 2}),
        ({"leaves": 3, "interior": 2, "nodes": 6}, {"leaves": 3, "interior": 2, "nodes": 6}),
        ({"leaves": 3, "nodes": 5}, {"leaves": 3, "nodes": 5}),
        ({"leaves": 3}, {"leaves": 3}),
        ({"seconds": 0.1234567}, {"seconds": 0.123457}),
    ],
)
def test_nodes_are_left_out_where_they_are_a_sum(values: dict, kept: dict) -> None:
    assert raw_figures.reduce(Measurement(0, "a", 4, 0, values), ALL).values == kept


def test_a_sum_that_was_left_out_is_read_again(report: Report, tmp_path: Path) -> None:
    values = {"leaves": 3, "interior": 2, "nodes": 5, "depth": 4, "wrong": 0.5, "error": 1e-9}
    made = Measurement(7, 'a, "b"', 4, 1, values)
    odd = replace(made, repeat=2, values={"nodes": 9})
    every_figure = replace(
        report.experiment,
        variations=(replace(report.experiment.baseline, name=made.variation),),
        claims=(),
        charts=lambda data: [],
        tables=None,
        metrics=(),
    )
    raw_figures.write(Report(every_figure, report.run, [made, odd]), tmp_path)
    assert raw_figures.read("fail-soft", tmp_path, 0) == [made, odd]


def check_page(name: str) -> None:
    report = raw_figures.load_report(name, RESULTS)
    pictures = [f"{name}-{chart.name}.svg" for chart in report.charts]
    page = (RESULTS / f"{name}.md").read_text(encoding="utf-8")
    assert report.markdown(pictures) == page
    assert all((RESULTS / picture).exists() for picture in pictures)


@pytest.mark.parametrize("name", SMALL)
def test_a_committed_report_is_that_of_its_raw_figures(name: str) -> None:
    check_page(name)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in experiment_names()
        if name not in SMALL and raw_figures.exists(name, RESULTS)
    ],
)
def test_a_large_committed_report_is_that_of_its_raw_figures(name: str) -> None:
    check_page(name)


def test_figures_that_are_read_from_a_sum_are_kept() -> None:
    used: set[str] = set()
    values = raw_figures._Recorder({"nodes": 1.0, "seconds": 2.0}, used)
    data = Data([Measurement(0, "one", 3, repeat, values) for repeat in range(2)], ("one",))
    used.clear()
    assert data.total("one", 3, 0)["nodes"] == 2.0
    assert used == {"nodes"}

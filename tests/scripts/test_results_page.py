"""The page of all claims, from runs in several files, with its section written by hand."""

from pathlib import Path

import pytest

from plyforge.jobs.serial import SerialExecutor
from plyforge.lab.catalog import load_experiment
from plyforge.lab.runner import choose_scale, run_experiment
from plyforge.lab.store import LabStore
from scripts import results_page

NAMES = ("fail-soft", "mtd-real")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A database without any run, and one with a run of an experiment that compiles nothing."""
    empty, full = (str(tmp_path / f"{name}.db") for name in ("empty", "full"))
    one = load_experiment("fail-soft")
    with LabStore(empty), LabStore(full) as store:
        number = store.run(one, 0)
        for _ in run_experiment(
            one, choose_scale(one, positions=4, depths=(4,)), store, number, 0, SerialExecutor()
        ):
            pass
    return [empty, full]


def write(files: list[str], results: Path) -> None:
    results_page.import_runs(files, results, NAMES)
    results_page.write_pages(results, NAMES)


def test_the_page_has_every_claim_of_the_runs_there_are(files, tmp_path):
    results = tmp_path / "results"
    write(files, results)
    page = (results / "README.md").read_text()
    for claim in load_experiment("fail-soft").claims:
        assert f"| [{claim.statement}](fail-soft.md) |" in page
    assert "mtd-real.md" not in page
    assert (results / "fail-soft.seed-0.csv.gz").exists()
    assert (results / "fail-soft.seed-0.positions.csv.gz").exists()


@pytest.mark.long
def test_what_is_written_by_hand_is_kept(files, tmp_path):
    results = tmp_path / "results"
    write(files, results)
    page = results / "README.md"
    assert results_page.HANDWRITTEN not in page.read_text()
    by_hand = f"{results_page.HANDWRITTEN}\n\nA reason.\n\n- another\n"
    page.write_text(page.read_text().replace("## Stated", f"{by_hand}\n## Stated"))
    write(files, results)
    once = page.read_text()
    assert by_hand in once
    write(files, results)
    assert page.read_text() == once


def test_pages_are_written_from_raw_figures_alone(files, tmp_path):
    results = tmp_path / "results"
    write(files, results)
    pages = {file.name: file.read_bytes() for file in results.iterdir()}
    assert {"README.md", "fail-soft.md", "fail-soft-nodes.svg"} <= pages.keys()
    for name in pages:
        if not name.endswith((".csv.gz", ".json")):
            (results / name).unlink()
    results_page.write_pages(results, NAMES)
    assert {file.name: file.read_bytes() for file in results.iterdir()} == pages

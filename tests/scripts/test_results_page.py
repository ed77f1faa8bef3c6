"""The page of all claims: from several files, with what is written there by hand."""

from pathlib import Path

import pytest

from plyforge.lab.experiment import experiment
from plyforge.lab.runner import run, scaled
from plyforge.lab.store import LabStore
from scripts import results_page

NAMES = ("fail-soft", "mtd-real")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """One without any run, one with an experiment that compiles nothing."""
    empty, full = (str(tmp_path / f"{name}.db") for name in ("empty", "full"))
    one = experiment("fail-soft")
    with LabStore(empty), LabStore(full) as store:
        number = store.run(one, 0)
        for _ in run(one, scaled(one, positions=4, depths=(2,)), store, number, 0, 0):
            pass
    return [empty, full]


def test_the_page_has_every_claim_of_the_runs_there_are(files, tmp_path):
    results = tmp_path / "results"
    results_page.written(files, results, NAMES)
    page = (results / "README.md").read_text()
    assert "| [fail-soft](fail-soft.md) | wrong root values, fail-hard | 0 | 0 of 4 |" in page
    assert "mtd-real" not in page
    assert (results / "fail-soft.csv").exists()


def test_what_is_written_by_hand_is_kept(files, tmp_path):
    results = tmp_path / "results"
    results_page.written(files, results, NAMES)
    page = results / "README.md"
    assert results_page.BY_HAND not in page.read_text()
    by_hand = f"{results_page.BY_HAND}\n\nA reason.\n\n- another\n"
    page.write_text(page.read_text().replace("## All claims", f"{by_hand}\n## All claims"))
    once = page.read_text()
    results_page.written(files, results, NAMES)
    assert page.read_text() == once
    assert by_hand in once


def test_large_figures_are_packed_and_only_one_form_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(results_page, "_LARGE", 10)
    file = tmp_path / "x.csv"
    for text, packed in (("a" * 50, True), ("a", False)):
        file.write_text(text)
        results_page._pack(file)
        assert (file.with_suffix(".csv.gz").exists(), file.exists()) == (packed, not packed)

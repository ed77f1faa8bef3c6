from pathlib import Path

import pytest

from scripts import verify_results

NAME = "andantino-table"
PATIENT = 60.0


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The figures of the smallest depth."""
    heading, *lines = (verify_results.RESULTS / f"{NAME}.csv").read_text().splitlines()
    kept = [line for line in lines if line.startswith("0,") and ",2,0," in line]
    assert kept
    file = tmp_path / f"{NAME}.csv"
    file.write_text("\n".join([heading, *kept]))
    monkeypatch.setattr(verify_results, "RESULTS", tmp_path)
    return file


def test_committed_counts_are_found_again(results: Path) -> None:
    again, different, number = verify_results.verify(NAME, PATIENT, 0)
    assert again == number == len(results.read_text().splitlines()) - 1
    assert different == 0


def test_another_count_is_told(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = results.read_text()
    assert text.count(",2,0,14,") > 1
    results.write_text(text.replace(",2,0,14,", ",2,0,15,", 1))
    again, different, _ = verify_results.verify(NAME, PATIENT, 0)
    assert (again > 1, different) == (True, 1)
    assert "nodes 15 is now 14" in capsys.readouterr().out

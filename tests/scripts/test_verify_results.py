"""Committed counts are measured again, and differences reported."""

from dataclasses import replace

import pytest

from plyforge.lab.data import Measurement
from scripts import raw_figures, verify_results

NAME = "andantino-table"
NO_LIMIT = float("inf")


@pytest.fixture
def committed(monkeypatch: pytest.MonkeyPatch) -> list[Measurement]:
    """The figures of one position at the smallest depth."""
    chosen = [m for m in raw_figures.read(NAME) if (m.case, m.depth, m.repeat) == (0, 2, 0)]
    assert len(chosen) > 1
    monkeypatch.setattr(raw_figures, "read", lambda name, results: chosen)
    return chosen


def test_committed_counts_are_found_again(committed: list[Measurement]) -> None:
    assert verify_results.verify(NAME, NO_LIMIT, 0) == (len(committed), 0, len(committed))


def test_a_different_count_is_reported(
    committed: list[Measurement], capsys: pytest.CaptureFixture[str]
) -> None:
    assert committed[0].values["nodes"] == 14
    committed[0] = replace(committed[0], values={**committed[0].values, "nodes": 15})
    assert verify_results.verify(NAME, NO_LIMIT, 0) == (len(committed), 1, len(committed))
    assert "nodes 15 is now 14" in capsys.readouterr().out

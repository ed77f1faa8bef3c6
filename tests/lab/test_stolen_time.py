"""The time that a host takes from a virtual machine."""

import os
from pathlib import Path

import pytest

from plyforge.lab.stolen_time import stolen_seconds


def test_the_eighth_figure_of_all_cores_counts_in_clock_ticks(tmp_path: Path) -> None:
    file = tmp_path / "stat"
    file.write_text("cpu  18202 0 4546 435054 799 0 92 5543 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n")
    assert stolen_seconds(file) == 5543 / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("text", ["", "cpu 1 2 3\n", "cpu 1 2 3 4 5 6 7 x 9\n"])
def test_where_the_system_does_not_say_nothing_is_stolen(tmp_path: Path, text: str) -> None:
    file = tmp_path / "stat"
    file.write_text(text)
    assert stolen_seconds(file) == 0.0
    assert stolen_seconds(tmp_path / "missing") == 0.0

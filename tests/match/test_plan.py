"""The plan of a match: what belongs to its identity."""

from pathlib import Path

import pytest

from plyforge.match.openings import OpeningSource
from plyforge.match.plan import Plan


@pytest.mark.parametrize(
    "kind",
    [
        "python:mine.py",
        "engine:depth=1,driver=mine.py",
        "engine:depth=1,evaluation=mine.py",
        "engine:depth=1,step=mine.py",
    ],
)
def test_files_of_players_are_part_of_a_match(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = Plan("tictactoe", (kind, "random"), openings=OpeningSource("random", 2))
    Path("mine.py").write_text("x = 1\n")
    assert [file.name for file in plan.read_files()] == ["mine.py"]
    before = plan.settings()
    Path("mine.py").write_text("x = 2\n")
    assert plan.settings() != before


def test_built_in_drivers_are_not_files() -> None:
    plan = Plan("tictactoe", ("engine:depth=1,driver=mtdf", "random"))
    assert plan.read_files() == []


def test_all_steps_of_a_player_are_part_of_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "b.py"):
        Path(name).write_text("x = 1\n")
    plan = Plan("tictactoe", ("engine:depth=1,step=b.py+a.py", "random"))
    assert [file.name for file in plan.read_files()] == ["b.py", "a.py"]

"""The script that checks the engine by matches and writes a page of results."""

import csv
import io
import sys
from pathlib import Path

import pytest

from plyforge.jobs.serial import SerialExecutor
from plyforge.match.openings import OpeningSource
from plyforge.match.plan import Plan
from plyforge.match.store import Store
from scripts import match_checks
from scripts.match_checks import HEAD, LEVELS, Check, checks, write_page

PAGE = Path(__file__).parents[2] / "docs" / "results" / "matches.md"
SHORT = OpeningSource("random", 2)
DUEL = Plan("tictactoe", ("engine:depth=2,entries=1024", "random"), 4, openings=SHORT)
LADDER = Plan(
    "tictactoe",
    tuple(f"random:name=level {number}" for number in LEVELS),
    2,
    openings=OpeningSource("random", 1),
)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "games.db") as store:
        yield store


def test_the_page_has_a_table_for_each_check(store, tmp_path):
    small = [Check("depth", "deep wins", (DUEL,)), Check("levels", "high wins", (LADDER,))]
    write_page(small, store, SerialExecutor(), tmp_path)
    page = (tmp_path / "matches.md").read_text(encoding="utf-8")
    assert page.startswith(HEAD)
    duel, ladder = page.removeprefix(HEAD).split("## ")[1:]
    assert duel.startswith("Depth: deep wins\n\n| game | first |")
    assert "| tictactoe | engine:depth=2,entries=1024 | random |" in duel
    assert ladder.startswith("Levels: high wins")
    assert len(ladder.splitlines()[-1].split(" | ")) == len(LEVELS) + 2
    figures = (tmp_path / "matches.csv").read_text(encoding="utf-8").split("\n\n")[0]
    row = next(csv.DictReader(io.StringIO(figures)))
    assert sum(int(row[result]) for result in "+=-") == 4
    assert row["holds"] in ("yes", "no", "not decided")


def test_a_second_run_plays_no_game_again_and_writes_the_same_page(store, tmp_path, monkeypatch):
    small = [Check("depth", "deep wins", (DUEL,))]
    write_page(small, store, SerialExecutor(), tmp_path)
    page = (tmp_path / "matches.md").read_bytes()
    monkeypatch.setattr("plyforge.match.tournament.play", lambda *arguments: 1 // 0)
    write_page(small, store, SerialExecutor(), tmp_path)
    assert (tmp_path / "matches.md").read_bytes() == page


def test_the_committed_page_is_of_these_checks():
    page = PAGE.read_text(encoding="utf-8")
    assert page.startswith(HEAD)
    for check in checks():
        assert f"## {check.name.capitalize()}: {check.claim}\n" in page
        for plan in check.plans:
            assert f"| {plan.game} |" in page


def test_an_unknown_check_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["match_checks.py", "dept"])
    with pytest.raises(SystemExit) as end:
        match_checks.main()
    assert end.value.code == 2
    assert "unknown check 'dept'" in capsys.readouterr().err

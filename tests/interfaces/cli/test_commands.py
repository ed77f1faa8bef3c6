"""The output of the commands, and the names that other tools rely on."""

import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = ["games", "show", "perft", "check", "new", "cache"]


def test_help_imports_neither_numba_nor_numpy():
    code = (
        "import sys; sys.argv = ['plyforge', '--help']\n"
        "from plyforge.interfaces.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([name for name in ('numpy', 'numba') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"


def test_help_lists_every_command(plyforge):
    answer = plyforge("--help")
    assert answer.code == 0
    assert all(command in answer.out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(plyforge, command):
    answer = plyforge(command, "--help")
    assert answer.code == 0
    assert "--json" in answer.out


def test_version_is_printed(plyforge):
    assert plyforge("--version").out.startswith("plyforge 0.")


def test_games_lists_name_variants_and_hooks(plyforge):
    games = {game["name"]: game for game in plyforge("games", "--json").json["games"]}
    assert {"tictactoe", "connect4", "checkers", "giveaway", "andantino", "chess"} <= set(games)
    assert "connect4:5x4" in games["connect4"]["variants"]
    assert "outcome" in games["tictactoe"]["hooks"]


def test_games_prints_a_table(plyforge):
    out = plyforge("games").out
    assert "English checkers" in out
    assert "columns=7, rows=6" in out


def test_show_prints_position_moves_outcome_and_board(plyforge):
    fields = plyforge("show", "checkers", "--moves", "11-15 23-19", "--json").json
    assert fields["position"].startswith("B:W19,21,22,24")
    assert fields["moves"] == ["8-11", "9-13", "10-14", "12-16", "15-18", "7-11", "9-14"]
    assert fields["outcome"] == "ongoing"
    assert fields["board"].count("b") == 12


def test_show_accepts_a_position_in_the_notation_of_the_game(plyforge):
    fields = plyforge("show", "tictactoe", "-p", "XX./OO./... X", "-m", "c3", "--json").json
    assert fields["outcome"] == "loss"
    assert fields["moves"] == []
    assert fields["turn"] == "O"


def test_show_prints_the_result_of_a_finished_game(plyforge):
    assert "O has lost" in plyforge("show", "tictactoe", "-p", "XX./OO./... X", "-m", "c3").out


def test_perft_counts_move_sequences(plyforge):
    fields = plyforge("perft", "checkers", "--depth", "6", "--json").json
    assert fields["nodes"] == 36768
    assert fields["seconds"] >= 0


def test_perft_prints_a_line_per_depth(plyforge):
    lines = plyforge("perft", "connect4", "--depth", "4").out.splitlines()
    assert [line.split()[1] for line in lines[1:]] == ["7", "49", "343", "2,401"]


def test_perft_of_depth_zero_is_one(plyforge):
    assert plyforge("perft", "connect4", "--depth", "0", "--json").json["nodes"] == 1


def test_the_counts_of_divide_add_up_to_the_total(plyforge):
    fields = plyforge("perft", "checkers", "--depth", "5", "--divide", "--json").json
    assert sum(fields["divide"].values()) == fields["nodes"] == 7361
    assert set(fields["divide"]) >= {"9-13", "11-15"}


def test_the_python_backend_counts_the_same(plyforge):
    fields = plyforge("perft", "checkers", "--depth", "3", "--backend", "python", "--json").json
    assert fields["nodes"] == 302


def test_new_suggests_the_next_commands(plyforge, tmp_path):
    path = str(tmp_path / "mine.py")
    out = plyforge("new", path).out
    for command in ("show", "check", "perft", "analyse"):
        assert f"plyforge {command} {path}" in out


def test_cache_shows_and_clears(plyforge, monkeypatch, tmp_path):
    monkeypatch.setenv("PLYFORGE_CACHE", str(tmp_path))
    (tmp_path / "perft-0.kernel").write_bytes(b"12345")
    (tmp_path / "functions-0.kernel").write_bytes(b"1234567")
    assert plyforge("cache", "--json").json == {
        "path": str(tmp_path),
        "kernels": 1,
        "size": 12,
        "removed": 0,
    }
    cleared = plyforge("cache", "--clear", "--json").json
    assert (cleared["kernels"], cleared["size"], cleared["removed"]) == (0, 0, 2)


@pytest.mark.parametrize(("options", "code"), [([], 0), (["--strict"], 1)])
def test_strict_turns_remarks_into_failures(plyforge, options, code):
    file = str(Path(__file__).parents[2] / "check" / "broken" / "never_switches.py")
    answer = plyforge("check", file, "--games", "5", "--json", *options)
    assert answer.code == code
    assert answer.json["passed"] == (code == 0)
    assert [problem["severity"] for problem in answer.json["problems"]] == ["remark"]


@pytest.mark.parametrize("command", ["play", "match", "analyse", "serve", "tune", "check"])
def test_help_shows_no_types_of_python(plyforge, command):
    out = plyforge(command, "--help").out
    for text in ("<bool>", "<str>", "<list", "[["):
        assert text not in out

"""`plyforge stats`: output, files and errors."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.tiers import with_long
from tests.processes import popen

BAD = {
    "no games": (["--games", "0"], ["games must be between 1 and", "not 0"]),
    "negative games": (["--games", "-5"], ["not -5"]),
    "too many games": (["--games", "99999999999"], ["not 99999999999"]),
    "games not a number": (["--games", "many"], ["many"]),
    "no time": (["--time", "0"], ["more than 0", "not 0"]),
    "endless time": (["--time", "1e30"], ["1e+30"]),
    "time not a number": (["--time", "nan"], ["nan"]),
    "negative seed": (["--seed", "-1"], ["seed must be", "not -1"]),
    "finished position": (["--moves", "1212121"], ["the game is over"]),
    "unknown suffix": (["--plot", "x.pdf"], ["x.pdf", ".png or .svg"]),
    "no such folder": (["--plot", "nowhere/x.png"], ["nowhere/x.png", "no folder"]),
    "unknown player": (["--player", "engin:depth=2"], ["engin", "did you mean 'engine'"]),
    "random with a depth": (["--player", "random:depth=2"], ["depth"]),
    "player without limit": (["--player", "engine"], ["has no limit", "engine:depth=6"]),
    "depth too large": (["--player", "engine:depth=300"], ["300"]),
    "level too large": (["--player", "engine:level=21"], ["21"]),
    "no threads": (["--player", "engine:depth=2,threads=0"], ["threads"]),
    "missing script": (["--player", "python:nowhere.py"], ["no file nowhere.py"]),
    "negative random plies": (
        ["--player", "engine:depth=2", "--random-plies", "-1"],
        ["random plies must be between 0 and 1000, not -1"],
    ),
    "no processes": (["--jobs", "0"], ["--jobs must be at least 1, not 0"]),
    "player in a finished position": (
        ["--player", "engine:depth=2", "--moves", "1212121"],
        ["the game is over"],
    ),
    "unknown backend": (["--backend", "warp"], ["warp", "compiled"]),
}


@pytest.mark.parametrize("case", BAD)
def test_wrong_input_is_reported_before_anything_is_compiled(plyforge, case, monkeypatch):
    def fail(*arguments, **others):
        raise AssertionError("it compiles")

    for module in ("search.searcher", "match.statistics.sources"):
        monkeypatch.setattr(f"plyforge.{module}.build", fail)
    words, fragments = BAD[case]
    answer = plyforge("stats", "connect4", *words)
    assert answer.code == 2
    assert answer.out == ""
    text = " ".join(answer.err.replace("│", " ").split())
    for fragment in fragments:
        assert fragment in text


def test_help_lists_the_options(plyforge):
    answer = plyforge("stats", "--help")
    assert answer.code == 0
    assert "--json" in answer.out


def test_a_missing_matplotlib_is_reported_before_playing(plyforge, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    answer = plyforge("stats", "tictactoe", "--plot", str(tmp_path / "x.png"))
    assert (answer.code, answer.out) == (2, "")
    assert "needs matplotlib" in answer.err


def test_an_interrupt_before_the_first_game_leaves_nothing_to_print(plyforge, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("plyforge.match.statistics.Survey.run", interrupt)
    answer = plyforge("stats", "tictactoe")
    assert (answer.code, answer.out) == (130, "")


def test_a_folder_is_refused_as_a_plot(plyforge, tmp_path):
    folder = tmp_path / "x.png"
    folder.mkdir()
    assert "is a folder" in plyforge("stats", "connect4", "--plot", str(folder)).err


def test_json_has_the_documented_fields(plyforge):
    found = plyforge("stats", "connect4:5x4", "--games", "500", "--seed", "4", "--json").json
    page = Path(__file__).parents[3] / "docs" / "reference" / "stats.md"
    documented = page.read_text(encoding="utf-8")
    assert all(f"`{name}`" in documented for name in found)
    assert (found["game"], found["games"], found["seed"]) == ("connect4", 500, 4)
    assert found["wins"] + found["draws"] + found["losses"] == pytest.approx(1)
    assert found["first_player_score"] == pytest.approx(found["wins"] + found["draws"] / 2)
    assert found["interval"][0] < found["first_player_score"] < found["interval"][1]
    assert sum(found["length"]["histogram"].values()) == sum(found["ends"].values()) == 500
    assert found["branching"]["by_ply"][0] == {"games": 500, "mean": 5.0, "min": 5, "max": 5}
    assert len(found["forced"]["by_ply"]) == len(found["branching"]["by_ply"])
    assert found["final_score"] is None


def test_a_player_plays_against_itself(plyforge):
    words = ("stats", "tictactoe", "--player", "engine:depth=3", "--games", "6", "--jobs", "1")
    one = plyforge(*words, "--json").json
    assert (one["player"], one["random_plies"], one["games"]) == ("engine:depth=3", 4, 6)
    assert 1 <= one["different"] <= 6
    other = plyforge(*words, "--json").json
    for fields in (one, other):
        del fields["seconds"], fields["games_per_second"]
    assert one == other
    assert plyforge(*words, "--seed", "2", "--json").json["length"] != one["length"]
    out = plyforge(*words).out
    assert "6 games of Tic-tac-toe, seed 0" in out
    assert "engine:depth=3 against itself after 4 random plies; 6 different games" in out


def test_a_random_player_plays_the_same_games_as_the_default(plyforge):
    words = ("stats", "tictactoe", "--games", "60", "--json")
    one, other = plyforge(*words).json, plyforge(*words, "--player", "random").json
    assert one["length"] == other["length"]
    assert (other["player"], other["random_plies"], other["different"]) == ("random", None, None)


def test_an_interrupted_player_prints_the_games_that_are_finished(plyforge, monkeypatch):
    from plyforge.match.statistics import SelfPlay

    play = SelfPlay.play

    def interrupt(self, first, count):
        if first >= 3:
            raise KeyboardInterrupt
        return play(self, first, 1)

    monkeypatch.setattr(SelfPlay, "play", interrupt)
    words = ("stats", "tictactoe", "--player", "engine:depth=1", "--jobs", "1", "--json")
    answer = plyforge(*words)
    assert answer.code == 130
    assert (answer.json["games"], answer.json["interrupted"]) == (3, True)


def test_the_same_seed_prints_the_same_in_both_backends(plyforge):
    words = ("stats", "tictactoe", "--games", "60", "--seed", "9", "--json")
    one, other = plyforge(*words).json, plyforge(*words, "--backend", "python").json
    for fields in (one, other):
        del fields["seconds"], fields["games_per_second"]
    assert one == other


def test_the_table_names_the_players_and_the_ends(plyforge):
    out = plyforge("stats", "tictactoe", "--games", "200").out
    assert "200 random games of Tic-tac-toe, seed 0" in out
    assert "X wins" in out
    assert "by the rules" in out
    assert out.splitlines()[-1].split()[:1] == ["9"]


def test_play_begins_at_the_given_position(plyforge):
    found = plyforge("stats", "tictactoe", "--moves", "a1 b1 a2 b2", "--games", "50", "--json").json
    assert found["branching"]["by_ply"][0]["mean"] == 5
    assert found["length"]["min"] == 1


@pytest.mark.parametrize("suffix", with_long([".PNG"], [".png", ".svg"]))
def test_a_plot_is_written(plyforge, tmp_path, suffix):
    pytest.importorskip("matplotlib")
    path = tmp_path / f"figure{suffix}"
    answer = plyforge("stats", "tictactoe", "--games", "50", "--plot", str(path), "--json")
    assert answer.json["plot"] == str(path)
    drawn = path.read_bytes()
    assert drawn.startswith(b"<?xml" if suffix == ".svg" else b"\x89PNG")
    plyforge("stats", "tictactoe", "--games", "50", "--plot", str(path))
    assert path.read_bytes() == drawn


def test_a_plot_that_cannot_be_written_is_reported_before_playing(plyforge, tmp_path):
    answer = plyforge("stats", "tictactoe", "--plot", str(tmp_path / ("x" * 300 + ".png")))
    assert answer.code == 2
    assert "cannot be written" in answer.err
    assert answer.out == ""


def test_progress_is_not_shown_outside_a_terminal(plyforge):
    plyforge("stats", "tictactoe", "--games", "10")  # compiles, and says so
    assert plyforge("stats", "tictactoe", "--games", "2000").err == ""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("backend", ["compiled", pytest.param("python", marks=pytest.mark.long)])
def test_an_interrupt_prints_the_games_that_are_finished(backend):
    words = ["stats", "tictactoe", "--time", "600", "--backend", backend, "--json"]
    code = (
        "from plyforge.interfaces.cli import main; import sys\n"
        f"sys.argv = ['plyforge', *{words!r}]\n"
        "from plyforge.match.statistics import Survey\n"
        "run = Survey.run\n"
        "def run_and_print(self, budget, report):\n"
        "    def both(done): report(done); print('.', file=sys.stderr, flush=True)\n"
        "    run(self, budget, both)\n"
        "Survey.run = run_and_print\n"
        "main()\n"
    )
    process = popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    while process.stderr.readline() != ".\n":
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert '"interrupted": true' in out

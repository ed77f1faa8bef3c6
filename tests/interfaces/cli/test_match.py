"""`plyforge match`."""

import csv
import importlib
import io
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import plyforge as library
from plyforge.core.errors import PlyforgeError
from plyforge.game.base import AHEAD
from plyforge.interfaces.cli import output, progress
from plyforge.jobs import choosing
from plyforge.jobs.local import local_executor
from plyforge.match.store import Store
from plyforge.match.tournament import Tournament
from tests.match.scripts import script

module = importlib.import_module("plyforge.interfaces.cli.match")
TWO = ("tictactoe", "engine:depth=3,entries=1024,name=deep", "random")
QUICK = ("--games", "4", "--openings", "random:2", "--jobs", "1")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Work in a temporary folder. With one job, matches are played in the process of the test,
    because another one takes a second to start."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        choosing, "local_executor", lambda jobs: local_executor(0 if jobs == 1 else jobs)
    )


def parse_strict_json(text: str) -> dict:
    """JSON as the standard has it."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text.splitlines()[-1], parse_constant=refuse)


def test_a_match_prints_a_table_and_keeps_its_games(plyforge):
    answer = plyforge("match", *TWO, *QUICK)
    assert answer.code == 0
    assert " player " in answer.out
    assert " deep " in answer.out
    assert "deep against random: Elo " in answer.out
    assert "4 games: " in answer.out
    assert "X scores " in answer.out
    assert answer.out.endswith("the games are in matches.db\n")
    again = plyforge("match", *TWO, *QUICK)
    assert again.out == answer.out
    assert "4 games are stored already in matches.db" in again.err


def test_json_is_valid_for_an_infinite_difference(plyforge, tmp_path):
    loser = f"{script(tmp_path, 'raises')},name=loser"
    answer = plyforge("match", "tictactoe", "random", loser, *QUICK, "--json")
    found = parse_strict_json(answer.out)
    assert (found["games"], found["total"], found["interrupted"]) == (4, 4, False)
    assert (found["pairs"], found["draws"]) == ([0, 0, 0, 0, 2], 0)
    assert found["elo"]["value"] is None
    assert found["elo"]["high"] is None
    assert isinstance(found["elo"]["low"], float)
    first, second = found["players"]
    assert (first["name"], first["wins"], first["points"]) == ("random", 4, 4.0)
    assert (second["name"], second["forfeits"], second["losses"]) == ("loser", 4, 4)
    assert found["first_side_points"] == 2.0
    other = parse_strict_json(plyforge("match", "tictactoe", loser, "random", *QUICK, "--json").out)
    assert (other["elo"]["value"], other["elo"]["low"]) == (None, None)


def test_three_players_get_a_cross_table(plyforge):
    players = ("random:name=a", "random:name=b", "random:name=c")
    answer = plyforge("match", "tictactoe", *players, *QUICK)
    assert "1 " in answer.out
    assert " points " in answer.out
    assert "12 games: " in answer.out
    gauntlet = plyforge("match", "tictactoe", *players, *QUICK, "--format", "gauntlet", "--json")
    assert gauntlet.json["games"] == 8
    games = {player["name"]: player["games"] for player in gauntlet.json["players"]}
    assert games == {"a": 8, "b": 4, "c": 4}
    assert "elo" not in gauntlet.json


def test_the_game_may_be_an_option(plyforge):
    first = plyforge("match", *TWO, *QUICK, "--json").json
    other = plyforge("match", *TWO[1:], "--game", "tictactoe", *QUICK, "--json").json
    assert first == other


@pytest.mark.parametrize(
    "limit",
    [
        ("--depth", "2"),
        ("--nodes", "50"),
        ("--time", "2"),
        ("--clock", "60"),
        ("--clock", "60+1"),
        ("--clock", "60+0.5/2"),
        ("--depth", "2", "--clock", "60"),
        ("--depth", "2", "--nodes", "50"),
    ],
)
def test_every_limit_is_accepted(plyforge, limit):
    engine = "engine:entries=1024"
    answer = plyforge("match", "tictactoe", engine, "random", *QUICK, *limit, "--json")
    assert (answer.code, answer.json["games"]) == (0, 4)
    assert [player["forfeits"] for player in answer.json["players"]] == [0, 0]


def test_every_source_of_openings_is_accepted(plyforge, tmp_path):
    (tmp_path / "book.txt").write_text("a1\nb2\n", encoding="utf-8")
    found = []
    for source in ("random:2", "random", "file:book.txt"):
        words = ("match", *TWO, "--games", "4", "--jobs", "1", "--openings", source)
        found.append(plyforge(*words, "--json").json["games"])
    assert found == [4] * 3
    balanced = ("match", "connect4", "random:name=a", "random:name=b", "--games", "2")
    answer = plyforge(*balanced, "--openings", "balanced:6", "--jobs", "1", "--json")
    assert answer.json["games"] == 2


def test_long_games_are_drawn_and_early_ends_reported(plyforge):
    two = ("connect4", "engine:depth=1,entries=1024", "engine:depth=2,entries=1024")
    short = plyforge("match", *two, *QUICK, "--max-plies", "6", "--json").json
    assert short["draws"] == 4
    early = plyforge("match", *two, *QUICK, "--adjudicate-win", "0.001", "--json").json
    assert early["adjudicated"] > 0
    text = plyforge("match", *two, *QUICK, "--adjudicate-win", "0.001")
    assert f"{early['adjudicated']} adjudicated" in text.out
    drawn = plyforge("match", *two, *QUICK, "--adjudicate-draw", "1", "--json")
    assert drawn.code == 0


def test_a_sequential_test_prints_its_verdict(plyforge):
    # All processes use one kernel, which those of two jobs need not compile at once.
    game, deep, other = TWO
    players = (f"{deep},specialise=no", other)
    words = ("match", game, *players, "--games", "140", "--openings", "random:2", "--seed", "4")
    test = ("--sprt", "0,150")
    answer = plyforge(*words, *test, "--jobs", "2")
    assert answer.code == 0
    assert "H1 accepted: the first player is better" in answer.out
    one = plyforge(*words, *test, "--jobs", "1", "--db", "one.db", "--json").json
    two = plyforge(*words, *test, "--jobs", "2", "--json").json
    assert one["sprt"]["verdict"] == "H1"
    for fields in (one, two):
        del fields["file"]
        for player in fields["players"]:
            del player["seconds"]
    assert one == two
    assert sum(one["pairs"]) * 2 == one["games"] < 140


def test_a_shorter_plan_counts_only_its_own_games(plyforge):
    plyforge("match", *TWO, "--games", "8", "--openings", "random:2", "--jobs", "1")
    answer = plyforge("match", *TWO, *QUICK, "--json")
    assert answer.json["games"] == 4
    assert sum(answer.json["pairs"]) == 2
    assert "4 games are stored already" in answer.err


def test_another_seed_is_another_match(plyforge):
    words = ("match", "tictactoe", "random:name=a", "random:name=b", *QUICK, "--json")
    assert plyforge(*words, "--seed", "1").json["seed"] == 1
    assert plyforge(*words, "--seed", "-7").code == 0
    with Store("matches.db") as store:
        assert len(store.list_matches()) == 2


def test_help_states_what_a_loop_is(plyforge):
    text = " ".join(plyforge("match", "--help").out.split())
    assert f"ahead by {AHEAD:.0%}".replace("%", " %") in text


# Files


def test_every_output_file_is_written(plyforge, tmp_path):
    files = {name: tmp_path / name for name in ("r.txt", "m.md", "c.csv", "p.png")}
    answer = plyforge(
        *("match", "tictactoe", "random:name=a|b", "random:name=$x$ [/b]", "random:name=c", *QUICK),
        *("--db", "other.db", "--records", "r.txt", "--markdown", "m.md", "--csv", "c.csv"),
        *("--plot", "p.png"),
    )
    assert (answer.code, answer.err) == (0, "")
    assert "$x$ [/b]" in answer.out
    records = library.load("tictactoe").read_games(files["r.txt"].read_text(encoding="utf-8"))
    assert len(records) == 12
    assert {record.result for record in records} <= {"1-0", "0-1", "1/2-1/2"}
    assert {record.tags["X"] for record in records} == {"a|b", "$x$ [/b]", "c"}
    assert records[0].tags["Termination"]
    markdown = files["m.md"].read_text(encoding="utf-8")
    assert "| a\\|b |" in markdown
    assert "12 games: " in markdown
    assert "| player | 1 | 2 | 3 | points |" in markdown
    rows = list(csv.DictReader(io.StringIO(files["c.csv"].read_text(encoding="utf-8"))))
    assert {row["player"] for row in rows} == {"a|b", "$x$ [/b]", "c"}
    assert sum(float(row["points"]) for row in rows) == 12
    assert files["p.png"].read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert files["p.png"].read_bytes().endswith(b"IEND\xaeB`\x82")
    assert (tmp_path / "other.db").exists()
    assert not (tmp_path / "matches.db").exists()


def test_an_svg_plot_has_the_names(plyforge, tmp_path):
    long = f"random:name={'n' * 300}"
    answer = plyforge("match", *TWO, long, *QUICK, "--plot", "p.svg")
    assert (answer.code, answer.err) == (0, "")
    assert ElementTree.parse(tmp_path / "p.svg").getroot().tag.endswith("svg")


def test_records_of_forfeits_are_read_back(plyforge, tmp_path):
    bad = f"{script(tmp_path, 'raises')},name=bad"
    for game in ("tictactoe", "chess", "checkers"):
        file = tmp_path / f"{game}.txt"
        words = ("match", game, "random", bad, *QUICK, "--records", str(file))
        assert plyforge(*words).code == 0
        records = library.load(game).read_games(file.read_text(encoding="utf-8"))
        assert len(records) == 4
        assert [record.result for record in records] == ["1-0", "0-1"] * 2
        assert "it failed: ValueError: no idea" in records[0].tags["Termination"]


def test_files_are_not_overwritten_without_the_option(plyforge, tmp_path):
    for option in ("--records", "--markdown", "--csv"):
        (tmp_path / "there").write_text("mine", encoding="utf-8")
        refused = plyforge("match", *TWO, *QUICK, option, "there")
        assert (refused.code, "'there' exists" in refused.err) == (2, True)
        assert (tmp_path / "there").read_text(encoding="utf-8") == "mine"
        assert not (tmp_path / "matches.db").exists()
    assert plyforge("match", *TWO, *QUICK, "--csv", "there", "--overwrite").code == 0


# Bad input


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("chekers", "random", "engine:depth=1"), "did you mean 'checkers'"),
        (("none.py", "random", "engine:depth=1"), "none.py"),
        (("tictactoe",), "at least two players"),
        (("tictactoe", "random"), "at least two players"),
        (("tictactoe", "random", "random"), "two players are called 'random'"),
        (("random", "engine:depth=1"), "the game is missing"),
        (("tictactoe", "random", "engin:depth=1"), "'engin'"),
        (("tictactoe", "random", "engine:dept=1"), "'dept'"),
        (("tictactoe", "random", "engine:depth=x"), "depth=x"),
        (("tictactoe", "random", "engine"), "player 'engine' has no limit"),
        (("tictactoe", "random", "engine:time=1", "--clock", "9"), "not both"),
        (("tictactoe", "random", "python:none.py"), "none.py"),
        ((*TWO, "--games", "3"), "not 3"),
        ((*TWO, "--games", "0"), "not 0"),
        ((*TWO, "--games", "-4"), "not -4"),
        ((*TWO, "--games", "many"), "'many'"),
        ((*TWO, "--openings", "book"), "'book'"),
        ((*TWO, "--openings", "random:x"), "random:x"),
        ((*TWO, "--openings", "file:none.txt"), "none.txt"),
        ((*TWO, "--openings", "random:1"), "only 9 different ones"),
        ((*TWO, "--format", "swiss"), "'swiss'"),
        ((*TWO, "--depth", "0"), "not 0"),
        ((*TWO, "--depth", "x"), "'x'"),
        ((*TWO, "--nodes", "0"), "not 0"),
        ((*TWO, "--time", "-1"), "-1"),
        ((*TWO, "--time", "nan"), "'nan'"),
        ((*TWO, "--clock", "x"), "'x'"),
        ((*TWO, "--clock", "-5"), "-5"),
        ((*TWO, "--time", "1", "--clock", "5"), "not both"),
        ((*TWO, "--max-plies", "0"), "not 0"),
        ((*TWO, "--adjudicate-win", "2"), "2.0"),
        ((*TWO, "--adjudicate-win", "0"), "0.0"),
        ((*TWO, "--adjudicate-draw", "-1"), "-1.0"),
        ((*TWO, "--sprt", "5"), "'5'"),
        ((*TWO, "--sprt", "a,b"), "'a,b'"),
        ((*TWO, "--sprt", "10,0"), "not 10.0 and 0.0"),
        ((*TWO, "--sprt", "0,nan"), "nan"),
        ((*TWO, "--sprt", "0,10,2,2"), "not 2.0 and 2.0"),
        ((*TWO, "random:name=c", "--sprt", "0,10"), "compares two players"),
        ((*TWO, "--jobs", "0"), "not 0"),
        ((*TWO, "--jobs", "-1"), "not -1"),
        ((*TWO, "--jobs", "1000"), "not 1000"),
        ((*TWO, "--jobs", "x"), "'x'"),
        ((*TWO, "--seed", "x"), "'x'"),
        ((*TWO, "--db", "none/games.db"), "none/games.db"),
        ((*TWO, "--db", "."), "unable to open"),
        ((*TWO, "--records", "none/x"), "no folder 'none'"),
        ((*TWO, "--markdown", "none/x"), "no folder 'none'"),
        ((*TWO, "--csv", "none/x"), "no folder 'none'"),
        ((*TWO, "--csv", "."), "not a regular file"),
        ((*TWO, "--plot", "x.gif"), "x.gif"),
        ((*TWO, "--plot", "none/x.png"), "none"),
        ((*TWO, "--speed", "3"), "--speed"),
    ],
)
def test_bad_input_ends_with_2_and_names_the_value(plyforge, words, named):
    answer = plyforge("match", *words)
    assert answer.code == 2
    assert named in answer.err.replace("\n", " ")
    assert "Traceback" not in answer.err
    assert answer.out == ""


def test_a_file_that_is_not_a_database_is_named_and_not_changed(plyforge, tmp_path):
    (tmp_path / "text.db").write_text("a text\n" * 500, encoding="utf-8")
    answer = plyforge("match", *TWO, *QUICK, "--db", "text.db")
    assert answer.code == 2
    assert "text.db: file is not a database" in answer.err
    assert (tmp_path / "text.db").read_text(encoding="utf-8") == "a text\n" * 500


def test_a_wrong_game_leaves_no_file(plyforge, tmp_path):
    plyforge("match", "chekers", "random", "engine:depth=1")
    assert list(tmp_path.iterdir()) == []


# Interrupted


def interrupt_after(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    run = Tournament.run

    def interrupted(self):
        for number, game in enumerate(run(self)):
            if number == after:
                raise KeyboardInterrupt
            yield game

    monkeypatch.setattr(Tournament, "run", interrupted)


def test_ctrl_c_prints_the_finished_games_and_exits_with_130(plyforge):
    whole = plyforge("match", *TWO, *QUICK, "--db", "whole.db", "--json").json
    with pytest.MonkeyPatch.context() as patch:
        interrupt_after(patch, 2)
        answer = plyforge("match", *TWO, *QUICK)
        assert answer.code == 130
        assert "interrupted after 3 of 4 games; run the same command to resume" in answer.out
        other = plyforge("match", *TWO, *QUICK, "--json", "--db", "other.db")
        assert (other.code, other.json["interrupted"], other.json["games"]) == (130, True, 3)
    found = plyforge("match", *TWO, *QUICK, "--json").json
    assert (found["interrupted"], found["games"]) == (False, 4)
    assert (found["pairs"], found["elo"]) == (whole["pairs"], whole["elo"])


def test_ctrl_c_before_the_first_game_ends_with_130(plyforge, monkeypatch):
    def stop(self, report):
        raise KeyboardInterrupt

    monkeypatch.setattr(Tournament, "prepare", stop)
    answer = plyforge("match", *TWO, *QUICK)
    assert (answer.code, answer.out) == (130, "")
    assert answer.err == "interrupted before the first game ended; run the same command to resume\n"
    answer = plyforge("match", *TWO, *QUICK, "--json", "--csv", "c.csv")
    assert (answer.code, answer.err) == (130, "")
    assert (
        parse_strict_json(answer.out)["games"],
        parse_strict_json(answer.out)["interrupted"],
    ) == (0, True)


# Progress


def test_progress_on_a_terminal_shows_games_and_difference(plyforge, monkeypatch):
    monkeypatch.setattr(progress, "_NOTE_INTERVAL", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    answer = plyforge("match", *TWO, *QUICK, "--json")
    assert "preparing " in answer.err
    assert "4 of 4 games" in answer.err
    assert " (95 %: " in answer.err
    assert len(answer.out.splitlines()) == 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (3600, "1 h 00 min"), (5025, "1 h 23 min")],
)
def test_durations_are_formatted(seconds, text):
    assert output.format_duration(seconds) == text


def test_the_game_is_the_first_word_unless_it_is_an_option():
    with pytest.raises(PlyforgeError, match="the game is missing"):
        module.game_and_players(None, [])
    assert module.game_and_players(None, ["chess", "a"]) == ("chess", ["a"])
    assert module.game_and_players("chess", ["a"]) == ("chess", ["a"])


def test_players_use_a_driver_of_a_file(plyforge):
    Path("mine.py").write_text(
        "from plyforge import Parameter\n"
        "PARAMETERS = [Parameter('width', 1, '', 1, 9)]\n"
        "def find_value(windows, guess, width):\n"
        "    assert width == 4\n"
        "    return windows.search(-1e9, 1e9)\n"
    )
    mine = "engine:depth=9,driver=mine.py,width=4,entries=4096,name=mine"
    fields = plyforge("match", "tictactoe", mine, "random", *QUICK, "--json").json
    assert [row["forfeits"] for row in fields["players"]] == [0, 0]
    assert {row["name"] for row in fields["players"]} == {"mine", "random"}
    wrong = mine.replace("width=4", "width=12")
    answer = plyforge("match", "tictactoe", wrong, "random", *QUICK)
    assert answer.code == 2
    assert "width must be between 1 and 9, not 12" in answer.err


def test_a_driver_that_fails_in_a_match_loses(plyforge):
    Path("mine.py").write_text("def find_value(windows, guess):\n    return 1 / 0\n")
    mine = "engine:depth=3,driver=mine.py,entries=4096,name=mine"
    fields = plyforge("match", "tictactoe", mine, "random", *QUICK, "--json").json
    forfeits = {row["name"]: row["forfeits"] for row in fields["players"]}
    assert forfeits == {"mine": 4, "random": 0}


def test_the_reason_of_a_fault_is_printed(plyforge, tmp_path):
    player = tmp_path / "lost.py"
    player.write_text(
        "def choose(history):\n    raise ValueError('no idea')\n",
        encoding="utf-8",
    )
    words = ("match", "tictactoe", f"python:{player},name=lost", "random", "--games", "2")
    answer = plyforge(*words, "--db", str(tmp_path / "m.db"), "--jobs", "1")
    assert "lost lost 2 games by a fault: it failed: ValueError: no idea" in answer.out

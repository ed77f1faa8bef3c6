"""`plyforge tune`."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from plyforge.jobs import choosing
from plyforge.jobs.local import local_executor
from plyforge.match.store import Store
from plyforge.match.tuning import Tuner

# Exact steps are in every kernel, so that these searches need no kernel of their own.
PARAMETERS = ("wins-depth=3:1:9:2", "depth-step=2:1:5:1")
QUICK = ("--on", "wins", "--entries", "1024", "--nodes", "300", "--openings", "random:3", "-j", "1")
TUNE = ("tune", "connect4:6x5", *PARAMETERS, *QUICK, "--iterations", "3", "--games", "4")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Work in a temporary folder, and play games in the process of the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        choosing, "local_executor", lambda jobs: local_executor(0 if jobs == 1 else jobs)
    )


def stop_after(monkeypatch, iterations):
    """Let Ctrl-C be pressed after some iterations."""
    run = Tuner.run

    def interrupted(self):
        for done in run(self):
            yield done
            if done == iterations:
                raise KeyboardInterrupt

    monkeypatch.setattr(Tuner, "run", interrupted)


def test_a_tuning_prints_values_settings_and_the_match(plyforge):
    done = plyforge(*TUNE, "--plot", "course.svg")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[1].split() == ["parameter", "start", "tuned", "unrounded", "range", "step"]
    assert "3 of 3 iterations, 6 games" in lines
    assert "SEARCH = {" in lines
    assert '        "on": ["wins"],' in lines
    assert lines[-1].startswith("plyforge match connect4:6x5 engine:preset=play,on=wins,")
    assert lines[-1].endswith("--sprt 0,20 --seed 1 --db tuning.db")
    texts = [one.text for one in ElementTree.parse("course.svg").iter() if one.text]
    assert {"wins-depth", "depth-step", "start", "iterations"} <= {text.strip() for text in texts}
    again = plyforge(*TUNE)
    assert again.out == done.out
    assert "3 iterations are stored already in tuning.db" in again.err


def test_a_tuning_is_resumed_by_the_same_command_or_from_its_file(plyforge, monkeypatch):
    whole = plyforge(*TUNE, "--db", "whole.db", "--json").json
    with monkeypatch.context() as patch:
        stop_after(patch, 1)
        done = plyforge(*TUNE)
        assert done.code == 130
        assert "1 of 3 iterations, 2 games" in done.out
        assert "interrupted; run the same command, or 'plyforge tune --resume --db" in done.out
    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        fields = plyforge("tune", "--resume", "-j", "1", "--json").json
        assert (fields["iterations"], fields["interrupted"]) == (2, True)
        assert fields["command"] is None
    fields = plyforge(*TUNE, "--json").json
    assert fields["parameters"] == whole["parameters"]
    assert fields["search"] == whole["search"]
    assert not fields["interrupted"]


def test_confirm_plays_the_match_in_the_same_file(plyforge):
    fields = plyforge(*TUNE, "--confirm", "--json").json
    assert fields["match"]["games"] == 4
    assert [one["name"] for one in fields["match"]["players"]].count("tuned") == 1
    assert fields["match"]["sprt"]["verdict"] == "continue"
    with Store.open_read_only("tuning.db") as store:
        assert store.count() == 1
    done = plyforge("tune", "--resume", "--confirm", "--games", "4", "-j", "1")
    assert done.code == 0
    assert "SPRT 0 against 20: LLR" in done.out
    assert "4 games are stored already in tuning.db" in done.err


def test_confirm_plays_nothing_where_nothing_changed(plyforge):
    words = [word.replace("3:1:9:2", "3:3:4:1") for word in TUNE if "depth-step" not in word]
    done = plyforge(*words, "--rate", "1e-9", "--confirm")
    assert done.code == 0
    assert "there is nothing to confirm" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "the game is missing; write 'plyforge tune chess"),
        (("conect4", "wins-depth"), "unknown game 'conect4'; did you mean 'connect4'?"),
        (("connect4", *QUICK), "there is nothing to tune"),
        (
            ("connect4", "wins-dept", *QUICK),
            "unknown parameter 'wins-dept'; did you mean 'wins-depth'?",
        ),
        (("connect4", "depth-rule", *QUICK), "'depth-rule' is not a number"),
        (("connect4", "razoring-margin", *QUICK), "'razoring' is off; switch it on with --on"),
        (("connect4", "wins-depth=5:1:2:1", *QUICK), "start must be between 1 and 2, not 5"),
        (("connect4", "wins-depth", *QUICK, "--iterations", "0"), "iterations must be an integer"),
        (("connect4", "wins-depth", "--on", "wins"), "give one of --depth, --nodes, --time and"),
        (("connect4", "wins-depth", *QUICK, "--set", "wins-depth=1"), "is tuned and set; leave"),
        (("connect4", "wins-depth", *QUICK, "--preset", "x"), "unknown preset 'x'"),
        (("connect4", "wins-depth", *QUICK, "--games", "3"), "--games must be an even number"),
        (("connect4", "wins-depth", *QUICK, "--sprt", "x"), "--sprt 'x': write ELO0,ELO1"),
        (("connect4", "wins-depth", *QUICK, "--plot", "x.pdf"), "must end in .png or .svg"),
        (("connect4", "wins-depth", *QUICK, "--on", "null-move"), "needs the hook 'pass_move'"),
        (
            ("connect4", "wins-depth", *QUICK, "--openings", "file:x"),
            "x cannot be read: No such file",
        ),
        (("--resume",), "no file 'tuning.db'; 'plyforge tune GAME PARAMETER' creates it"),
        (("--resume", "--seed", "1"), "uses the settings that are stored; leave out --seed"),
        (("--resume", "chess"), "leave out GAME PARAMETER"),
    ],
)
def test_wrong_input_is_explained_and_creates_no_file(plyforge, words, message):
    done = plyforge("tune", *words)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
    assert not Path("tuning.db").exists()


def test_the_file_of_another_tuning_is_refused(plyforge):
    assert plyforge(*TUNE).code == 0
    done = plyforge("tune", "othello", "wins-depth", *QUICK)
    assert done.code == 2
    assert "tuning.db holds a tuning of connect4:6x5, not of othello; give another" in done.err
    done = plyforge("tune", "connect4:6x5", PARAMETERS[0], *QUICK, "--iterations", "3")
    assert done.code == 2
    assert "not wins-depth=3:1:9:2; give another file" in done.err
    with Store("matches.db"):
        pass
    done = plyforge("tune", "--resume", "--db", "matches.db")
    assert done.code == 2
    assert "matches.db holds no tuning" in done.err

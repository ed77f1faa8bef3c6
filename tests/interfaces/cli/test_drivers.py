"""A driver's file in every command that searches."""

from pathlib import Path

import pytest

MINE = """\
from plyforge import Parameter

SUMMARY = "one window after the other"
PARAMETERS = [Parameter("width", 8.0, "the width of a window", 0.5, 1e9, real=True)]


def find_value(windows, guess, width):
    low = -width / 2
    while True:
        value = windows.search(low, low + width)
        if windows.settled:
            return value
        low = windows.lower - width / 2 if value > low else windows.upper - width / 2
"""
FAST = ("--entries", "4096")


@pytest.fixture(autouse=True)
def mine(tmp_path, monkeypatch):
    """Work in a folder with a driver."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE, encoding="utf-8")


def test_analyse_and_solve_use_a_driver_of_a_file(plyforge):
    words = ("tictactoe", "--driver", "mine.py", "--json", *FAST)
    fields = plyforge("analyse", *words, "--depth", "9").json
    assert (fields["driver"], fields["score"], fields["proved"]) == ("mine", 0, True)
    assert {step["high"] - step["low"] for step in fields["steps"]} == {8.0}
    fields = plyforge("analyse", *words, "--depth", "9", "--set", "width=32").json
    assert {step["high"] - step["low"] for step in fields["steps"]} == {32.0}
    assert plyforge("solve", *words).json["value"] == 0


def test_annotate_uses_a_driver_of_a_file(plyforge):
    Path("game.txt").write_text("Plyforge record 1: tictactoe\n1. a1\nresult: *\n")
    words = ("annotate", "game.txt", "--driver", "mine.py", "--depth", "9", *FAST)
    assert plyforge(*words).code == 0


def test_options_list_the_parameters_of_every_driver(plyforge):
    rows = {row["name"]: row for row in plyforge("options", "--json").json["drivers"]}
    assert [one["name"] for one in rows["real-mtdf"]["parameters"]] == ["epsilon", "closing"]
    assert "mine" not in rows
    answer = plyforge("options", "--driver", "mine.py")
    assert "one window after the other" in answer.out
    assert "width=8.0: the width of a window (0.5 to 1e+09)" in answer.out
    last = plyforge("options", "--driver", "mine.py", "--json").json["drivers"][-1]
    assert (last["name"], last["parameters"][0]["name"]) == ("mine", "width")
    assert len(plyforge("options", "--driver", "mtdf", "--json").json["drivers"]) == len(rows)


def test_an_ablation_uses_a_driver_of_a_file(plyforge):
    words = ("--driver", "mine.py", "--positions", "1", "--depths", "2", "--jobs", "0")
    answer = plyforge("lab", "ablate", "tictactoe", *words)
    assert answer.code == 0, answer.err
    assert "without table " in answer.out
    assert "driver pvs" in answer.out
    report = plyforge("lab", "report", "ablate tictactoe --driver mine.py")
    assert report.code == 0, report.err
    assert "driver pvs" in report.out


EXPERIMENT = """\
from plyforge.lab import Case, Variation

TITLE, SOURCE, DEPTHS = "Drivers", "none", (4,)


def cases(seed, count):
    return [Case("tictactoe", ())] * count


def own(windows, guess):
    return windows.search(-1e9, 1e9)


def variations():
    wide = Variation("wide", "mine.py", settings={"width": 100})
    return [Variation("pvs"), Variation("mine", "mine.py"), wide, Variation("own", own)]
"""


def test_an_experiment_compares_drivers_of_files_and_functions(plyforge):
    Path("compare.py").write_text(EXPERIMENT)
    words = ("lab", "run", "compare.py", "--positions", "1", "--jobs", "0", "--json")
    assert plyforge(*words).code == 0
    report = plyforge("lab", "report", "compare.py", "--format", "csv")
    assert report.code == 0
    for name in ("pvs", "mine", "wide", "own"):
        assert name in report.out
    Path("mine.py").write_text(MINE + "\n# changed\n")
    plyforge(*words)
    assert len(plyforge("lab", "runs", "--json").json["runs"]) == 2


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "def find_value(windows, guess):\n    return 1 / 0\n",
            "mine.py, line 2: 'find_value': Zero",
        ),
        (
            "def find_value(windows, guess):\n    return None\n",
            "mine.py, line 1: 'find_value' retu",
        ),
        ("def find_value(windows, guess):\n    return windows.search(1, 0)\n", "mine.py, line 2"),
        ("def find_value(windows):\n    pass\n", "mine.py, line 1: 'find_value' must take"),
        ("x = 1\n", "mine.py: a driver needs a function 'find_value(windows, guess)'"),
        ("x = \n", "mine.py, line 1: not valid Python"),
        ("import nothing_like_that\n", "mine.py, line 1: ModuleNotFoundError"),
    ],
)
@pytest.mark.parametrize(
    "words",
    [
        ("analyse", "tictactoe", "--depth", "3", "--driver", "mine.py", *FAST),
        ("solve", "tictactoe", "--driver", "mine.py", *FAST),
        ("lab", "ablate", "tictactoe", "--driver", "mine.py", "--quick", "--jobs", "0"),
    ],
)
def test_mistakes_in_a_drivers_file_end_with_code_2(plyforge, source, message, words):
    Path("mine.py").write_text(source)
    answer = plyforge(*words)
    assert answer.code == 2
    assert message in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--driver", "none.py"),
            "no file none.py; give the path of a Python file with find_value",
        ),
        (("--driver", "mine.py", "--set", "width=0"), "width must be between 0.5 and 1e+09, not 0"),
        (("--driver", "mine.py", "--set", "wide=1"), "unknown parameter 'wide'; did you mean 'wid"),
        (("--driver", "pvs", "--set", "width=1"), "unknown parameter 'width'"),
    ],
)
def test_wrong_options_of_a_driver_end_with_code_2(plyforge, words, message):
    answer = plyforge("analyse", "tictactoe", "--depth", "3", *words)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err

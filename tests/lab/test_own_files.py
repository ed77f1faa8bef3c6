"""Experiments in files of the user: the files that they name, and misspelt names."""

import re
from pathlib import Path

import pytest

from plyforge import PlyforgeError
from plyforge.jobs.local import local_executor
from plyforge.lab.catalog import load_experiment
from plyforge.lab.runner import Scale, run_experiment
from plyforge.lab.store import LabStore

GAME = """
def initial():
    return "ooooooo"

def moves(position):
    yield from range(1, min(3, len(position)) + 1)

def play(position, move):
    return position[move:]
"""
EXPERIMENT = """from plyforge.lab import Claim, MoreThan, Variation, random_cases

TITLE = "Heaps"
SOURCE = "none"
METRICS = (("leaves", "leaves"),)


def cases(seed, count):
    return random_cases("heap.py", 2, seed, count)


def variations():
    return [Variation("all", "alphabeta"), Variation("none", "alphabeta", settings={})]


def claims():
    return [Claim("s", "p", "m", MoreThan(1), lambda data: data.ratio("all", "none", 2, "leaves"))]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an experiment and its game, which is not the working directory."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "heap.py").write_text(GAME, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "mine"


def run(source: str) -> None:
    """Run the experiment, and compute the figures of its claims."""
    Path("mine/own.py").write_text(source, encoding="utf-8")
    experiment = load_experiment("mine/own.py")
    with LabStore(Path("lab.db")) as store:
        stored = store.run(experiment, 0)
        for _ in run_experiment(experiment, Scale(2, (2,)), store, stored, 0, local_executor(0)):
            pass
        for claim in experiment.claims:
            claim.estimate(experiment.data(store.measurements(stored)))


@pytest.mark.usefixtures("folder")
def test_files_are_found_beside_the_experiment() -> None:
    Path("mine/own.py").write_text(EXPERIMENT, encoding="utf-8")
    cases = load_experiment("mine/own.py").cases(0, 2)
    assert {case.game for case in cases} == {str(Path("mine/heap.py"))}
    Path("mine/steep.py").write_text("", encoding="utf-8")
    source = EXPERIMENT.replace("settings={}", 'steps=("steep.py",)')
    Path("mine/own.py").write_text(source, encoding="utf-8")
    assert load_experiment("mine/own.py").variations[1].steps == (str(Path("mine/steep.py")),)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('(("leaves"', '(("leavs"', 5, "unknown metric 'leavs'; did you mean 'leaves'?"),
        ("={}", '={"dept-step": 1}', 13, "unknown parameter 'dept-step'; did you mean"),
        ('"none", 2', '"nonne", 2', 17, "unknown configuration 'nonne'; did you mean 'none'?"),
        ('2, "leaves"', '2, "leavs"', 17, "unknown metric 'leavs'; did you mean 'leaves'?"),
    ],
)
def test_a_misspelt_name_is_an_error_with_its_line(
    old: str, new: str, line: int, message: str
) -> None:
    assert old in EXPERIMENT
    place = f"{Path('mine/own.py')}, line {line}: "
    with pytest.raises(PlyforgeError, match=re.escape(place) + ".*" + re.escape(message)):
        run(EXPERIMENT.replace(old, new))


@pytest.mark.usefixtures("folder")
def test_a_metric_that_an_own_measure_does_not_return_is_an_error() -> None:
    own = 'def measure(case, variation, depth):\n    return {"plies": depth}\n'
    source = EXPERIMENT.replace('(("leaves", "leaves"),)', '(("pliez", "plies"),)') + own
    with pytest.raises(PlyforgeError, match=r"line 5: METRICS: unknown metric 'pliez'; did you"):
        run(source)

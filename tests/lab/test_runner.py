"""Runs: the same counts in any number of processes, nothing lost, nothing measured twice."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.local import local_executor
from plyforge.jobs.serial import SerialExecutor
from plyforge.jobs.user_files import use_files
from plyforge.lab import runner
from plyforge.lab.catalog import load_experiment
from plyforge.lab.data import TIMES
from plyforge.lab.runner import choose_scale, list_jobs, run_experiment
from plyforge.lab.store import LabStore
from tests import processes
from tests.games.tiers import with_long


def counts(made):
    """Return the figures without times."""
    return [(one.case, one.variation, one.depth, one.repeat, one.values["count"]) for one in made]


def keys(made):
    return [(one.case, one.variation, one.depth, one.repeat) for one in made]


def test_every_measurement_is_made_once(toy, complete_run):
    made = complete_run(toy)
    assert len(made) == len(set(keys(made))) == 3 * (6 + 6 + 3)
    assert set(keys(made)) == {job.key for job in list_jobs(toy, choose_scale(toy), 0)}


def test_configurations_alternate_at_every_position(toy):
    order = [
        (job.number, job.repeat, job.variation)
        for job in list_jobs(toy, choose_scale(toy, positions=2, depths=(1,), repeats=2), 0)
    ]
    assert order[:4] == [(0, 0, "base"), (0, 0, "half"), (0, 1, "base"), (0, 1, "half")]
    assert order[4:7] == [(1, 0, "base"), (1, 0, "half"), (1, 0, "odd")]


@pytest.mark.parametrize("processes", with_long([2], [1]))
def test_counts_do_not_depend_on_the_number_of_processes(toy, complete_run, tmp_path, processes):
    here = counts(complete_run(toy, jobs=0))
    with LabStore(tmp_path / "other.db") as store:
        number = store.run(toy, 0)
        progress = list(
            run_experiment(toy, choose_scale(toy), store, number, 0, local_executor(processes))
        )
        assert counts(store.measurements(number)) == here
    assert progress == [(done, 45) for done in range(46)]


def test_counts_do_not_depend_on_the_order_of_measurements():
    """Engines are reused for later measurements, and must be cleared."""
    experiment = runner.find_experiment("ablate tictactoe")
    scale = choose_scale(experiment, positions=1, depths=(2, 4))
    work = list_jobs(experiment, scale, 0)
    times = set(TIMES)

    def measure_all(order):
        made = {job.key: runner.measure(job, lambda note, seconds: None) for job in order}
        return {
            key: {name: value for name, value in figures.items() if name not in times}
            for key, figures in made.items()
        }

    assert measure_all(work) == measure_all(work[::-1])


@pytest.mark.parametrize(
    "more", [{"positions": 5}, {"depths": (1, 2, 3)}, {"repeats": 2}, {"positions": 1}]
)
def test_a_run_can_be_extended(toy, store, complete_run, more):
    small = {"positions": 3, "depths": (2,), "repeats": 1}
    before = complete_run(toy, **small)
    after = complete_run(toy, **{**small, **more})
    assert len(store.runs()) == 1
    assert [one for one in after if one in before] == before
    assert len(set(keys(after))) == len(after)
    if more != {"positions": 1}:
        assert len(after) > len(before)


def test_a_complete_run_is_reported_at_once(toy, store, complete_run):
    complete_run(toy)
    progress = list(
        run_experiment(toy, choose_scale(toy), store, store.runs()[0], 0, SerialExecutor())
    )
    assert progress == [(45, 45)]


def test_another_seed_starts_another_run(toy, store, complete_run):
    assert counts(complete_run(toy, seed=1)) != counts(complete_run(toy, seed=2))
    assert [one.about["seed"] for one in store.runs()] == [1, 2]


def test_changed_measuring_code_starts_another_run(toy, toy_file, store, complete_run):
    complete_run(toy, positions=1)
    toy_file.write_text(toy_file.read_text().replace("100 * depth", "200 * depth"))
    assert len(complete_run(load_experiment(str(toy_file)), positions=2)) == 15
    assert [store.count(one) for one in store.runs()] == [6, 15]


def test_changed_prose_continues_the_run(toy, toy_file, store, complete_run):
    complete_run(toy, positions=1)
    toy_file.write_text(toy_file.read_text() + "\n# another wording\nNOTES = 'and more of it'\n")
    assert len(complete_run(load_experiment(str(toy_file)), positions=2)) == 15
    assert [store.count(one) for one in store.runs()] == [15]


def test_another_version_starts_another_run(toy, store, complete_run, monkeypatch):
    complete_run(toy, positions=1)
    monkeypatch.setattr("plyforge.lab.store.__version__", "99.0")
    complete_run(toy, positions=1)
    assert [one.about["version"] for one in store.runs()][1] == "99.0"


def test_a_run_stores_its_seed_machine_and_options(toy, store, complete_run):
    complete_run(toy, seed=5, positions=1)
    about = store.runs("toy")[0].about
    assert about["seed"] == 5
    assert about["digest"] == toy.digest
    assert about["machine"]
    assert [one["name"] for one in about["variations"]] == ["base", "half", "odd"]
    assert about["variations"][1]["extra"] == {"factor": "0.5"}


def test_a_file_that_changes_before_a_run_is_refused(toy, toy_file, store):
    number = store.run(toy, 0)
    toy_file.write_text(toy_file.read_text().replace("100 * depth", "200 * depth"))
    with pytest.raises(PlyforgeError, match="has changed since it was loaded"):
        list(run_experiment(toy, choose_scale(toy), store, number, 0, SerialExecutor()))
    assert store.count(number) == 0


GAME = """from limits import GOAL
def initial(n=0): return n
def moves(n): yield from range(1, 3) if n < GOAL else ()
def play(n, move): return n + move
"""
WITH_FILES = """from tools import count
from plyforge.games import load
from plyforge.evaluate import with_evaluation
from plyforge.lab import Case, Variation
TITLE, SOURCE, POSITIONS, DEPTHS = "files", "none", 2, (2, 3)
def cases(seed, count): return [Case("nim.py:0"), Case("tictactoe")][:count]
def variations(): return [Variation("own"), Variation("other", evaluation="sum.py")]
def measure(case, variation, depth):
    game = load(case.game, "python")
    if variation.evaluation is not None and game.name == "nim":
        game = with_evaluation(game, variation.evaluation)
        return {"value": game.evaluation(3)}
    return {"nodes": count(game, depth)}
"""


@pytest.mark.parametrize("processes", with_long([0], [2]))
def test_a_run_needs_no_file_after_it_has_begun(tmp_path, monkeypatch, store, processes):
    """Workers may be on another machine, and files may change during a run."""
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.chdir(folder)
    texts = {
        "mine.py": WITH_FILES,
        "tools.py": "def count(game, depth): return game.perft(game.initial(), depth)\n",
        "nim.py": GAME,
        "limits.py": "GOAL = 5\n",
        "sum.py": "def evaluate(n): return 2.0 * n\n",
    }
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")
    mine = load_experiment("mine.py")
    number = store.run(mine, 0)
    steps = run_experiment(mine, choose_scale(mine), store, number, 0, local_executor(processes))
    next(steps)
    for name in texts:
        Path(name).write_text("changed", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    folder.rename(tmp_path / "moved")
    assert list(steps)[-1] == (8, 8)
    made = {(one.case, one.variation, one.depth): one.values for one in store.measurements(number)}
    assert made[0, "other", 2] == made[0, "other", 3] == {"value": 6.0}
    assert (made[0, "own", 2], made[0, "own", 3]) == ({"nodes": 4}, {"nodes": 8})
    assert (made[1, "own", 2], made[1, "other", 3]) == ({"nodes": 72}, {"nodes": 504})


def test_an_ablation_needs_no_file_after_it_has_begun(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("nim.py").write_text(GAME, encoding="utf-8")
    Path("limits.py").write_text("GOAL = 5\n", encoding="utf-8")
    experiment = runner.find_experiment("ablate nim.py")
    todo = list_jobs(experiment, choose_scale(experiment, positions=1, depths=(2,)), 0)
    files = runner.find_user_files(experiment, todo)
    Path("nim.py").unlink()
    Path("limits.py").write_text("GOAL = 6\n", encoding="utf-8")
    with use_files(files):
        assert runner.find_experiment("ablate nim.py").digest == experiment.digest
        assert runner.measure(todo[0], lambda stage, seconds: None)["leaves"] > 0


STEP = """\
from plyforge.steps import NO_VALUE
from tools import LIMIT
NAME, SUMMARY, EXACT = "mine", "nothing", True
COUNTERS = {"my_visits": "nodes"}
def before_moves(position, level, node, context):
    context.my_visits += LIMIT
    return NO_VALUE
"""
WITH_STEP = """from plyforge.games import load
from plyforge.engine import Engine
from plyforge.lab import Case, Variation
TITLE, SOURCE, POSITIONS, DEPTHS = "steps", "none", 1, (2,)
def cases(seed, count): return [Case("tictactoe")][:count]
def variations(): return [Variation("own", steps=("step.py",))]
def measure(case, variation, depth):
    engine = Engine(load(case.game, "python"), steps=variation.steps, entries=4096)
    return {"visits": engine.analyse(depth=depth).counts.my_visits}
"""


def test_a_step_travels_with_its_run_and_belongs_to_its_identity(tmp_path, monkeypatch, store):
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name, text in {"mine.py": WITH_STEP, "step.py": STEP, "tools.py": "LIMIT = 1"}.items():
        Path(name).write_text(text, encoding="utf-8")
    mine = load_experiment("mine.py")
    number = store.run(mine, 0)
    assert number.about["variations"][0]["steps"] == ["step.py"]
    steps = run_experiment(mine, choose_scale(mine), store, number, 0, SerialExecutor())
    next(steps)
    Path("tools.py").write_text("LIMIT = 2", encoding="utf-8")
    assert load_experiment("mine.py").digest != mine.digest
    monkeypatch.chdir(tmp_path)
    folder.rename(tmp_path / "moved")
    assert list(steps)[-1] == (1, 1)
    (made,) = store.measurements(number)
    assert made.values["visits"] > 0


def test_the_file_of_a_game_inside_the_package_travels_too():
    experiment = load_experiment("collisions")
    todo = list_jobs(experiment, choose_scale(experiment, positions=1, depths=(2,)), 0)
    (file,) = runner.find_user_files(experiment, todo)
    assert file.name.endswith("short_keys.py")


FAILURES = {
    ("raise", 0): r"half at depth 2, case 0\.0: .*toy\.py, line \d+: 'measure': ZeroDivisionError",
    ("raise", 2): r"half at depth 2, case 0\..: .*toy\.py, line \d+: 'measure': ZeroDivisionError",
    ("value", 1): r"half at depth 2, case 0\.0: .*toy\.py: measure\(\) is \{'count': nan\}",
    ("die", 1): r"half at depth 2, case 0\.0: the measurement died: exit code 3; stored",
}


@pytest.mark.parametrize(
    ("kind", "processes"),
    [pytest.param(*case, marks=[pytest.mark.long] * (case[1] == 2)) for case in FAILURES],
)
def test_a_failed_measurement_is_named_and_the_others_are_kept(
    toy, store, complete_run, monkeypatch, kind, processes
):
    monkeypatch.setenv("TOY_FAIL", kind)
    with pytest.raises(PlyforgeError, match=FAILURES[kind, processes]) as error:
        complete_run(toy, jobs=processes, positions=3)
    assert "Traceback" not in str(error.value)
    made = store.measurements(store.runs()[0])
    assert len([one for one in made if one.depth == 1]) >= 7 - max(processes - 1, 0)
    monkeypatch.delenv("TOY_FAIL")
    assert len(complete_run(toy, jobs=0, positions=3)) == 21


def test_a_wrong_option_is_reported_with_its_configuration(tmp_path, toy_file, complete_run):
    text = toy_file.read_text().replace("def measure(", "def not_used(")
    toy_file.write_text(text.replace('Variation("odd")', 'Variation("odd", "no-driver")'))
    with pytest.raises(PlyforgeError, match=r"odd at depth 1, case 0\.1: unknown driver"):
        complete_run(load_experiment(str(toy_file)), positions=2, depths=(1,))


def start(file, db, *words, **env):
    command = [sys.executable, "-m", "plyforge", "lab", "run", str(file), "--db", str(db), *words]
    return processes.popen(
        command,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def stored(db):
    """Return keys and figures, read through another connection."""
    if not db.exists():
        return []
    with sqlite3.connect(db, timeout=10) as connection:
        try:
            return connection.execute(
                "SELECT number, variation, depth, repeat, vals, made FROM measurement"
            ).fetchall()
        except sqlite3.OperationalError:
            return []
        finally:
            connection.interrupt()


def wait_for(db, count, process, timeout=300):
    end = time.monotonic() + timeout
    while len(stored(db)) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.long
def test_the_same_command_completes_a_killed_run(toy, toy_file, complete_run, tmp_path):
    db = tmp_path / "killed.db"
    process = start(toy_file, db, "--jobs", "2", TOY_HANG="3")
    wait_for(db, 5, process)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    before = stored(db)
    assert 5 <= len(before) < 45
    again = start(toy_file, db, "--jobs", "0")
    _, err = again.communicate(timeout=300)
    assert again.returncode == 0, err
    assert f"{len(before)} of 45 measurements are already stored" in err
    after = stored(db)
    assert set(before) <= set(after)
    assert len(after) == len({row[:4] for row in after}) == 45
    with LabStore(db) as store:
        assert counts(store.measurements(store.runs()[0])) == counts(complete_run(toy))


def test_an_interrupted_run_keeps_its_measurements_and_reports_them(toy_file, tmp_path):
    db = tmp_path / "interrupted.db"
    process = start(toy_file, db, "--jobs", "1", TOY_HANG="3")
    wait_for(db, 5, process)
    os.killpg(process.pid, signal.SIGINT)  # a terminal signals its whole group
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "run the same command to resume" in out
    assert 5 <= len(stored(db)) < 45


@pytest.mark.long
def test_an_interrupt_before_the_first_measurement_prints_nothing(toy_file, tmp_path):
    db = tmp_path / "interrupted.db"
    process = start(toy_file, db, "--jobs", "0", TOY_HANG="1")
    end = time.monotonic() + 300
    while not (tmp_path / "interrupted.db.lock").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err


@pytest.mark.long
def test_two_processes_cannot_write_to_one_file(toy, toy_file, tmp_path):
    db = tmp_path / "both.db"
    process = start(toy_file, db, "--jobs", "1", TOY_HANG="3")
    try:
        wait_for(db, 1, process)
        with (
            LabStore(db) as store,
            pytest.raises(PlyforgeError, match="another process is working on this file"),
        ):
            list(
                run_experiment(
                    toy, choose_scale(toy), store, store.run(toy, 0), 0, SerialExecutor()
                )
            )
    finally:
        process.kill()
        process.communicate()
    with LabStore(db) as store:
        list(run_experiment(toy, choose_scale(toy), store, store.run(toy, 0), 0, SerialExecutor()))
        assert store.count(store.runs()[0]) == 45


@pytest.mark.long
def test_worker_processes_find_a_relative_path(toy_file, tmp_path):
    process = subprocess.run(
        [sys.executable, "-m", "plyforge", "lab", "run", "toy.py", "--quick", "--jobs", "1"],
        cwd=toy_file.parent,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert process.returncode == 0, process.stderr
    assert (toy_file.parent / "lab.db").exists()

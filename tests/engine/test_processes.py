"""Engines with several processes: wrong input, and real processes by MPI (long)."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import plyforge
from plyforge import Engine
from plyforge.compilation import mpi
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.search.parallel.methods import DISTRIBUTED_METHODS, PARTITIONED_TABLE
from tests.engine.test_bad_input import FAULTY
from tests.processes import popen, run

needs_mpi = pytest.mark.skipif(sys.platform != "linux", reason="MPI is tested on Linux")
FOLDER = Path(__file__).parents[2]
TASK = "plyforge.engine.distributed.worker"
both_methods = pytest.mark.parametrize("method", DISTRIBUTED_METHODS)


@needs_mpi
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parallel": "tdsab"}, "needs at least 2 processes"),
        ({"parallel": "tdsab", "threads": 2}, "uses processes, not threads"),
        ({"parallel": "ybwc", "processes": 2}, "uses threads, not processes"),
        ({"parallel": "tdsab", "processes": 0}, "between 1 and 4096, not 0"),
        ({"parallel": "tdsab", "processes": 2.5}, "must be an integer, not 2.5"),
        ({"parallel": "tdsab", "processes": 2, "driver": "minimax"}, "uses no windows"),
        ({"parallel": "tdsab", "processes": 2, "on": ["lmr"]}, "'lmr', which is not exact"),
        (
            {"parallel": "tdsba", "processes": 2},
            "did you mean 'tdsab'. known: .*, partitioned-table, .*, tdsab, ",
        ),
        ({"parallel": "shared-table", "processes": 2}, "processes: tdsab, partitioned-table"),
        ({"parallel": "partitioned-table"}, "needs at least 2 processes"),
        ({"parallel": "partitioned-table", "processes": 2, "on": ["lmr"]}, "which is not exact"),
        (
            {"parallel": "tdsab", "processes": 2, "settings": {"remote-depth": -1}},
            "remote-depth.* between 0 and 250",
        ),
    ],
)
def test_wrong_options_are_refused_before_anything_starts(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(PlyforgeError, match=message):
        Engine("tictactoe", **options)


@needs_mpi
def test_a_number_of_processes_that_differs_from_that_of_mpiexec_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "4")
    with pytest.raises(PlyforgeError, match="mpiexec has started 4 processes, and 3 are asked for"):
        Engine("tictactoe", parallel="tdsab", processes=3)
    assert Engine("tictactoe", parallel="tdsab").processes == 4


@needs_mpi
def test_without_mpi4py_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    mpi.load_library.cache_clear()
    with pytest.raises(PlyforgeError, match=r"pip install 'plyforge\[mpi\]'"):
        Engine("tictactoe", parallel="tdsab", processes=2)
    mpi.load_library.cache_clear()


def workers_of(parent: int) -> list[int]:
    """Return the processes that the engine of a process has started: mpiexec, then the others."""
    listing = subprocess.run(
        ["ps", "-ww", "-eo", "pid,ppid,sid,args"], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 3) for line in listing.stdout.splitlines() if TASK in line]
    sessions = {row[2] for row in rows if int(row[1]) == parent}
    return [int(row[0]) for row in rows if row[2] in sessions]


@needs_mpi
@pytest.mark.long
@both_methods
def test_the_value_and_the_account_with_real_processes(method: str) -> None:
    expected = Engine("tictactoe", backend="python").analyse(depth=6)
    engine = Engine("tictactoe", backend="python", parallel=method, processes=3)
    try:
        result = engine.analyse(depth=6)
        assert result.score == expected.score
        assert result.account is not None
        assert len(result.account.nodes) == 3
        assert sum(result.account.nodes) == result.counts.nodes
        assert result.account.method == method
        assert result.account.messages > 0
        assert (result.account.lookups > 0) == (method == PARTITIONED_TABLE)
        few = engine.analyse(depth=12, nodes=500)
        assert few.stopped
        assert few.account is not None
        assert few.account.nodes[1:] == (0, 0)  # the first process searches alone
    finally:
        engine.close()


@needs_mpi
@pytest.mark.long
@both_methods
def test_a_fault_of_the_game_is_an_error_in_any_process(method: str) -> None:
    engine = Engine(
        plyforge.load(f"{FAULTY}:2", "python"), entries=512, parallel=method, processes=2
    )
    try:
        with pytest.raises((GameFileError, PlyforgeError), match="EVALUATION_RANGE"):
            engine.analyse(depth=8)
    finally:
        engine.close()


@needs_mpi
@pytest.mark.long
@both_methods
def test_a_process_that_dies_ends_the_search_with_the_best_move_so_far(method: str) -> None:
    engine = Engine(
        "tree:uniform,6,23", backend="python", entries=4096, parallel=method, processes=3
    )
    engine.analyse(depth=2)
    workers = workers_of(os.getpid())
    assert len(workers) == 4
    results: list[Any] = []
    started = threading.Event()

    def work() -> None:
        results.append(engine.analyse(depth=20, report=lambda info: started.set()))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    started.wait()
    os.kill(workers[-1], signal.SIGKILL)
    thread.join(120)
    assert not thread.is_alive()
    (result,) = results
    assert "has ended unexpectedly" in result.failure
    assert result.move in result.root.legal_moves()
    engine.close()
    assert have_ended(workers)


def have_ended(workers: list[int]) -> bool:
    """Whether processes end within half a minute."""
    limit = time.monotonic() + 30
    while any(is_running(pid) for pid in workers):
        if time.monotonic() > limit:
            return False
        time.sleep(0.2)
    return True


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@needs_mpi
@pytest.mark.long
@both_methods
def test_processes_end_when_the_engine_is_killed(method: str) -> None:
    engine, workers = start_analysis(method)
    time.sleep(3)
    engine.kill()
    engine.wait()
    assert have_ended(workers)


def start_analysis(method: str, **more: Any) -> tuple[subprocess.Popen[str], list[int]]:
    """Start a long analysis on the command line; return it and its processes."""
    command = "analyse tree:uniform,6,23 --backend python --processes 3 --depth 20 --parallel"
    arguments = [sys.executable, "-m", "plyforge", *command.split(), method]
    engine = popen(arguments, cwd=FOLDER, **more)
    workers: list[int] = []
    while len(workers) < 4:
        time.sleep(0.5)
        workers = workers_of(engine.pid)
    return engine, workers


@needs_mpi
@pytest.mark.long
@both_methods
def test_ctrl_c_prints_the_best_move_so_far_and_ends_all_processes(method: str) -> None:
    engine, workers = start_analysis(method, stdout=subprocess.PIPE, text=True)
    assert engine.stdout is not None
    for line in engine.stdout:
        if line.split()[:1] == ["2"]:
            break  # an iteration is done, and others take hours
    engine.send_signal(signal.SIGINT)
    output, _ = engine.communicate(timeout=60)
    assert "best " in output
    assert f"{method}, 3 processes" in output
    assert have_ended(workers)


@needs_mpi
@pytest.mark.long
@both_methods
def test_many_searches_by_mpi_find_the_value_of_one_process(method: str) -> None:
    allow = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    job = run(
        [
            str(Path(sys.executable).with_name("mpiexec")),
            *("-n", "8", "--map-by", ":OVERSUBSCRIBE", "--bind-to", "none"),
            *("--mca", "mpi_yield_when_idle", "0", sys.executable, "-m", "mpi4py"),
            *("-m", "tests.search.distributed.mpi_searches", method, "2000", "1"),
        ],
        cwd=FOLDER,
        env={**os.environ, **allow},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2000 searches, all values equal" in job.stdout, job.stdout + job.stderr

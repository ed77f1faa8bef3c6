"""Real nodes on this machine: what is lost, joins, is refused and is left behind.

One cluster serves all tests of this file, in their order: starting one takes long.  Everything
happens in other processes, since a process has one connection to Ray.
"""

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

import plyforge
from tests.processes import popen

pytestmark = pytest.mark.long
TIMEOUT = 600.0
"""Seconds after which a test gives up."""
GAME = "connect4:5x4"
GAMES = 500
MATCH = (
    "match", GAME, "engine:depth=5,entries=1024,name=a", "engine:depth=4,entries=1024,name=b",
    "--openings", "random:4", "--seed", "3",
)  # fmt: skip
SLOW_PLAYER = (
    "import time\ndef choose(history):\n    time.sleep(0.5)\n    return history.legal_moves()[0]\n"
)
LONG_MATCH = (
    "match", GAME, "python:slow.py", "random", "--openings", "random:6", "--games", "5000",
)  # fmt: skip
"""It takes longer than any test, and little of the processor."""


class TestCluster:
    """A cluster, and the commands that use it."""

    __test__ = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("RAY_")},
            "PLYFORGE_DATA": str(folder / "data"),
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        }

    @contextmanager
    def start(self, *words: str) -> "Iterator[subprocess.Popen[str]]":
        """Start a command; it ends with the block at the latest."""
        program = popen(
            [sys.executable, "-m", "plyforge", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield program
        finally:
            program.kill()
            program.communicate()

    def run(self, *words: str) -> tuple[int, str, str]:
        with self.start(*words) as program:
            out, errors = program.communicate(timeout=TIMEOUT)
        return program.returncode, out, errors

    def call(self, code: str) -> None:
        """Run Python code that uses the module `local_nodes`."""
        header = "from plyforge.jobs.cluster import local_nodes\n"
        subprocess.run(
            [sys.executable, "-c", header + code],
            env=self.environment, check=True, timeout=TIMEOUT,
        )  # fmt: skip

    @property
    def state(self) -> dict[str, Any]:
        return json.loads((self.folder / "data" / "cluster.json").read_text(encoding="utf-8"))

    def processes(self) -> list[psutil.Process]:
        """Return all processes that were started for the cluster, except zombies."""
        return [one for one in psutil.process_iter() if has_mark(one, self.state["mark"])]

    def workers(self) -> list[psutil.Process]:
        """Return the supervisors of jobs, and the processes that they supervise."""
        found = []
        for process in self.processes():
            try:
                words = " ".join(process.cmdline())
            except psutil.Error:
                continue
            if "Supervisor" in words or "multiprocessing" in words:
                found.append(process)
        return found

    def workers_below(self, pid: int) -> list[psutil.Process]:
        """Return the workers of the node with this process, as long as it runs."""
        return [one for one in self.workers() if pid in {parent.pid for parent in one.parents()}]

    def raylet(self, number: int) -> psutil.Process:
        children = psutil.Process(self.state["pids"][number]).children(recursive=True)
        return next(one for one in children if one.name() == "raylet")

    def games(self, file: str) -> list[tuple[Any, ...]]:
        """Return what must be the same wherever a game is played."""
        try:
            with sqlite3.connect(f"file:{self.folder / file}?mode=ro", uri=True) as database:
                return database.execute(
                    "SELECT number, opening, points, reason, moves, first_nodes, second_nodes"
                    " FROM game ORDER BY number"
                ).fetchall()
        except sqlite3.OperationalError:
            return []


def has_mark(process: psutil.Process, mark: str) -> bool:
    """Return whether a process, which is not a zombie, belongs to the cluster with this mark."""
    try:
        marked = process.environ().get("PLYFORGE_CLUSTER") == mark
        return marked and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.Error, OSError):
        return False


def is_alive(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def wait_until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[TestCluster]:
    """Four nodes of one worker each; each has its own cache of kernels, as machines have."""
    made = TestCluster(tmp_path_factory.mktemp("cluster"))
    (made.folder / "slow.py").write_text(SLOW_PLAYER, encoding="utf-8")
    caches = [{"PLYFORGE_CACHE": str(made.folder / f"cache-{n}")} for n in range(4)]
    made.call(f"local_nodes.start_nodes(4, 1, {free_port()}, {caches!r})")
    try:
        yield made
    finally:
        if (made.folder / "data" / "cluster.json").exists():
            made.run("cluster", "down")


@pytest.fixture(scope="module")
def undisturbed(cluster) -> list[tuple[Any, ...]]:
    """The games of the match, played on this machine in one process."""
    code, _, errors = cluster.run(*MATCH, "--games", str(GAMES), "--jobs", "1", "--db", "one.db")
    assert code == 0, errors
    return cluster.games("one.db")


def test_kernels_are_compiled_once_on_each_node(cluster):
    words = (*MATCH, "--games", "40", "--executor", "ray", "--db", "kernels.db", "--json")
    code, out, errors = cluster.run(*words)
    assert code == 0, errors
    assert json.loads(out)["games"] == 40
    stored = [
        sorted(path.name for path in (cluster.folder / f"cache-{n}").iterdir() if path.is_file())
        for n in range(4)
    ]
    assert stored[0]
    assert all(names == stored[0] for names in stored)


def test_a_match_with_two_of_four_nodes_killed_equals_the_undisturbed_one(cluster, undisturbed):
    words = (*MATCH, "--games", str(GAMES), "--executor", "ray", "--db", "killed.db", "--json")
    with cluster.start(*words) as program:
        assert wait_until(lambda: len(cluster.games("killed.db")) >= GAMES // 5)
        cluster.raylet(2).kill()
        os.killpg(cluster.state["pids"][3], signal.SIGKILL)
        assert len(cluster.games("killed.db")) < GAMES  # not yet over
        out, errors = program.communicate(timeout=TIMEOUT)
    assert program.returncode == 0, errors
    assert "is lost" in errors
    assert json.loads(out)["faults"] == []
    assert len(undisturbed) == GAMES
    assert cluster.games("killed.db") == undisturbed


def test_a_node_that_joins_while_jobs_run_gets_work(cluster):
    words = (*LONG_MATCH, "--executor", "ray", "--db", "joined.db")
    with cluster.start(*words) as program:
        assert wait_until(lambda: len(cluster.games("joined.db")) >= 1)
        (cluster.folder / "slow.py").unlink()  # the new node gets it from the command
        cache = str(cluster.folder / "cache-joined")
        cluster.call(f"local_nodes.add_node({{'PLYFORGE_CACHE': {cache!r}}})")
        new = cluster.state["pids"][-1]
        # A supervisor, and the process that plays.
        assert wait_until(lambda: len(cluster.workers_below(new)) >= 2)
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=TIMEOUT)
    (cluster.folder / "slow.py").write_text(SLOW_PLAYER, encoding="utf-8")
    assert program.returncode == 130, errors
    assert "joins with 1 worker" in errors
    assert "could not be played" not in errors


def test_a_match_with_a_node_that_leaves_in_order_equals_the_undisturbed_one(cluster, undisturbed):
    """A node that is told to end takes leave of the cluster, unlike one that is killed."""
    cluster.call("local_nodes.add_node()")
    leaving = cluster.state["pids"][-1]
    words = (*MATCH, "--games", str(GAMES), "--executor", "ray", "--db", "left.db", "--json")
    with cluster.start(*words) as program:
        assert wait_until(lambda: cluster.workers_below(leaving))
        assert wait_until(lambda: len(cluster.games("left.db")) >= GAMES // 5)
        os.kill(leaving, signal.SIGTERM)
        assert len(cluster.games("left.db")) < GAMES  # not yet over
        out, errors = program.communicate(timeout=TIMEOUT)
    assert program.returncode == 0, errors
    assert json.loads(out)["faults"] == []
    assert cluster.games("left.db") == undisturbed
    assert wait_until(lambda: not is_alive(leaving))
    assert wait_until(lambda: not cluster.workers())


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_no_worker_is_left_when_the_command_is_killed_or_interrupted(cluster, number):
    file = f"ended-{number}.db"
    with cluster.start(*LONG_MATCH, "--executor", "ray", "--db", file) as program:
        assert wait_until(lambda: len(cluster.games(file)) >= 1)
        assert cluster.workers()
        program.send_signal(number)
        _, errors = program.communicate(timeout=TIMEOUT)
    assert program.returncode == (130 if number == signal.SIGINT else -number)
    assert "Traceback" not in errors
    assert wait_until(lambda: not cluster.workers())
    assert psutil.pid_exists(cluster.state["pids"][0])


def test_a_node_with_another_version_is_refused_by_name(cluster):
    other = cluster.folder / "other"
    shutil.copytree(Path(plyforge.__file__).parent, other / "plyforge")
    init = other / "plyforge" / "__init__.py"
    text = init.read_text(encoding="utf-8")
    init.write_text(text.replace(plyforge.__version__, "9.9.9"), encoding="utf-8")
    cluster.call(f"local_nodes.add_node({{'PYTHONPATH': {str(other)!r}}})")
    code, _, errors = cluster.run(*MATCH, "--games", "4", "--executor", "ray", "--db", "v.db")
    assert code == 2
    assert f"Plyforge is 9.9.9 there and {plyforge.__version__} here" in errors
    assert not (cluster.folder / "v.db").exists()
    os.killpg(cluster.state["pids"][-1], signal.SIGKILL)


def test_a_second_cluster_and_a_port_in_use_are_errors(cluster):
    code, _, errors = cluster.run("cluster", "up")
    assert code == 2
    assert f"a cluster is running at {cluster.state['address']} already" in errors
    port = cluster.state["address"].rpartition(":")[2]
    cluster.environment["PLYFORGE_DATA"] = str(cluster.folder / "second")
    try:
        code, _, errors = cluster.run("cluster", "up", "--port", port)
    finally:
        cluster.environment["PLYFORGE_DATA"] = str(cluster.folder / "data")
    assert code == 2
    assert f"port {port} is in use; give another one with --port" in errors


def test_a_wrong_token_is_refused(cluster):
    """It is not the cluster of the state file, so the token is that of the environment."""
    address = cluster.state["address"]
    cluster.environment |= {
        "PLYFORGE_DATA": str(cluster.folder / "second"),
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": "0" * 64,
    }
    try:
        code, _, errors = cluster.run(
            *MATCH, "--games", "4", "--executor", f"ray://{address}", "--db", "t.db"
        )
    finally:
        cluster.environment["PLYFORGE_DATA"] = str(cluster.folder / "data")
        del cluster.environment["RAY_AUTH_MODE"], cluster.environment["RAY_AUTH_TOKEN"]
    assert code == 2
    assert "RAY_AUTH_TOKEN" in errors
    assert "Traceback" not in errors


def test_down_ends_every_process(cluster):
    mark = cluster.state["mark"]
    assert cluster.processes()
    code, out, _ = cluster.run("cluster", "down")
    assert code == 0
    assert "processes ended" in out
    assert not any(has_mark(process, mark) for process in psutil.process_iter())
    code, out, _ = cluster.run("cluster", "down")
    assert (code, out.strip()) == (0, "no cluster was running")

"""Connections that fail or are interrupted, with a module in place of Ray."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.cluster import connection
from plyforge.jobs.cluster.address import Address

psutil = pytest.importorskip("psutil", reason="it comes with Ray")
NODE = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
child.wait()
"""


class FakeRay:
    """Starts a process with a child, then fails; its shutdown ends only the process."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.pids: list[int] = []
        self.util = SimpleNamespace(get_node_ip_address=lambda: "10.0.0.7")

    def init(self, **options: object) -> None:
        self.node = subprocess.Popen([sys.executable, "-c", NODE], stdout=subprocess.PIPE)
        assert self.node.stdout is not None
        self.pids = [self.node.pid, int(self.node.stdout.readline())]
        raise self.error

    def shutdown(self) -> None:
        with self.node:
            self.node.kill()


def is_running(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_ctrl_c_while_a_private_cluster_starts_leaves_no_process():
    ray = FakeRay(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        connection._try_to_start(ray, {})
    assert len(ray.pids) == 2
    assert not any(map(is_running, ray.pids))


def test_a_start_that_fails_leaves_no_process_and_says_why():
    ray = FakeRay(
        RuntimeError("Failed to connect to Ray cluster at 10.0.0.1:6379 [2026-11-18 1] x")
    )
    with pytest.raises(PlyforgeError) as error:
        connection._start(ray, "10.0.0.1:6379", None)
    assert not any(map(is_running, ray.pids))
    assert "no connection to the cluster at 10.0.0.1:6379: Failed to connect" in str(error.value)
    assert "2026" not in str(error.value)  # the log of Ray
    assert "correct the address" in str(error.value)


def test_a_local_name_stands_for_the_address_of_this_machine():
    ray = FakeRay(RuntimeError())
    for host in ("localhost", "127.0.0.1", "::1"):
        assert connection._as_node_address(ray, Address(host, 7000)) == Address("10.0.0.7", 7000)
    assert connection._as_node_address(ray, Address("head", 7000)) == Address("head", 7000)

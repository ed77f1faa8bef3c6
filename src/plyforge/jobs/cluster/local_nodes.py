"""A cluster of several nodes on this machine, to try and test jobs on Ray.

Each node is a process `ray start --block` with its children.  All of them have a secret in their
environment, by which `stop_nodes` finds every process of the cluster and no other.
"""

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from platformdirs import user_data_dir

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.cluster.address import DEFAULT_PORT, check_head, is_port_free, parse_address
from plyforge.jobs.cluster.connection import (
    OWN_SETTINGS,
    QUICK_FAILURE,
    Cluster,
    Node,
    connect,
    import_ray,
)

MAX_NODES: Final = 64
_START_SECONDS: Final = 180.0
"""Seconds that the nodes may take to start; Ray's own limit is shorter on an idle machine."""
_ATTEMPTS: Final = 3
"""How often the start of a node is tried."""
_STOP_SECONDS: Final = 10.0
"""Seconds that the processes get to end by themselves."""
_MARK: Final = "PLYFORGE_CLUSTER"
"""The environment variable with the secret of the cluster, in all its processes."""


class LocalNodes(msgspec.Struct, frozen=True):
    """A cluster that was started here, as stored in a file."""

    address: str
    token: str
    mark: str
    pids: tuple[int, ...]
    """The process of each node, the head node first."""
    cpus: int
    """Processors of each node."""
    logs: str

    def has_address(self, address: str | None) -> bool:
        """Return whether this is the cluster at an address, which may be `localhost:PORT`."""
        if address is None:
            return False
        asked, own = parse_address(address), parse_address(self.address)
        return asked == own or (asked.is_loopback and asked.port == own.port)


def state_file() -> Path:
    """Return the file that describes the running cluster."""
    folder = os.environ.get("PLYFORGE_DATA") or user_data_dir("plyforge", appauthor=False)
    return Path(folder).expanduser() / "cluster.json"


def read_state() -> LocalNodes | None:
    """Return the cluster that was started last and not ended, which may have died."""
    try:
        return msgspec.json.decode(state_file().read_bytes(), type=LocalNodes)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise PlyforgeError(
            f"{state_file()} cannot be read ({error}); delete it after ending the cluster's"
            " processes"
        ) from None


def running_cluster() -> LocalNodes | None:
    """Return the cluster of `plyforge cluster up` if its head node answers."""
    state = read_state()
    if state is None:
        return None
    try:
        check_head(parse_address(state.address))
    except PlyforgeError:
        return None
    return state


def start_nodes(
    count: int,
    cpus: int = 1,
    port: int = DEFAULT_PORT,
    environments: Sequence[Mapping[str, str]] = (),
) -> LocalNodes:
    """Start a cluster of `count` nodes; return when all of them are ready.

    `environments` has variables for the processes of each node.
    """
    _check_numbers(count, cpus, port)
    token = secrets.token_hex(32)
    # Not 127.0.0.1: drivers of Ray never connect to that address.
    host = import_ray(token).util.get_node_ip_address()
    state = read_state()
    if state is not None and find_processes(state.mark):
        raise PlyforgeError(
            f"a cluster is running at {state.address} already; end it with 'plyforge cluster down'"
        )
    if not is_port_free(port):
        raise PlyforgeError(f"port {port} is in use; give another one with --port")
    folder = state_file().parent / "cluster-logs"
    folder.mkdir(parents=True, exist_ok=True)
    new = LocalNodes(f"{host}:{port}", token, secrets.token_hex(8), (), cpus, str(folder))
    _write_state(new)  # before the first process, so that `down` finds all of them
    try:
        with ExitStack() as stack:
            clusters: list[Cluster] = []

            def is_ready() -> bool:
                """Return whether all nodes that were started have joined."""
                with suppress(PlyforgeError):  # the head node does not answer yet
                    if not clusters:
                        cluster = connect(new.address, token=new.token)
                        clusters.append(stack.enter_context(cluster))
                    return len(clusters[0].nodes()) > number
                return False

            for number in range(count):
                extra = environments[number] if number < len(environments) else {}
                new = _join_node(new, extra, is_ready)
    except BaseException:
        stop_nodes()
        raise
    return new


def _join_node(
    state: LocalNodes, extra: Mapping[str, str], is_ready: Callable[[], bool]
) -> LocalNodes:
    """Start the next node, and wait until it has joined.

    Ray gives up a node that does not start within half a minute, which happens on a busy machine.
    So nodes start one after the other, and are tried again.
    """
    deadline = time.monotonic() + _START_SECONDS
    number = len(state.pids)
    for _ in range(_ATTEMPTS):
        started = _with_node(state, extra)
        while not os.waitpid(started.pids[-1], os.WNOHANG)[0] and time.monotonic() < deadline:
            if is_ready():
                return started
            time.sleep(0.2)
        _kill_node(started)
        if time.monotonic() >= deadline:
            break
    log = _log_file(state, number)
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    last = [line for line in lines if line.strip()][-1:]
    raise PlyforgeError(f"node {number} did not start: {''.join(last)} (see {log})")


def _kill_node(state: LocalNodes) -> None:
    """Kill what is left of the last node, such as a server that keeps the port."""
    for process in find_processes(state.mark):
        with suppress(OSError):
            if os.getsid(process.pid) == state.pids[-1]:
                os.kill(process.pid, signal.SIGKILL)


def _check_numbers(count: int, cpus: int, port: int) -> None:
    for name, value, low, high in (
        ("--nodes", count, 1, MAX_NODES),
        ("--cpus", cpus, 1, 1024),
        ("--port", port, 1, 65535),
    ):
        if not low <= value <= high:
            raise PlyforgeError(f"{name} must be between {low} and {high}, not {value}")


def _write_state(state: LocalNodes) -> None:
    file = state_file()
    draft = file.with_suffix(".new")
    draft.touch(mode=0o600)  # it contains a secret
    draft.write_bytes(msgspec.json.encode(state))
    draft.replace(file)


def add_node(extra: Mapping[str, str] | None = None) -> LocalNodes:
    """Start one more node of the running cluster; return when it has joined."""
    state = read_state()
    if state is None:
        raise PlyforgeError("no cluster is running; start one with 'plyforge cluster up'")
    with connect(state.address, token=state.token) as cluster:
        before = {node.id for node in cluster.nodes()}
        return _join_node(
            state, extra or {}, lambda: any(node.id not in before for node in cluster.nodes())
        )


def _with_node(state: LocalNodes, extra: Mapping[str, str]) -> LocalNodes:
    """Start the next node, and store its process at once, so that `down` finds it."""
    process = _start_node(state, len(state.pids), extra)
    state = msgspec.structs.replace(state, pids=(*state.pids, process.pid))
    _write_state(state)
    return state


def _start_node(
    state: LocalNodes, number: int, extra: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    """Start the processes of a node in a session of their own; number 0 is the head node."""
    host, _, port = state.address.rpartition(":")
    role = [f"--address={state.address}"]
    if number == 0:
        role = ["--head", f"--port={port}", "--include-dashboard=false", "--disable-usage-stats"]
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *role]
    command += [f"--node-ip-address={host}", f"--num-cpus={state.cpus}"]
    environment = {
        **{name: os.environ[name] for name in os.environ if name not in QUICK_FAILURE},
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": state.token,
        "RAY_USAGE_STATS_ENABLED": "0",
        **OWN_SETTINGS,
        _MARK: state.mark,
        **extra,
    }
    with _log_file(state, number).open("wb") as log:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )


def _log_file(state: LocalNodes, number: int) -> Path:
    return Path(state.logs) / f"node-{number}.log"


def list_nodes() -> tuple[LocalNodes, list[Node]]:
    """Return the cluster that was started here, with its nodes that are alive."""
    state = read_state()
    if state is None:
        raise PlyforgeError("no cluster was started here; start one with 'plyforge cluster up'")
    try:
        check_head(parse_address(state.address))
    except PlyforgeError:
        raise PlyforgeError(
            f"the head node of the cluster at {state.address} does not answer; end what is left of"
            " it with 'plyforge cluster down'"
        ) from None
    with connect(state.address, token=state.token) as cluster:
        return state, list(cluster.nodes())


def stop_nodes() -> int:
    """End all processes of the cluster; return how many there were, 0 if there is no cluster."""
    state = read_state()
    if state is None:
        return 0
    processes = find_processes(state.mark)
    leaders = [one for one in processes if one.pid in state.pids]
    for process in leaders or processes:
        with suppress(OSError):
            os.kill(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + _STOP_SECONDS
    while find_processes(state.mark) and time.monotonic() < deadline:
        _reap(state)
        time.sleep(0.1)
    while left := find_processes(state.mark):
        for process in left:
            with suppress(OSError):
                os.kill(process.pid, signal.SIGKILL)
        _reap(state)
        time.sleep(0.05)
    state_file().unlink(missing_ok=True)
    return len(processes)


def _reap(state: LocalNodes) -> None:
    """Let those processes vanish that are children of this one."""
    for pid in state.pids:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def find_processes(mark: str) -> list[Any]:
    """Return the processes with this mark in their environment, except zombies."""
    import_ray()
    import psutil  # it comes with Ray

    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if (
                process.environ().get(_MARK) == mark
                and process.status() != psutil.STATUS_ZOMBIE
                and process.pid != os.getpid()
            ):
                found.append(process)
    return found

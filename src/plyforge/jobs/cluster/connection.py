"""A connection of this process to a Ray cluster: its nodes, and what runs on them.

    with connect("head:6379") as cluster:
        for node in cluster.usable_nodes():
            actor = cluster.ray.remote(Searcher).options(**on_node(node)).remote()

Ray is imported here and only when it is needed: it takes a second, and few users have it.
"""

import atexit
import os
import re
import secrets
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from typing import Any, Final, Self

from plyforge.core.errors import PlyforgeError, clip
from plyforge.jobs.cluster.address import Address, check_head, is_listening, parse_address
from plyforge.jobs.cluster.versions import Versions, describe_differences, make_probe
from plyforge.jobs.local import usable_cores

INSTALL: Final = "pip install 'plyforge[ray]'"
_PROBE_SECONDS: Final = 60.0
"""Seconds that a node may take to report its versions; it may have to start a process for that."""
_ASK_SECONDS: Final = 1.0
"""Seconds between two tries of a node that may be dead."""
_LIST_SECONDS: Final = 1.0
"""Seconds for which a list of nodes is used again."""
_HEAD_SECONDS: Final = 20.0
"""Seconds without an answer after which the head node is given up."""
_ATTEMPTS: Final = 3
_TOO_SLOW: Final = "timed out during startup"
"""Words of Ray's error if a node has not started within half a minute, on a busy machine."""
_KILL_SECONDS: Final = 5.0
_LOG_LINE: Final = re.compile(r" *\[\d{4}-\d\d-\d\d ")
"""The beginning of a line that Ray has logged."""
QUICK_FAILURE: Final = {
    "RAY_NUM_REDIS_GET_RETRIES": "3",
    "RAY_GCS_SERVER_REQUEST_TIMEOUT_SECONDS": "8",
    "RAY_gcs_rpc_server_connect_timeout_s": "3",
    "RAY_py_gcs_connect_timeout_s": "5",
}
"""Settings of Ray, read when it is imported, with which a failed connection takes seconds."""
OWN_SETTINGS: Final = {"RAY_worker_niceness": "0"}
"""Settings of clusters that are started here: Ray's workers would yield to all other programs."""
_QUIET: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else a warning about a future version
    "RAY_DEDUP_LOGS": "0",
}


@dataclass(frozen=True)
class Node:
    """A machine of the cluster, or one of several nodes on a machine."""

    id: str
    host: str
    address: str
    cpus: int
    port: int = 0
    """The port of Ray's process on the node."""

    def __str__(self) -> str:
        """Return a short name for messages: several nodes may be on one machine."""
        return f"{self.host} ({self.address}, node {self.id[:8]})"


@dataclass(eq=False)
class Cluster:
    """A cluster that this process is connected to; closing it ends what this process started."""

    ray: Any
    """The module `ray`."""
    address: str
    private: bool = False
    """Whether the cluster belongs to this process and ends with it."""
    owned: bool = True
    """Whether this process connected through `connect`, and not before by `ray.init`."""
    users: int = 1
    """How often `connect` has returned this object; the last `close` ends the connection."""
    _versions: Versions = field(default_factory=dict)
    _checked: dict[str, str] = field(default_factory=dict)
    """What differs on a node, by its ID; empty if nothing does."""
    _probes: dict[str, tuple[Any, float]] = field(default_factory=dict)
    """Calls of nodes that have not reported their versions, and when they began."""
    _doubted: dict[str, float] = field(default_factory=dict)
    """Nodes that may be dead, and when they were last tried."""
    _nodes: list[Node] = field(default_factory=list)
    _listed: float = -_LIST_SECONDS
    _silent_since: float = 0.0
    """When the head node did not answer for the first time; 0 if it does."""

    def __post_init__(self) -> None:
        self._versions = make_probe()()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up the connection; Ray then ends all actors and tasks of this process."""
        global _current
        self.users -= 1
        if self.users > 0 or _current is not self:
            return
        _current = None
        if self.owned:
            self.ray.shutdown()

    def nodes(self) -> list[Node]:
        """Return the nodes that are alive and have processors, at most a second old."""
        if time.monotonic() - self._listed >= _LIST_SECONDS and self._head_answers():
            self._nodes = [
                Node(
                    str(entry["NodeID"]),
                    str(entry["NodeManagerHostname"]),
                    str(entry["NodeManagerAddress"]),
                    int(entry["Resources"].get("CPU", 0)),
                    int(entry["NodeManagerPort"]),
                )
                for entry in self.ray.nodes()
                if entry["Alive"] and entry["Resources"].get("CPU", 0) >= 1
            ]
            self._listed = time.monotonic()
        return self._nodes

    def _head_answers(self) -> bool:
        """Return whether the head node answers; raise an error if it has not for long.

        Ray itself waits a minute for a head node that is gone, then ends this process.
        """
        try:
            check_head(parse_address(self.address))
        except PlyforgeError:
            now = time.monotonic()
            self._silent_since = self._silent_since or now
            if now - self._silent_since < _HEAD_SECONDS:
                return False
            raise PlyforgeError(
                f"the head node at {self.address} is gone; start the cluster again, then run the"
                " same command to resume"
            ) from None
        self._silent_since = 0.0
        return True

    def usable_nodes(self) -> list[Node]:
        """Return the nodes on which the same versions are installed as here.

        A node that has just joined is not included until it has reported its versions.
        """
        self._check_versions(0.0)
        return [
            node
            for node in self.nodes()
            if self._checked.get(node.id) == "" and not self._is_doubtful(node)
        ]

    def doubt(self, node: Node) -> None:
        """Use a node again only after it has answered: the list keeps dead ones for a while."""
        self._doubted[node.id] = time.monotonic() - _ASK_SECONDS

    def _is_doubtful(self, node: Node) -> bool:
        now = time.monotonic()
        if node.id in self._doubted and now - self._doubted[node.id] >= _ASK_SECONDS:
            self._doubted[node.id] = now
            if is_listening(node.address, node.port):
                del self._doubted[node.id]
        return node.id in self._doubted

    def unusable_nodes(self) -> dict[str, str]:
        """Return the nodes with other versions, and what differs there."""
        self._check_versions(0.0)
        return {
            str(node): self._checked[node.id] for node in self.nodes() if self._checked.get(node.id)
        }

    def require_versions(self) -> None:
        """Raise an error that names the nodes with other versions, after waiting for all nodes."""
        self._check_versions(_PROBE_SECONDS)
        different = self.unusable_nodes()
        if different:
            texts = "; ".join(f"{node}: {text}" for node, text in different.items())
            raise PlyforgeError(
                f"the cluster at {self.address} runs other versions: {texts}; install the same"
                " everywhere, since results depend on them"
            )
        if not self.nodes():
            raise PlyforgeError(
                f"the cluster at {self.address} has no node with a processor; start one with"
                f" 'ray start --address={self.address}'"
            )
        if not self.usable_nodes():
            raise PlyforgeError(
                f"no node of the cluster at {self.address} has started a process within"
                f" {_PROBE_SECONDS:g} s; look at the logs of Ray there"
            )

    def _check_versions(self, seconds: float) -> None:
        """Ask new nodes for their versions, and wait for the answers for this long."""
        now = time.monotonic()
        for node in self.nodes():
            unknown = node.id not in self._checked and node.id not in self._probes
            if unknown and not self._is_doubtful(node):
                probe = self.ray.remote(make_probe()).options(
                    num_cpus=0, max_retries=0, **on_node(node)
                )
                self._probes[node.id] = probe.remote(), now
        calls = [call for call, _ in self._probes.values()]
        if calls:
            self.ray.wait(calls, num_returns=len(calls), timeout=seconds)
        for node_id, (call, began) in list(self._probes.items()):
            ready, _ = self.ray.wait([call], timeout=0)
            if ready:
                try:
                    there = self.ray.get(call)
                    self._checked[node_id] = describe_differences(self._versions, there)
                except self.ray.exceptions.RayError:  # the node is gone, or is asked again
                    self._doubted[node_id] = now
                del self._probes[node_id]
            elif time.monotonic() - began > _PROBE_SECONDS:
                del self._probes[node_id]


_current: Cluster | None = None
"""Ray allows one connection in a process."""


def connect(
    address: str | None = None, cpus: int | None = None, token: str | None = None
) -> Cluster:
    """Connect to the cluster whose head node has this address, `HOST:PORT`.

    Without an address, start a private cluster on this machine with this many processors.  Every
    `connect` needs a `close`.  A process has one cluster at a time: another call returns the same.
    `token` is the secret of a cluster that asks for one (else Ray looks for it itself).
    """
    global _current
    wanted = None if address is None else str(parse_address(address))
    if wanted is not None and "ray" not in sys.modules and find_spec("ray") is not None:
        check_head(parse_address(wanted))  # before the slow import
    ray = import_ray(_private_token() if wanted is None else token)
    if wanted is not None:
        wanted = str(_as_node_address(ray, parse_address(wanted)))
    if _current is not None and not ray.is_initialized():
        _current = None  # someone has called ray.shutdown()
    if _current is None and ray.is_initialized():
        _current = Cluster(ray, _current_address(ray), owned=False, users=0)
    if _current is not None:
        if wanted not in (None, _current.address):
            raise PlyforgeError(
                f"this process is connected to the Ray cluster at {_current.address} already, and"
                f" cannot connect to {wanted}"
            )
        _current.users += 1
        return _current
    if wanted is not None:
        check_head(parse_address(wanted))
    _start(ray, wanted, cpus)
    _current = Cluster(ray, wanted or _current_address(ray), private=wanted is None)
    atexit.register(_current.close)
    return _current


def _as_node_address(ray: Any, address: Address) -> Address:
    """Return the address that Ray uses: it never connects to 127.0.0.1, and tries for long."""
    if not address.is_loopback:
        return address
    return Address(str(ray.util.get_node_ip_address()), address.port)


def on_node(node: Node) -> dict[str, Any]:
    """Return the options of an actor or a task that must run on this node."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return {"scheduling_strategy": NodeAffinitySchedulingStrategy(node.id, soft=False)}


@cache
def _private_token() -> str | None:
    """Return a secret for private clusters; without one, Ray writes its own to the user's home."""
    return None if "RAY_AUTH_MODE" in os.environ else secrets.token_hex(32)


def import_ray(token: str | None = None) -> Any:
    """Import Ray, which reads its settings from the environment at that time."""
    if token is not None:
        os.environ.update({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token})
    imported = "ray" in sys.modules
    if not imported:
        for name, value in {**_QUIET, **QUICK_FAILURE}.items():
            os.environ.setdefault(name, value)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import ray
            import ray.exceptions
    except ImportError as error:
        raise PlyforgeError(f"Ray is not installed ({error}); install it with: {INSTALL}") from None
    if imported and token is not None:
        ray._raylet.Config.initialize("")  # read the environment again
    return ray


def _current_address(ray: Any) -> str:
    return str(ray.get_runtime_context().gcs_address)


def _start(ray: Any, address: str | None, cpus: int | None) -> None:
    """Call `ray.init`, and explain its errors."""
    options: dict[str, Any] = {"address": address}
    if address is None:
        options = {"address": "local", "num_cpus": cpus or usable_cores()}
        options["include_dashboard"] = False
        # A private cluster has many processes that may wait for each other on a busy machine.
        for name in QUICK_FAILURE:
            os.environ.pop(name, None)
        for name, value in OWN_SETTINGS.items():
            os.environ.setdefault(name, value)
    for attempt in range(1, _ATTEMPTS + 1):
        error = _try_to_start(ray, options)
        if error is None:
            # Ray would print that a node has died, to standard output.
            ray._private.worker.print_to_stdstream = lambda *data, **options: None
            return
        if _TOO_SLOW not in error or attempt == _ATTEMPTS:
            raise PlyforgeError(_explain(address, error))


def _try_to_start(ray: Any, options: dict[str, Any]) -> str | None:
    """Call `ray.init`; if it fails, end what it has started and return the reason."""
    import psutil  # it comes with Ray

    before = set(psutil.Process().children(recursive=True))
    with tempfile.TemporaryFile() as log:
        try:
            with _quiet(log.fileno()):
                ray.init(**options, log_to_driver=False, logging_level="ERROR")
            return None
        except BaseException as error:
            # Before the shutdown, too: children of a process that it kills are not found later.
            left = set(psutil.Process().children(recursive=True))
            with suppress(Exception):
                ray.shutdown()
            left |= set(psutil.Process().children(recursive=True))
            for process in left - before:
                with suppress(psutil.Error):
                    process.kill()
            psutil.wait_procs(left - before, timeout=_KILL_SECONDS)
            if not isinstance(error, (Exception, SystemExit)):  # Ctrl-C
                raise
            log.seek(0)
            return f"{error} {log.read().decode(errors='replace')}"


def _explain(address: str | None, text: str) -> str:
    """Return a message for an error of `ray.init`."""
    words = clip(" ".join(text.split()))
    if address is None:
        return f"Ray cannot start on this machine: {words}"
    if "ersion mismatch" in text:
        return f"the cluster at {address} runs other versions: {words}"
    if "No node info found" in text:
        return (
            f"this machine is not a node of the cluster at {address}; join it with"
            f" 'ray start --address={address}' (--num-cpus=0 to run no jobs here), or run the"
            " command on a node"
        )
    if "auth" in text.lower() or "token" in text.lower():
        return (
            f"the cluster at {address} refuses this process: {words}; set RAY_AUTH_MODE=token and"
            " RAY_AUTH_TOKEN to the token of the cluster"
        )
    reason = clip(_LOG_LINE.split(" ".join(text.split()))[0])
    return (
        f"no connection to the cluster at {address}: {reason}; what answers there may not be a head"
        " node of Ray: correct the address, or look at Ray's logs there"
    )


@contextmanager
def _quiet(target: int) -> Iterator[None]:
    """Send what Ray writes to standard error, from compiled code too, to another file."""
    if sys.stderr is not None:
        sys.stderr.flush()
    try:
        saved = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    try:
        os.dup2(target, 2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Ray, about its future versions
            yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)

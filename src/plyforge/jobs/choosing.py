"""The executor that a name such as `local` or `ray` stands for."""

import os
from typing import Final

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.jobs.executor import Executor
from plyforge.jobs.local import local_executor

LOCAL: Final = "local"
RAY: Final = "ray"


def choose_executor(name: str = LOCAL, workers: int | None = None) -> Executor:
    """Return the executor of a name, with this many workers at most.

    `local` is this machine, with a process per core by default, and none if `workers` is 0.
    `ray://HOST:PORT` is the cluster with this head node.  `ray` is the cluster of the environment
    variable RAY_ADDRESS, else that of `plyforge cluster up`, else a private one on this machine.
    """
    if name == LOCAL:
        return local_executor(workers)
    check_name(name)
    if workers is not None and workers < 1:
        raise PlyforgeError(
            f"an executor on Ray needs at least 1 worker, not {workers}; use --executor local to"
            " work in this process"
        )
    return _ray_executor(None if name == RAY else name, workers)


def check_name(name: str) -> None:
    """Raise an error if no executor has this name."""
    if name not in (LOCAL, RAY) and not name.startswith("ray://"):
        raise UnknownName("executor", name, [LOCAL, RAY, "ray://HOST:PORT"])


def _ray_executor(address: str | None, workers: int | None) -> Executor:
    from plyforge.jobs.cluster.pool import RayPool

    address, token = find_cluster(address)
    return RayPool(address, workers, token)


def find_cluster(address: str | None) -> tuple[str | None, str | None]:
    """Return the address and the token of the cluster to use; no address for a private one."""
    from plyforge.jobs.cluster.local_nodes import running_cluster

    started = running_cluster()
    if address is None:
        address = os.environ.get("RAY_ADDRESS") or (started.address if started else None)
    token = started.token if started is not None and started.has_address(address) else None
    return address, token

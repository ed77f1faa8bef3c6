"""Workers on the nodes of a Ray cluster.

A worker that dies costs its task: the master gets an event, gives its node to another worker, and a
new one is started where there is a free processor.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine.engine import Engine
from plyforge.engine.master.actor import EngineSpec, PackedRoot, SearchActor, plain_arguments
from plyforge.engine.master.worker import Event, Task, WorkerId
from plyforge.game.game import History
from plyforge.jobs.choosing import find_cluster
from plyforge.jobs.cluster.connection import Node, connect, on_node
from plyforge.jobs.user_files import file_names, read_user_file

_START_SECONDS: Final = 300.0
"""Seconds that the first workers have to start and to compile."""
_STOP_SECONDS: Final = 5.0
"""Seconds after which a worker that does not stop is given up."""
_RETRY_SECONDS: Final = 1.0
"""Seconds before a lost worker is replaced: the list of nodes is that old at most."""
_MAX_FAILURES: Final = 5
"""How many workers in a row may fail to start before no more are started."""


@dataclass(eq=False)
class _Worker:
    """An actor, and the call whose answer is awaited."""

    number: WorkerId
    actor: Any
    node: Node
    call: Any
    """The first `ping`, or the running task; None if it is idle."""
    ready: bool = False
    task: int = -1
    """The number of its last task."""


class RayWorkers:
    """Engines in Ray actors, each on a processor of its own."""

    def __init__(
        self, size: int, engine: Engine, arguments: Mapping[str, Any], address: str | None
    ) -> None:
        """Start as many workers as asked for; `arguments` are those of `engine`."""
        self.size = size
        spec = make_spec(engine, arguments)
        address, token = find_cluster(address)
        self._cluster = connect(address, size, token)
        self._ray = self._cluster.ray
        self._numbers = count()
        self._tasks = count()
        self._roots = count()
        self._root: PackedRoot | None = None
        self._workers: dict[WorkerId, _Worker] = {}
        self._failures = 0
        self._next_start = 0.0
        self._give_up = time.monotonic() + _START_SECONDS
        """When to stop waiting for a worker if there is none."""
        try:
            self._cluster.require_versions()
            self._check_processors()
            self._spec = self._ray.put(spec)
            self._start_missing()
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def ready(self) -> Sequence[WorkerId]:
        return [worker.number for worker in self._workers.values() if worker.ready]

    @property
    def starting(self) -> bool:
        ready = self.ready()
        if len(ready) >= self.size or self._failures >= _MAX_FAILURES:
            return False
        return bool(ready) or time.monotonic() < self._give_up

    def place_of(self, worker: WorkerId) -> str:
        return str(self._workers[worker].node)

    def begin(self, root: History) -> None:
        self._root = PackedRoot.of(next(self._roots), root)

    def start(self, worker: WorkerId, task: Task) -> None:
        one = self._workers[worker]
        one.task = next(self._tasks)
        one.call = one.actor.run.remote(one.task, self._root, task)

    def wait(self, seconds: float | None) -> list[Event]:
        self._start_missing()
        calls = {
            worker.call: worker for worker in self._workers.values() if worker.call is not None
        }
        if not calls:
            time.sleep(min(_RETRY_SECONDS, seconds or 0.0))
            return []
        ready, _ = self._ray.wait(list(calls), num_returns=1, timeout=seconds)
        if ready:  # take the others that are there, too
            ready, _ = self._ray.wait(list(calls), num_returns=len(calls), timeout=0)
        return [self._receive(calls[call]) for call in ready]

    def interrupt(self, worker: WorkerId) -> None:
        one = self._workers[worker]
        with suppress(self._ray.exceptions.RayError):
            one.actor.stop.remote(one.task)

    def stop(self) -> None:
        """Do nothing here: the master looks at its own flag, then calls `finish`.

        A signal handler may call this while Ray waits, and must not call Ray.
        """

    def finish(self) -> list[Event]:
        running = [
            worker for worker in self._workers.values() if worker.ready and worker.call is not None
        ]
        for worker in running:
            self.interrupt(worker.number)
        events: list[Event] = []
        deadline = time.monotonic() + _STOP_SECONDS
        for worker in running:
            left = max(0.0, deadline - time.monotonic())
            if self._ray.wait([worker.call], timeout=left)[0]:
                events.append(self._receive(worker))
            else:
                events.append(self._lose(worker, f"it did not stop within {_STOP_SECONDS:g} s"))
        return events

    def clear(self) -> None:
        calls = {w.actor.clear.remote(): w for w in self._workers.values() if w.ready}
        for call, worker in calls.items():
            try:
                self._ray.get(call)
            except self._ray.exceptions.RayError as error:
                self._lose(worker, _reason(error))

    def close(self) -> None:
        """End all workers, and the connection."""
        if self._ray.is_initialized():
            for worker in self._workers.values():
                with suppress(Exception):  # whatever is gone needs no end
                    self._ray.kill(worker.actor)
        self._workers = {}
        self._cluster.close()

    # Actors

    def _check_processors(self) -> None:
        processors = sum(node.cpus for node in self._cluster.usable_nodes())
        if processors < self.size:
            raise PlyforgeError(
                f"the cluster at {self._cluster.address} has {processors} processors, too few for"
                f" {self.size} workers; use at most {processors} workers, or add nodes"
            )

    def _start_missing(self) -> None:
        """Start workers until there are enough, each on the node with the most free processors."""
        missing = self.size - len(self._workers)
        if missing <= 0 or self._failures >= _MAX_FAILURES or time.monotonic() < self._next_start:
            return
        nodes = self._cluster.usable_nodes()
        used = Counter(worker.node.id for worker in self._workers.values())
        for _ in range(missing):
            node = max(nodes, key=lambda one: one.cpus - used[one.id], default=None)
            if node is None or used[node.id] >= node.cpus:
                self._next_start = time.monotonic() + _RETRY_SECONDS
                return
            used[node.id] += 1
            actor = (
                self._ray.remote(SearchActor)
                .options(
                    num_cpus=1,
                    max_restarts=0,
                    max_task_retries=0,
                    max_concurrency=3,  # run, stop and clear
                    **on_node(node),
                )
                .remote(self._spec)
            )
            number = next(self._numbers)
            self._workers[number] = _Worker(number, actor, node, actor.ping.remote())

    def _wait_until_ready(self) -> None:
        """Wait for all workers; after a while, those that are ready suffice."""
        reason = f"none has started within {_START_SECONDS:g} s"
        while self.starting and time.monotonic() < self._give_up:
            for event in self.wait(_RETRY_SECONDS):
                reason = event.lost or reason
        if not self.ready():
            raise PlyforgeError(f"no worker can start on the cluster: {reason}")

    def _receive(self, worker: _Worker) -> Event:
        """Take the answer to a call."""
        call, worker.call = worker.call, None
        try:
            report = self._ray.get(call)
        except self._ray.exceptions.RayTaskError as error:
            raise PlyforgeError(f"{worker.node}: {' '.join(str(error).split())}") from error
        except self._ray.exceptions.RayError as error:
            return self._lose(worker, _reason(error))
        if not worker.ready:
            worker.ready = True
            self._failures = 0
            return Event(worker.number)
        return Event(worker.number, report)

    def _lose(self, worker: _Worker, reason: str) -> Event:
        """Give up a worker; another one is started soon."""
        del self._workers[worker.number]
        if not worker.ready:
            self._failures += 1
        elif not self.ready():
            self._give_up = time.monotonic() + _START_SECONDS
        self._cluster.doubt(worker.node)
        self._next_start = time.monotonic() + _RETRY_SECONDS
        with suppress(Exception):
            self._ray.kill(worker.actor)
        return Event(worker.number, lost=reason)


def make_spec(engine: Engine, arguments: Mapping[str, Any]) -> EngineSpec:
    """Return how to make an engine like this one elsewhere; it must not depend on objects here."""
    setup = engine.setup()
    plain = plain_arguments(engine, arguments)
    known = {file.name for file in setup.files}
    more = [read_user_file(name) for name in file_names([plain["driver"]]) if name not in known]
    return EngineSpec(setup.game, setup.backend, plain, (*setup.files, *more))


def _reason(error: BaseException) -> str:
    """Return the first line of Ray's long messages."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__

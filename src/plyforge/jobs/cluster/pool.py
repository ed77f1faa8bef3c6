"""The executor of a Ray cluster: a supervised process for each processor of its nodes.

This process keeps all jobs.  A supervisor gets a job when it has finished its last one, so a
supervisor that is lost with its node has one job at most, which another one then runs.  Only the
answer to the last time a job was handed out counts: no job has two results.
"""

import pickle
import sys
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.jobs.cluster.connection import Cluster, Node, connect, on_node
from plyforge.jobs.cluster.supervisor import Supervisor
from plyforge.jobs.executor import JobQueue, JobResult, Work
from plyforge.jobs.user_files import UserFile

_TICK: Final = 1.0
"""Seconds between two looks at the nodes while jobs run."""
_PING_PERIOD: Final = 5.0
_PING_TIMEOUT: Final = 30.0
"""Seconds without an answer after which a supervisor is given up."""
_START_PATIENCE: Final = 60.0
"""Seconds that a supervisor may take to start while another worker has nothing to do."""
_WAITING_NOTICE: Final = 30.0
"""Seconds without any worker after which a line says so."""
_MAX_FAILED_STARTS: Final = 20
_STOP_TIMEOUT: Final = 5.0
"""Seconds that supervisors get to end their processes."""
MAX_LOSSES: Final = 5
"""How often a job may lose its worker before it counts as the cause."""


def _write_line(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")


class RayPool:
    """Workers on the nodes of a Ray cluster."""

    def __init__(
        self,
        address: str | None = None,
        limit: int | None = None,
        token: str | None = None,
        notify: Callable[[str], None] = _write_line,
    ) -> None:
        """Connect to a cluster, or start a private one; use `limit` workers at most.

        `notify` receives a line when a node joins, is lost or cannot be used.
        """
        self._cluster = connect(address, limit, token)
        try:
            self._cluster.require_versions()
        except BaseException:
            self._cluster.close()
            raise
        self._limit = limit
        self._notify = notify

    @property
    def workers(self) -> int:
        """How many jobs run at the same time: nodes may join and leave."""
        processors = sum(node.cpus for node in self._cluster.usable_nodes())
        return max(1, processors if self._limit is None else min(processors, self._limit))

    @property
    def place(self) -> str:
        nodes = len(self._cluster.usable_nodes())
        return f"{_count(nodes, 'node')}, {_count(self.workers, 'worker')}"

    def close(self) -> None:
        """Give up the connection; a private cluster ends."""
        self._cluster.close()

    @contextmanager
    def open(self, work: Work, files: Sequence[UserFile] = ()) -> Iterator[JobQueue]:
        queue = _RayQueue(self._cluster, work, tuple(files), lambda: self.workers, self._notify)
        try:
            yield queue
        finally:
            queue.close()


@dataclass
class _Job:
    """A job that has no result yet."""

    number: int
    job: Any
    packed: bytes
    losses: int = 0
    """How many of its workers were lost."""


@dataclass(eq=False)
class _Worker:
    """A supervisor on a node, and the job that it has."""

    actor: Any
    node: Node
    ping: Any
    """A call that is not answered yet; the first is answered when the supervisor has started."""
    started: bool = False
    asked: float = field(default_factory=time.monotonic)
    """When it was last asked or had answered."""
    job: _Job | None = None
    call: Any = None
    """The call that runs the job."""


class _RayQueue:
    """Jobs that wait for a worker, and the workers on the nodes."""

    def __init__(
        self,
        cluster: Cluster,
        work: Work,
        files: tuple[UserFile, ...],
        limit: Callable[[], int],
        notify: Callable[[str], None],
    ) -> None:
        self._cluster = cluster
        self._ray = cluster.ray
        self._limit = limit
        self._notify = notify
        self._numbers = count()
        self._waiting: OrderedDict[int, _Job] = OrderedDict()
        self._workers: list[_Worker] = []
        self._next_look = time.monotonic() + _TICK
        self._known = {node.id for node in cluster.usable_nodes()}
        self._refused: set[str] = set()
        self._failed_starts = 0
        """How many workers in a row could not be started."""
        self._idle_since = 0.0
        """Since when no worker has started; 0 if one has."""
        # Each node fetches them once.
        self._work = self._ray.put(self._ray.cloudpickle.dumps(work))
        self._files = self._ray.put(files)

    def submit(self, job: Any) -> int:
        number = next(self._numbers)
        self._waiting[number] = _Job(number, job, pickle.dumps(job))
        self._assign()
        return number

    def results(self) -> Iterator[JobResult]:
        self._assign()
        while self._waiting or any(worker.job is not None for worker in self._workers):
            result = self._next_result()
            self._assign()
            yield result

    def cancel(self, number: int) -> None:
        self._waiting.pop(number, None)
        for worker in [one for one in self._workers if one.job and one.job.number == number]:
            self._end([worker])
        self._assign()

    def close(self) -> None:
        """End all workers with their processes."""
        self._end(list(self._workers))

    # Workers

    def _assign(self) -> None:
        """Hand waiting jobs to free workers, and start workers for the others."""
        missing = min(len(self._waiting) - len(self._free()), self._limit() - len(self._workers))
        if missing > 0:
            self._start(missing)
        for worker in self._free()[: len(self._waiting)]:
            self._hand_over(worker, self._waiting.popitem(last=False)[1])

    def _free(self) -> list[_Worker]:
        """Return the workers without a job, those that have started first."""
        free = [worker for worker in self._workers if worker.job is None]
        return sorted(free, key=lambda worker: not worker.started)

    def _hand_over(self, worker: _Worker, job: _Job) -> None:
        worker.job, worker.call = job, worker.actor.run.remote(job.packed)

    def _start(self, wanted: int) -> None:
        """Start workers, each on the node that has the most processors without one."""
        nodes = self._cluster.usable_nodes()
        used = Counter(worker.node.id for worker in self._workers)
        for _ in range(wanted):
            node = max(nodes, key=lambda one: one.cpus - used[one.id], default=None)
            if node is None or used[node.id] >= node.cpus:
                return
            used[node.id] += 1
            actor = (
                self._ray.remote(Supervisor)
                .options(
                    num_cpus=1,
                    max_restarts=0,
                    max_task_retries=0,
                    max_concurrency=3,  # run, ping and stop
                    **on_node(node),
                )
                .remote(self._work, self._files)
            )
            self._workers.append(_Worker(actor, node, actor.ping.remote()))

    def _take_back(self) -> None:
        """Give jobs of workers that cannot start to free ones: others may use their processors."""
        late = time.monotonic() - _START_PATIENCE
        free = [worker for worker in self._free() if worker.started]
        stuck = [one for one in self._workers if one.job and not one.started and one.asked < late]
        for other, worker in zip(stuck, free, strict=False):
            self._end([other])
            if other.job is not None:
                self._hand_over(worker, other.job)

    def _end(self, workers: Sequence[_Worker], gone: bool = False) -> None:
        """End workers and their processes, at the latest when Ray ends the supervisors."""
        for worker in workers:
            self._workers.remove(worker)
        if not self._ray.is_initialized():
            return
        with suppress(Exception):  # whatever is gone needs no end
            calls = [
                worker.actor.stop.remote()
                for worker in workers
                if not gone and (worker.started or self._has_answered(worker))
            ]
            if calls:
                self._ray.wait(calls, num_returns=len(calls), timeout=_STOP_TIMEOUT)
        for worker in workers:
            with suppress(Exception):
                self._ray.kill(worker.actor)

    def _has_answered(self, worker: _Worker) -> bool:
        return bool(self._ray.wait([worker.ping], timeout=0)[0])

    def _has_started(self, worker: _Worker) -> bool:
        """Return whether the first ping was answered, and not by an error."""
        with suppress(self._ray.exceptions.RayError):
            if self._has_answered(worker):
                self._ray.get(worker.ping)
                return True
        return False

    def _lose(self, worker: _Worker, reason: str) -> JobResult | None:
        """Give up a worker that is gone; return a result if its job has lost too many."""
        started = worker.started or self._has_started(worker)
        self._cluster.doubt(worker.node)
        self._end([worker], gone=True)
        job = worker.job
        if not started:
            self._failed_starts += 1
            if self._failed_starts > _MAX_FAILED_STARTS:
                raise PlyforgeError(f"no worker can be started on {worker.node}: {reason}")
        if job is None:
            return None
        if started:
            job.losses += 1
            if job.losses >= MAX_LOSSES:
                where = f"at last {worker.node} ({reason})"
                detail = f"its worker was lost {job.losses} times, {where}"
                return JobResult(job.job, failure="died", detail=detail)
            self._notify(f"a worker on {worker.node} is lost ({reason}); its job runs again")
        self._waiting[job.number] = job
        self._waiting.move_to_end(job.number, last=False)
        return None

    # Results

    def _next_result(self) -> JobResult:
        """Wait until a job is finished or has failed; an error of the user is raised."""
        while True:
            if time.monotonic() >= self._next_look:
                failure = self._look()
                if failure is not None:
                    return failure
                self._assign()
            calls = {worker.call: worker for worker in self._workers if worker.job is not None}
            timeout = max(0.0, self._next_look - time.monotonic())
            ready: list[Any] = []
            if calls:
                ready, _ = self._ray.wait(list(calls), num_returns=1, timeout=timeout)
            else:
                time.sleep(timeout)
            if ready:
                result = self._receive(calls[ready[0]])
                if result is not None:
                    return result
                self._assign()

    def _receive(self, worker: _Worker) -> JobResult | None:
        """Take the answer of a worker; return None if the worker is lost and its job is not."""
        ray, job = self._ray, worker.job
        assert job is not None
        try:
            answer: JobResult | str = ray.get(worker.call)
            if isinstance(answer, JobResult) and answer.failure == "died":
                # If the node is going down, its job is not to blame.
                ray.get(worker.actor.ping.remote(), timeout=_STOP_TIMEOUT)
        except ray.exceptions.RayTaskError as error:
            raise PlyforgeError(f"{worker.node}: {' '.join(str(error).split())}") from error
        except (ray.exceptions.RayError, TimeoutError) as error:
            return self._lose(worker, _reason(error))
        worker.call = worker.job = None
        worker.started = True
        self._failed_starts, self._idle_since = 0, 0.0
        if isinstance(answer, str):
            raise PlyforgeError(answer)
        if answer.failure is not None:
            return replace(answer, job=job.job)
        return replace(answer, job=job.job, result=pickle.loads(answer.result))

    def _look(self) -> JobResult | None:
        """Notice nodes that have joined, and workers that do not answer any more."""
        self._next_look = time.monotonic() + _TICK
        for node in self._cluster.usable_nodes():
            if node.id not in self._known:
                self._known.add(node.id)
                self._notify(f"{node} joins with {_count(node.cpus, 'worker')}")
        for name, text in self._cluster.unusable_nodes().items():
            if name not in self._refused:
                self._refused.add(name)
                self._notify(f"{name} is not used: {text}")
        self._take_back()
        self._notice_waiting()
        alive = {node.id for node in self._cluster.nodes()}
        for worker in list(self._workers):
            reason = "" if worker.node.id in alive else "the node has left"
            reason = reason or self._check_answer(worker)
            if reason:
                result = self._lose(worker, reason)
                if result is not None:
                    return result
        return None

    def _notice_waiting(self) -> None:
        """Say once that jobs wait for a worker: nodes may be missing, or used by others."""
        now = time.monotonic()
        if any(worker.started for worker in self._workers):
            self._idle_since = 0.0
        elif self._idle_since == 0.0:
            self._idle_since = now
        elif now - self._idle_since > _WAITING_NOTICE:
            self._idle_since = now + 1e9
            nodes = _count(len(self._cluster.usable_nodes()), "node")
            self._notify(f"waiting for a worker: {nodes}, whose processors others may use")

    def _check_answer(self, worker: _Worker) -> str:
        """Ask a worker for an answer now and then; return why it is lost, or an empty text."""
        now = time.monotonic()
        if worker.ping is None:
            if now - worker.asked > _PING_PERIOD:
                worker.ping, worker.asked = worker.actor.ping.remote(), now
        elif self._has_answered(worker):
            try:
                self._ray.get(worker.ping)
            except self._ray.exceptions.RayError as error:
                return _reason(error)
            worker.ping, worker.asked, worker.started = None, now, True
        elif worker.started and now - worker.asked > _PING_TIMEOUT:
            return f"no answer for {_PING_TIMEOUT:g} s"
        return ""


def _reason(error: BaseException) -> str:
    """Return the type of an error of Ray in words; its messages are long."""
    words = {
        "ActorDiedError": "it has died",
        "ActorUnavailableError": "no connection to it",
        "ActorUnschedulableError": "its node is gone",
        "GetTimeoutError": "it does not answer",
    }
    return words.get(type(error).__name__, clip(" ".join(str(error).split())))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"

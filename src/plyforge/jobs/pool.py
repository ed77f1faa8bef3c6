"""A pool of worker processes that yields results as jobs finish, in any order.

A process that dies or hangs costs only its own job.  Callers need no more than `run`, so that
another executor, such as one over several machines, can take its place.
"""

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Protocol

from plyforge.core.errors import PlyforgeError

Report = Callable[[str, float | None], None]
"""Called by a running job with its stage and the seconds that the stage may take."""

_ORPHAN_CHECK: Final = 0.5
"""Seconds between a worker's checks that its parent is still alive."""
_MAX_PROCESSES: Final = 256
_GRACE: Final = 1.0
"""Seconds that a process gets to end by itself."""


def usable_cores() -> int:
    """Return the number of processor cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not available on every system
        return os.cpu_count() or 1


class Work(Protocol):
    """The function that works on a job; other processes must be able to import it."""

    def __call__(self, job: Any, report: Report) -> Any: ...


@dataclass(frozen=True)
class JobResult:
    """A job with its result, or with the reason why there is none."""

    job: Any
    result: Any = None
    failure: str | None = None
    """Why there is no result: `died`, `hung` or `raised`."""
    stage: str = ""
    """The last stage that the job reported."""
    detail: str = ""
    code: int | None = None
    """The exit code of a process that died, negative for a signal."""


class ProcessPool:
    """Worker processes for jobs; with `processes=0` jobs run in this process, unprotected."""

    def __init__(self, work: Work, processes: int) -> None:
        whole = isinstance(processes, int) and not isinstance(processes, bool)
        if not whole or not 0 <= processes <= _MAX_PROCESSES:
            raise PlyforgeError(
                f"the number of processes must be an integer between 1 and {_MAX_PROCESSES}, or 0"
                f" to work in this process, not {processes!r}"
            )
        self._work = work
        self._processes = processes

    def run(self, jobs: Iterable[Any]) -> Iterator[JobResult]:
        """Work on the jobs and yield their results; leaving the loop ends the processes.

        A job is taken from `jobs` only when a process is free for it.
        """
        if self._processes == 0:
            for job in jobs:
                yield _run_inline(self._work, job)
            return
        waiting = iter(jobs)
        workers: list[_Worker] = []
        try:
            for job in waiting:
                worker = _Worker(self._work)
                workers.append(worker)
                worker.submit(job)
                if len(workers) == self._processes:
                    break
            while workers:
                for worker, result in _wait_for_results(workers):
                    lost = result.failure in ("died", "hung")
                    if lost:
                        workers.remove(worker)
                        worker.kill()
                    yield result
                    for job in waiting:
                        next_worker = _Worker(self._work) if lost else worker
                        if lost:
                            workers.append(next_worker)
                        next_worker.submit(job)
                        break
                    else:
                        if not lost:
                            workers.remove(worker)
                            worker.shutdown()
        finally:
            for worker in workers:
                worker.kill()


def _run_inline(work: Work, job: Any) -> JobResult:
    """Work on a job in this process."""
    stage = ""

    def report(name: str, seconds: float | None) -> None:
        nonlocal stage
        stage = name

    try:
        return JobResult(job, work(job, report))
    except PlyforgeError:
        raise
    except Exception:
        return JobResult(job, failure="raised", stage=stage, detail=traceback.format_exc())


def _wait_for_results(workers: list["_Worker"]) -> list[tuple["_Worker", JobResult]]:
    """Wait until at least one job is finished or has failed; return all that are."""
    while True:
        deadlines = [worker.deadline for worker in workers if worker.deadline is not None]
        timeout = max(0.0, min(deadlines) - time.monotonic()) if deadlines else None
        ready = wait([worker.pipe for worker in workers], timeout)
        results = []
        for worker in workers:
            result = worker.receive() if worker.pipe in ready else worker.check_deadline()
            if result is not None:
                results.append((worker, result))
        if results:
            return results


@dataclass
class _Worker:
    """One process and its current job."""

    work: Work
    job: Any = None
    stage: str = ""
    deadline: float | None = None
    process: Any = field(init=False)
    pipe: Connection = field(init=False)

    def __post_init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, child_pipe = context.Pipe()
        self.process = context.Process(
            target=_worker_main, args=(self.work, child_pipe, os.getpid()), daemon=True
        )
        with _block_sigint():
            self.process.start()
        child_pipe.close()

    def submit(self, job: Any) -> None:
        """Send a job to the process."""
        self.job, self.stage, self.deadline = job, "", None
        with suppress(OSError):  # `receive` notices a process that is gone
            self.pipe.send(job)

    def receive(self) -> JobResult | None:
        """Read one message; return the result if the job has ended, None if it has not."""
        try:
            kind, value, seconds = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(_GRACE)
            code = self.process.exitcode
            return JobResult(
                self.job, failure="died", stage=self.stage, detail=f"exit code {code}", code=code
            )
        if kind == "stage":
            self.stage = value
            self.deadline = None if seconds is None else time.monotonic() + seconds
            return None
        if kind == "error":
            raise PlyforgeError(value)
        if kind == "raised":
            return JobResult(self.job, failure="raised", stage=self.stage, detail=value)
        return JobResult(self.job, value, stage=self.stage)

    def check_deadline(self) -> JobResult | None:
        """Return a failure if the current stage takes longer than it may."""
        if self.deadline is None or time.monotonic() < self.deadline:
            return None
        return JobResult(self.job, failure="hung", stage=self.stage)

    def shutdown(self) -> None:
        """End a process that has no job."""
        self.pipe.close()
        self.process.join(_GRACE)
        self.kill()

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _worker_main(work: Work, pipe: Connection, parent: int) -> None:
    """Receive jobs and send results until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()

    def report(name: str, seconds: float | None) -> None:
        pipe.send(("stage", name, seconds))

    with suppress(EOFError, OSError):
        while True:
            job = pipe.recv()
            try:
                message = ("done", work(job, report), None)
            except PlyforgeError as error:
                message = ("error", str(error), None)
            except Exception:
                message = ("raised", traceback.format_exc(), None)
            pipe.send(message)


def _exit_with_parent(parent: int) -> None:
    """Exit when the parent process is gone, even in the middle of a job."""
    while os.getppid() == parent:
        time.sleep(_ORPHAN_CHECK)
    os._exit(1)


@contextmanager
def _block_sigint() -> Iterator[None]:
    """Block SIGINT in this thread and in the processes that the block starts.

    A process inherits the blocked signal, so that Ctrl-C cannot reach it before it ignores SIGINT.
    A signal that arrives in the block is delivered here after it.
    """
    if not hasattr(signal, "pthread_sigmask"):  # not available on every system
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

"""Jobs in processes of their own: results as they come, in whatever order they end.

A process that dies or hangs costs its own job and nothing else.  Who hands out the work needs only
`run`, so that other means than processes of this machine can stand behind it.
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
"""What a job tells while it runs: what it is at, and for how many seconds that may take."""

_ORPHAN_CHECK: Final = 0.5
"""Seconds after which a process notices that nobody waits for its results any more."""
_MAX_PROCESSES: Final = 256
_GRACE: Final = 1.0
"""Seconds that a process gets to end by itself."""


def usable_cores() -> int:
    """The processor cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system tells
        return os.cpu_count() or 1


class Work(Protocol):
    """What is done with a job: a function that other processes can import."""

    def __call__(self, job: Any, report: Report) -> Any: ...


@dataclass(frozen=True)
class JobResult:
    """A job and what came of it."""

    job: Any
    result: Any = None
    failure: str | None = None
    """Why there is no result: `died`, `hung` or `raised`."""
    at: str = ""
    """What the job was at then, as it had told."""
    detail: str = ""
    code: int | None = None
    """Of a process that died: its exit code, negative for a signal."""


class ProcessPool:
    """Processes that work on jobs; `processes=0` works in this one, without protection."""

    def __init__(self, work: Work, processes: int) -> None:
        if isinstance(processes, bool) or not isinstance(processes, int) or processes < 0:
            remedy = "give a whole number from 1 on, or 0 for none but this one"
            raise PlyforgeError(f"{processes!r} processes: {remedy}")
        if processes > _MAX_PROCESSES:
            raise PlyforgeError(f"{processes} processes are too many; give up to {_MAX_PROCESSES}")
        self._work = work
        self._processes = processes

    def run(self, jobs: Iterable[Any]) -> Iterator[JobResult]:
        """Work on the jobs; leaving the loop ends the processes.

        A job is taken from `jobs` only when a process is free for it.
        """
        if self._processes == 0:
            for job in jobs:
                yield _alone(self._work, job)
            return
        waiting = iter(jobs)
        workers: list[_Worker] = []
        try:
            for job in waiting:
                worker = _Worker(self._work)
                workers.append(worker)
                worker.begin(job)
                if len(workers) == self._processes:
                    break
            while workers:
                for worker, done in _ended(workers):
                    lost = done.failure in ("died", "hung")
                    if lost:
                        workers.remove(worker)
                        worker.kill()
                    yield done
                    for job in waiting:
                        following = _Worker(self._work) if lost else worker
                        if lost:
                            workers.append(following)
                        following.begin(job)
                        break
                    else:
                        if not lost:
                            workers.remove(worker)
                            worker.dismiss()
        finally:
            for worker in workers:
                worker.kill()


def _alone(work: Work, job: Any) -> JobResult:
    at = [""]

    def report(note: str, seconds: float | None) -> None:
        at[0] = note

    try:
        return JobResult(job, work(job, report))
    except PlyforgeError:
        raise
    except Exception:
        return JobResult(job, failure="raised", at=at[0], detail=traceback.format_exc())


def _ended(workers: list["_Worker"]) -> list[tuple["_Worker", JobResult]]:
    """The workers whose jobs have come to an end one way or another; waits for one."""
    while True:
        deadlines = [worker.deadline for worker in workers if worker.deadline is not None]
        patience = max(0.0, min(deadlines) - time.monotonic()) if deadlines else None
        ready = wait([worker.pipe for worker in workers], patience)
        ended = []
        for worker in workers:
            done = worker.hear() if worker.pipe in ready else worker.overdue()
            if done is not None:
                ended.append((worker, done))
        if ended:
            return ended


@dataclass
class _Worker:
    """One process, and the job it is at."""

    work: Work
    job: Any = None
    at: str = ""
    deadline: float | None = None
    process: Any = field(init=False)
    pipe: Connection = field(init=False)

    def __post_init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(self.work, theirs, os.getpid()), daemon=True
        )
        with _no_interrupts():
            self.process.start()
        theirs.close()

    def begin(self, job: Any) -> None:
        self.job, self.at, self.deadline = job, "", None
        with suppress(OSError):  # a process that is gone is noticed when it is heard
            self.pipe.send(job)

    def hear(self) -> JobResult | None:
        """What the process says; None while it goes on."""
        try:
            kind, what, seconds = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(_GRACE)
            code = self.process.exitcode
            return JobResult(
                self.job, failure="died", at=self.at, detail=f"exit code {code}", code=code
            )
        if kind == "at":
            self.at = what
            self.deadline = None if seconds is None else time.monotonic() + seconds
            return None
        if kind == "wrong":
            raise PlyforgeError(what)
        if kind == "raised":
            return JobResult(self.job, failure="raised", at=self.at, detail=what)
        return JobResult(self.job, what, at=self.at)

    def overdue(self) -> JobResult | None:
        if self.deadline is None or time.monotonic() < self.deadline:
            return None
        return JobResult(self.job, failure="hung", at=self.at)

    def dismiss(self) -> None:
        """Let a process without a job end."""
        self.pipe.close()
        self.process.join(_GRACE)
        self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _serve(work: Work, pipe: Connection, parent: int) -> None:
    """The life of a process: a job, its result, the next one, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()

    def report(note: str, seconds: float | None) -> None:
        pipe.send(("at", note, seconds))

    with suppress(EOFError, OSError):
        while True:
            job = pipe.recv()
            try:
                answer = ("done", work(job, report), None)
            except PlyforgeError as error:
                answer = ("wrong", str(error), None)
            except Exception:
                answer = ("raised", traceback.format_exc(), None)
            pipe.send(answer)


def _end_with(parent: int) -> None:
    """End when the process that gives the jobs is gone, even in the middle of one."""
    while os.getppid() == parent:
        time.sleep(_ORPHAN_CHECK)
    os._exit(1)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes that start in here hear of no Ctrl-C from their first moment on.

    They inherit that it is held back; here it comes through afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # not every system has it
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

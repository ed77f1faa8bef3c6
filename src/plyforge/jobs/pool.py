"""The executor of this machine: worker processes, each with a pipe for jobs and results.

A process that dies or hangs costs only its own job; `executor` says what callers may rely on.
"""

import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.executor import JobResult, Work
from plyforge.jobs.user_files import UserFile, use_files

MAX_PROCESSES: Final = 256
_ORPHAN_CHECK: Final = 0.5
"""Seconds between a worker's checks that its parent is still alive."""
_GRACE: Final = 1.0
"""Seconds that a process gets to end by itself."""


class ProcessPool:
    """Worker processes on this machine."""

    place = ""

    def __init__(self, processes: int) -> None:
        whole = isinstance(processes, int) and not isinstance(processes, bool)
        if not whole or not 1 <= processes <= MAX_PROCESSES:
            raise PlyforgeError(
                f"the number of processes must be an integer between 1 and {MAX_PROCESSES}, not"
                f" {processes!r}"
            )
        self.workers = processes

    @contextmanager
    def open(self, work: Work, files: Sequence[UserFile] = ()) -> Iterator["PoolQueue"]:
        queue = PoolQueue(work, tuple(files), self.workers)
        try:
            yield queue
        finally:
            queue.close()


class PoolQueue:
    """Jobs that wait for a process, and the processes that work on the others."""

    def __init__(self, work: Work, files: tuple[UserFile, ...], processes: int) -> None:
        self._work = work
        self._files = files
        self._processes = processes
        self._numbers = count()
        self._waiting: dict[int, tuple[Any, bytes]] = {}
        """Jobs without a process, with their pickled form."""
        self._workers: list[_Worker] = []

    def submit(self, job: Any) -> int:
        number = next(self._numbers)
        self._waiting[number] = job, pickle.dumps(job)
        self._assign()
        return number

    def results(self) -> Iterator[JobResult]:
        self._assign()  # after an error of the user, jobs still wait
        while self._busy():
            result = self._next_result()
            self._assign()
            yield result

    def cancel(self, number: int) -> None:
        self._waiting.pop(number, None)
        for worker in self._busy():
            if worker.number == number:
                self._remove(worker)
        self._assign()

    def kill(self) -> None:
        """Kill all processes, whose jobs then fail; safe to call from any thread."""
        for worker in list(self._workers):
            worker.process.kill()

    def close(self) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.begin_shutdown()  # all of them first, so that they end at the same time
        for worker in self._workers:
            worker.kill(_GRACE)
        self._workers = []

    def _busy(self) -> list["_Worker"]:
        """Return the processes that have a job, that with the oldest job first."""
        busy = [worker for worker in self._workers if worker.number is not None]
        return sorted(busy, key=lambda worker: worker.number or 0)

    def _assign(self) -> None:
        """Hand waiting jobs to free processes."""
        while self._waiting and len(self._busy()) < self._processes:
            worker = self._free_worker()
            number = next(iter(self._waiting))
            worker.submit(number, *self._waiting.pop(number))

    def _free_worker(self) -> "_Worker":
        for worker in [one for one in self._workers if one.number is None]:
            if worker.process.is_alive():
                return worker
            self._remove(worker)
        worker = _Worker(self._work, self._files)
        self._workers.append(worker)
        return worker

    def _next_result(self) -> JobResult:
        """Wait until a job is finished or has failed; the oldest of several is first.

        An error of the user is raised.
        """
        while True:
            busy = self._busy()
            deadlines = [worker.deadline for worker in busy if worker.deadline is not None]
            timeout = max(0.0, min(deadlines) - time.monotonic()) if deadlines else None
            ready = wait([worker.pipe for worker in busy], timeout)
            for worker in busy:
                result = worker.receive() if worker.pipe in ready else worker.check_deadline()
                if result is None:
                    continue
                worker.number = None
                if isinstance(result, PlyforgeError):
                    raise result
                if result.failure in ("died", "hung"):
                    self._remove(worker)
                return result

    def _remove(self, worker: "_Worker") -> None:
        worker.kill()
        self._workers.remove(worker)


@dataclass(eq=False)
class _Worker:
    """One process and its current job."""

    work: Work
    files: tuple[UserFile, ...]
    number: int | None = None
    """The number of the job; None if there is none."""
    job: Any = None
    stage: str = ""
    deadline: float | None = None
    process: Any = field(init=False)
    pipe: Connection = field(init=False)

    def __post_init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, child_pipe = context.Pipe()
        self.process = context.Process(
            target=_worker_main,
            args=(self.work, self.files, child_pipe, os.getpid()),
            daemon=True,
        )
        try:
            with _block_sigint():
                self.process.start()
        except BaseException:
            if self.process.pid is not None:
                self.process.kill()
            raise
        child_pipe.close()

    def submit(self, number: int, job: Any, packed: bytes) -> None:
        """Send a job to the process."""
        self.number, self.job, self.stage, self.deadline = number, job, "", None
        with suppress(OSError):  # `receive` notices a process that is gone
            self.pipe.send_bytes(packed)

    def receive(self) -> JobResult | PlyforgeError | None:
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
            return PlyforgeError(value)
        if kind == "raised":
            return JobResult(self.job, failure="raised", stage=self.stage, detail=value)
        return JobResult(self.job, value, stage=self.stage)

    def check_deadline(self) -> JobResult | None:
        """Return a failure if the current stage takes longer than it may."""
        if self.deadline is None or time.monotonic() < self.deadline:
            return None
        return JobResult(self.job, failure="hung", stage=self.stage)

    def begin_shutdown(self) -> None:
        """End the process: at once if it has a job, else by closing its pipe."""
        if self.number is None:
            self.pipe.close()
        else:
            self.process.kill()

    def kill(self, grace: float = 0.0) -> None:
        """End the process, at the latest after `grace` seconds."""
        self.process.join(grace)
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _worker_main(work: Work, files: tuple[UserFile, ...], pipe: Connection, parent: int) -> None:
    """Receive jobs and send results until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()
    with suppress(EOFError, OSError), use_files(files):
        while True:
            packed = pipe.recv_bytes()
            pipe.send_bytes(_run_packed(work, packed, pipe))


def _run_packed(work: Work, packed: bytes, pipe: Connection) -> bytes:
    """Work on a pickled job; return the pickled message about its result."""

    def report(name: str, seconds: float | None) -> None:
        pipe.send(("stage", name, seconds))

    try:
        # A result that cannot be pickled is a fault of the job, not of its process.
        return pickle.dumps(("done", work(pickle.loads(packed), report), None))
    except PlyforgeError as error:
        return pickle.dumps(("error", str(error), None))
    except Exception:
        return pickle.dumps(("raised", traceback.format_exc(), None))


def _exit_with_parent(parent: int) -> None:
    """Exit when the parent process is gone, even in the middle of a job."""
    while os.getppid() == parent:
        time.sleep(_ORPHAN_CHECK)
    os._exit(1)


@contextmanager
def _block_sigint() -> Iterator[None]:
    """Block SIGINT in this thread and in the processes that the block starts.

    A process inherits the blocked signal, so that Ctrl-C cannot reach it before it ignores SIGINT.
    A signal that arrives in the block is delivered here after it.  If this process has other
    threads, one of them receives it; then its handler, which runs in the main thread, waits.
    """
    if not hasattr(signal, "pthread_sigmask"):  # not available on every system
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _delay_handler():
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _delay_handler() -> Iterator[None]:
    """Call the handler of SIGINT at the end of the block if the signal has arrived within."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    arrived: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda *call: arrived.append(call))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if arrived:
            handler(*arrived[0])

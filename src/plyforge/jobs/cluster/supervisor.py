"""What runs on a node for each worker: an actor that supervises one process.

The process is that of the local pool, so a job that crashes or hangs is noticed here, next to it,
and is reported with its exit code and stage as on one machine.  If the actor itself is lost, so is
its node or its connection: that is not the fault of the job.
"""

import pickle
import signal
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.executor import JobResult, Report, Work
from plyforge.jobs.pool import ProcessPool
from plyforge.jobs.user_files import UserFile

_KILL_DELAY: Final = 1.0
"""Seconds between a process that was killed and the report of it: a node that goes down kills its
processes in any order, and then this actor should be gone before it can blame the job."""
_RETRY: Final = 0.02
"""Seconds between two attempts to end a job."""
_FROM_OUTSIDE: Final = (-signal.SIGKILL, -signal.SIGTERM)


class PackedWork:
    """A work function as bytes, applied to jobs as bytes; results are bytes, too.

    The supervisor passes them on and does not need to import anything that a job uses.
    """

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._work: Work | None = None

    def __getstate__(self) -> bytes:
        return self._packed

    def __setstate__(self, packed: bytes) -> None:
        self.__init__(packed)  # type: ignore[misc]

    def __call__(self, job: bytes, report: Report) -> bytes:
        if self._work is None:
            self._work = pickle.loads(self._packed)
        return pickle.dumps(self._work(pickle.loads(job), report))


class Supervisor:
    """Runs one job at a time in a process of its own; a Ray actor on a node."""

    def __init__(self, work: bytes, files: Sequence[UserFile]) -> None:
        _forget_main_file()
        self._stopped = threading.Event()
        self._busy = threading.Lock()
        """Held while a job runs: only one thread may use the queue."""
        self._opened = ProcessPool(1).open(PackedWork(work), files)
        self._queue = self._opened.__enter__()

    def run(self, job: bytes) -> JobResult | str:
        """Return the result of a job, with its value pickled, or the text of a user's error."""
        with self._busy:
            if self._stopped.is_set():
                return JobResult(None, failure="died")
            self._queue.submit(job)
            try:
                done = next(iter(self._queue.results()))
            except PlyforgeError as error:
                return str(error)
        if done.code in _FROM_OUTSIDE and not self._stopped.is_set():
            time.sleep(_KILL_DELAY)
        return replace(done, job=None)

    def ping(self) -> None:
        """Return at once, which shows that the node answers."""

    def stop(self) -> None:
        """End the process, even in the middle of a job."""
        self._stopped.set()
        # A process that is being started at this moment is killed the next time.
        while not self._busy.acquire(timeout=_RETRY):
            self._queue.kill()
        try:
            self._opened.__exit__(None, None, None)
        finally:
            self._busy.release()


def _forget_main_file() -> None:
    """Keep the process from importing the main program of this one, which is Ray's."""
    main: Any = sys.modules.get("__main__")
    if "ray" in sys.modules and main is not None and main.__name__ == "__main__":
        vars(main).pop("__file__", None)

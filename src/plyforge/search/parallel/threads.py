"""Threads that are kept from one search of a team to the next.

They wait for work without using the processor.  They end when the object that owns them is
collected, and they are daemons: a search that is still running does not keep the interpreter from
exiting.
"""

import os
import threading
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Final

Work = Callable[[], None]
_Results = SimpleQueue[BaseException | None]
_Tasks = SimpleQueue[tuple[Work, _Results] | None]

NAME: Final = "plyforge-worker"


class WorkerThreads:
    """A fixed number of threads, each of which does one thing at a time."""

    def __init__(self, count: int) -> None:
        self.process = os.getpid()
        """The process in which they run; a forked one has none of them."""
        self._tasks: list[_Tasks] = [SimpleQueue() for _ in range(count)]
        for tasks in self._tasks:
            threading.Thread(target=_serve, args=(tasks,), name=NAME, daemon=True).start()
        weakref.finalize(self, _end, self._tasks)

    def start(self, work: Sequence[Work]) -> "Running":
        """Let as many threads as needed start their work."""
        results: _Results = SimpleQueue()
        for tasks, one in zip(self._tasks, work, strict=False):
            tasks.put((one, results))
        return Running(results, len(work))


class Running:
    """Work that threads have started."""

    def __init__(self, results: _Results, count: int) -> None:
        self._results, self._left = results, count

    def wait(self, stop: Work) -> None:
        """Wait until all work has ended; raise its first error.

        If the waiting itself is interrupted, the work is stopped and ends all the same.
        """
        errors: list[BaseException] = []
        while self._left > 0:
            try:
                error = self._results.get()
            except BaseException as interrupt:
                errors.append(interrupt)
                stop()
                continue
            self._left -= 1
            if error is not None:
                errors.append(error)
        if errors:
            raise errors[0]


def _serve(tasks: _Tasks) -> None:
    """Do what is put into a queue; it must not refer to the object that owns the thread."""
    while (task := tasks.get()) is not None:
        work, results = task
        try:
            work()
            results.put(None)
        except BaseException as error:  # raised by the thread that waits
            results.put(error)
        del task, work, results


def _end(queues: list[_Tasks]) -> None:
    for tasks in queues:
        tasks.put(None)

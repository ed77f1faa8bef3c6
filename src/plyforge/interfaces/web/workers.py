"""Threads that do long work: a queue with a limit, and a way to stop each task.

A *job* is a generator function over a `Stop`; what it yields is sent to the page.  It must check
`stop`, or let `stop` call a function that ends it.  Moves of games have their own pool, so that
open analyses never make a player wait.
"""

import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.outgoing import Error
from plyforge.interfaces.web.protocol import Outgoing

FAILED: Final = "something went wrong on the server; see its terminal"
_CHECK_INTERVAL: Final = 0.25
"""Seconds between two checks for tasks that must end."""


class Stop(threading.Event):
    """Tells a job to end; may call a function that ends it sooner."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    def set(self) -> None:
        super().set()
        with self._lock:
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback()

    @contextmanager
    def calling(self, callback: Callable[[], None]) -> Iterator[None]:
        """Let a stop call `callback` within this context, at once if it is set already."""
        with self._lock:
            self._callbacks.append(callback)
        if self.is_set():
            callback()
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)


Job = Callable[[Stop], Iterator[Outgoing]]


@dataclass
class Task:
    """A job that is queued or running."""

    job: Job
    deliver: Callable[[Outgoing], None]
    """Receives what the job yields, in the worker's thread."""
    seconds: float
    """The time limit once it has started."""
    on_end: Callable[[], None] = lambda: None
    stop: Stop = field(default_factory=Stop)
    started: float | None = None

    def run(self) -> None:
        """Do the job; deliver its errors as messages."""
        self.started = time.monotonic()
        try:
            for message in () if self.stop.is_set() else self.job(self.stop):
                self.deliver(message)
        except PlyforgeError as error:
            self.deliver(Error(text=str(error)))
        except Exception:
            traceback.print_exc()
            self.deliver(Error(text=FAILED))
        finally:
            self.started = None
            self.on_end()


class WorkerPool:
    """Threads that take tasks from one queue."""

    def __init__(self, name: str, threads: int, max_waiting: int) -> None:
        self._name = name
        self._max_waiting = max_waiting
        self._queue: deque[Task] = deque()
        self._dropped: list[Task] = []
        """Tasks that were stopped before their turn; the supervisor ends them."""
        self._changed = threading.Condition()
        self._tasks: dict[int, Task] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        workers = [
            threading.Thread(target=self._work, name=f"plyforge-{name}-{n}", daemon=True)
            for n in range(threads)
        ]
        supervisor = threading.Thread(target=self._supervise, name=f"plyforge-{name}", daemon=True)
        for thread in (*workers, supervisor):
            thread.start()

    @property
    def busy(self) -> int:
        """The number of running tasks."""
        return len(self._tasks)

    @property
    def waiting(self) -> int:
        """The number of tasks that wait for a thread."""
        return len(self._queue)

    def submit(self, task: Task) -> None:
        """Queue a task; if the queue is full, drop tasks that were stopped."""
        with self._changed:
            if len(self._queue) >= self._max_waiting:
                self._drop_stopped()
            if len(self._queue) >= self._max_waiting:
                raise PlyforgeError(
                    f"the server is too busy ({self._max_waiting} {self._name} are waiting);"
                    " try again later"
                )
            self._queue.append(task)
            self._changed.notify()

    def _drop_stopped(self) -> None:
        stopped = [task for task in self._queue if task.stop.is_set()]
        if stopped:
            self._dropped += stopped
            self._queue = deque(task for task in self._queue if not task.stop.is_set())

    def _next(self) -> Task | None:
        """Wait for the next task; None when the pool is closed."""
        with self._changed:
            while not self._queue and not self._closed.is_set():
                self._changed.wait()
            return None if self._closed.is_set() else self._queue.popleft()

    def _work(self) -> None:
        while (task := self._next()) is not None:
            with self._lock:
                self._tasks[id(task)] = task
            try:
                task.run()
            except Exception:  # delivering failed, as to a page that is gone
                traceback.print_exc()
            finally:
                with self._lock:
                    del self._tasks[id(task)]

    def _supervise(self) -> None:
        """Stop tasks whose time is up, and end those that were stopped before their turn.

        A task that was stopped is stopped again until it ends, because a search that was about
        to start, or a player that was still being made, misses the first call.
        """
        while not self._closed.wait(_CHECK_INTERVAL):
            now = time.monotonic()
            with self._lock:
                late = [
                    task
                    for task in self._tasks.values()
                    if task.stop.is_set()
                    or (task.started is not None and now - task.started > task.seconds)
                ]
            with self._changed:
                self._drop_stopped()
                dropped, self._dropped = self._dropped, []
            for action in (*(task.stop.set for task in late), *(task.run for task in dropped)):
                try:
                    action()
                except Exception:  # one task must not end the supervision of the others
                    traceback.print_exc()

    def close(self) -> None:
        """Stop all tasks and threads."""
        self._closed.set()
        with self._changed:
            self._queue.clear()
            self._changed.notify_all()
        with self._lock:
            tasks = list(self._tasks.values())
        for task in tasks:
            task.stop.set()

"""Where long work is done: a few threads, a queue that has an end, and a way to stop each piece.

A *job* is a generator function over a `Stop`: what it yields is sent to the page.  It must look at
`stop`, or have `stop` call something that ends it.  Moves of games go on a pool of their own, so
that no number of open analyses makes a player wait.
"""

import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from plyforge.core.errors import PlyforgeError

Sent = Mapping[str, Any]
FAILED: Final = "something went wrong on the server; its terminal tells what"


class Stop(threading.Event):
    """Tells a job to end; may call something that ends it sooner."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._calls: list[Callable[[], None]] = []

    def set(self) -> None:
        super().set()
        with self._lock:
            calls = list(self._calls)
        for call in calls:
            call()

    @contextmanager
    def calling(self, end: Callable[[], None]) -> Iterator[None]:
        """While this lasts, a stop calls `end`."""
        with self._lock:
            self._calls.append(end)
        if self.is_set():
            end()
        try:
            yield
        finally:
            with self._lock:
                self._calls.remove(end)


Job = Callable[[Stop], Iterator[Sent]]


@dataclass
class Task:
    """A job on its way."""

    job: Job
    deliver: Callable[[Sent], None]
    """Takes what the job yields, in the thread of the pool."""
    seconds: float
    """How long it may take once it has begun."""
    ended: Callable[[], None] = lambda: None
    stop: Stop = field(default_factory=Stop)
    begun: float | None = None

    def run(self) -> None:
        """Do the job; whatever it raises is told and harms nobody else."""
        self.begun = time.monotonic()
        try:
            for message in () if self.stop.is_set() else self.job(self.stop):
                self.deliver(message)
        except PlyforgeError as error:
            self.deliver({"type": "error", "text": str(error)})
        except Exception:
            traceback.print_exc()
            self.deliver({"type": "error", "text": FAILED})
        finally:
            self.begun = None
            self.ended()


class WorkerPool:
    """Threads that take tasks from one queue."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._name = name
        self._most = waiting
        self._queue: deque[Task] = deque()
        self._dropped: list[Task] = []
        """Tasks that were stopped before their turn; the watch brings them to their end."""
        self._news = threading.Condition()
        self._tasks: dict[int, Task] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, name=f"plyforge-{name}-{n}", daemon=True)
            for n in range(threads)
        ]
        self._watch = threading.Thread(target=self._watching, name=f"plyforge-{name}", daemon=True)
        for thread in (*self._threads, self._watch):
            thread.start()

    @property
    def busy(self) -> int:
        """How many tasks are under way."""
        return len(self._tasks)

    @property
    def waiting(self) -> int:
        """How many tasks wait for a thread."""
        return len(self._queue)

    def submit(self, task: Task) -> None:
        """Queue a task; those that were stopped meanwhile make shared for it."""
        with self._news:
            if len(self._queue) >= self._most:
                self._drop()
            if len(self._queue) >= self._most:
                raise PlyforgeError(
                    f"the server has too much to do ({self._most} {self._name} wait);"
                    " try again later"
                )
            self._queue.append(task)
            self._news.notify()

    def _drop(self) -> None:
        stopped = [task for task in self._queue if task.stop.is_set()]
        if stopped:
            self._dropped += stopped
            self._queue = deque(task for task in self._queue if not task.stop.is_set())

    def _next(self) -> Task | None:
        """The task whose turn it is; None when the pool is closed."""
        with self._news:
            while not self._queue and not self._closed.is_set():
                self._news.wait()
            return None if self._closed.is_set() else self._queue.popleft()

    def _work(self) -> None:
        while (task := self._next()) is not None:
            with self._lock:
                self._tasks[id(task)] = task
            try:
                task.run()
            except Exception:  # a page that takes nothing any more; the thread lives on
                traceback.print_exc()
            finally:
                with self._lock:
                    del self._tasks[id(task)]

    def _watching(self) -> None:
        """Stop tasks whose time is up, and end those that were stopped before their turn.

        A task that was stopped is told again until it ends: a search that was just beginning, or
        a player that was still being made, has not heard.
        """
        while not self._closed.wait(_LOOK):
            now = time.monotonic()
            with self._lock:
                late = [
                    task
                    for task in self._tasks.values()
                    if task.stop.is_set()
                    or (task.begun is not None and now - task.begun > task.seconds)
                ]
            with self._news:
                self._drop()
                dropped, self._dropped = self._dropped, []
            for act in (*(task.stop.set for task in late), *(task.run for task in dropped)):
                try:
                    act()
                except Exception:  # the watch goes on for the others
                    traceback.print_exc()

    def close(self) -> None:
        """Stop everything."""
        self._closed.set()
        with self._news:
            self._queue.clear()
            self._news.notify_all()
        with self._lock:
            tasks = list(self._tasks.values())
        for task in tasks:
            task.stop.set()


_LOOK: Final = 0.25
"""Seconds between two looks for tasks that are to end."""

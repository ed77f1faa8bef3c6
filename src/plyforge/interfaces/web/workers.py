"""Threads that do long work: a queue with a limit, and a way to stop each task.

A *job* is a generator function over a `Stop`; what it yields is sent to the page.  It must check
`stop`, or let `stop` call a function that ends it.  Moves of games have their own pool, so that
open analyses never make a player wait.

Threads are shared fairly: the task of the client that has used least time recently comes first.  A
task whose job can be resumed is paused when others wait, and its job is called again later.
"""

import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.outgoing import Error, IterationProgress
from plyforge.interfaces.web.protocol import Outgoing

FAILED: Final = "something went wrong on the server; see its terminal"
_CHECK_INTERVAL: Final = 0.25
"""Seconds between two checks for tasks that must end."""
_BUSY_INTERVAL: Final = 0.04
"""The same while tasks wait."""
MIN_SLICE: Final = 0.1
MAX_SLICE: Final = 1.0
"""Seconds for which a task runs before it is paused for others: at first, after its first result,
the minimum."""
FIRST_SLICE: Final = 5.0
"""Seconds that it has for its first result, because a kernel may have to be loaded.

A task that is paused before would be the last one to have a result: it has used most time.
"""
_SLICE_SHARE: Final = 0.2
"""The length of a slice as a share of the time that the task has used."""
_HALF_LIFE: Final = 20.0
"""Seconds after which time that was used counts half."""


class Stop(threading.Event):
    """Tells a job to end; may call a function that ends it sooner."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.RLock()
        self._callbacks: list[Callable[[], None]] = []
        self.final = False
        """Whether the job must end, and not only pause."""

    def set(self) -> None:
        self.final = True
        self.repeat()

    def pause(self) -> None:
        """Tell the job to return; it is called again unless it has also been told to end."""
        self.repeat()

    def repeat(self) -> None:
        """Call the callbacks again, as long as the job has not ended."""
        super().set()
        with self._lock:  # none is called after the end of its context
            for callback in list(self._callbacks):
                callback()

    def end_pause(self) -> bool:
        """Return whether the job was only paused, and may go on."""
        if self.is_set() and not self.final:
            self.clear()
            return not self.final
        return False

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


class Account:
    """The time that a client has used recently."""

    def __init__(self) -> None:
        self._used, self._at = 0.0, time.monotonic()

    @property
    def used(self) -> float:
        """Seconds; those long ago count little."""
        return float(self._used * 0.5 ** ((time.monotonic() - self._at) / _HALF_LIFE))

    def add(self, seconds: float) -> None:
        self._used, self._at = self.used + seconds, time.monotonic()


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
    resumable: bool = False
    """Whether the job may be called again after a pause, and then continues."""
    account: Account = field(default_factory=Account)
    used: float = 0.0
    """Seconds for which it has run, without the current slice."""
    answered: bool = False
    """Whether it has delivered a message that is more than a report of progress."""
    threads: int = 1
    """The threads that its search uses."""

    @property
    def running_seconds(self) -> float:
        """Seconds of the current slice."""
        started = self.started
        return 0.0 if started is None else time.monotonic() - started

    @property
    def slice(self) -> float:
        """Seconds after which it makes way for others."""
        if not self.answered:
            return FIRST_SLICE
        return min(MAX_SLICE, max(MIN_SLICE, _SLICE_SHARE * self.used))

    def run(self, newcomers: Callable[[], bool] = lambda: False) -> bool:
        """Do the job, or a part of it; deliver its errors as messages.

        While there are `newcomers`, who have no result yet, a resumable job is paused after its
        first one: everybody has a first result before anybody searches on.  Return whether it was
        paused, and has to run again.
        """
        self.started = time.monotonic()
        failed = False
        try:
            for message in () if self.stop.is_set() else self.job(self.stop):
                self.deliver(message)
                if self.answered or isinstance(message, IterationProgress):
                    continue
                self.answered = True
                if self.resumable and newcomers():
                    self.stop.pause()
        except PlyforgeError as error:
            failed = True
            self.deliver(Error(text=str(error)))
        except Exception:
            failed = True
            traceback.print_exc()
            self.deliver(Error(text=FAILED))
        finally:
            seconds = self.running_seconds
            self.used += seconds
            self.account.add(seconds)
            self.started = None
            paused = self.resumable and self.stop.end_pause() and not failed
            if not paused:
                self.on_end()
        return paused


class ThreadBudget:
    """How many threads the tasks of several pools may use together.

    Its methods are called with `changed` held.
    """

    def __init__(self, limit: int) -> None:
        self._limit, self._used = limit, 0
        self.changed = threading.Condition()
        """Notified when tasks arrive or end, in any of the pools."""

    def take(self, threads: int) -> bool:
        """Take so many threads, and return whether that was possible."""
        # A task that needs more than there are runs alone.
        if self._used and self._used + threads > self._limit:
            return False
        self._used += threads
        return True

    def give_back(self, threads: int) -> None:
        """Return threads."""
        self._used -= threads
        self.changed.notify_all()


class WorkerPool:
    """Threads that take tasks from one queue."""

    def __init__(
        self,
        name: str,
        threads: int,
        max_waiting: int,
        nice: int = 0,
        budget: ThreadBudget | None = None,
    ) -> None:
        """`nice` lowers the priority of the threads, where the system allows that.

        Tasks start only within the `budget`, which several pools may share.
        """
        self._name = name
        self._nice = nice
        self._max_waiting = max_waiting
        self._queue: deque[Task] = deque()
        self._dropped: list[Task] = []
        """Tasks that were stopped before their turn; the supervisor ends them."""
        self._budget = budget
        self._changed = threading.Condition() if budget is None else budget.changed
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

    def before(self, account: Account) -> int:
        """Return how many waiting tasks come before one that is submitted now."""
        with self._changed:
            return sum(task.account.used <= account.used for task in self._queue)

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
            if self._budget is None:
                self._changed.notify()
            else:  # threads of other pools wait, too
                self._changed.notify_all()

    def _drop_stopped(self) -> None:
        stopped = [task for task in self._queue if task.stop.is_set()]
        if stopped:
            self._dropped += stopped
            self._queue = deque(task for task in self._queue if not task.stop.is_set())

    def _next(self) -> Task | None:
        """Wait for the next task; None when the pool is closed."""
        with self._changed:
            while not self._closed.is_set():
                # If the next one needs too many threads, others wait with it: it would never run.
                task = min(self._queue, key=lambda one: one.account.used, default=None)
                if task is not None and (self._budget is None or self._budget.take(task.threads)):
                    self._queue.remove(task)
                    return task
                self._changed.wait()
            return None

    def _has_newcomers(self) -> bool:
        """Whether a task waits that has not delivered a result yet."""
        with self._changed:
            return any(not task.answered for task in self._queue)

    def _work(self) -> None:
        if self._nice:
            _lower_priority(self._nice)
        while (task := self._next()) is not None:
            with self._lock:
                self._tasks[id(task)] = task
            paused = False
            try:
                paused = task.run(self._has_newcomers)
            except Exception:  # delivering failed, as to a page that is gone
                traceback.print_exc()
            finally:
                with self._lock:
                    del self._tasks[id(task)]
                with self._changed:
                    if paused:
                        self._queue.append(task)
                    if self._budget is not None:
                        self._budget.give_back(task.threads)

    def _supervise(self) -> None:
        """Stop tasks whose time is up, pause those for which others wait, and end those that were
        stopped before their turn.

        A task that was stopped is stopped again until it ends, because a search that was about
        to start, or a player that was still being made, misses the first call.
        """
        while not self._closed.wait(_BUSY_INTERVAL if self._queue else _CHECK_INTERVAL):
            with self._changed:
                self._drop_stopped()
                dropped, self._dropped = self._dropped, []
                waiting = len(self._queue)
            with self._lock:
                tasks = list(self._tasks.values())
            late = [task for task in tasks if task.used + task.running_seconds > task.seconds]
            stopped = [task for task in tasks if task.stop.is_set()]
            over = [task for task in tasks if task.resumable and task.running_seconds > task.slice]
            actions: list[Callable[[], object]] = [
                *(task.stop.repeat for task in stopped),
                *(task.stop.set for task in late),
                *(task.stop.pause for task in over[:waiting]),
                *(task.run for task in dropped),
            ]
            for action in actions:
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


def _lower_priority(nice: int) -> None:
    """Lower the priority of this thread, and of those that it starts.

    Only Linux has priorities of single threads.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)

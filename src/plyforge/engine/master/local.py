"""Workers that take turns in this process: slow, but every run is the same.

The worker that has searched the fewest nodes is next, so they advance as if each had a processor of
its own.
"""

import threading
from collections.abc import Callable, Sequence

from plyforge.engine.engine import Engine
from plyforge.engine.master.worker import Event, Report, Task, WorkerId, run_task
from plyforge.game.game import History


class LocalWorkers:
    """Engines of this process, which search one after the other."""

    starting = False

    def __init__(self, size: int, make_engine: Callable[[], Engine]) -> None:
        self.size = size
        self._engines = [make_engine() for _ in range(size)]
        self._root: History | None = None
        self._tasks: dict[WorkerId, Task] = {}
        self._events: list[Event] = []
        """Reports of tasks that were interrupted before their turn."""
        self._nodes = [0] * size
        self._current: Engine | None = None
        self._stopped = threading.Event()

    def ready(self) -> Sequence[WorkerId]:
        return range(self.size)

    def place_of(self, worker: WorkerId) -> str:
        return "this process"

    def begin(self, root: History) -> None:
        self._root = root.copy()
        self._nodes = [0] * self.size
        self._stopped.clear()

    def start(self, worker: WorkerId, task: Task) -> None:
        self._tasks[worker] = task

    def wait(self, seconds: float | None) -> list[Event]:
        """Let one worker run its task."""
        if self._events or not self._tasks:
            events, self._events = self._events, []
            return events
        assert self._root is not None
        worker = min(self._tasks, key=lambda one: (self._nodes[one], one))
        task = self._tasks.pop(worker)
        self._current = self._engines[worker]
        try:
            if self._stopped.is_set():
                return [Event(worker, Report(None, 0, 0, 0.0))]
            report = run_task(self._engines[worker], self._root, task)
        finally:
            self._current = None
        self._nodes[worker] += report.nodes
        return [Event(worker, report)]

    def interrupt(self, worker: WorkerId) -> None:
        if self._tasks.pop(worker, None) is not None:
            self._events.append(Event(worker, Report(None, 0, 0, 0.0)))

    def stop(self) -> None:
        self._stopped.set()
        if (engine := self._current) is not None:
            engine.stop()

    def finish(self) -> list[Event]:
        self._tasks.clear()
        events, self._events = self._events, []
        return events

    def clear(self) -> None:
        for engine in self._engines:
            engine.clear()

    def close(self) -> None:
        self.stop()

"""One open page: what it may ask, what is sent to it, and the work it has under way."""

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.workers import Job, Sent, Task, WorkerPool

if TYPE_CHECKING:
    from plyforge.interfaces.web.shared_games import SharedGame


class Client:
    """A page's side of a connection; its methods may be called from any thread."""

    def __init__(self, server: ServerState, post: Callable[[Sent], None]) -> None:
        self.server = server
        self.shared_game: SharedGame | None = None
        """The game it plays, if any."""
        self.begun: list[str] = []
        """Keys of the rooms that it has opened."""
        self.turned = False
        """Whether the reader has turned the board around."""
        self.kept: dict[str, Any] = {}
        """What features remember from one message of this page to the next."""
        self._post = post
        self._task: Task | None = None
        self._gone = False
        self._lock = threading.Lock()

    @property
    def gone(self) -> bool:
        """Whether its connection has ended."""
        return self._gone

    def send(self, message: Sent) -> None:
        """Send a message, if the page is still there."""
        if not self._gone:
            self._post(message)

    def work(self, job: Job, seconds: float | None = None, pool: WorkerPool | None = None) -> None:
        """Begin a job in place of the one under way: a page has one at a time.

        `working` tells the page when it begins to wait, and `done` when the job has ended.
        """
        self.stop()
        server = self.server
        most = server.bounds.analysis_seconds
        task = Task(job, self.send, most if seconds is None else min(seconds, most))

        def deliver(message: Sent) -> None:
            if self._task is task:
                self.send(message)

        def ended() -> None:
            with self._lock:
                current = self._task is task
                if current:
                    self._task = None
            if current:
                self.send({"type": "done"})

        task.deliver, task.ended = deliver, ended
        with self._lock:
            if self._gone:
                return
            self._task = task
        chosen = pool or server.search_workers
        self.send({"type": "working", "before": chosen.waiting})
        try:
            chosen.submit(task)
        except PlyforgeError:
            with self._lock:
                self._task = None
            raise

    def finish(self) -> None:
        """Let the job under way come to an end: what it has found is still told."""
        with self._lock:
            task = self._task
        if task is not None:
            task.stop.set()

    def stop(self) -> None:
        """End the job under way, and hear no more of it."""
        with self._lock:
            task, self._task = self._task, None
        if task is not None:
            task.stop.set()

    def leave(self) -> None:
        """The page has gone."""
        with self._lock:
            self._gone = True
        self.stop()
        if self.shared_game is not None:
            self.shared_game.leave(self)


class TokenBucket:
    """So many messages a second, and a burst of more."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._rate, self._most = per_second, float(burst)
        self._left, self._seen = float(burst), time.monotonic()

    def allows(self) -> bool:
        """Whether another message may come now."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

"""One open page: what is sent to it, the game that it shows, and its running job."""

import threading
import time
from collections.abc import Callable
from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.outgoing import Done, Working
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.shared_games import SharedGame
from plyforge.interfaces.web.workers import Account, Job, Task, WorkerPool


class Client:
    """The server's side of a page's connection; its methods may be called from any thread."""

    def __init__(
        self,
        post: Callable[[Outgoing], None],
        pool: WorkerPool,
        max_seconds: float,
        address: str = "",
    ) -> None:
        self.address = address
        """The network address of its browser."""
        self.shared_game: SharedGame | None = None
        """The game that it plays or watches."""
        self.started_games: list[str] = []
        """Keys of the games that it has started."""
        self.turned = False
        """Whether the user has turned the board around."""
        self.data: dict[str, Any] = {}
        """Values that features keep from one message of this page to the next."""
        self.account = Account()
        self._post = post
        self._pool, self._max_seconds = pool, max_seconds
        self._task: Task | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def closed(self) -> bool:
        """Whether its connection has ended."""
        return self._closed

    def send(self, message: Outgoing) -> None:
        """Send a message unless the connection has ended."""
        if not self._closed:
            self._post(message)

    def start(
        self,
        job: Job,
        seconds: float | None = None,
        pool: WorkerPool | None = None,
        resumable: bool = False,
        threads: int = 1,
    ) -> None:
        """Start a job in place of the running one: a page has one at a time.

        The page is sent `Working` when the job is queued, and `Done` when it has ended.  A
        resumable job is paused when others wait, and called again.  `threads` is the number of
        threads that it uses.
        """
        self.stop()
        limit = self._max_seconds if seconds is None else min(seconds, self._max_seconds)
        task = Task(
            job, self.send, limit, resumable=resumable, account=self.account, threads=threads
        )

        def deliver(message: Outgoing) -> None:
            if self._task is task:
                self.send(message)

        def on_end() -> None:
            with self._lock:
                current = self._task is task
                if current:
                    self._task = None
            if current:
                self.send(Done())

        task.deliver, task.on_end = deliver, on_end
        with self._lock:
            if self._closed:
                return
            self._task = task
        chosen = pool or self._pool
        self.send(Working(before=chosen.before(self.account)))
        try:
            chosen.submit(task)
        except PlyforgeError:
            with self._lock:
                self._task = None
            raise

    def finish(self) -> None:
        """End the running job; what it sends until then still arrives."""
        with self._lock:
            task = self._task
        if task is not None:
            task.stop.set()

    def stop(self) -> None:
        """End the running job, and drop what it still sends."""
        with self._lock:
            task, self._task = self._task, None
        if task is not None:
            task.stop.set()

    def join(self, game: SharedGame) -> None:
        """Show a game in place of the current one."""
        if self.shared_game is not None and self.shared_game is not game:
            self.shared_game.leave(self)
        self.shared_game = game
        game.join(self)
        if self._closed:
            self.shared_game = None

    def close(self) -> None:
        """End everything: the connection has ended."""
        with self._lock:
            self._closed = True
        self.stop()
        game, self.shared_game = self.shared_game, None
        if game is not None:
            game.leave(self)


class Clients:
    """All open pages of a server."""

    def __init__(self) -> None:
        self._clients: set[Client] = set()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._clients)

    def count(self, address: str) -> int:
        """Return the number of pages from a network address."""
        with self._lock:
            return sum(client.address == address for client in self._clients)

    def add(self, client: Client) -> None:
        with self._lock:
            self._clients.add(client)

    def remove(self, client: Client) -> None:
        with self._lock:
            self._clients.discard(client)

    def send(self, message: Outgoing) -> None:
        """Send a message to every page."""
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            client.send(message)


class TokenBucket:
    """Limits the rate of messages, and allows bursts."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._rate, self._capacity = per_second, float(burst)
        self._tokens, self._updated = float(burst), time.monotonic()

    def take(self) -> bool:
        """Return whether another message is allowed now."""
        now = time.monotonic()
        self._tokens = min(self._capacity, self._tokens + (now - self._updated) * self._rate)
        self._updated = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

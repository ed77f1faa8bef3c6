"""Everything that the requests of a server share: games, workers, caches, open pages."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from plyforge.compilation.notices import Notices, Timer
from plyforge.engine.engine import Engine
from plyforge.engine.master import Master
from plyforge.engine.pool import EnginePool
from plyforge.interfaces.web.books import BookCatalog
from plyforge.interfaces.web.catalog import GameCatalog
from plyforge.interfaces.web.client import Client, Clients
from plyforge.interfaces.web.drivers import DriverCatalog
from plyforge.interfaces.web.game_file import GameFile
from plyforge.interfaces.web.memory import exempt_loaded
from plyforge.interfaces.web.outgoing import Compiling
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.shared_games import SharedGames
from plyforge.interfaces.web.steps import StepCatalog
from plyforge.interfaces.web.trace_cache import TraceCache
from plyforge.interfaces.web.workers import ThreadBudget, WorkerPool
from plyforge.jobs.choosing import LOCAL


@dataclass(frozen=True)
class ServerLimits:
    """How much clients may ask for."""

    clients: int = 300
    clients_per_address: int = 240
    """So that one machine cannot take all places of a public server."""
    shared_games: int = 400
    idle_games: int = 50
    """Games that no page shows and that stay in memory; others are read from the file again."""
    search_workers: int = 2
    """Threads for analyses."""
    move_workers: int = 4
    """Threads for players' moves."""
    max_waiting: int = 300
    """Tasks that may wait in each of these pools."""
    fast_workers: int = 8
    """Threads that answer messages."""
    slow_workers: int = 2
    """Threads that answer messages which may take seconds."""
    analysis_threads: int = 1
    """Threads that one analysis may use."""
    total_analysis_threads: int = 0
    """Threads that all analyses, comparisons and judgements may use together; 0 for no limit."""
    analysis_nice: int = 0
    """How much lower the priority of analyses is than that of players' moves, as of `nice`."""
    analysis_seconds: float = 120.0
    move_seconds: float = 60.0
    messages_per_second: float = 40.0
    burst: int = 120
    message_bytes: int = 1 << 20


class _PageNotices(Notices):
    """Reports to every page and to the terminal that a kernel is being compiled."""

    def __init__(self, send: Callable[[Outgoing], None]) -> None:
        super().__init__()
        self._send = send

    @contextmanager
    def compiling(self, game: str, kernel: str) -> Iterator[Timer]:
        self._send(Compiling(game=game, kernel=kernel, done=False))
        try:
            with super().compiling(game, kernel) as timer:
                yield timer
        finally:
            self._send(Compiling(game=game, kernel=kernel, done=True))
            exempt_loaded()


@dataclass
class Databases:
    """The files with stored results that pages show, and the file of the server's own games."""

    matches: Path | None = None
    lab: Path | None = None
    learning: Path | None = None
    games: Path | None = None
    """The file of the games played on the server, which it writes itself."""


class ServerState:
    """The games, workers, caches and clients of a server."""

    def __init__(
        self,
        games: Iterable[str] = (),
        limits: ServerLimits | None = None,
        databases: Databases | None = None,
        drivers: Iterable[str] = (),
        steps: Iterable[str] = (),
        executor: str = LOCAL,
        books: Iterable[str] = (),
    ) -> None:
        self.books = BookCatalog(books)
        self.limits = limits or ServerLimits()
        self.executor = executor
        """Where the workers of masters run."""
        self.databases = databases or Databases()
        self.drivers = DriverCatalog(drivers)
        self.steps = StepCatalog(steps)
        self.clients = Clients()
        self.catalog = GameCatalog(games, _PageNotices(self.clients.send))
        self.engines: EnginePool[Engine] = EnginePool()
        self.masters: EnginePool[Master] = EnginePool(max_idle=1)
        """Masters whose workers are in this process."""
        self.traces = TraceCache()
        self.shared_games = SharedGames(self.limits.shared_games)
        games_file = self.databases.games
        self.game_file = None if games_file is None else GameFile(games_file)
        waiting = self.limits.max_waiting
        self.move_workers = WorkerPool("moves", self.limits.move_workers, waiting)
        shared = (waiting, self.limits.analysis_nice)
        total = self.limits.total_analysis_threads
        budget = ThreadBudget(total) if total else None
        workers = self.limits.search_workers
        self.search_workers = WorkerPool("searches", workers, *shared, budget)
        self.batch_workers = WorkerPool("comparisons and judgements", 1, *shared, budget)

    def new_client(self, post: Callable[[Outgoing], None], address: str = "") -> Client:
        """Return a client to which `post` sends."""
        return Client(post, self.search_workers, self.limits.analysis_seconds, address)

    def close(self) -> None:
        """Stop all work."""
        self.move_workers.close()
        self.search_workers.close()
        self.batch_workers.close()
        if self.game_file is not None:
            self.game_file.close()

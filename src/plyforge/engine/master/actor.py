"""A worker in another process: a Ray actor with an engine."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from plyforge.compilation.kernel import Backend
from plyforge.engine.engine import Engine
from plyforge.engine.master.worker import Report, Task, run_task
from plyforge.game.game import Game, History
from plyforge.games import load
from plyforge.jobs.user_files import UserFile, use_files
from plyforge.search.request import pack_position, unpack_position

_STOP_PERIOD: Final = 0.02
"""Seconds between two calls of `stop`: a search that is just starting may miss the first."""


@dataclass(frozen=True)
class EngineSpec:
    """What a process needs to make the same engine."""

    game: str
    backend: Backend
    arguments: Mapping[str, Any]
    """The arguments of `Engine`, as names, numbers and the names of files."""
    files: tuple[UserFile, ...]

    def make_engine(self) -> Engine:
        """Make the engine and compile its kernel; files of the user are executed."""
        with use_files(self.files):
            engine = Engine(load(self.game, self.backend), **self.arguments)
            engine.prepare()
        return engine


@dataclass(frozen=True)
class PackedRoot:
    """A game in progress: where it began, and the moves."""

    number: int
    start: bytes
    moves: tuple[int, ...]

    @classmethod
    def of(cls, number: int, history: History) -> "PackedRoot":
        """Pack a game; `number` tells roots apart."""
        start = pack_position(history.game, history.positions[0])
        return cls(number, start, tuple(history.moves))

    def unpack(self, game: Game) -> History:
        """Return the game."""
        history = game.history(unpack_position(game, self.start))
        for move in self.moves:
            history.follow(move)
        return history


class SearchActor:
    """Runs tasks one at a time; `stop` is called while one runs."""

    def __init__(self, spec: EngineSpec) -> None:
        self._engine = spec.make_engine()
        self._root: tuple[int, History] | None = None
        self._running: int | None = None
        self._stopped = -1
        self._ended = threading.Event()

    def ping(self) -> None:
        """Return at once: the engine is ready."""

    def run(self, number: int, root: PackedRoot, task: Task) -> Report:
        """Run a task; tasks are numbered in the order in which they are given."""
        if self._root is None or self._root[0] != root.number:
            self._root = root.number, root.unpack(self._engine.game)
        self._ended.clear()
        self._running = number
        try:
            if number <= self._stopped:
                return Report(None, 0, 0, 0.0)
            return run_task(self._engine, self._root[1], task)
        finally:
            self._running = None
            self._ended.set()

    def stop(self, number: int) -> None:
        """Make the task of this number return at once, even if it has not begun."""
        self._stopped = max(self._stopped, number)
        while (running := self._running) is not None and running <= number:
            self._engine.stop()
            self._ended.wait(_STOP_PERIOD)

    def clear(self) -> None:
        """Empty the table."""
        self._engine.clear()


def plain_arguments(engine: Engine, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of an engine with names for drivers and steps, as others can read."""
    driver = engine.driver
    built_in = _is_built_in(driver.name)
    steps: Sequence[str] = [step.file for step in engine.options.added]
    return {**arguments, "driver": driver.name if built_in else driver.file, "steps": steps}


def _is_built_in(name: str) -> bool:
    from plyforge.engine.drivers import DRIVERS

    return name in DRIVERS

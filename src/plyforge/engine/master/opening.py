"""Opens a master with the workers that an executor's name asks for."""

from collections.abc import Mapping
from typing import Any

from plyforge.engine.engine import Engine
from plyforge.engine.master.local import LocalWorkers
from plyforge.engine.master.search import Master
from plyforge.engine.master.settings import MasterSettings, check_engine, validate_workers
from plyforge.engine.master.worker import Workers
from plyforge.game.game import Game
from plyforge.jobs.choosing import LOCAL, RAY, check_name


def open_master(
    game: Game,
    arguments: Mapping[str, Any],
    workers: int,
    executor: str = LOCAL,
    settings: MasterSettings | None = None,
) -> Master:
    """Return a master with this many workers; it must be closed.

    `arguments` are those of `Engine` for the master and for each worker.  `executor` is `local` for
    workers that take turns in this process, or `ray` or `ray://HOST:PORT` as for jobs.
    """
    validate_workers(workers)
    check_name(executor)

    def make_engine() -> Engine:
        return check_engine(Engine(game, **arguments))

    engine = make_engine()
    group: Workers
    if executor == LOCAL:
        group = LocalWorkers(workers, make_engine)
    else:
        from plyforge.engine.master.cluster import RayWorkers  # few users have Ray

        address = None if executor == RAY else executor
        group = RayWorkers(workers, engine, arguments, address)
    return Master(engine, group, settings)

"""A master that shares out a search to many workers.

    workers = LocalWorkers(4, lambda: Engine("checkers", hash=16))
    master = Master(Engine("checkers", hash=16), workers)
    result = master.search(nodes=2000)

`tree` and `assignment` are the method, without engines; `local` and `cluster` are workers.
"""

from plyforge.engine.master.local import LocalWorkers
from plyforge.engine.master.result import MasterResult, WorkerSummary
from plyforge.engine.master.search import Master
from plyforge.engine.master.settings import MasterSettings, validate_workers

__all__ = [
    "LocalWorkers",
    "Master",
    "MasterResult",
    "MasterSettings",
    "WorkerSummary",
    "validate_workers",
]

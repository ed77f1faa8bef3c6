"""How a master shares out a search, and what it can be used with."""

from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine.engine import Engine
from plyforge.engine.master.assignment import DEFAULT_CHILDREN
from plyforge.game.chance import reject_chance

MAX_WORKERS: Final = 10_000


@dataclass(frozen=True)
class MasterSettings:
    """How a master shares out the search."""

    children: int = DEFAULT_CHILDREN
    """The number of promising children of a node that get workers of their own."""
    quick: int | None = None
    """Nodes of the quick search that chooses them; an eighth of a worker's nodes by default."""
    report: int | None = None
    """Nodes after which a worker reports; an eighth of its nodes by default."""

    def __post_init__(self) -> None:
        for name in ("children", "quick", "report"):
            value = getattr(self, name)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if value is not None and (not whole or value < 1):
                raise PlyforgeError(f"{name} must be an integer of at least 1, not {value!r}")


def validate_workers(workers: int) -> int:
    """Return a number of workers if it is allowed, else raise an error."""
    whole = isinstance(workers, int) and not isinstance(workers, bool)
    if not whole or not 1 <= workers <= MAX_WORKERS:
        raise PlyforgeError(
            f"the number of workers must be an integer between 1 and {MAX_WORKERS:,}, not"
            f" {workers!r}"
        )
    return workers


def check_engine(engine: Engine) -> Engine:
    """Return an engine if a master and its workers can use one like it, else raise an error."""
    # A master takes the best of the moves at each node; outcomes of chance have an average.
    reject_chance(
        engine.game, "a master with workers", "use threads with the method shared-table or lazy"
    )
    if engine.threads != 1:
        raise PlyforgeError(
            f"each worker of a master has one thread, not {engine.threads}; use more workers"
        )
    if not engine.options.has("deepening"):
        raise PlyforgeError(
            "workers report as they deepen; they cannot search without the switch 'deepening'"
        )
    return engine

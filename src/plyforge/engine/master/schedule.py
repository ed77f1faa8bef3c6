"""How long and how deep the searches of a master's workers are."""

import time
from dataclasses import dataclass
from typing import Final

from plyforge.engine.limits import Limits
from plyforge.engine.master.settings import MasterSettings
from plyforge.engine.master.tree import Node
from plyforge.engine.master.worker import WorkerId
from plyforge.search.options import Options

_REPORTS, _MIN_REPORTS = 8, 4
"""The first task of a worker has an eighth of its nodes, a later one up to a quarter, unless the
caller sets their size."""
_MIN_NODES: Final = 50
"""The minimum number of nodes of a task or a quick search that is derived from the limit."""
_QUICK_NODES: Final = 4000
"""Nodes of a quick search if the workers have no limit of nodes."""
_REPORT_SECONDS: Final = 0.1
"""Seconds of a worker's first task at a node if there is no limit of nodes."""


@dataclass(eq=False)
class WorkerState:
    """A worker as the master sees it."""

    number: WorkerId
    place: str
    node: Node | None = None
    """Where it works; None if there is no work for it."""
    next_depth: int | None = None
    length: int = 0
    """How much longer than the first a task is: doubled whenever no depth was completed."""
    task: tuple[Node, int | None] | None = None
    """The node and the first depth of the task that runs."""
    nodes: int = 0
    spent: int = 0
    """Nodes, and those of quick searches that it had to wait for."""
    reports: int = 0
    moved: int = 0
    lost: str = ""


@dataclass(frozen=True)
class Schedule:
    """The limits of one search, and what follows for tasks and quick searches."""

    options: Options
    settings: MasterSettings
    limits: Limits
    deadline: float | None
    """When the search ends, by `time.perf_counter`."""
    root_plies: int
    """The moves of the game before the root."""
    horizon: int
    """The ply of the game at which a search ends, up to steps of depth."""
    alone: bool
    """Whether there is one worker, which searches as an engine does."""

    def seconds_left(self) -> float | None:
        """Return the seconds until the deadline; None if there is none."""
        return None if self.deadline is None else max(0.0, self.deadline - time.perf_counter())

    def is_late(self) -> bool:
        return self.deadline is not None and time.perf_counter() >= self.deadline

    @property
    def quick_nodes(self) -> int:
        """The nodes of a quick search."""
        if self.settings.quick is not None:
            return self.settings.quick
        return _QUICK_NODES if self.limits.nodes is None else _share_of(self.limits.nodes)

    def task_limits(self, worker: WorkerState) -> tuple[int | None, float | None]:
        """Return the nodes and the seconds of a worker's next task; 0 if nothing is left."""
        limit, seconds = self.limits.nodes, self.seconds_left()
        left = None if limit is None else max(0, limit - worker.spent)
        if self.alone:
            return left, seconds  # nobody waits for a report
        nodes: int | None = None
        if limit is not None:
            nodes = self._task_nodes(limit, left or 0, worker)
        elif seconds is None or self.settings.report is not None:
            nodes = self._report_nodes(_QUICK_NODES, worker)
        else:
            seconds = min(seconds, _REPORT_SECONDS * 2**worker.length)
        return nodes, seconds

    def _task_nodes(self, limit: int, left: int, worker: WorkerState) -> int:
        """Return the nodes of a worker's next task.

        Tasks become longer, as iterations do: a task that ends in the middle of an iteration has to
        repeat a part of it.  A short one at the end is added to the one before it.
        """
        nodes = _share_of(limit)
        if self.settings.report is None:
            nodes = max(nodes, min(worker.nodes, limit // _MIN_REPORTS))
        nodes = self._report_nodes(nodes, worker)
        return left if 2 * left < 3 * nodes else nodes

    def _report_nodes(self, default: int, worker: WorkerState) -> int:
        return (self.settings.report or default) << worker.length

    def max_depth(self, node: Node) -> int | None:
        """Return the limit of depth for a node; that of the search counts from the root."""
        limit = self.limits.depth
        return None if limit is None else limit - (len(node.history.moves) - self.root_plies)

    def depth_step(self, node: Node) -> int:
        parity = self.options.code("parity-second" if node.turn else "parity-first")
        return 2 if parity else int(self.options.get("depth-step"))

    def first_depth(self, node: Node) -> int | None:
        """Return the first depth at a node: all searches end at horizons of the same parity."""
        if self.alone:
            return None
        step = self.depth_step(node)
        return (self.horizon - len(node.history.moves)) % step or step


def _share_of(nodes: int) -> int:
    return max(_MIN_NODES, nodes // _REPORTS)

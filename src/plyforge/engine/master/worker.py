"""What a worker does: it searches a position for a while, and reports.

A worker is an engine with a table of its own.  It keeps nothing else between two tasks, so another
worker can take over its node at any time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from plyforge.engine.engine import Engine
from plyforge.engine.master.estimate import Estimate, estimate_of
from plyforge.game.game import History

WorkerId = int


@dataclass(frozen=True)
class Task:
    """A search of a position, from one depth on, within limits."""

    path: tuple[int, ...]
    """The moves from the master's root to the position."""
    first_depth: int | None
    """The depth of the first iteration; None to begin at the beginning."""
    max_depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    guess: float = 0.0
    """The score to expect, for drivers that start from one."""


@dataclass(frozen=True)
class Report:
    """What a worker has found in a task."""

    estimate: Estimate | None
    """None if not even one move was searched."""
    completed: int
    """The depth of the last completed iteration; 0 if there is none."""
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Event:
    """Something that happened to a worker."""

    worker: WorkerId
    report: Report | None = None
    """The report of its task; None if the worker has joined or is lost."""
    lost: str = ""
    """Why the worker is lost; empty if it is not."""


class Workers(Protocol):
    """Workers that run tasks, here or on other machines.

    The master uses them from one thread; `stop` may be called from any.
    """

    size: int
    """The number of workers that there should be."""

    def ready(self) -> Sequence[WorkerId]:
        """Return the workers that can take tasks, in a fixed order."""

    @property
    def starting(self) -> bool:
        """Whether more workers are about to be ready."""

    def place_of(self, worker: WorkerId) -> str:
        """Return where a worker runs, for people."""

    def begin(self, root: History) -> None:
        """Let the paths of all later tasks begin at this position."""

    def start(self, worker: WorkerId, task: Task) -> None:
        """Give a task to a worker that has none."""

    def wait(self, seconds: float | None) -> list[Event]:
        """Wait for something to happen, this long at most."""

    def interrupt(self, worker: WorkerId) -> None:
        """Make a worker report now; it may already be doing so."""

    def stop(self) -> None:
        """Make all workers report now; safe to call from any thread."""

    def finish(self) -> list[Event]:
        """Stop all workers, and return what they report until all tasks have ended.

        A worker that does not report soon is not waited for.
        """

    def clear(self) -> None:
        """Empty the tables, for a new game."""

    def close(self) -> None:
        """End all workers."""


def run_task(engine: Engine, root: History, task: Task) -> Report:
    """Search as a task says."""
    history = root.copy()
    for move in task.path:
        history.play(move)
    result = engine.analyse(
        history,
        depth=task.max_depth,
        nodes=task.nodes,
        time=task.seconds,
        guess=task.guess,
        first_depth=task.first_depth,
        line_budget=0,  # completing lines would take nodes that nobody counts
        catch_interrupt=True,
    )
    finished = not (result.stopped or result.interrupted)
    estimate = estimate_of(result.lines[0], finished)
    return Report(estimate, result.depth, result.nodes, result.seconds)

"""Trees that textbook searches visit, grown within limits of visits and time."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Final

from plyforge.core.game import Game
from plyforge.core.history import History
from plyforge.search.textbook.algorithms import ALGORITHMS
from plyforge.search.textbook.alpha_beta import alpha_beta
from plyforge.search.textbook.explain import told, value_for_max
from plyforge.search.textbook.minimal import Minimal, Order, Ordered, minimal_tree
from plyforge.search.textbook.trace import Trace
from plyforge.search.textbook.view import Node, NotWhole, View

MINIMAL: Final = "minimal"
CHOICES: Final = (*ALGORITHMS, MINIMAL)
"""What can be drawn: the algorithms, and the tree that no order of moves makes smaller."""
MINIMAL_TITLE: Final = "Minimal tree"
MINIMAL_IDEA: Final = "alpha-beta, where each node's best move comes first"

DEEPEST: Final = 62
"""As deep as any explicit tree."""
MOST_VISITS: Final = 20_000
MOST_SECONDS: Final = 12.0
"""For one tree."""
MOST_PROOFS: Final = 200_000
"""Nodes that are looked at for the minimal tree."""


def title_and_idea(name: str) -> tuple[str, str]:
    """What a choice is called, and what it does."""
    if name == MINIMAL:
        return MINIMAL_TITLE, MINIMAL_IDEA
    return ALGORITHMS[name].title, ALGORITHMS[name].idea


@dataclass(frozen=True)
class Wish:
    """What a page wants to see."""

    history: History
    depth: int
    algorithms: tuple[str, ...]
    best_first: bool


@dataclass(frozen=True)
class Grown:
    """The tree that an algorithm visited."""

    title: str
    idea: str
    trace: Trace
    note: str
    """Why it is not whole; empty if it is."""

    @property
    def value(self) -> str:
        """The result in view of MAX."""
        roots = self.trace.roots()
        return "unknown" if not roots or roots[-1].open else told(value_for_max(roots[-1]))

    @property
    def counts(self) -> dict[str, int]:
        """What there is to count."""
        visits = self.trace.visits
        return {
            "visits": len(visits),
            "leaves": sum(visit.leaf for visit in visits),
            "cuts": sum(bool(visit.cut_by and visit.unseen) for visit in visits),
            "unseen": sum(len(visit.unseen) for visit in visits if visit.cut_by),
            "hits": sum(visit.table_hit for visit in visits),
            "searches": len(self.trace.roots()),
        }


@dataclass(frozen=True)
class Least:
    """The leaves of the minimal tree; None if they were not found, and why."""

    leaves: int | None
    note: str


class Enough(Exception):
    """A search has reached a limit, which its text names."""


class Limit:
    """Ends a search after so many calls or seconds, or when a job is to stop."""

    def __init__(self, stop: Event, calls: int, seconds: float = MOST_SECONDS) -> None:
        self._stop, self._left, self._calls = stop, calls, calls
        self._seconds, self._end = seconds, time.monotonic() + seconds

    def __call__(self, _: Trace | None = None) -> None:
        self._left -= 1
        if self._stop.is_set():
            raise Enough("was stopped")
        if self._left < 0:
            raise Enough(f"has reached {self._calls:,} nodes")
        if time.monotonic() > self._end:
            raise Enough(f"has taken {self._seconds:g} seconds")


def grow(wish: Wish, stop: Event) -> Iterator[Grown | Least]:
    """Each tree that is wished for, and how many leaves the minimal one has.

    The minimal tree is needed first if it is to be drawn or to order moves, else it comes last.
    """
    first = wish.best_first or MINIMAL in wish.algorithms
    least: Minimal | str | None = None
    if first:
        least = _least(wish, stop)
        yield _told(least)
    for name in wish.algorithms:
        if stop.is_set():
            return
        yield _grown(wish, name, least, stop)
    if not first and not stop.is_set():
        yield _told(_least(wish, stop))


def _told(least: Minimal | str) -> Least:
    if isinstance(least, str):
        return Least(None, f"The minimal tree is not known: its search {least}.")
    return Least(least.leaves, "")


class _Limited(View):
    """A view that counts the nodes that are looked at."""

    def __init__(self, game: Game, limit: Limit) -> None:
        super().__init__(game)
        self._limit = limit

    def leaf(self, node: Node, depth: int) -> float | None:
        self._limit()
        return super().leaf(node, depth)


def _least(wish: Wish, stop: Event) -> Minimal | str:
    """The minimal tree, or why it is not known."""
    view = _Limited(wish.history.game, Limit(stop, MOST_PROOFS))
    try:
        return minimal_tree(view, _root(wish, view), wish.depth)
    except Enough as error:
        return str(error)


def _root(wish: Wish, view: View) -> Node:
    """The node to start from; who moves there is known even in games that do not tell."""
    return view.root(wish.history.position)._replace(side=wish.history.turn)


def _grown(wish: Wish, name: str, least: Minimal | str | None, stop: Event) -> Grown:
    search = alpha_beta if name == MINIMAL else ALGORITHMS[name].search
    best_first = wish.best_first or name == MINIMAL
    order: Order = least.order if best_first and isinstance(least, Minimal) else {}
    trace, fault = _search(wish, search, wish.depth, order, stop)
    notes = []
    if best_first and isinstance(least, str):
        notes.append(f"Moves come in the rules' order: the search for the best ones {least}.")
    if fault:
        notes.append(f"The search {fault}; the tree shows what it had visited.")
        notes.append(_feasible(wish, search, order, stop))
    return Grown(*title_and_idea(name), trace, " ".join(notes).strip())


def _search(
    wish: Wish, search: Callable[..., float], depth: int, order: Order, stop: Event
) -> tuple[Trace, str]:
    """The visits of a search, and why it was not whole.

    Values are taken for whole numbers, which makes null windows as wide as in textbooks, until
    one is not.
    """
    for integer in (True, False):
        trace = Trace(Limit(stop, MOST_VISITS))
        view = Ordered(wish.history.game, order, integer=integer, trace=trace)
        try:
            search(view, _root(wish, view), depth)
        except Enough as error:
            return trace, str(error)
        except NotWhole:
            continue
        break
    return trace, ""


def _feasible(wish: Wish, search: Callable[..., float], order: Order, stop: Event) -> str:
    """Which depth would have been reached."""
    best = 0
    for depth in range(1, wish.depth):
        if _search(wish, search, depth, order, stop)[1]:
            break
        best = depth
    return "" if stop.is_set() else f"Depth {best} can be searched whole." if best else ""

"""Trees that textbook searches visit, grown within limits of visits and time."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event
from typing import Final

from plyforge.core.scores import ONGOING
from plyforge.game.game import Game, History
from plyforge.search.textbook.algorithms import ALGORITHMS
from plyforge.search.textbook.alpha_beta import alpha_beta
from plyforge.search.textbook.explain import NAMES, told, value_for_max
from plyforge.search.textbook.minimal import Minimal, Order, Ordered, minimal_tree
from plyforge.search.textbook.trace import Trace
from plyforge.search.textbook.view import MAX, Node, NotWhole, View

MINIMAL: Final = "minimal"
CHOICES: Final = (*ALGORITHMS, MINIMAL)
"""What can be drawn: the algorithms, and the tree that no order of moves makes smaller."""
MINIMAL_TITLE: Final = "Minimal tree"
MINIMAL_IDEA: Final = "alpha-beta, where each node's best move comes first"

DEEPEST: Final = 62
"""As deep as any explicit tree."""
MAX_VISITS: Final = 20_000
MAX_SECONDS: Final = 12.0
"""For one tree."""
ALL_SECONDS: Final = 16.0
"""For all trees of a wish, in equal shares of what is left."""
MIN_SECONDS: Final = 4.0
"""For the minimal tree if it comes last."""
FIRST_SECONDS: Final = 8.0
"""For the minimal tree if it is wished for; the others then have less."""
REACH_SECONDS: Final = 4.0
"""To find which depths could have been searched."""
MAX_PROOFS: Final = 200_000
"""Nodes that are looked at for the minimal tree."""


def title_and_idea(name: str, side: int = MAX) -> tuple[str, str]:
    """What a choice is called, and what it does in view of MAX if this side moves first."""
    if name == MINIMAL:
        return MINIMAL_TITLE, MINIMAL_IDEA
    found = ALGORITHMS[name]
    return found.title, found.idea if side == MAX else found.idea_for_min or found.idea


@dataclass(frozen=True)
class TraceRequest:
    """What a page wants to see."""

    history: History
    depth: int
    algorithms: tuple[str, ...]
    best_first: bool


@dataclass(frozen=True)
class TraceResult:
    """The tree that an algorithm visited."""

    title: str
    idea: str
    trace: Trace
    note: str
    """Why it is not whole, or its value means little; empty if there is nothing to say."""

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
class MinimalLeaves:
    """The leaves of the minimal tree; None if they were not found, and why."""

    leaves: int | None
    note: str


@dataclass(frozen=True)
class FeasibleDepth:
    """Which depth a search that was not whole could have reached: found after all trees."""

    place: int
    """The tree's number, from 0."""
    note: str


class LimitReached(Exception):
    """A search has reached a limit, which its text names."""


class Limit:
    """Ends a search after so many calls or seconds, or when a job is to stop."""

    def __init__(self, stop: Event, calls: int, seconds: float) -> None:
        self._stop, self._left, self._calls = stop, calls, calls
        self._seconds, self._end = seconds, time.monotonic() + seconds
        self.late = False
        """It was time that ended the search."""

    def renewed(self) -> "Limit":
        """All calls anew, within what is left of the time."""
        self._left = self._calls
        return self

    def __call__(self, _: Trace | None = None) -> None:
        self._left -= 1
        if self._stop.is_set():
            raise LimitReached("was stopped")
        if self._left < 0:
            raise LimitReached(f"has reached {self._calls:,} nodes")
        if time.monotonic() > self._end:
            self.late = True
            raise LimitReached(f"has taken {self._seconds:.0f} seconds")


def trace_trees(
    wish: TraceRequest, stop: Event
) -> Iterator[TraceResult | MinimalLeaves | FeasibleDepth]:
    """Each tree that is wished for, how many leaves the minimal one has, and what could be done.

    The minimal tree is needed first if it is to be drawn or to order moves; else it comes after
    all trees, since it may take as long as they.
    """
    first = wish.best_first or MINIMAL in wish.algorithms
    least: Minimal | str | None = None
    if first:
        least = _least(wish, stop, FIRST_SECONDS)
        yield _told(least)
    cut_short: list[tuple[int, str]] = []
    left = ALL_SECONDS + MIN_SECONDS - FIRST_SECONDS if first else ALL_SECONDS
    for place, name in enumerate(wish.algorithms):
        if stop.is_set():
            return
        began = time.monotonic()
        found, whole = _grown(wish, name, least, stop, left / (len(wish.algorithms) - place))
        left = max(0.0, left - (time.monotonic() - began))
        if not whole:
            cut_short.append((place, name))
        yield found
    if not first and not stop.is_set():
        yield _told(_least(wish, stop, MIN_SECONDS))
    for place, name in cut_short:
        note = _feasible(wish, name, least, stop, REACH_SECONDS / len(cut_short))
        if note:
            yield FeasibleDepth(place, note)


def _told(least: Minimal | str) -> MinimalLeaves:
    if isinstance(least, str):
        return MinimalLeaves(None, f"The minimal tree is not known: its search {least}.")
    return MinimalLeaves(least.leaves, "")


class _Limited(View):
    """A view that counts the nodes that are looked at."""

    def __init__(self, game: Game, limit: Limit) -> None:
        super().__init__(game)
        self._limit = limit

    def leaf(self, node: Node, depth: int) -> float | None:
        self._limit()
        return super().leaf(node, depth)


def _least(wish: TraceRequest, stop: Event, seconds: float) -> Minimal | str:
    """The minimal tree, or why it is not known."""
    view = _Limited(wish.history.game, Limit(stop, MAX_PROOFS, seconds))
    try:
        return minimal_tree(view, _root(wish, view), wish.depth)
    except LimitReached as error:
        return str(error)


def _root(wish: TraceRequest, view: View) -> Node:
    """The node to start from; who moves there is known even in games that do not tell."""
    return view.root(wish.history.position)._replace(side=wish.history.turn)


def _ordered(wish: TraceRequest, name: str, least: Minimal | str | None) -> Order:
    """The moves to try first."""
    best_first = wish.best_first or name == MINIMAL
    return least.order if best_first and isinstance(least, Minimal) else {}


def _grown(
    wish: TraceRequest, name: str, least: Minimal | str | None, stop: Event, seconds: float
) -> tuple[TraceResult, bool]:
    """The tree, and whether its search is whole."""
    limit = Limit(stop, MAX_VISITS, min(MAX_SECONDS, seconds))
    trace, fault = _search(wish, name, wish.depth, _ordered(wish, name, least), limit)
    notes = []
    if (wish.best_first or name == MINIMAL) and isinstance(least, str):
        notes.append(f"Moves come in the rules' order: the search for the best ones {least}.")
    if fault:
        notes.append(f"The search {fault}; the tree shows what it had visited.")
    notes.append(_unjudged(wish, trace))
    title, idea = title_and_idea(name, wish.history.turn)
    return TraceResult(title, idea, trace, " ".join(filter(None, notes))), not fault


def _unjudged(wish: TraceRequest, trace: Trace) -> str:
    """A note if the depth ends at nodes that have no value of their own, as in typed trees."""
    game = wish.history.game
    if "evaluate" in game.rules.hooks and game.players != NAMES:
        return ""
    last = (visit for visit in trace.visits if visit.leaf and visit.depth == 0)
    ends = [visit for visit in last if game.outcome(visit.position) == ONGOING]
    if not ends or any(visit.own for visit in ends):
        return ""
    what = "inner nodes of a tree" if game.players == NAMES else "positions of this game"
    return f"The depth ends before the game does, where {what} have no evaluation and count as 0."


def _search(
    wish: TraceRequest, name: str, depth: int, order: Order, limit: Limit
) -> tuple[Trace, str]:
    """The visits of a search, and why it was not whole.

    Values are taken for whole numbers, which makes null windows as wide as in textbooks, until
    one is not.
    """
    search = alpha_beta if name == MINIMAL else ALGORITHMS[name].search
    for integer in (True, False):
        trace = Trace(limit.renewed())
        view = Ordered(wish.history.game, order, integer=integer, trace=trace)
        try:
            search(view, _root(wish, view), depth)
        except LimitReached as error:
            return trace, str(error)
        except NotWhole:
            continue
        break
    return trace, ""


def _feasible(
    wish: TraceRequest, name: str, least: Minimal | str | None, stop: Event, seconds: float
) -> str:
    """Which depth would have been reached."""
    best, limit = 0, Limit(stop, MAX_VISITS, seconds)
    for depth in range(1, wish.depth):
        if _search(wish, name, depth, _ordered(wish, name, least), limit)[1]:
            break
        best = depth
    if stop.is_set() or not best:
        return ""
    return f"Depth {best} can be searched whole{', maybe more' if limit.late else ''}."

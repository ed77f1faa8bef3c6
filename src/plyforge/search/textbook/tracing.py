"""Traces of several textbook searches of one position, within limits of visits and time."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Final

from plyforge.core.scores import ONGOING
from plyforge.game.game import Game, History
from plyforge.search.parallel.methods import METHODS
from plyforge.search.parallel.recording import MIN_WORKERS, record_search
from plyforge.search.textbook.algorithms import ALGORITHMS
from plyforge.search.textbook.alpha_beta import alpha_beta
from plyforge.search.textbook.explain import NAMES, format_long, value_for_max
from plyforge.search.textbook.minimal import Minimal, Order, OrderedView, minimal_tree
from plyforge.search.textbook.trace import Trace
from plyforge.search.textbook.view import MAX, Node, NotAnInteger, View

MINIMAL: Final = "minimal"
PARALLEL: Final = ("ybwc", "pv-split", "root-split", "dynamic", "abdada")
"""The methods of parallel search that can be recorded."""
CHOICES: Final = (*ALGORITHMS, MINIMAL, *PARALLEL)
"""The algorithms, the minimal tree, and the methods of parallel search."""
MINIMAL_TITLE: Final = "Minimal tree"
MINIMAL_IDEA: Final = "alpha-beta, where each node's best move comes first"
MAX_DEPTH: Final = 62
"""As deep as any explicit tree."""


@dataclass(frozen=True)
class TraceLimits:
    """The limits of the searches of one request."""

    visits: int = 20_000
    """Visits of one tree."""
    tree_seconds: float = 12.0
    """Seconds for one tree."""
    total_seconds: float = 16.0
    """Seconds for all trees; each gets an equal share of what is left."""
    minimal_seconds: float = 4.0
    """Seconds for the minimal tree if it is searched last."""
    first_seconds: float = 8.0
    """Seconds for the minimal tree if it is searched first; the trees then have less."""
    feasible_seconds: float = 4.0
    """Seconds to find the depths that can be searched completely."""
    minimal_nodes: int = 200_000
    """Nodes visited to find the minimal tree."""
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True)
class TraceRequest:
    """A position, and the algorithms whose search trees are wanted."""

    history: History
    depth: int
    algorithms: tuple[str, ...]
    best_first: bool
    workers: int = MIN_WORKERS
    """The number of workers of parallel searches."""
    seed: int = 0
    """What the order of their turns is drawn from."""


@dataclass(frozen=True)
class TraceResult:
    """The tree that an algorithm visited."""

    title: str
    idea: str
    trace: Trace
    note: str
    """Why the tree is incomplete or its value means little; empty if neither is the case."""

    @property
    def value(self) -> str:
        """The result from MAX's perspective."""
        root = self.trace.result()
        return "unknown" if root is None else format_long(value_for_max(root))

    @property
    def counts(self) -> dict[str, int]:
        """The number of visits, leaves, cutoffs, unsearched moves, table hits and searches."""
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
    """The number of leaves of the minimal tree; None, with a note, if it was not found."""

    leaves: int | None
    note: str


@dataclass(frozen=True)
class FeasibleDepth:
    """A note on the depth that an incomplete search could have completed."""

    index: int
    """The place of the algorithm in the request."""
    note: str


class LimitReached(Exception):
    """A search has reached a limit; the text is the predicate of a sentence about it."""


class _Budget:
    """Ends a search after a number of calls or seconds, or when `stop` is set."""

    def __init__(self, stop: Event, calls: int, seconds: float, clock: Callable[[], float]) -> None:
        self._stop, self._left, self._calls, self._clock = stop, calls, calls, clock
        self._seconds, self._end = seconds, clock() + seconds
        self.out_of_time = False

    def reset_calls(self) -> "_Budget":
        """Allow all calls again, in the time that is left."""
        self._left = self._calls
        return self

    def __call__(self, _: Trace | None = None) -> None:
        self._left -= 1
        if self._stop.is_set():
            raise LimitReached("was stopped")
        if self._left < 0:
            raise LimitReached(f"has reached {self._calls:,} nodes")
        if self._clock() > self._end:
            self.out_of_time = True
            raise LimitReached(f"has taken {self._seconds:.0f} seconds")


def title_and_idea(name: str, side: int = MAX) -> tuple[str, str]:
    """Return the title of a choice, and what it does if `side` moves at the root."""
    if name == MINIMAL:
        return MINIMAL_TITLE, MINIMAL_IDEA
    if name in PARALLEL:
        table = ", with a table" if METHODS[name].needs_table else ""
        return f"Parallel: {name}", METHODS[name].summary + table
    algorithm = ALGORITHMS[name]
    return (
        algorithm.title,
        algorithm.idea if side == MAX else algorithm.idea_for_min or algorithm.idea,
    )


def trace_trees(
    request: TraceRequest, stop: Event, limits: TraceLimits | None = None
) -> Iterator[TraceResult | MinimalLeaves | FeasibleDepth]:
    """Yield each requested tree, the size of the minimal tree, and notes on feasible depths.

    The minimal tree comes first if it is to be drawn or to order moves.  Otherwise it comes after
    all trees, since it may take as long as they do.
    """
    yield from _Tracing(request, stop, limits or TraceLimits()).run()


class _Limited(View):
    """A view that charges each visited node to a budget."""

    def __init__(self, game: Game, budget: _Budget) -> None:
        super().__init__(game)
        self._budget = budget

    def leaf(self, node: Node, depth: int) -> float | None:
        self._budget()
        return super().leaf(node, depth)


class _Tracing:
    """The searches of one request."""

    def __init__(self, request: TraceRequest, stop: Event, limits: TraceLimits) -> None:
        self._request, self._stop, self._limits = request, stop, limits
        self._game = request.history.game
        self._minimal: Minimal | str | None = None
        """The minimal tree, or why it was not found; None if it is not searched yet."""

    def run(self) -> Iterator[TraceResult | MinimalLeaves | FeasibleDepth]:
        limits, names = self._limits, self._request.algorithms
        chance = self._game.has_chance()
        minimal_first = not chance and (self._request.best_first or MINIMAL in names)
        seconds = limits.total_seconds
        if minimal_first:
            seconds -= limits.first_seconds - limits.minimal_seconds
            yield self._search_minimal(limits.first_seconds)
        incomplete: list[tuple[int, str]] = []
        for index, name in enumerate(names):
            if self._stop.is_set():
                return
            started = limits.clock()
            result, complete = self._trace(name, seconds / (len(names) - index))
            seconds = max(0.0, seconds - (limits.clock() - started))
            if not complete:
                incomplete.append((index, name))
            yield result
        if not minimal_first and not chance and not self._stop.is_set():
            yield self._search_minimal(limits.minimal_seconds)
        for index, name in incomplete:
            note = self._feasible_depth(name, limits.feasible_seconds / len(incomplete))
            if note:
                yield FeasibleDepth(index, note)

    def _budget(self, calls: int, seconds: float) -> _Budget:
        return _Budget(self._stop, calls, seconds, self._limits.clock)

    def _root(self, view: View) -> Node:
        """The node to start from; the history knows who moves even where the rules do not."""
        history = self._request.history
        return view.root(history.position)._replace(side=history.turn)

    def _search_minimal(self, seconds: float) -> MinimalLeaves:
        view = _Limited(self._game, self._budget(self._limits.minimal_nodes, seconds))
        try:
            minimal = minimal_tree(view, self._root(view), self._request.depth)
        except LimitReached as error:
            self._minimal = reason = str(error)
            return MinimalLeaves(None, f"The minimal tree is not known: its search {reason}.")
        self._minimal = minimal
        return MinimalLeaves(minimal.leaves, "")

    def _best_first(self, name: str) -> bool:
        return self._request.best_first or name == MINIMAL

    def _order(self, name: str) -> Order:
        """The moves to try first."""
        if self._best_first(name) and isinstance(self._minimal, Minimal):
            return self._minimal.order
        return {}

    def _trace(self, name: str, seconds: float) -> tuple[TraceResult, bool]:
        """Return the tree, and whether its search is complete."""
        limits = self._limits
        budget = self._budget(limits.visits, min(limits.tree_seconds, seconds))
        trace, reason = self._search(name, self._request.depth, budget)
        notes = []
        if self._best_first(name) and isinstance(self._minimal, str):
            notes.append(
                "Moves are in the order of the rules:"
                f" the search for the best ones {self._minimal}."
            )
        if self._best_first(name) and self._game.has_chance():
            notes.append(
                "Moves are in the order of the rules: the minimal tree of a game of chance is not"
                " known."
            )
        if reason:
            notes.append(f"The search {reason}; the tree shows what it had visited.")
        notes.append(self._note_on_evaluation(trace))
        title, idea = title_and_idea(name, self._request.history.turn)
        if name in PARALLEL:
            idea += f"; {self._describe_team(trace)}"
        return TraceResult(title, idea, trace, " ".join(filter(None, notes))), not reason

    def _describe_team(self, trace: Trace) -> str:
        """Return the number of workers, the seed, and what workers did besides visiting nodes."""
        kinds: Counter[str] = Counter(event.kind for event in trace.events)
        names = {
            "offer": "split",
            "join": "join",
            "defer": "deferred move",
            "stop": "stopped visit",
        }
        done = [
            f"{kinds[kind]} {name}{'' if kinds[kind] == 1 else 's'}"
            for kind, name in names.items()
            if kinds[kind]
        ]
        team = f"{self._request.workers} workers, seed {self._request.seed}"
        return ": ".join(filter(None, [team, ", ".join(done)]))

    def _note_on_evaluation(self, trace: Trace) -> str:
        """A note if the depth ends at nodes without an evaluation, as in typed trees."""
        game = self._game
        if "evaluate" in game.rules.hooks and game.players != NAMES:
            return ""
        last = (visit for visit in trace.visits if visit.leaf and visit.depth == 0)
        ends = [visit for visit in last if game.outcome(visit.position) == ONGOING]
        if not ends or any(visit.own for visit in ends):
            return ""
        nodes = "inner nodes of a tree" if game.players == NAMES else "positions of this game"
        return (
            f"The depth ends before the game does, where {nodes} have no evaluation and count as 0."
        )

    def _search(self, name: str, depth: int, budget: _Budget) -> tuple[Trace, str]:
        """Return the visits of a search, and why it is incomplete.

        Values are taken for integers until one is not: then null windows are as wide as in
        textbooks.
        """
        if name in PARALLEL:
            return self._search_in_parallel(name, depth, budget)
        search = alpha_beta if name == MINIMAL else ALGORITHMS[name].search
        for integer in (True, False):
            trace = Trace(budget.reset_calls())
            view = OrderedView(self._game, self._order(name), integer=integer, trace=trace)
            try:
                search(view, self._root(view), depth)
            except LimitReached as error:
                return trace, str(error)
            except NotAnInteger:
                continue
            break
        return trace, ""

    def _search_in_parallel(self, name: str, depth: int, budget: _Budget) -> tuple[Trace, str]:
        request = self._request
        trace = Trace(budget.reset_calls())
        try:
            record_search(
                request.history,
                depth,
                METHODS[name],
                workers=request.workers,
                seed=request.seed,
                trace=trace,
                order=self._order(name),
            )
        except LimitReached as error:
            return trace, str(error)
        return trace, ""

    def _feasible_depth(self, name: str, seconds: float) -> str:
        """Name the depth that would have been completed."""
        best, budget = 0, self._budget(self._limits.visits, seconds)
        for depth in range(1, self._request.depth):
            if self._search(name, depth, budget)[1]:
                break
            best = depth
        if self._stop.is_set() or not best:
            return ""
        more = ", perhaps more" if budget.out_of_time else ""
        return f"Depth {best} can be searched completely{more}."

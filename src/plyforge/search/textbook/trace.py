"""The tree that an algorithm visits, node by node.

An algorithm decorated with `record_visits` records its visits in the trace of its view:
`View(game, trace=Trace())`.  Windows and values are for the side to move at each node.
"""

import functools
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, cast

from plyforge.game.display import render
from plyforge.game.game import Game
from plyforge.search.values import INFINITY

if TYPE_CHECKING:
    from plyforge.search.textbook.view import Node, View

Search = TypeVar("Search", bound=Callable[..., float])
"""An algorithm: a function of a view, a node, a depth and more."""

_MAX_DENOMINATOR: Final = 36
_ROUNDING: Final = 1e-9
"""Probabilities this near to a fraction are written as one."""
OPEN = "OPEN"
"""The kind of a visit that has not ended."""
STOPPED = "STOPPED"
"""The kind of a visit that a worker of a parallel search gave up."""

EventKind = Literal["enter", "leave", "stop", "offer", "join", "quit", "cut", "wait", "defer"]
"""What a worker of a parallel search does.

It enters a node, and leaves it with a value or stops without one; it offers the moves of a node to
other workers, joins a node of another one, and quits it; it cuts a node that others search, too; it
waits for them; in `abdada` it defers a move.
"""


@dataclass(frozen=True, slots=True)
class Event:
    """A step of a parallel search."""

    kind: EventKind
    worker: int
    visit: int
    """The number of the visit."""
    move: str = ""
    """The move that cuts, or is deferred."""
    cut: int | None = None
    """The visit whose cut makes a worker quit; None if no move is left to start."""


@dataclass(slots=True)
class Visit:
    """A visit of a node; a node that is searched again is visited again."""

    number: int
    """The order of visits, from 0."""
    parent: int | None
    path: tuple[int, ...]
    """The moves from the root."""
    move: str
    """The last of them in the game's notation; empty at the root."""
    position: Any
    ply: int
    depth: int
    side: int
    alpha: float
    beta: float
    research: int
    """The number of earlier visits along the same path."""
    value: float = 0.0
    open: bool = False
    """Whether it has not ended and has no value: not yet, or never if the search was stopped."""
    null: bool = False
    """Whether the window is a null window: the visit tests a bound."""
    leaf: bool = False
    table_hit: bool = False
    """Whether the value came from a table: the node was neither evaluated nor expanded."""
    own: float | None = None
    """A leaf's own value, which a fail-hard search may have limited to the window."""
    again: bool = False
    """Whether the parent has just tested the move and searches it again for its value."""
    alpha_tested: bool = False
    beta_tested: bool = False
    """Whether this end of the window is the result of such a test, here or above, rather than
    the value of another move."""
    moves: list[str] = field(default_factory=list)
    """All moves, in the order of search; empty for a leaf and after a table hit."""
    searched: list[str] = field(default_factory=list)
    """The moves that were searched."""
    worker: int | None = None
    """In a parallel search, the worker that visits the node, from 0."""
    stopped: bool = False
    """Whether its worker gave it up, because of a cut above it or because the search was over."""
    stopped_by: int | None = None
    """The visit whose cut made it useless, if that is why it was stopped."""
    split: bool = False
    """Whether its worker offered its moves to others."""
    cut_move: str | None = None
    """The move that cut it, if that need not be the last one that was started."""
    chance: bool = False
    """Whether chance moves at the node."""
    probability: float | None = None
    """The probability of the move that led here, by chance or in a mixed strategy."""
    information: str | None = None
    """The information set: its side cannot tell nodes with the same text apart."""
    label: str | None = None
    """What the node shows below its value instead of the window."""
    entry: str = ""
    note: str = ""
    """What happens when the node is entered and left, if no window explains it."""

    @property
    def kind(self) -> str:
        """The value compared with the window: ALL at most alpha, CUT at least beta, else PV."""
        if self.stopped:
            return STOPPED
        if self.open:
            return OPEN
        if self.value >= self.beta:
            return "CUT"
        return "ALL" if self.value <= self.alpha else "PV"

    @property
    def moved(self) -> bool:
        """Whether a leaf's own value lies outside the window, whose nearer end was returned."""
        return self.own is not None and not self.open and self.own != self.value

    @property
    def matches(self) -> bool:
        """Whether the value equals the result of a test, here or above."""
        if self.open:
            return False
        at_alpha = self.alpha_tested and self.value == self.alpha
        return at_alpha or (self.beta_tested and self.value == self.beta)

    @property
    def confirms(self) -> bool:
        """Whether a second search of a move has found the value of the test, which is then exact.

        The test showed that the move is worth at least that to the parent, this search that it is
        worth no more.
        """
        return self.again and self.matches

    @property
    def unseen(self) -> list[str]:
        """The moves that a cut skipped, or that are still to come while the visit is open."""
        return [move for move in self.moves if move not in self.searched]

    @property
    def cut_by(self) -> str | None:
        """The move that caused a cut, if any."""
        if self.open:
            return None
        cut = bool(self.unseen) or (bool(self.moves) and self.kind == "CUT")
        return (self.cut_move or self.searched[-1]) if cut else None


class Trace:
    """All visits of one or more searches, in order.

    `watch` is called with the trace before each visit; an exception in it ends the search, and the
    visits so far can still be read.
    """

    def __init__(self, watch: "Callable[[Trace], None] | None" = None) -> None:
        self._watch = watch
        self.visits: list[Visit] = []
        self.events: list[Event] = []
        """The steps of a parallel search, in order; empty for other searches."""
        self._open: list[Visit] = []
        self._times: dict[tuple[int, ...], int] = {}
        self._latest: dict[tuple[int, ...], Visit] = {}

    def __repr__(self) -> str:
        return f"<Trace of {len(self.visits)} visits>"

    def _repr_svg_(self) -> str:
        """Draw the tree for a notebook."""
        return render(self)

    def leaves(self) -> list[Visit]:
        """Return the visits of leaves: positions that were evaluated or are finished."""
        return [visit for visit in self.visits if visit.leaf]

    def roots(self) -> list[Visit]:
        """Return the visits of the root: one, or one for each pass of a driver."""
        return [visit for visit in self.visits if visit.parent is None]

    def result(self) -> Visit | None:
        """Return the visit of the root that has the result: the last one that was completed."""
        roots = [visit for visit in self.roots() if not visit.stopped]
        return roots[-1] if roots and not roots[-1].open else None

    def children(self, visit: Visit) -> list[Visit]:
        """Return the visits of a visit's children."""
        return [other for other in self.visits if other.parent == visit.number]

    def enter(self, view: "View", node: "Node", depth: int, alpha: float, beta: float) -> None:
        """Start a visit below the one that was started last and has not ended."""
        parent = self._open[-1] if self._open else None
        visit = self.add(view.game, parent, node, depth, alpha, beta)
        visit.null = view.above(alpha) >= beta
        self._open.append(visit)

    def add(
        self,
        game: Game,
        parent: Visit | None,
        node: "Node",
        depth: int,
        alpha: float,
        beta: float,
    ) -> Visit:
        """Add a visit, below any other one, and return it."""
        if self._watch is not None:
            self._watch(self)
        path: tuple[int, ...] = ()
        text = ""
        if parent is not None and node.move is not None:
            path = (*parent.path, node.move)
            text = game.move_text(parent.position, node.move)
            if text in parent.searched:
                parent.searched.remove(text)
            parent.searched.append(text)
        times = self._times.get(path, 0)
        self._times[path] = times + 1
        visit = Visit(
            number=len(self.visits),
            parent=None if parent is None else parent.number,
            path=path,
            move=text,
            position=node.position,
            ply=node.ply,
            depth=depth,
            side=node.side,
            alpha=alpha + 0.0,
            beta=beta + 0.0,
            research=times,
            open=True,
        )
        if parent is not None:
            _mark_tested(visit, parent, self._latest.get(path))
        self._latest[path] = visit
        self.visits.append(visit)
        return visit

    def leaf(self, value: float) -> None:
        """Mark the node entered last as a leaf with this value for the side to move."""
        if self._open:
            self._open[-1].leaf = True
            self._open[-1].own = value + 0.0

    def expand(self, game: Game, moves: list[int]) -> None:
        """Record the moves of the node entered last, before they are searched."""
        if self._open:
            visit = self._open[-1]
            visit.moves = [game.move_text(visit.position, move) for move in moves]

    def leave(self, value: float) -> None:
        """End the last visit with a value."""
        visit = self._open.pop()
        visit.value = value + 0.0
        visit.open = False
        visit.table_hit = not visit.leaf and not visit.moves


def _mark_tested(visit: Visit, parent: Visit, before: Visit | None) -> None:
    """Mark which ends of a window come from a test, by this parent or further up."""
    if before is not None and before.parent == parent.number and not before.open:
        visit.alpha_tested = before.value == visit.alpha
        visit.beta_tested = before.value == visit.beta
        visit.again = visit.alpha_tested or visit.beta_tested
    ends = [(parent.alpha, parent.alpha_tested), (parent.beta, parent.beta_tested)]
    if parent.side != visit.side:
        ends = [(0.0 - end, tested) for end, tested in reversed(ends)]
    (alpha, alpha_tested), (beta, beta_tested) = ends
    visit.alpha_tested |= alpha_tested and alpha == visit.alpha
    visit.beta_tested |= beta_tested and beta == visit.beta


def information_links(visits: Iterable[Visit]) -> list[tuple[int, int]]:
    """Return pairs of visits, each the next one of its information set."""
    latest: dict[str, int] = {}
    links = []
    for visit in visits:
        if visit.information is not None:
            if visit.information in latest:
                links.append((latest[visit.information], visit.number))
            latest[visit.information] = visit.number
    return links


def probability_text(probability: float) -> str:
    """Format a probability in few characters.

    >>> [probability_text(one) for one in (1.0, 1 / 3, 0.25, 0.123456, 0.0)]
    ['1', '1/3', '1/4', '0.123', '0']
    """
    near = Fraction(probability).limit_denominator(_MAX_DENOMINATOR)
    if abs(probability - near) < _ROUNDING:
        return str(near)
    return f"{probability:.3g}"


def record_visits(search: Search) -> Search:
    """Record each call of an algorithm whose values are for the side to move."""
    return _record_visits(search, of_max=False)


def record_visits_for_max(search: Search) -> Search:
    """Record each call of an algorithm whose window and values are for MAX."""
    return _record_visits(search, of_max=True)


def _record_visits(search: Search, of_max: bool) -> Search:
    signature = inspect.signature(search)

    @functools.wraps(search)
    def visit(view: "View", node: "Node", depth: int, *args: Any, **kwargs: Any) -> float:
        trace = view.trace
        if trace is None:
            return search(view, node, depth, *args, **kwargs)
        arguments = signature.bind(view, node, depth, *args, **kwargs).arguments
        alpha, beta = arguments.get("alpha", -INFINITY), arguments.get("beta", INFINITY)
        turned = of_max and node.side == 1
        trace.enter(view, node, depth, *((-beta, -alpha) if turned else (alpha, beta)))
        value = search(view, node, depth, *args, **kwargs)
        trace.leave(-value if turned else value)
        return value

    return cast(Search, visit)

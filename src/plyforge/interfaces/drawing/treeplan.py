"""Chooses what to draw of a recorded search: visits, steps and the principal variation."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from plyforge.search.textbook.explain import value_for_max
from plyforge.search.textbook.trace import Trace, Visit

MAX_DRAWN: Final = 3000
"""Maximum visits in one drawing; more are slow to display and hard to read."""


@dataclass(frozen=True)
class Plan:
    """A recorded search, ready to draw; all lists are indexed by the number of the visit."""

    visits: list[Visit]
    visible: list[bool]
    collapsed: list[bool]
    """Whether a visit is drawn without the visits below it."""
    children: list[list[int]]
    below: list[int]
    """Number of visits in the subtree of each, without itself."""
    began: list[int]
    """Step of the search at which a visit starts; each start and each end is a step, from 0."""
    ended: list[int]
    """Step of the search at which a visit ends."""
    line: frozenset[int]
    """The principal variation of the last search."""

    @property
    def drawn(self) -> list[int]:
        """The numbers of the visits that are drawn, in order."""
        return [number for number, visible in enumerate(self.visible) if visible]


def plan(trace: Trace, collapsed: AbstractSet[int] = frozenset()) -> Plan:
    """Plan a drawing in which these visits are collapsed, and more if the tree is too large."""
    visits = trace.visits
    children = _children(visits)
    below = _below(visits)
    chosen = choose_collapsed(trace, collapsed)
    visible = _visible(visits, chosen)
    is_collapsed = [bool(below[v.number]) and v.number in chosen for v in visits]
    began, ended = _steps_of_events(trace) if trace.events else _steps(visits)
    line = frozenset(_principal_variation(trace, children))
    return Plan(visits, visible, is_collapsed, children, below, began, ended, line)


def choose_collapsed(
    trace: Trace, collapsed: AbstractSet[int] = frozenset(), max_drawn: int = MAX_DRAWN
) -> frozenset[int]:
    """Return `collapsed` and as many more visits as needed to draw at most `max_drawn`.

    The deepest nodes are collapsed first; among equals, those visited last.
    """
    visits = trace.visits
    visible = _visible(visits, collapsed)
    children = [0] * len(visits)
    for visit in visits:
        if visit.parent is not None and visible[visit.number]:
            children[visit.parent] += 1
    count = sum(visible)
    chosen = set(collapsed)
    inner = (visit for visit in reversed(visits) if children[visit.number])
    for visit in sorted(inner, key=lambda visit: -visit.ply):
        if count <= max_drawn:
            break
        # Deeper nodes are collapsed already: only the children themselves are still drawn.
        count -= children[visit.number]
        chosen.add(visit.number)
    return frozenset(chosen)


def _children(visits: list[Visit]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in visits]
    for visit in visits:
        if visit.parent is not None:
            children[visit.parent].append(visit.number)
    return children


def _below(visits: list[Visit]) -> list[int]:
    below = [0] * len(visits)
    for visit in reversed(visits):
        if visit.parent is not None:
            below[visit.parent] += below[visit.number] + 1
    return below


def _visible(visits: list[Visit], collapsed: AbstractSet[int]) -> list[bool]:
    visible: list[bool] = []
    for visit in visits:
        parent = visit.parent
        visible.append(parent is None or (visible[parent] and parent not in collapsed))
    return visible


def _steps(visits: list[Visit]) -> tuple[list[int], list[int]]:
    """Return the steps at which visits start and end; a visit ends after its last child."""
    began, ended = [0] * len(visits), [0] * len(visits)
    step = 0
    running: list[int] = []
    for visit in visits:
        while running and running[-1] != visit.parent:
            ended[running.pop()] = step
            step += 1
        began[visit.number] = step
        step += 1
        running.append(visit.number)
    while running:
        ended[running.pop()] = step
        step += 1
    return began, ended


def _steps_of_events(trace: Trace) -> tuple[list[int], list[int]]:
    """The same for a parallel search, whose events are the steps."""
    count = len(trace.visits)
    # Visits that have not ended do so after all events, the latest one first.
    began, ended = [0] * count, [len(trace.events) + count - number for number in range(count)]
    for step, event in enumerate(trace.events):
        if event.kind == "enter":
            began[event.visit] = step
        elif event.kind in ("leave", "stop"):
            ended[event.visit] = step
    return began, ended


def _principal_variation(trace: Trace, children: list[list[int]]) -> list[int]:
    """Follow the value of the last root down the tree, to the latest visit of each move.

    The line ends where several moves have the same bound, because any of them may be worth less.
    """
    visits, root = trace.visits, trace.result()
    if root is None:
        return []
    visit = root
    line = [visit.number]
    while children[visit.number]:
        equal = [
            visits[n]
            for n in children[visit.number]
            if not visits[n].open and value_for_max(visits[n]) == value_for_max(visit)
        ]
        exact = [other for other in equal if other.kind == "PV" or other.confirms]
        if not exact and len({other.path for other in equal}) == 1:
            exact = equal
        if not exact:
            break
        visit = [other for other in exact if other.move == exact[0].move][-1]
        line.append(visit.number)
    return line

"""Which visits of a recorded search are drawn, when each began and ended, and which matter most."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from plyforge.search.textbook.explain import value_for_max
from plyforge.search.textbook.trace import Trace, Visit

MAX_DRAWN: Final = 3000
"""Visits in one drawing; beyond, a browser gets slow and a reader lost."""


@dataclass(frozen=True)
class Plan:
    """A recorded search, ready to be drawn; all lists go by the visits' numbers."""

    visits: list[Visit]
    shown: list[bool]
    collapsed: list[bool]
    """Those drawn without what is below them."""
    children: list[list[int]]
    below: list[int]
    """How many visits are below each."""
    began: list[int]
    ended: list[int]
    """One counter for both: the steps of the search, from 0."""
    line: frozenset[int]
    """The principal line of the last search."""

    @property
    def drawn(self) -> list[int]:
        """The numbers of the visits that are drawn, in order."""
        return [number for number, seen in enumerate(self.shown) if seen]


def plan(trace: Trace, collapsed: AbstractSet[int] = frozenset()) -> Plan:
    """What to draw of a search if these visits, and those that would be too many, are collapsed."""
    visits = trace.visits
    children = _children(visits)
    below = _below(visits)
    shut = folded(trace, collapsed)
    shown = _shown(visits, shut)
    closed = [bool(below[v.number]) and v.number in shut for v in visits]
    began, ended = _steps(visits)
    line = frozenset(_principal(visits, children))
    return Plan(visits, shown, closed, children, below, began, ended, line)


def folded(
    trace: Trace, collapsed: AbstractSet[int] = frozenset(), most: int = MAX_DRAWN
) -> frozenset[int]:
    """The collapsed visits, and as many more as it takes to draw no more than `most`.

    The deepest nodes are collapsed first, of those the ones that were visited last.
    """
    visits = trace.visits
    shown = _shown(visits, collapsed)
    children = [0] * len(visits)
    for visit in visits:
        if visit.parent is not None and shown[visit.number]:
            children[visit.parent] += 1
    count = sum(shown)
    found = set(collapsed)
    inner = (visit for visit in reversed(visits) if children[visit.number])
    for visit in sorted(inner, key=lambda visit: -visit.ply):
        if count <= most:
            break
        # All that is deeper has been collapsed: only the children themselves are still drawn.
        count -= children[visit.number]
        found.add(visit.number)
    return frozenset(found)


def _children(visits: list[Visit]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in visits]
    for visit in visits:
        if visit.parent is not None:
            found[visit.parent].append(visit.number)
    return found


def _below(visits: list[Visit]) -> list[int]:
    found = [0] * len(visits)
    for visit in reversed(visits):
        if visit.parent is not None:
            found[visit.parent] += found[visit.number] + 1
    return found


def _shown(visits: list[Visit], collapsed: AbstractSet[int]) -> list[bool]:
    shown: list[bool] = []
    for visit in visits:
        above = visit.parent
        shown.append(above is None or (shown[above] and above not in collapsed))
    return shown


def _steps(visits: list[Visit]) -> tuple[list[int], list[int]]:
    """When each visit began and ended: it ends when the next one is not below it."""
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


def _principal(visits: list[Visit], children: list[list[int]]) -> list[int]:
    """From the last root, each time the visit that its value came from, the latest of a move.

    It ends where several moves have the same bound: any of them may be worth less.
    """
    roots = [visit for visit in visits if visit.parent is None]
    if not roots or roots[-1].open:
        return []
    visit = roots[-1]
    line = [visit.number]
    while children[visit.number]:
        alike = [
            visits[n]
            for n in children[visit.number]
            if not visits[n].open and value_for_max(visits[n]) == value_for_max(visit)
        ]
        exact = [other for other in alike if other.kind == "PV" or other.confirms]
        if not exact and len({other.path for other in alike}) == 1:
            exact = alike
        if not exact:
            break
        visit = [other for other in exact if other.move == exact[0].move][-1]
        line.append(visit.number)
    return line

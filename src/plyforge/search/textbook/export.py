"""Recorded trees as JSON, as a Graphviz graph and as a TikZ picture.

In pictures MAX's nodes are boxes and MIN's are round; a dashed stub is a move skipped by a cut.  In
parallel searches a double line is a node whose moves were shared, a dotted one a visit that its
worker stopped, and a bold edge leads to a node that another worker than the parent's visits.  Nodes
where chance moves are circles, and dotted lines join the nodes of an information set.
"""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from plyforge.core.scores import SCORE_LIMIT, WIN
from plyforge.search.textbook.trace import (
    Trace,
    Visit,
    information_links,
    probability_text,
)

FORMAT = "plyforge search tree 1"


def to_json(trace: Trace) -> str:
    """Return a JSON object: `format`, and `visits`, a list of objects in the order of visits.

    That of a parallel search also has `events`, its steps in order: what a worker does at a visit.

    | field | meaning |
    |---|---|
    | number, parent | the visit's number from 0, and that of the visit it was made from (null: root) |
    | move, path | the move that led to the node as text (empty at the root); the moves from the root as ints |
    | ply, depth | plies from the root, and plies still to search |
    | side | whose turn it is: 0 for MAX, the first player, 1 for MIN |
    | alpha, beta | the window at entry, for the side to move; null is minus or plus infinity |
    | value | the value returned, for the side to move; null if the search was stopped before |
    | kind | PV, CUT or ALL: the value lies inside the window, at or above beta, at or below alpha; OPEN without a value |
    | leaf, table_hit | whether the node was evaluated or over, or its value found in a table |
    | research | how many visits along the same path came before |
    | moves | all moves in the order of search, as texts |
    | cut_by, unseen | the move that caused a cut (null: none), and the moves that were skipped |
    | worker | in a parallel search, the number of the worker, from 1 |
    | chance, probability, information | of an equilibrium or in a game of chance: whether chance moves, the probability of the move that led to the node, and the node's information set |
    | probe | in Star2: whether only the first moves are searched |
    """  # noqa: E501
    fields: dict[str, Any] = {
        "format": FORMAT,
        "visits": [_fields(visit) for visit in trace.visits],
    }
    if trace.events:
        fields["events"] = [
            {"kind": event.kind, "worker": event.worker + 1, "visit": event.visit}
            for event in trace.events
        ]
    return json.dumps(fields, indent=1, allow_nan=False)


def _fields(visit: Visit) -> dict[str, Any]:
    more: dict[str, Any] = {} if visit.worker is None else {"worker": visit.worker + 1}
    if visit.label is not None or visit.chance or visit.probability is not None:
        names = ("chance", "probability", "information")
        more |= {name: getattr(visit, name) for name in names}
    if visit.probe:
        more["probe"] = True
    return {
        "number": visit.number,
        "parent": visit.parent,
        "move": visit.move,
        "path": list(visit.path),
        "ply": visit.ply,
        "depth": visit.depth,
        "side": visit.side,
        "alpha": None if math.isinf(visit.alpha) else visit.alpha,
        "beta": None if math.isinf(visit.beta) else visit.beta,
        "value": None if visit.open else visit.value,
        "kind": visit.kind,
        "leaf": visit.leaf,
        "table_hit": visit.table_hit,
        "research": visit.research,
        "moves": visit.moves,
        "cut_by": visit.cut_by,
        "unseen": visit.unseen,
        **more,
    }


def to_dot(trace: Trace, stubs: bool = True, mover: bool = False) -> str:
    """Return a Graphviz graph; values are for MAX, or with `mover` for the side to move."""
    lines = ["digraph search {", "  node [fontname=Helvetica]; edge [fontname=Helvetica];"]
    joined = joined_visits(trace.visits)
    for visit in trace.visits:
        name, shape = f"n{visit.number}", _shape(visit)
        marks = (", style=dotted" if visit.stopped else "") + (
            ", peripheries=2" if visit.split else ""
        )
        lines.append(f"  {name} [shape={shape}, label={_quote(caption(visit, mover))}{marks}];")
        if visit.parent is not None:
            style = ", style=bold" if visit.research or visit.number in joined else ""
            lines.append(f"  n{visit.parent} -> {name} [label={_quote(edge_text(visit))}{style}];")
    for visit in trace.visits if stubs else []:
        for index, move in enumerate(visit.unseen):
            name = f"n{visit.number}s{index}"
            lines.append(f'  {name} [shape=point, label=""];')
            edge = f"label={_quote(move)}, style=dashed"
            lines.append(f"  n{visit.number} -> {name} [{edge}];")
    for one, other in information_links(trace.visits):
        lines.append(f"  n{one} -> n{other} [style=dotted, dir=none, constraint=false];")
    return "\n".join([*lines, "}", ""])


def _shape(visit: Visit) -> str:
    if visit.chance:
        return "circle"
    return "ellipse" if visit.side else "box"


def edge_text(visit: Visit) -> str:
    """Return the move that led to a node, with its probability if it has one."""
    if visit.probability is None:
        return visit.move
    return f"{visit.move}: {probability_text(visit.probability)}"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def to_tikz(trace: Trace, stubs: bool = True, mover: bool = False) -> str:
    r"""Return a picture for LaTeX with `\usepackage{forest}`: one `forest` per visit of the root.

    Values are for MAX, or with `mover` for the side to move.
    """
    below: dict[int | None, list[Visit]] = {}
    for visit in trace.visits:
        below.setdefault(visit.parent, []).append(visit)
    picture = _TikzTree(
        below,
        joined_visits(trace.visits),
        any(visit.chance for visit in trace.visits),
        stubs,
        mover,
    )
    lines = []
    for root in below.get(None, []):
        lines += [r"\begin{forest}", "  for tree={draw, align=center, font=\\small}"]
        lines += picture.brackets(root, indent=1)
        lines += [
            rf"  \draw[dotted, thick] (n{one}) to[bend left=12] (n{other});"
            for one, other in information_links(trace.visits)
        ]
        lines.append(r"\end{forest}")
    return "\n".join([*lines, ""])


def joined_visits(visits: Iterable[Visit]) -> set[int]:
    """Return the numbers of the visits by another worker than that of their parent."""
    workers = {visit.number: visit.worker for visit in visits}
    return {
        visit.number
        for visit in visits
        if visit.parent is not None and workers.get(visit.parent, visit.worker) != visit.worker
    }


@dataclass(frozen=True)
class _TikzTree:
    """What the nodes of a picture for LaTeX share."""

    below: dict[int | None, list[Visit]]
    joined: set[int]
    has_chance: bool
    stubs: bool
    mover: bool

    def brackets(self, visit: Visit, indent: int) -> Iterator[str]:
        """Yield the lines of a node and of those below it."""
        space = "  " * indent
        text = r" \\ ".join(_escape(part) for part in caption(visit, self.mover).split("\n"))
        options = self._shape(visit)
        options += "" if visit.information is None else f", name=n{visit.number}"
        options += ", dotted" if visit.stopped else ", double" if visit.split else ""
        options += ", edge=very thick" if visit.number in self.joined else ""
        options += _edge_label(edge_text(visit))
        yield f"{space}[{{{text}}}{options}"
        for child in self.below.get(visit.number, []):
            yield from self.brackets(child, indent + 1)
        for move in visit.unseen if self.stubs else []:
            yield f"{space}  [, draw=none, edge=dashed{_edge_label(move)}]"
        yield f"{space}]"

    def _shape(self, visit: Visit) -> str:
        """Return the shape of a node: circles are for MIN, or for chance where it moves."""
        if visit.chance:
            return ", circle"
        if visit.side == 0:
            return ""
        return ", rounded corners=6pt" if self.has_chance else ", circle"


def _edge_label(move: str) -> str:
    if not move:
        return ""
    node = f"node[midway, fill=white, inner sep=1pt]{{{_escape(move)}}}"
    return f", edge label={{{node}}}"


_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "∞": r"$\infty$", **{sign: f"\\{sign}" for sign in "#$%&_{}"},
}  # fmt: skip


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(sign, sign) for sign in text)


def caption(visit: Visit, mover: bool = False) -> str:
    """Return value, window and kind of a node, in three lines."""
    alpha, beta, value = visit.alpha, visit.beta, visit.value
    if visit.side == 1 and not mover:
        alpha, beta, value = -beta, -alpha, -value
    text = "?" if visit.open else format_value(value)
    if visit.label is not None:
        return f"{text}\n{visit.label}"
    remark = f"{visit.number}: {'chance ' if visit.chance else ''}{visit.kind}"
    if visit.probe:
        remark += " probe"
    if visit.worker is not None:
        remark += f" worker {visit.worker + 1}"
    if visit.table_hit:
        remark += " table"
    if visit.research:
        remark += f" again {visit.research}"
    return f"{text}\n({format_value(alpha)}, {format_value(beta)})\n{remark}"


def format_value(value: float) -> str:
    """Format a value for people.

    >>> [format_value(value) for value in (3.0, -0.5, -math.inf, WIN - 3.0, 2.0 - WIN)]
    ['3', '-0.5', '-∞', 'win in 3', 'loss in 2']
    """
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if SCORE_LIMIT < abs(value) <= WIN:
        return f"{'win' if value > 0 else 'loss'} in {WIN - abs(value):g}"
    return f"{value + 0.0:.9g}"

"""A picture of the tree that a search visited.

MAX's nodes are boxes and MIN's are round. All numbers are from MAX's perspective. The size of the
tree decides what a node shows: value and window, the value, or a dot in the colour of its kind. In
large trees the leaves of a node are arranged in columns.

In a parallel search each node has the number and the colour of its worker, and a diamond if its
moves were shared with other workers.

Nodes where chance moves are circles. Dotted lines join the nodes of an information set.
"""

import json
from collections.abc import Set as AbstractSet
from typing import Final

from plyforge.interfaces.drawing import svg
from plyforge.interfaces.drawing.curves import COLOURS
from plyforge.interfaces.drawing.treecanvas import (
    CAPTION,
    CAPTION_LETTER,
    MARGIN,
    Canvas,
    Labels,
    clip,
    item_width,
    labels_for,
    node_width,
    place_nodes,
    value_text,
)
from plyforge.interfaces.drawing.treeplan import Plan, plan
from plyforge.search.textbook.explain import (
    NAMES,
    explain,
    explain_entry,
    explain_event,
    format_window,
    parent_windows,
    window_text,
)
from plyforge.search.textbook.trace import (
    Trace,
    Visit,
    information_links,
    probability_text,
)

CUTOFF_MARK: Final = 0.28
"""Position of a cutoff mark on an edge, as a fraction of its length."""
MOVE_LABEL: Final = 0.68
"""Position of a move's text on an edge."""
PROBABILITY_LABEL: Final = 0.4
"""Position of its probability."""
BADGE: Final = 0.22
"""Radius of the circle with a worker's number, as a fraction of a node's height."""
CIRCLE: Final = 0.78
"""Maximum radius of a node where chance moves, as a fraction of a node's height."""
CHANCE_NAME: Final = "chance"
LINK_HEIGHT: Final = 0.35
"""Height of a dotted line that bends around other nodes, as a multiple of a node's height."""
LINK_HEIGHTS: Final = 3
"""Number of different heights; the largest is not quite twice the smallest."""
STUB_LENGTH: Final = 0.75
"""Length of the edge to a skipped move, as a fraction of a full edge."""


def tree(
    trace: Trace,
    *,
    collapsed: AbstractSet[int] = frozenset(),
    labels: Labels | None = None,
    standalone: bool = False,
) -> str:
    """Draw a recorded search as SVG; `collapsed` are the numbers of visits to draw as triangles.

    `labels` sets how much each node shows; the default depends on the number of nodes. If there
    are more than `MAX_DRAWN` nodes, the deepest ones are collapsed. Each node is a `g.visit` with
    `data-visit`, `data-parent`, the steps of the search at which it starts and ends, `data-began`
    and `data-ended`, its window at entry, `data-window`, and the window of its parent when it has
    ended, `data-raised`. In a parallel search it has `data-worker`, and `data-steps`, other
    steps at the node: a list of numbers and sentences.
    """
    drawing = plan(trace, collapsed)
    named = any(visit.label is not None for visit in drawing.visits)
    canvas = place_nodes(drawing, labels or labels_for(len(drawing.drawn), named))
    inside = _sides(canvas)
    raised = parent_windows(drawing.visits, drawing.ended)
    steps = _other_steps(trace)
    colours = {
        one: place
        for place, one in enumerate(
            dict.fromkeys(
                visit.information for visit in drawing.visits if visit.information is not None
            )
        )
    }
    links = {}
    for one, other in information_links(drawing.visits[n] for n in drawing.drawn):
        colour = colours[str(drawing.visits[other].information)]
        links[other] = _link(canvas, drawing.visits[one], drawing.visits[other], colour)
    inside += "".join(
        _visit(canvas, drawing.visits[n], raised[n], steps.get(n), links.get(n, ""))
        for n in drawing.drawn
    )
    box, note = _frame(canvas)
    return svg.picture(
        note + inside,
        box,
        class_=f"searchtree {canvas.labels}",
        label=_label(drawing),
        standalone=standalone,
    )


def _label(drawing: Plan) -> str:
    searches = sum(visit.parent is None for visit in drawing.visits)
    count = f"{searches} searches, " if searches > 1 else ""
    return f"search tree: {count}{len(drawing.visits)} visits, {len(drawing.drawn)} drawn"


def _frame(canvas: Canvas) -> tuple[tuple[float, float, float, float], str]:
    """Return the box around the tree, and a note below it if not all visits are drawn."""
    drawing = canvas.plan
    right = max(
        (canvas.centres[i] + item.width / 2 for i, item in enumerate(canvas.items)), default=0
    )
    lowest = [canvas.at(n)[1] for n in drawing.drawn]
    lowest += [canvas.row(drawing.visits[n].ply + 1) for n in canvas.stubs]
    lowest += [canvas.row(drawing.visits[n].ply + 1) for n in drawing.drawn if drawing.collapsed[n]]
    bottom = max(lowest, default=0.0) + canvas.sizes.height / 2
    note = ""
    if len(drawing.drawn) < len(drawing.visits):
        message = f"{len(drawing.drawn):,} of {len(drawing.visits):,} visits drawn"
        bottom += CAPTION
        note = svg.text(message, MARGIN, bottom, "note")
        right = max(right, len(message) * CAPTION_LETTER)
    return (0.0, 0.0, right + canvas.left + MARGIN, bottom + MARGIN), note


def _sides(canvas: Canvas) -> str:
    """Write MAX or MIN beside each row in which only one side moves."""
    if canvas.labels == "dot":
        return ""
    rows: dict[int, set[str]] = {}
    for number in canvas.plan.drawn:
        visit = canvas.plan.visits[number]
        if visit.label is None or not visit.leaf:
            name = CHANCE_NAME if visit.chance else NAMES[visit.side]
            rows.setdefault(visit.ply, set()).add(name)
    return "".join(
        svg.text(next(iter(sides)), 6, canvas.row(ply), "side")
        for ply, sides in rows.items()
        if len(sides) == 1
    )


def _other_steps(trace: Trace) -> dict[int, list[tuple[int, str]]]:
    """Return the steps of a parallel search at each visit that neither enter nor leave it."""
    steps: dict[int, list[tuple[int, str]]] = {}
    for step, event in enumerate(trace.events):
        if event.kind not in ("enter", "leave", "stop"):
            text = explain_event(event, trace.visits)
            steps.setdefault(event.visit, []).append((step, text))
    return steps


def _visit(
    canvas: Canvas,
    visit: Visit,
    raised: tuple[float, float] | None,
    steps: list[tuple[int, str]] | None,
    link: str,
) -> str:
    drawing, number = canvas.plan, visit.number
    collapsed = drawing.collapsed[number]
    return svg.element(
        "g",
        svg.title(explain(visit)),
        link,
        _caption(canvas, visit) if visit.number in canvas.captions else _edge(canvas, visit),
        _triangle(canvas, visit) if collapsed else _cut(canvas, visit),
        "" if collapsed and canvas.labels == "dot" else _node(canvas, visit),
        "" if visit.worker is None or canvas.labels == "dot" else _worker(canvas, visit),
        class_=_classes(drawing, visit),
        data_visit=number,
        data_parent=visit.parent,
        data_began=drawing.began[number],
        data_ended=drawing.ended[number],
        data_entered=explain_entry(visit),
        data_window=window_text(visit),
        data_raised=None if raised is None else format_window(*raised),
        data_move=visit.move or None,
        data_label=visit.label,
        data_worker=None if visit.worker is None else visit.worker + 1,
        data_steps=json.dumps(steps, ensure_ascii=False) if steps else None,
    )


def _caption(canvas: Canvas, visit: Visit) -> str:
    window, result = canvas.captions[visit.number]
    return svg.element(
        "text",
        svg.escape(window),
        svg.element("tspan", svg.escape(result), class_="result"),
        x=canvas.at(visit.number)[0],
        y=MARGIN + CAPTION / 2,
        class_="caption",
    )


def _classes(drawing: Plan, visit: Visit) -> str:
    exact = visit.confirms or (visit.matches and visit.number in drawing.line)
    names = ["visit", "pv" if exact else visit.kind.lower(), NAMES[visit.side].lower()]
    marks = {
        "leaf": visit.leaf,
        "probe": visit.probe,
        "table": visit.table_hit,
        "again": visit.research > 0,
        "collapsed": drawing.collapsed[visit.number],
        "inner": bool(drawing.children[visit.number]),
        "line": visit.number in drawing.line,
        f"worker-{(visit.worker or 0) + 1}": visit.worker is not None,
        "chance": visit.chance,
        "joined": visit.parent is not None and drawing.visits[visit.parent].worker != visit.worker,
    }
    return " ".join(names + [name for name, applies in marks.items() if applies])


def _ends(canvas: Canvas, visit: Visit) -> tuple[float, float, float, float] | None:
    """Return the ends of the edge to a node; in a column it starts at the node above."""
    if visit.parent is None:
        return None
    half = _half_height(canvas, visit)
    x, y = canvas.at(visit.number)
    if canvas.places.get(visit.number, (0, 0))[1]:
        return x, y - half - canvas.sizes.gap, x, y - half
    above_x, above_y = canvas.at(visit.parent)
    return above_x, above_y + _half_height(canvas, canvas.plan.visits[visit.parent]), x, y - half


def _half_height(canvas: Canvas, visit: Visit) -> float:
    """Return half the height of a node: the radius of the circle where chance moves."""
    if visit.chance:
        return min(node_width(canvas, visit) / 2, canvas.sizes.height * CIRCLE)
    return canvas.sizes.height / 2


def _edge(canvas: Canvas, visit: Visit) -> str:
    ends = _ends(canvas, visit)
    if ends is None:
        return ""
    x1, y1, x2, y2 = ends
    edge = svg.element("line", class_="edge", x1=x1, y1=y1, x2=x2, y2=y2)
    if canvas.labels == "dot" or visit.number in canvas.places:
        return edge
    x, y = _between(ends, MOVE_LABEL)
    move = edge + svg.text(clip(visit.move), x, y, "move")
    if visit.probability is None:
        return move
    x, y = _between(ends, PROBABILITY_LABEL)
    return move + svg.text(probability_text(visit.probability), x, y, "probability")


def _between(ends: tuple[float, float, float, float], fraction: float) -> tuple[float, float]:
    x1, y1, x2, y2 = ends
    return x1 + (x2 - x1) * fraction, y1 + (y2 - y1) * fraction


def _node(canvas: Canvas, visit: Visit) -> str:
    x, y = canvas.at(visit.number)
    height, width = canvas.sizes.height, node_width(canvas, visit)
    if visit.chance:
        shape = svg.element("circle", class_="node", cx=x, cy=y, r=_half_height(canvas, visit))
    else:
        radius = height / 2 if visit.side else min(3.0, height / 8)
        shape = svg.element(
            "rect", class_="node", x=x - width / 2, y=y - height / 2, width=width, height=height,
            rx=radius,
        )  # fmt: skip
    if canvas.labels == "dot":
        return shape
    if canvas.labels == "value":
        return shape + svg.text(value_text(visit), x, y, "value")
    value = svg.text(value_text(visit), x, y - height * 0.18, "value")
    return shape + value + svg.text(window_text(visit), x, y + height * 0.25, "window")


def _link(canvas: Canvas, before: Visit, visit: Visit, place: int) -> str:
    """Draw the dotted line from the node before in the same information set.

    Sets at different places have lines of different colours and heights.
    """
    (x1, y1), (x2, y2) = canvas.at(before.number), canvas.at(visit.number)
    half = canvas.sizes.height / 2
    left, right = node_width(canvas, before) / 2, node_width(canvas, visit) / 2
    between = any(
        x1 < canvas.at(n)[0] < x2 and canvas.plan.visits[n].ply == visit.ply
        for n in canvas.plan.drawn
    )
    if between:  # above the nodes
        rise = canvas.sizes.height * LINK_HEIGHT * (1.0 + place % LINK_HEIGHTS / LINK_HEIGHTS)
        start, end = (x1 + left / 2, y1 - half), (x2 - right / 2, y2 - half)
        turns = [(start[0] + rise, start[1] - rise), (end[0] - rise, end[1] - rise)]
    else:
        start, end = (x1 + left, y1), (x2 - right, y2)
        turns = [start, end]
    corners = " ".join(f"{svg.number(x)} {svg.number(y)}" for x, y in (*turns, end))
    path = f"M{svg.number(start[0])} {svg.number(start[1])}C{corners}"
    return svg.element("path", class_=f"information c{place % COLOURS}", d=path)


def _worker(canvas: Canvas, visit: Visit) -> str:
    """Draw the number of a node's worker at its corner, and a diamond where moves are shared."""
    assert visit.worker is not None
    x, y = canvas.at(visit.number)
    half, radius = canvas.sizes.height / 2, canvas.sizes.height * BADGE
    left = x - node_width(canvas, visit) / 2
    marks = svg.element("circle", class_="badge", cx=left, cy=y - half, r=radius)
    marks += svg.text(visit.worker + 1, left, y - half, "worker")
    if visit.split:
        bottom, size = y + half, radius * 0.8
        corners = [(x, bottom - size), (x + size, bottom), (x, bottom + size), (x - size, bottom)]
        marks += svg.element("polygon", class_="split", points=svg.points(corners))
    return marks


def _cut(canvas: Canvas, visit: Visit) -> str:
    """Draw the skipped moves of a node, and two bars across the edge that caused the cutoff.

    A cutoff at the last move skips nothing and is not marked.
    """
    children = canvas.plan.children[visit.number]
    x, y = canvas.at(visit.number)
    bottom = y + _half_height(canvas, visit)
    marks = ""
    if visit.cut_by is not None and visit.unseen and canvas.labels != "dot":
        visits = canvas.plan.visits
        ends = _ends(
            canvas, next(visits[n] for n in children[::-1] if visits[n].move == visit.cut_by)
        )
        assert ends is not None
        middle_x, middle_y = _between(ends, CUTOFF_MARK)
        for down in (-2.0, 2.0):
            marks += svg.element(
                "line", class_="bar", x1=middle_x - 7, y1=middle_y + down + 1.5, x2=middle_x + 7,
                y2=middle_y + down - 1.5,
            )  # fmt: skip
    elif visit.unseen and canvas.labels == "dot":
        marks += svg.element(
            "line", class_="stub", x1=x + 2, y1=bottom, x2=x + 7, y2=bottom + 7
        )  # fmt: skip
    for text, item in canvas.stubs.get(visit.number, []):
        end_x = canvas.centres[item] + canvas.left
        ends = (x, bottom, end_x, y + canvas.sizes.row - canvas.sizes.height / 2)
        stop_x, stop_y = _between(ends, STUB_LENGTH)
        marks += svg.element("line", class_="stub", x1=x, y1=bottom, x2=stop_x, y2=stop_y)
        marks += svg.text(text, end_x, ends[3], "unseen")
    return marks


def _triangle(canvas: Canvas, visit: Visit) -> str:
    """Draw a triangle in place of the visits below a node, with their number."""
    x, y = canvas.at(visit.number)
    top = y + _half_height(canvas, visit)
    bottom = top + (canvas.sizes.row - canvas.sizes.height) * STUB_LENGTH
    half = item_width(canvas, visit) / 2
    text = svg.text(canvas.plan.below[visit.number], x, bottom - canvas.sizes.small_letter, "count")
    if canvas.labels == "dot":
        top, bottom, text = y - canvas.sizes.height / 2, top, ""
    corners = [(x, top), (x - half, bottom), (x + half, bottom)]
    return svg.element("polygon", class_="folded", points=svg.points(corners)) + text

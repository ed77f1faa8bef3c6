"""The tree that a search visited, as a picture.

MAX's nodes are boxes and MIN's are round.  All numbers are in view of MAX.  The more nodes, the
less each one tells: value and window, then the value alone, then a dot in the colour of its kind;
and if there are many, the leaves of a node stand in columns.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final, Literal

from plyforge.interfaces.drawing import svg
from plyforge.interfaces.drawing.tidy import Item, tidy
from plyforge.interfaces.drawing.treeplan import Plan, plan
from plyforge.search.textbook.explain import (
    NAMES,
    bounded,
    brief,
    entered,
    explain,
    value_for_max,
    window_text,
)
from plyforge.search.textbook.trace import Trace, Visit

Labels = Literal["full", "value", "dot"]

MOST_FULL: Final = 80
MOST_VALUES: Final = 700
"""Up to how many nodes each tells value and window, and the value."""


@dataclass(frozen=True)
class Look:
    """The sizes of a drawing."""

    height: float
    """Of a node."""
    row: float
    """From row to row."""
    gap: float
    between: float
    sign: float
    """The width of a sign in a node."""
    small: float
    """The width of a sign in a window, on an edge or in a caption."""
    stubs: int
    """How many moves that were left out are drawn one by one."""
    tall: int
    """How many leaves of a node stand one below the other."""


LOOKS: Final[dict[Labels, Look]] = {
    "full": Look(height=38, row=92, gap=12, between=48, sign=9, small=6.2, stubs=6, tall=1),
    "value": Look(height=22, row=58, gap=6, between=36, sign=7.5, small=5.2, stubs=0, tall=8),
    "dot": Look(height=8, row=34, gap=3, between=28, sign=5, small=5, stubs=0, tall=12),
}
MARGIN: Final = 14.0
SIDE: Final = 40.0
"""The margin where MAX and MIN are told."""
CAPTION: Final = 22.0
CAPTION_SIGN: Final = 7.0
LEVEL_OF_BARS: Final = 0.28
"""How far down an edge a cut is marked."""
LEVEL_OF_LABEL: Final = 0.68
LENGTH_OF_STUB: Final = 0.75
LONGEST_MOVE: Final = 8


@dataclass
class _Canvas:
    """The plan with a place for each node."""

    plan: Plan
    labels: Labels
    look: Look
    captions: dict[int, str]
    items: list[Item] = field(default_factory=list)
    item_of: dict[int, int] = field(default_factory=dict)
    """Visit to item."""
    places: dict[int, tuple[float, int]] = field(default_factory=dict)
    """Visit to place beside its item's middle and in its column, if it stands in one."""
    stubs: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    """Visit to texts and items of moves that were left out."""
    centres: list[float] = field(default_factory=list)
    left: float = MARGIN
    top: float = MARGIN

    def at(self, number: int) -> tuple[float, float]:
        """The centre of a visit's node."""
        beside, place = self.places.get(number, (0.0, 0))
        x = self.left + self.centres[self.item_of[number]] + beside
        down = place * (self.look.height + self.look.gap)
        return x, self.row(self.plan.visits[number].ply) + down

    def row(self, ply: int) -> float:
        """The middle of a row."""
        return self.top + self.look.height / 2 + ply * self.look.row


def tree(
    trace: Trace,
    *,
    collapsed: AbstractSet[int] = frozenset(),
    labels: Labels | None = None,
    alone: bool = False,
) -> str:
    """A recorded search as SVG; `collapsed` holds the numbers of visits to draw as triangles.

    `labels` is how much nodes tell, if not by their number.  If there are more than `MOST_DRAWN`
    nodes the deepest ones are collapsed.  Each node is a `g.visit` with `data-visit`,
    `data-parent` and `data-began` and `data-ended`, the steps at which it was entered and left.
    """
    drawing = plan(trace, collapsed)
    canvas = _placed(drawing, labels or _labels(len(drawing.drawn)))
    inside = _captions(canvas) + _sides(canvas)
    inside += "".join(_visit(canvas, drawing.visits[n]) for n in drawing.drawn)
    box, note = _frame(canvas)
    return svg.picture(
        note + inside, box, class_=f"searchtree {canvas.labels}", label=_label(drawing), alone=alone
    )


def _labels(nodes: int) -> Labels:
    if nodes <= MOST_FULL:
        return "full"
    return "value" if nodes <= MOST_VALUES else "dot"


def _label(drawing: Plan) -> str:
    searches = sum(visit.parent is None for visit in drawing.visits)
    what = f"{searches} searches, " if searches > 1 else ""
    return f"search tree: {what}{len(drawing.visits)} visits, {len(drawing.drawn)} drawn"


# Places


def _placed(drawing: Plan, labels: Labels) -> _Canvas:
    roots = [n for n in drawing.drawn if drawing.visits[n].parent is None]
    captions = {}
    if len(roots) > 1:
        for order, number in enumerate(roots, 1):
            root = drawing.visits[number]
            told = f"search {order}: window {window_text(root)}, {bounded(root)}"
            captions[number] = told
    canvas = _Canvas(drawing, labels, LOOKS[labels], captions)
    for number in drawing.drawn:
        _add(canvas, number)
    look = canvas.look
    starts = [canvas.item_of[number] for number in roots]
    canvas.centres = tidy(canvas.items, starts, look.gap, look.between)
    canvas.left = MARGIN if labels == "dot" else SIDE
    canvas.top = MARGIN + (CAPTION if captions else 0)
    return canvas


def _add(canvas: _Canvas, number: int) -> None:
    """An item for a visit, or one for all children of its parent if they stand in columns."""
    drawing, items = canvas.plan, canvas.items
    visit = drawing.visits[number]
    if number in canvas.item_of:
        return
    above = visit.parent
    siblings = [] if above is None else drawing.children[above]
    if above is not None and _in_columns(canvas, siblings):
        _add_columns(canvas, siblings)
    else:
        triangle = drawing.collapsed[number] and canvas.labels != "dot"
        canvas.item_of[number] = len(items)
        items.append(Item(_item_width(canvas, visit), rows=2 if triangle else 1))
    if above is not None:
        items[canvas.item_of[above]].children.append(canvas.item_of[number])
        if siblings[-1] in canvas.item_of:
            _add_stubs(canvas, above)


def _in_columns(canvas: _Canvas, siblings: list[int]) -> bool:
    """Whether visits stand in columns: no edge begins at any of them."""
    drawing = canvas.plan
    ends = (
        drawing.collapsed[n] and canvas.labels == "dot" if drawing.below[n] else True
        for n in siblings
    )
    return canvas.look.tall > 1 and all(ends)


def _add_columns(canvas: _Canvas, siblings: list[int]) -> None:
    look, visits = canvas.look, canvas.plan.visits
    width = max(_width(canvas, visits[n]) for n in siblings)
    columns = -(-len(siblings) // look.tall)
    rows = -(-len(siblings) // columns)
    for order, number in enumerate(siblings):
        column, row = divmod(order, rows)
        beside = (column - (columns - 1) / 2) * (width + look.gap)
        canvas.item_of[number] = len(canvas.items)
        canvas.places[number] = beside, row
    height = rows * (look.height + look.gap)
    wide = columns * (width + look.gap) - look.gap
    canvas.items.append(Item(wide, rows=1 + int(height // look.row)))


def _add_stubs(canvas: _Canvas, number: int) -> None:
    """Items for the moves that were left out, to the right of those that were searched."""
    unseen = canvas.plan.visits[number].unseen
    if not unseen or canvas.labels == "dot":
        return
    texts = [_clipped(move) for move in unseen[: canvas.look.stubs]]
    if len(unseen) > len(texts):
        texts.append(f"+{len(unseen) - len(texts)}")
    found = []
    for text in texts:
        found.append((text, len(canvas.items)))
        canvas.items[canvas.item_of[number]].children.append(len(canvas.items))
        canvas.items.append(Item(max(len(text) * canvas.look.small, canvas.look.small * 2)))
    canvas.stubs[number] = found


def _item_width(canvas: _Canvas, visit: Visit) -> float:
    caption = len(canvas.captions.get(visit.number, "")) * CAPTION_SIGN
    hidden = 0.0
    if canvas.plan.collapsed[visit.number] and canvas.labels != "dot":
        hidden = (len(str(canvas.plan.below[visit.number])) + 2) * canvas.look.small + 8
    move = 0.0 if canvas.labels == "dot" else len(_clipped(visit.move)) * canvas.look.small
    return max(_width(canvas, visit), caption, hidden, move)


def _width(canvas: _Canvas, visit: Visit) -> float:
    look = canvas.look
    if canvas.labels == "dot":
        return look.height
    width = len(_value(visit)) * look.sign + 10
    if canvas.labels == "full":
        width = max(width, len(window_text(visit)) * look.small + 14)
    return max(width, look.height)


def _frame(canvas: _Canvas) -> tuple[tuple[float, float, float, float], str]:
    """The box around all, and a note under it if not all visits are drawn."""
    look, drawing = canvas.look, canvas.plan
    right = max(
        (canvas.centres[i] + item.width / 2 for i, item in enumerate(canvas.items)), default=0
    )
    low = [canvas.at(n)[1] for n in drawing.drawn]
    low += [canvas.row(drawing.visits[n].ply + 1) for n in canvas.stubs]
    low += [canvas.row(drawing.visits[n].ply + 1) for n in drawing.drawn if drawing.collapsed[n]]
    bottom = max(low, default=0.0) + look.height / 2
    note = ""
    if len(drawing.drawn) < len(drawing.visits):
        told = f"{len(drawing.drawn):,} of {len(drawing.visits):,} visits drawn"
        bottom += CAPTION
        note = svg.text(told, MARGIN, bottom, "note")
        right = max(right, len(told) * CAPTION_SIGN)
    return (0.0, 0.0, right + canvas.left + MARGIN, bottom + MARGIN), note


# Marks


def _captions(canvas: _Canvas) -> str:
    return "".join(
        svg.text(text, canvas.at(number)[0], MARGIN + CAPTION / 2, "caption")
        for number, text in canvas.captions.items()
    )


def _sides(canvas: _Canvas) -> str:
    """MAX or MIN beside each row in which but one of them moves."""
    if canvas.labels == "dot":
        return ""
    rows: dict[int, set[int]] = {}
    for number in canvas.plan.drawn:
        visit = canvas.plan.visits[number]
        rows.setdefault(visit.ply, set()).add(visit.side)
    return "".join(
        svg.text(NAMES[next(iter(sides))], 6, canvas.row(ply), "side")
        for ply, sides in rows.items()
        if len(sides) == 1
    )


def _visit(canvas: _Canvas, visit: Visit) -> str:
    drawing, number = canvas.plan, visit.number
    closed = drawing.collapsed[number]
    return svg.element(
        "g",
        svg.title(explain(visit)),
        _edge(canvas, visit),
        _triangle(canvas, visit) if closed else _cut(canvas, visit),
        "" if closed and canvas.labels == "dot" else _node(canvas, visit),
        class_=_classes(drawing, visit),
        data_visit=number,
        data_parent=visit.parent,
        data_began=drawing.began[number],
        data_ended=drawing.ended[number],
        data_entered=entered(visit),
    )


def _classes(drawing: Plan, visit: Visit) -> str:
    names = ["visit", visit.kind.lower(), NAMES[visit.side].lower()]
    marks = {
        "leaf": visit.leaf,
        "table": visit.table_hit,
        "again": visit.research > 0,
        "collapsed": drawing.collapsed[visit.number],
        "inner": bool(drawing.children[visit.number]),
        "line": visit.number in drawing.line,
    }
    return " ".join(names + [name for name, holds in marks.items() if holds])


def _ends(canvas: _Canvas, visit: Visit) -> tuple[float, float, float, float] | None:
    """Where the edge to a node begins and ends; in a column it comes from the one above."""
    if visit.parent is None:
        return None
    half = canvas.look.height / 2
    x, y = canvas.at(visit.number)
    if canvas.places.get(visit.number, (0, 0))[1]:
        return x, y - half - canvas.look.gap, x, y - half
    above_x, above_y = canvas.at(visit.parent)
    return above_x, above_y + half, x, y - half


def _edge(canvas: _Canvas, visit: Visit) -> str:
    ends = _ends(canvas, visit)
    if ends is None:
        return ""
    x1, y1, x2, y2 = ends
    edge = svg.element("line", class_="edge", x1=x1, y1=y1, x2=x2, y2=y2)
    if canvas.labels == "dot" or visit.number in canvas.places:
        return edge
    x, y = _between(ends, LEVEL_OF_LABEL)
    return edge + svg.text(_clipped(visit.move), x, y, "move")


def _between(ends: tuple[float, float, float, float], share: float) -> tuple[float, float]:
    x1, y1, x2, y2 = ends
    return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share


def _node(canvas: _Canvas, visit: Visit) -> str:
    x, y = canvas.at(visit.number)
    height, width = canvas.look.height, _width(canvas, visit)
    round_ = height / 2 if visit.side else min(3.0, height / 8)
    shape = svg.element(
        "rect", class_="node", x=x - width / 2, y=y - height / 2, width=width, height=height,
        rx=round_,
    )  # fmt: skip
    if canvas.labels == "dot":
        return shape
    if canvas.labels == "value":
        return shape + svg.text(_value(visit), x, y, "value")
    value = svg.text(_value(visit), x, y - height * 0.18, "value")
    return shape + value + svg.text(window_text(visit), x, y + height * 0.25, "window")


def _value(visit: Visit) -> str:
    return "?" if visit.open else brief(value_for_max(visit))


def _cut(canvas: _Canvas, visit: Visit) -> str:
    """Two bars across the edge after which the search of a node ended, and what was left out."""
    children = canvas.plan.children[visit.number]
    x, y = canvas.at(visit.number)
    bottom = y + canvas.look.height / 2
    marks = ""
    if visit.cut_by is not None and canvas.labels != "dot":
        ends = _ends(canvas, canvas.plan.visits[children[-1]])
        assert ends is not None
        middle_x, middle_y = _between(ends, LEVEL_OF_BARS)
        for up in (-2.0, 2.0):
            marks += svg.element(
                "line", class_="bar", x1=middle_x - 7, y1=middle_y + up + 1.5, x2=middle_x + 7,
                y2=middle_y + up - 1.5,
            )  # fmt: skip
    elif visit.unseen and canvas.labels == "dot":
        marks += svg.element(
            "line", class_="stub", x1=x + 2, y1=bottom, x2=x + 7, y2=bottom + 7
        )  # fmt: skip
    for text, item in canvas.stubs.get(visit.number, []):
        end_x = canvas.centres[item] + canvas.left
        ends = (x, bottom, end_x, bottom + canvas.look.row - canvas.look.height)
        stop_x, stop_y = _between(ends, LENGTH_OF_STUB)
        marks += svg.element("line", class_="stub", x1=x, y1=bottom, x2=stop_x, y2=stop_y)
        marks += svg.text(text, end_x, ends[3], "unseen")
    return marks


def _triangle(canvas: _Canvas, visit: Visit) -> str:
    """A triangle in place of all that is below a node, and how many visits that is."""
    x, y = canvas.at(visit.number)
    top = y + canvas.look.height / 2
    bottom = top + (canvas.look.row - canvas.look.height) * LENGTH_OF_STUB
    half = _item_width(canvas, visit) / 2
    text = svg.text(canvas.plan.below[visit.number], x, bottom - canvas.look.small, "count")
    if canvas.labels == "dot":
        top, bottom, text = y - canvas.look.height / 2, top, ""
    corners = [(x, top), (x - half, bottom), (x + half, bottom)]
    return svg.element("polygon", class_="hidden", points=svg.points(corners)) + text


def _clipped(move: str) -> str:
    return move if len(move) <= LONGEST_MOVE else f"{move[: LONGEST_MOVE - 1]}…"

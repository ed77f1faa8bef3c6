"""The places of the nodes of a search tree, and how much each of them shows."""

from dataclasses import dataclass, field
from typing import Final, Literal

from plyforge.interfaces.drawing.tidy import Item, tidy
from plyforge.interfaces.drawing.treeplan import Plan
from plyforge.search.textbook.explain import (
    format_bound,
    format_short,
    leaf_value_for_max,
    value_for_max,
    window_text,
)
from plyforge.search.textbook.trace import Visit

Labels = Literal["full", "value", "dot"]

MAX_FULL: Final = 40
MAX_VALUES: Final = 700
"""The maximum number of nodes with value and window, and with the value."""


@dataclass(frozen=True)
class Look:
    """Sizes of a drawing."""

    height: float
    """Height of a node."""
    row: float
    """Distance between rows."""
    gap: float
    between: float
    sign: float
    """Width of a character in a node."""
    small: float
    """Width of a character in a window, on an edge or in a caption."""
    stubs: int
    """Maximum number of skipped moves that are drawn one by one."""
    tall: int
    """Maximum number of leaves in a column."""


LOOKS: Final[dict[Labels, Look]] = {
    "full": Look(height=38, row=92, gap=12, between=48, sign=9, small=6.2, stubs=6, tall=1),
    "value": Look(height=22, row=58, gap=6, between=36, sign=7.5, small=5.2, stubs=0, tall=8),
    "dot": Look(height=8, row=34, gap=3, between=28, sign=5, small=5, stubs=0, tall=12),
}
MARGIN: Final = 14.0
SIDE: Final = 40.0
"""Margin for the names MAX and MIN."""
CAPTION: Final = 22.0
CAPTION_SIGN: Final = 7.0
MAX_MOVE_LENGTH: Final = 8
RETURNED: Final = "→"


@dataclass
class Canvas:
    """A plan with the place of each node."""

    plan: Plan
    labels: Labels
    look: Look
    captions: dict[int, tuple[str, str]]
    """Window and result of each root, if there are several."""
    items: list[Item] = field(default_factory=list)
    item_of: dict[int, int] = field(default_factory=dict)
    """Visit to item."""
    places: dict[int, tuple[float, int]] = field(default_factory=dict)
    """Visit to offset from its item's middle and row in its column, if it is in a column."""
    stubs: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    """Visit to texts and items of skipped moves."""
    centres: list[float] = field(default_factory=list)
    left: float = MARGIN
    top: float = MARGIN

    def at(self, number: int) -> tuple[float, float]:
        """Return the centre of the node of a visit."""
        offset, place = self.places.get(number, (0.0, 0))
        x = self.left + self.centres[self.item_of[number]] + offset
        down = place * (self.look.height + self.look.gap)
        return x, self.row(self.plan.visits[number].ply) + down

    def row(self, ply: int) -> float:
        """Return the middle of a row."""
        return self.top + self.look.height / 2 + ply * self.look.row


def labels_for(nodes: int) -> Labels:
    """Return how much each node shows, by the number of nodes."""
    if nodes <= MAX_FULL:
        return "full"
    return "value" if nodes <= MAX_VALUES else "dot"


def place_nodes(drawing: Plan, labels: Labels) -> Canvas:
    """Place all nodes; several searches are placed side by side."""
    roots = [n for n in drawing.drawn if drawing.visits[n].parent is None]
    captions = {}
    if len(roots) > 1:
        for order, number in enumerate(roots, 1):
            root = drawing.visits[number]
            captions[number] = (
                f"search {order}: window {window_text(root)}",
                f", {format_bound(root)}",
            )
    canvas = Canvas(drawing, labels, LOOKS[labels], captions)
    for number in drawing.drawn:
        _add(canvas, number)
    look = canvas.look
    starts = [canvas.item_of[number] for number in roots]
    canvas.centres = tidy(canvas.items, starts, look.gap, look.between)
    canvas.left = MARGIN if labels == "dot" else SIDE
    canvas.top = MARGIN + (CAPTION if captions else 0)
    return canvas


def _add(canvas: Canvas, number: int) -> None:
    """Add an item for a visit, or one for all siblings if they are in columns."""
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
        items.append(Item(item_width(canvas, visit), rows=2 if triangle else 1))
    if above is not None:
        items[canvas.item_of[above]].children.append(canvas.item_of[number])
        if siblings[-1] in canvas.item_of:
            _add_stubs(canvas, above)


def _in_columns(canvas: Canvas, siblings: list[int]) -> bool:
    """Return whether visits are placed in columns: none of them has an edge below."""
    drawing = canvas.plan
    ends = (
        drawing.collapsed[n] and canvas.labels == "dot" if drawing.below[n] else True
        for n in siblings
    )
    return canvas.look.tall > 1 and all(ends)


def _add_columns(canvas: Canvas, siblings: list[int]) -> None:
    look, visits = canvas.look, canvas.plan.visits
    width = max(node_width(canvas, visits[n]) for n in siblings)
    columns = -(-len(siblings) // look.tall)
    rows = -(-len(siblings) // columns)
    for order, number in enumerate(siblings):
        column, row = divmod(order, rows)
        offset = (column - (columns - 1) / 2) * (width + look.gap)
        canvas.item_of[number] = len(canvas.items)
        canvas.places[number] = offset, row
    height = rows * (look.height + look.gap)
    total = columns * (width + look.gap) - look.gap
    canvas.items.append(Item(total, rows=1 + int(height // look.row)))


def _add_stubs(canvas: Canvas, number: int) -> None:
    """Add items for skipped moves, to the right of the searched ones."""
    unseen = canvas.plan.visits[number].unseen
    if not unseen or canvas.labels == "dot":
        return
    texts = [clip(move) for move in unseen[: canvas.look.stubs]]
    if len(unseen) > len(texts):
        texts.append(f"+{len(unseen) - len(texts)}")
    stubs = []
    for text in texts:
        stubs.append((text, len(canvas.items)))
        canvas.items[canvas.item_of[number]].children.append(len(canvas.items))
        canvas.items.append(Item(max(len(text) * canvas.look.small, canvas.look.small * 2)))
    canvas.stubs[number] = stubs


def item_width(canvas: Canvas, visit: Visit) -> float:
    """Return the width of a node including its move, its caption and its triangle."""
    caption = len("".join(canvas.captions.get(visit.number, ()))) * CAPTION_SIGN
    hidden = 0.0
    if canvas.plan.collapsed[visit.number] and canvas.labels != "dot":
        hidden = (len(str(canvas.plan.below[visit.number])) + 2) * canvas.look.small + 8
    move = 0.0 if canvas.labels == "dot" else len(clip(visit.move)) * canvas.look.small
    return max(node_width(canvas, visit), caption, hidden, move)


def node_width(canvas: Canvas, visit: Visit) -> float:
    """Return the width of a node."""
    look = canvas.look
    if canvas.labels == "dot":
        return look.height
    width = len(value_text(visit)) * look.sign + 10
    if canvas.labels == "full":
        width = max(width, len(window_text(visit)) * look.small + 14)
    return max(width, look.height)


def value_text(visit: Visit) -> str:
    """Format the value of a node: `3→6` is a leaf of 3 for which 6 is returned."""
    if visit.open:
        return "?"
    own = f"{format_short(leaf_value_for_max(visit))}{RETURNED}" if visit.moved else ""
    return f"{own}{format_short(value_for_max(visit))}"


def clip(move: str) -> str:
    """Shorten the text of a move if it is too long."""
    return move if len(move) <= MAX_MOVE_LENGTH else f"{move[: MAX_MOVE_LENGTH - 1]}…"

"""The places of the nodes of a search tree, and how much each of them shows."""

from dataclasses import dataclass, field
from typing import Final, Literal

from plyforge.interfaces.drawing.tidy import Item, tidy_layout
from plyforge.interfaces.drawing.treeplan import Plan
from plyforge.search.textbook.explain import (
    format_bound,
    format_short,
    leaf_value_for_max,
    value_for_max,
    window_text,
    worker_name,
)
from plyforge.search.textbook.trace import Visit

Labels = Literal["full", "value", "dot"]

MAX_FULL: Final = 40
"""Maximum number of nodes that show value and window."""
MAX_NAMED: Final = 80
"""Maximum number of nodes that show value and information set."""
MAX_VALUES: Final = 700
"""Maximum number of nodes that show the value."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of a drawing, in pixels unless they are counts."""

    height: float
    """Height of a node."""
    row: float
    """Distance between rows."""
    gap: float
    """Distance between neighbouring nodes."""
    tree_gap: float
    """Distance between the trees of two searches."""
    letter: float
    """Width of a letter in a node."""
    small_letter: float
    """Width of a letter in a window or on an edge."""
    max_stubs: int
    """Maximum number of skipped moves that are drawn separately."""
    max_column: int
    """Maximum number of leaves in a column."""


SIZES: Final[dict[Labels, Sizes]] = {
    "full": Sizes(
        38, row=92, gap=12, tree_gap=48, letter=9, small_letter=6.2, max_stubs=6, max_column=1
    ),
    "value": Sizes(
        22, row=58, gap=6, tree_gap=36, letter=7.5, small_letter=5.2, max_stubs=0, max_column=8
    ),
    "dot": Sizes(
        8, row=34, gap=3, tree_gap=28, letter=5, small_letter=5, max_stubs=0, max_column=12
    ),
}
STOP_SIGN: Final = "✕"
MARGIN: Final = 14.0
SIDE_MARGIN: Final = 40.0
"""Left margin, with room for the names MAX and MIN."""
CAPTION: Final = 22.0
"""Height of a caption."""
CAPTION_LETTER: Final = 7.0
"""Width of a letter in a caption."""
MAX_MOVE_LENGTH: Final = 8
ARROW: Final = "→"


@dataclass
class Canvas:
    """A plan with the place of each node."""

    plan: Plan
    labels: Labels
    sizes: Sizes
    captions: dict[int, tuple[str, str]]
    """Window and result of each root, if there are several."""
    items: list[Item] = field(default_factory=list)
    item_of: dict[int, int] = field(default_factory=dict)
    """Index of the item of each visit."""
    places: dict[int, tuple[float, int]] = field(default_factory=dict)
    """Offset from the middle of its item and row, for each visit in a column."""
    stubs: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    """Texts and items of the skipped moves of each visit."""
    centres: list[float] = field(default_factory=list)
    left: float = MARGIN
    top: float = MARGIN

    def at(self, number: int) -> tuple[float, float]:
        """Return the centre of the node of a visit."""
        offset, row = self.places.get(number, (0.0, 0))
        x = self.left + self.centres[self.item_of[number]] + offset
        down = row * (self.sizes.height + self.sizes.gap)
        return x, self.row(self.plan.visits[number].ply) + down

    def row(self, ply: int) -> float:
        """Return the middle of a row."""
        return self.top + self.sizes.height / 2 + ply * self.sizes.row


def labels_for(nodes: int, named: bool = False) -> Labels:
    """Return how much each node shows if there are this many; `named` ones show a short name."""
    if nodes <= (MAX_NAMED if named else MAX_FULL):
        return "full"
    return "value" if nodes <= MAX_VALUES else "dot"


def place_nodes(drawing: Plan, labels: Labels) -> Canvas:
    """Place all nodes; several searches are placed side by side."""
    roots = [n for n in drawing.drawn if drawing.visits[n].parent is None]
    captions = {}
    if len(roots) > 1:
        for order, number in enumerate(roots, 1):
            root = drawing.visits[number]
            name = f"search {order}" if root.worker is None else worker_name(root.worker)
            result = "stopped" if root.stopped else format_bound(root)
            captions[number] = f"{name}: window {window_text(root)}", f", {result}"
    canvas = Canvas(drawing, labels, SIZES[labels], captions)
    for number in drawing.drawn:
        _add(canvas, number)
    sizes = canvas.sizes
    starts = [canvas.item_of[number] for number in roots]
    canvas.centres = tidy_layout(canvas.items, starts, sizes.gap, sizes.tree_gap)
    canvas.left = MARGIN if labels == "dot" else SIDE_MARGIN
    canvas.top = MARGIN + (CAPTION if captions else 0)
    return canvas


def _add(canvas: Canvas, number: int) -> None:
    """Add an item for a visit, or one for all siblings if they are in columns."""
    drawing, items = canvas.plan, canvas.items
    visit = drawing.visits[number]
    if number in canvas.item_of:
        return
    parent = visit.parent
    siblings = [] if parent is None else drawing.children[parent]
    if parent is not None and _in_columns(canvas, siblings):
        _add_columns(canvas, siblings)
    else:
        has_triangle = drawing.collapsed[number] and canvas.labels != "dot"
        canvas.item_of[number] = len(items)
        items.append(Item(item_width(canvas, visit), rows=2 if has_triangle else 1))
    if parent is not None:
        items[canvas.item_of[parent]].children.append(canvas.item_of[number])
        if siblings[-1] in canvas.item_of:
            _add_stubs(canvas, parent)


def _in_columns(canvas: Canvas, siblings: list[int]) -> bool:
    """Return whether siblings are placed in columns: only if no edge leads down from them."""
    drawing = canvas.plan
    are_ends = (
        drawing.collapsed[n] and canvas.labels == "dot" if drawing.below[n] else True
        for n in siblings
    )
    return canvas.sizes.max_column > 1 and all(are_ends)


def _add_columns(canvas: Canvas, siblings: list[int]) -> None:
    sizes, visits = canvas.sizes, canvas.plan.visits
    width = max(node_width(canvas, visits[n]) for n in siblings)
    columns = -(-len(siblings) // sizes.max_column)
    rows = -(-len(siblings) // columns)
    for order, number in enumerate(siblings):
        column, row = divmod(order, rows)
        offset = (column - (columns - 1) / 2) * (width + sizes.gap)
        canvas.item_of[number] = len(canvas.items)
        canvas.places[number] = offset, row
    height = rows * (sizes.height + sizes.gap)
    total = columns * (width + sizes.gap) - sizes.gap
    canvas.items.append(Item(total, rows=1 + int(height // sizes.row)))


def _add_stubs(canvas: Canvas, number: int) -> None:
    """Add items for skipped moves, to the right of the searched ones."""
    unseen = canvas.plan.visits[number].unseen
    if not unseen or canvas.labels == "dot":
        return
    texts = [clip(move) for move in unseen[: canvas.sizes.max_stubs]]
    if len(unseen) > len(texts):
        texts.append(f"+{len(unseen) - len(texts)}")
    stubs = []
    for text in texts:
        stubs.append((text, len(canvas.items)))
        canvas.items[canvas.item_of[number]].children.append(len(canvas.items))
        canvas.items.append(
            Item(max(len(text) * canvas.sizes.small_letter, canvas.sizes.small_letter * 2))
        )
    canvas.stubs[number] = stubs


def item_width(canvas: Canvas, visit: Visit) -> float:
    """Return the width of a node including its move, its caption and its triangle."""
    caption = len("".join(canvas.captions.get(visit.number, ()))) * CAPTION_LETTER
    triangle = 0.0
    if canvas.plan.collapsed[visit.number] and canvas.labels != "dot":
        triangle = (len(str(canvas.plan.below[visit.number])) + 2) * canvas.sizes.small_letter + 8
    move = 0.0 if canvas.labels == "dot" else len(clip(visit.move)) * canvas.sizes.small_letter
    return max(node_width(canvas, visit), caption, triangle, move)


def node_width(canvas: Canvas, visit: Visit) -> float:
    """Return the width of a node."""
    sizes = canvas.sizes
    if canvas.labels == "dot":
        return sizes.height
    width = len(value_text(visit)) * sizes.letter + 10
    if canvas.labels == "full":
        width = max(width, len(window_text(visit)) * sizes.small_letter + 14)
    return max(width, sizes.height)


def value_text(visit: Visit) -> str:
    """Format the value of a node: `3→6` is a leaf worth 3 for which the search returned 6."""
    if visit.open:
        return STOP_SIGN if visit.stopped else "?"
    leaf_value = f"{format_short(leaf_value_for_max(visit))}{ARROW}" if visit.moved else ""
    return f"{leaf_value}{format_short(value_for_max(visit))}"


def clip(move: str) -> str:
    """Shorten the text of a move if it is too long."""
    return move if len(move) <= MAX_MOVE_LENGTH else f"{move[: MAX_MOVE_LENGTH - 1]}…"

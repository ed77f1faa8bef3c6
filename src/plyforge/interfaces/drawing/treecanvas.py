"""Where the nodes of a search tree are drawn, and how much each has room to tell."""

from dataclasses import dataclass, field
from typing import Final, Literal

from plyforge.interfaces.drawing.tidy import Item, tidy
from plyforge.interfaces.drawing.treeplan import Plan
from plyforge.search.textbook.explain import bounded, brief, own_for_max, value_for_max, window_text
from plyforge.search.textbook.trace import Visit

Labels = Literal["full", "value", "dot"]

MAX_FULL: Final = 40
MAX_VALUES: Final = 700
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
LONGEST_MOVE: Final = 8
RETURNED: Final = "→"


@dataclass
class Canvas:
    """The plan with a place for each node."""

    plan: Plan
    labels: Labels
    look: Look
    captions: dict[int, tuple[str, str]]
    """Of each root if there are several: what was searched, and what came of it."""
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


def labels_for(nodes: int) -> Labels:
    """How much each of so many nodes tells."""
    if nodes <= MAX_FULL:
        return "full"
    return "value" if nodes <= MAX_VALUES else "dot"


def placed(drawing: Plan, labels: Labels) -> Canvas:
    """A place for every node, several searches one beside the other."""
    roots = [n for n in drawing.drawn if drawing.visits[n].parent is None]
    captions = {}
    if len(roots) > 1:
        for order, number in enumerate(roots, 1):
            root = drawing.visits[number]
            captions[number] = f"search {order}: window {window_text(root)}", f", {bounded(root)}"
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
        items.append(Item(item_width(canvas, visit), rows=2 if triangle else 1))
    if above is not None:
        items[canvas.item_of[above]].children.append(canvas.item_of[number])
        if siblings[-1] in canvas.item_of:
            _add_stubs(canvas, above)


def _in_columns(canvas: Canvas, siblings: list[int]) -> bool:
    """Whether visits stand in columns: no edge begins at any of them."""
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
        beside = (column - (columns - 1) / 2) * (width + look.gap)
        canvas.item_of[number] = len(canvas.items)
        canvas.places[number] = beside, row
    height = rows * (look.height + look.gap)
    wide = columns * (width + look.gap) - look.gap
    canvas.items.append(Item(wide, rows=1 + int(height // look.row)))


def _add_stubs(canvas: Canvas, number: int) -> None:
    """Items for the moves that were left out, to the right of those that were searched."""
    unseen = canvas.plan.visits[number].unseen
    if not unseen or canvas.labels == "dot":
        return
    texts = [clip(move) for move in unseen[: canvas.look.stubs]]
    if len(unseen) > len(texts):
        texts.append(f"+{len(unseen) - len(texts)}")
    found = []
    for text in texts:
        found.append((text, len(canvas.items)))
        canvas.items[canvas.item_of[number]].children.append(len(canvas.items))
        canvas.items.append(Item(max(len(text) * canvas.look.small, canvas.look.small * 2)))
    canvas.stubs[number] = found


def item_width(canvas: Canvas, visit: Visit) -> float:
    """The room that a node takes with all that stands above and below it."""
    caption = len("".join(canvas.captions.get(visit.number, ()))) * CAPTION_SIGN
    hidden = 0.0
    if canvas.plan.collapsed[visit.number] and canvas.labels != "dot":
        hidden = (len(str(canvas.plan.below[visit.number])) + 2) * canvas.look.small + 8
    move = 0.0 if canvas.labels == "dot" else len(clip(visit.move)) * canvas.look.small
    return max(node_width(canvas, visit), caption, hidden, move)


def node_width(canvas: Canvas, visit: Visit) -> float:
    """The width of a node itself."""
    look = canvas.look
    if canvas.labels == "dot":
        return look.height
    width = len(value_text(visit)) * look.sign + 10
    if canvas.labels == "full":
        width = max(width, len(window_text(visit)) * look.small + 14)
    return max(width, look.height)


def value_text(visit: Visit) -> str:
    """The value, as it stands in a node: `3→6` is a leaf of 3 for which 6 is returned."""
    if visit.open:
        return "?"
    own = f"{brief(own_for_max(visit))}{RETURNED}" if visit.moved else ""
    return f"{own}{brief(value_for_max(visit))}"


def clip(move: str) -> str:
    """A move's text, if need be shortened."""
    return move if len(move) <= LONGEST_MOVE else f"{move[: LONGEST_MOVE - 1]}…"

"""Trees drawn in text, and laid out on the plane."""

from collections.abc import Iterator

from plyforge.games.tree.layout import EXPLICIT, KIND, NODES, PLAYERS, ROOT, Position, Row
from plyforge.games.tree.lists import children, number_text
from plyforge.games.tree.notation import node_text, tree_text
from plyforge.games.tree.rules import degree, moves, play, worth
from plyforge.rules import Geometry

_ROOT = "root"
MAX_LINES = 200
"""Nodes of an explicit tree that are drawn."""


def board(position: Position) -> str:
    """Draw an explicit tree, one node per line, the current one marked; else describe the node."""
    if position.tree[KIND] != EXPLICIT:
        return _description(position)
    lines = []
    for number, (line, node) in enumerate(_lines(position.tree)):
        if number == MAX_LINES:
            rest = (len(position.tree) - NODES) // 2 - MAX_LINES
            lines.append(f"... and {rest} more nodes; now at {_node_name(position)}")
            break
        lines.append(f"{line}  <--" if node == position.node else line)
    return "\n".join(lines)


def _lines(row: Row) -> Iterator[tuple[str, int]]:
    """The lines of the drawing and their nodes, in the order of a depth-first search."""
    stack = [(0, int(row[ROOT]), "", "", "")]
    while stack:
        node, side, margin, branch, number = stack.pop()
        below = children(row, node)
        value = PLAYERS[side] if below else number_text(row[NODES + 2 * node + 1])
        yield f"{margin}{branch}{number}{value}", node
        if branch:
            margin += "   " if branch.startswith("└") else "│  "
        for order, child in reversed(list(enumerate(below, 1))):
            corner = "└─ " if order == len(below) else "├─ "
            stack.append((child, 1 - side, margin, corner, f"{order}: "))


def _description(position: Position) -> str:
    if degree(position) == 0:
        state = f"a leaf worth {number_text(worth(position))}"
    else:
        state = f"{PLAYERS[position.side]} to move"
    return f"{tree_text(position)}: {_node_name(position)}, {state}"


def _node_name(position: Position) -> str:
    return f"node {_cell(position)}" if position.level else "the root"


def geometry(position: Position) -> Geometry:
    """All nodes of an explicit tree; of a generated one the current node and its children.

    Nodes are named by the moves that lead to them, `2.1`, so that a name without its last part
    is the parent's; in a graph they are `level:number`.
    """
    here = _cell(position)
    if position.tree[KIND] == EXPLICIT:
        links, owners = _relations(position.tree)
        return Geometry("tree", _layout(position.tree), links=links, owners=owners, present=here)
    below = {_cell(child): child for child in (play(position, move) for move in moves(position))}
    places = {name: (float(x), 1.0) for x, name in enumerate(below)}
    return Geometry(
        "tree",
        {here: (max(len(below) - 1, 0) / 2, 0.0), **places},
        links=tuple((here, name) for name in below),
        owners={
            name: int(node.side)
            for name, node in ({here: position} | below).items()
            if degree(node) > 0
        },
        present=here,
    )


def _layout(row: Row) -> dict[str, tuple[float, float]]:
    """Leaves side by side, every parent above the middle of its children."""
    names, levels = _names(row)
    across = [0.0] * len(names)
    leaves = 0
    order = [node for _, node in _lines(row)]
    for node in order:
        if not children(row, node):
            across[node] = float(leaves)
            leaves += 1
    for node in reversed(order):
        below = children(row, node)
        if below:
            across[node] = (across[below[0]] + across[below[-1]]) / 2
    return {names[node]: (across[node], float(levels[node])) for node in order}


def _relations(row: Row) -> tuple[tuple[tuple[str, str], ...], dict[str, int]]:
    """Pairs of parent and child, and the side to move at each inner node."""
    names, levels = _names(row)
    links, owners = [], {}
    for node, name in enumerate(names):
        below = children(row, node)
        links += [(name, names[child]) for child in below]
        if below:
            owners[name] = (int(row[ROOT]) + levels[node]) % 2
    return tuple(links), owners


def _names(row: Row) -> tuple[list[str], list[int]]:
    """The names and levels of all nodes."""
    names, levels = [_ROOT], [0]
    for node in range((len(row) - NODES) // 2):
        prefix = f"{names[node]}." if node else ""
        names += [f"{prefix}{order}" for order in range(1, len(children(row, node)) + 1)]
        levels += [levels[node] + 1] * len(children(row, node))
    return names, levels


def pieces(position: Position) -> dict[str, str]:
    """The values of leaves."""
    row = position.tree
    if row[KIND] == EXPLICIT:
        values = row[NODES + 1 :: 2]
        return {
            name: number_text(values[node])
            for node, name in enumerate(_names(row)[0])
            if not children(row, node)
        }
    nodes = [position, *(play(position, move) for move in moves(position))]
    return {_cell(node): number_text(worth(node)) for node in nodes if degree(node) == 0}


def move_cells(position: Position, move: int) -> list[str]:
    return [_cell(position), _cell(play(position, move))]


def _cell(position: Position) -> str:
    return node_text(position) or _ROOT

"""Positions in text: a tree, the side to move at its root, and a node.

`[[3,12,8],[2,4,6],[14,5,2]] 2.3` is the third child of the second child of the root.  Generated
trees have their kind and parameters in place of lists; a node of a graph is `level:number`.
"""

from plyforge.games.tree import lists, parameters
from plyforge.games.tree.layout import (
    BRANCHING,
    DEPTH,
    EXPLICIT,
    KIND,
    LAYERED,
    PLAYERS,
    ROOT,
    WIDTH,
    Position,
)
from plyforge.games.tree.rules import degree, play
from plyforge.games.tree.start import root_of


def move_text(position: Position, move: int) -> str:
    """The child's number, from 1."""
    return str(move + 1)


def to_text(position: Position) -> str:
    """The tree, ` MIN` if MIN moves at the root, and the node unless it is the root.

    >>> to_text(from_text("[[3, 12], [2, 4]] min 2.1"))
    '[[3,12],[2,4]] MIN 2.1'
    """
    row = position.tree
    words = [tree_text(position), PLAYERS[1] if row[ROOT] else "", node_text(position)]
    return " ".join(filter(None, words))


def tree_text(position: Position) -> str:
    row = position.tree
    return lists.write(row) if row[KIND] == EXPLICIT else parameters.to_text(row)


def node_text(position: Position) -> str:
    """`2.1`, the moves that lead to the node, or `level:number` in a graph; empty for the root."""
    if position.level == 0:
        return ""
    if position.tree[KIND] >= LAYERED:
        return f"{position.level}:{position.node}"
    return ".".join(str(number + 1) for number in path(position))


def path(position: Position) -> list[int]:
    """The moves that lead to a node of a tree."""
    row = position.tree
    if row[KIND] == EXPLICIT:
        return lists.path_to(row, position.node)
    branching, node, found = int(row[BRANCHING]), position.node, []
    for _ in range(position.level):
        found.append(node % branching)
        node //= branching
    return found[::-1]


def from_text(text: str) -> Position:
    """Read what `to_text` writes; without a side, MAX moves at the root."""
    text = text.strip()
    if text.startswith("["):
        tree, rest = lists.read(text)
        if rest and not rest[0].isspace():
            raise ValueError(f"'{rest}' after the tree; write a space before a node")
        side, node = _read_tail(rest)
        return _at(root_of(lists.to_row(tree, side)), node)
    spec, _, rest = text.partition(" ")
    if not spec or not spec[0].isalpha():
        raise ValueError(
            "a tree is nested lists, such as [[3,12,8],[2,4,6]], or a kind with its parameters,"
            " such as uniform,branching=3,depth=5"
        )
    side, node = _read_tail(rest)
    return _at(root_of(parameters.from_text(spec, side)), node)


def _read_tail(text: str) -> tuple[int, str]:
    """The side to move at the root and the node; both may be missing."""
    words = text.split()
    side = 0
    if words and words[0].upper() in PLAYERS:
        side = PLAYERS.index(words.pop(0).upper())
    if len(words) > 1:
        raise ValueError(f"'{text.strip()}' after the tree is not '[MAX|MIN] [NODE]'")
    return side, words[0] if words else ""


def _at(root: Position, node: str) -> Position:
    if not node:
        return root
    return _graph_node(root, node) if root.tree[KIND] >= LAYERED else _tree_node(root, node)


def _tree_node(root: Position, text: str) -> Position:
    position = root
    for word in text.split("."):
        count = degree(position)
        if not _is_number(word) or not 1 <= int(word) <= count:
            where = f"node '{node_text(position)}'" if position.level else "the root"
            has = f"has the children 1 to {count}" if count else "is a leaf"
            raise ValueError(
                f"node '{text}': there is no '{word}', {where} {has}; a node is the moves that lead"
                " to it, such as 2.1"
            )
        position = play(position, int(word) - 1)
    return position


def _graph_node(root: Position, text: str) -> Position:
    level, colon, number = text.partition(":")
    depth, width = int(root.tree[DEPTH]), int(root.tree[WIDTH])
    if not (colon and _is_number(level) and _is_number(number)):
        raise ValueError(f"node '{text}': a node of a graph is 'level:number', such as 3:0")
    if int(level) > depth:
        raise ValueError(f"node '{text}': level {level} is not between 0 and {depth}")
    count = 1 if int(level) == 0 else width
    if int(number) >= count:
        raise ValueError(f"node '{text}': number {number} is not between 0 and {count - 1}")
    side = (root.side + int(level)) % 2
    return root._replace(level=int(level), node=int(number), side=side)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9

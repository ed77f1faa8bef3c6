"""A tidy layout of trees: Reingold and Tilford's, for nodes of different widths.

Nodes of a row never overlap, a node stands in the middle above its children, and subtrees are moved
together until they nearly touch.  Nothing recurses, so that depth does not matter, and each level
of a subtree is looked at only while it is moved beside a deeper one: time grows with the nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Item:
    """A node to be placed."""

    width: float
    children: list[int] = field(default_factory=list)
    """Indexes of items; each is after its parent in the list of all items."""
    rows: int = 1
    """How many rows it is high; its children begin below them."""


@dataclass
class _Outline:
    """How far a subtree reaches to both sides, by rows from its *last* to its first, plus `shift`.

    The order lets a new root be appended.
    """

    left: list[float]
    right: list[float]
    left_shift: float = 0.0
    right_shift: float = 0.0


def tidy(items: Sequence[Item], roots: Sequence[int], gap: float, between: float) -> list[float]:
    """The centre of each item; `gap` is between neighbours, `between` between trees.

    The leftmost border is at 0.
    """
    offset = [0.0] * len(items)
    outlines: dict[int, _Outline] = {}
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        merged = _Outline([], [])
        if item.children:
            merged = _beside([outlines.pop(c) for c in item.children], item.children, offset, gap)
            middle = (offset[item.children[0]] + offset[item.children[-1]]) / 2
            for child in item.children:
                offset[child] -= middle
            merged.left_shift -= middle
            merged.right_shift -= middle
        half = item.width / 2
        merged.left += [-half - merged.left_shift] * item.rows
        merged.right += [half - merged.right_shift] * item.rows
        outlines[index] = merged
    at = 0.0
    for root in roots:
        outline = outlines[root]
        offset[root] = at - (min(outline.left) + outline.left_shift)
        at = offset[root] + max(outline.right) + outline.right_shift + between
    for index, item in enumerate(items):
        for child in item.children:
            offset[child] += offset[index]
    return offset


def _beside(
    outlines: list[_Outline], children: list[int], offset: list[float], gap: float
) -> _Outline:
    """The outline of subtrees one beside the other, as seen from the first one's root."""
    merged = outlines[0]
    offset[children[0]] = 0.0
    for child, outline in zip(children[1:], outlines[1:], strict=True):
        common = min(len(merged.right), len(outline.left))
        shared = range(1, common + 1)
        needed = max(merged.right[-row] - outline.left[-row] for row in shared)
        move = needed + merged.right_shift - outline.left_shift + gap
        offset[child] = move
        outline.left_shift += move
        outline.right_shift += move
        merged = _joined(merged, outline, common)
    return merged


def _joined(left: _Outline, right: _Outline, common: int) -> _Outline:
    """Two outlines that share the upper `common` rows, as one; the longer lists are kept."""
    if len(left.left) >= len(right.left):
        change = right.right_shift - left.right_shift
        left.right[-common:] = [x + change for x in right.right[-common:]]
        return left
    change = left.left_shift - right.left_shift
    right.left[-common:] = [x + change for x in left.left[-common:]]
    return right

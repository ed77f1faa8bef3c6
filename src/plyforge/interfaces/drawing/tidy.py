"""A tidy layout of trees: Reingold and Tilford's, for nodes of different widths.

Nodes of a row never overlap, a node is centred above its children, and subtrees are moved together
until only the gap separates them. There is no recursion, so depth is not limited. Placing two
subtrees side by side takes as many steps as the shallower one has rows, so the time is linear.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Item:
    """A node to place."""

    width: float
    children: list[int] = field(default_factory=list)
    """Indexes of items; children come after their parent in the list."""
    rows: int = 1
    """Height in rows; children start below."""


@dataclass
class _Outline:
    """The left and right border of a subtree, by rows from the *last* to the first.

    The order lets a new root be appended. The shifts are added to all rows of a border.
    """

    left: list[float]
    right: list[float]
    left_shift: float = 0.0
    right_shift: float = 0.0


def tidy_layout(
    items: Sequence[Item], roots: Sequence[int], gap: float, tree_gap: float
) -> list[float]:
    """Return the centre of each item; the leftmost border is at 0.

    `gap` is the distance between neighbours, `tree_gap` that between trees.
    """
    offset = [0.0] * len(items)
    outlines: dict[int, _Outline] = {}
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        merged = _Outline([], [])
        if item.children:
            merged = _place_side_by_side(
                [outlines.pop(c) for c in item.children], item.children, offset, gap
            )
            middle = (offset[item.children[0]] + offset[item.children[-1]]) / 2
            for child in item.children:
                offset[child] -= middle
            merged.left_shift -= middle
            merged.right_shift -= middle
        half = item.width / 2
        merged.left += [-half - merged.left_shift] * item.rows
        merged.right += [half - merged.right_shift] * item.rows
        outlines[index] = merged
    next_left = 0.0
    for root in roots:
        outline = outlines[root]
        offset[root] = next_left - (min(outline.left) + outline.left_shift)
        next_left = offset[root] + max(outline.right) + outline.right_shift + tree_gap
    for index, item in enumerate(items):
        for child in item.children:
            offset[child] += offset[index]
    return offset


def _place_side_by_side(
    outlines: list[_Outline], children: list[int], offset: list[float], gap: float
) -> _Outline:
    """Place subtrees side by side; return their outline relative to the first root."""
    merged = outlines[0]
    offset[children[0]] = 0.0
    for child, outline in zip(children[1:], outlines[1:], strict=True):
        common = min(len(merged.right), len(outline.left))
        shared = range(1, common + 1)
        needed = max(merged.right[-row] - outline.left[-row] for row in shared)
        shift = needed + merged.right_shift - outline.left_shift + gap
        offset[child] = shift
        outline.left_shift += shift
        outline.right_shift += shift
        merged = _join(merged, outline, common)
    return merged


def _join(left: _Outline, right: _Outline, common: int) -> _Outline:
    """Join two outlines that share the upper `common` rows; the longer lists are kept."""
    if len(left.left) >= len(right.left):
        change = right.right_shift - left.right_shift
        left.right[-common:] = [x + change for x in right.right[-common:]]
        return left
    change = left.left_shift - right.left_shift
    right.left[-common:] = [x + change for x in left.left[-common:]]
    return right

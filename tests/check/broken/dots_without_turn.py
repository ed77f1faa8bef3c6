"""Dots and Boxes in which completing a box gives another move, but there is no `turn`."""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ONGOING

MAX_MOVES = 10
BOXES = ((0, 3, 6, 7), (1, 4, 7, 8), (2, 5, 8, 9))  # top, bottom, left, right
FULL = (1 << 10) - 1


class Position(NamedTuple):
    edges: int
    lead: int  # boxes of the first player minus those of the second
    side: int


def initial() -> Position:
    return Position(0, 0, 0)


def moves(position: Position) -> Iterator[int]:
    for edge in range(10):
        if not position.edges >> edge & 1:
            yield edge


def completed(edges: int, edge: int) -> int:
    count = 0
    for top, bottom, left, right in BOXES:
        has_edge = edge in (top, bottom, left, right)
        if has_edge and edges >> top & edges >> bottom & edges >> left & edges >> right & 1:
            count += 1
    return count


def play(position: Position, move: int) -> Position:
    edges = position.edges | 1 << move
    boxes = completed(edges, move)
    lead = position.lead + (boxes if position.side == 0 else -boxes)
    return Position(edges, lead, position.side if boxes else 1 - position.side)


def outcome(position: Position) -> int:
    if position.edges == FULL:
        return position.lead if position.side == 0 else -position.lead
    return ONGOING

"""Othello by patterns: what the nine cells at each corner are worth, at four stages of the game.

A pattern's index is the content of its cells as a number with base 3.  The four corners share one
table, since they are the same pattern seen from four sides; so the index function returns four
indices.  All weights are 0: `fit.py` beside this file fits them and writes a file of weights.
"""

from typing import NamedTuple

from plyforge.rules import patterns, popcount, table, u64

NONE, ONE = u64(0), u64(1)
EVALUATION_RANGE = (-64.0, 64.0)
EVALUATION_MEANING = "score"
STAGES = 4
CELLS = (  # the corner, its neighbours, and so on, seen from each of the four corners
    (0, 1, 8, 9, 2, 16, 10, 17, 18),
    (7, 6, 15, 14, 5, 23, 13, 22, 21),
    (56, 57, 48, 49, 58, 40, 50, 41, 42),
    (63, 62, 55, 54, 61, 47, 53, 46, 45),
)


class Position(NamedTuple):  # the fields of Othello's positions that are used here
    mine: u64
    theirs: u64


def index(position: Position, cells: tuple[int, ...]) -> int:
    result = 0
    for cell in cells:
        bit = ONE << u64(cell)
        result = (
            3 * result + int(position.mine & bit > NONE) + 2 * int(position.theirs & bit > NONE)
        )
    return result


def corners(position: Position) -> tuple[int, int, int, int]:
    a, b, c, d = CELLS
    return index(position, a), index(position, b), index(position, c), index(position, d)


def discs(position: Position) -> int:
    return popcount(position.mine) - popcount(position.theirs)


def stage(position: Position) -> int:
    return min(popcount(position.mine | position.theirs) // 16, STAGES - 1)


EVALUATION = patterns(
    {"corners": table(corners, 3**9, count=4), "discs": discs},
    stages=(stage, STAGES),
    limit=63,
)

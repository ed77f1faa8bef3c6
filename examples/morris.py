"""Nine Men's Morris: three men in a line are a mill, which takes a man of the other side.

plyforge play examples/morris.py
plyforge serve examples/morris.py

Both sides place nine men in turn, then move them along lines; a side with three men may jump.  A
side with two men, or without a move, has lost.  Men outside of mills are taken first.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import LOSS, ONGOING, Geometry, points, popcount

NAME = "Nine Men's Morris"
PLAYERS = ("White", "Black")
MAX_MOVES = 324
EVALUATION_RANGE = (-20, 20)
REPETITION = "draw"
NO_PROGRESS_LIMIT = 100
POINTS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
NAMES = POINTS.split()
ROWS = tuple((n, n + 1, n + 2) for n in range(0, 24, 3))
UPRIGHT = ((0, 9, 21), (3, 10, 18), (6, 11, 15), (8, 12, 17), (5, 13, 20), (2, 14, 23))
LINES = (*ROWS, *UPRIGHT, (1, 4, 7), (16, 19, 22))
MILLS = tuple(1 << a | 1 << b | 1 << c for a, b, c in LINES)
JOINED = tuple((line[n], line[n + 1]) for line in LINES for n in (0, 1))
NEIGHBOURS = tuple(sum(1 << (a + b - p) for a, b in JOINED if p in (a, b)) for p in range(25))
NONE = 24  # in place of a point: a man from the hand, or no man taken
ALL = (1 << 24) - 1


class Position(NamedTuple):
    own: int  # the men of the side to move, one bit a point
    other: int
    placed: int  # men of both sides that have left the hand, up to 18
    side: int


def initial() -> Position:
    return Position(0, 0, 0, 0)


def in_mills(men: int) -> int:
    found = 0
    for mill in MILLS:
        if men & mill == mill:
            found |= mill
    return found


def moves(position: Position) -> Iterator[int]:
    """Yield source + 25 * target + 625 * taken."""
    own, other = position.own, position.other
    empty = ALL & ~(own | other)
    free = other & ~in_mills(other)
    takable = free if free else other
    placing = position.placed < 18
    men = 1 << NONE if placing else own
    for source in range(25):
        targets = empty if placing or popcount(own) == 3 else empty & NEIGHBOURS[source]
        for target in range(24):
            if men >> source & targets >> target & 1:
                if takable and in_mills(own & ~(1 << source) | 1 << target) >> target & 1:
                    for taken in range(24):
                        if takable >> taken & 1:
                            yield source + 25 * target + 625 * taken
                else:
                    yield source + 25 * target + 625 * NONE


def play(position: Position, move: int) -> Position:
    source, target, taken = move % 25, move // 25 % 25, move // 625
    own = position.own & ~(1 << source) | 1 << target
    placed = position.placed + (1 if source == NONE else 0)
    return Position(position.other & ~(1 << taken), own, placed, 1 - position.side)


def turn(position: Position) -> int:
    return position.side


def outcome(position: Position) -> int:
    return LOSS if position.placed == 18 and popcount(position.own) < 3 else ONGOING


def irreversible(position: Position, move: int) -> bool:
    return move % 25 == NONE or move // 625 != NONE


def evaluate(position: Position) -> int:
    return popcount(position.own) - popcount(position.other)


def move_cells(position: Position, move: int) -> list[str]:
    return [NAMES[point] for point in (move % 25, move // 25 % 25, move // 625) if point != NONE]


def move_text(position: Position, move: int) -> str:
    """Return `d6`, `d6-d7` or, if a man is taken, `d6-d7xa1`."""
    start = "" if move % 25 == NONE else NAMES[move % 25] + "-"
    end = "" if move // 625 == NONE else "x" + NAMES[move // 625]
    return start + NAMES[move // 25 % 25] + end


def geometry(position: Position) -> Geometry:
    places = {name: ("abcdefg".index(name[0]), 7 - int(name[1])) for name in NAMES}
    return points(places, [(NAMES[a], NAMES[b]) for a, b in JOINED])


def pieces(position: Position) -> dict[str, str]:
    white, black = position[position.side], position[1 - position.side]
    letters = ("W" if white >> n & 1 else "B" if black >> n & 1 else "." for n in range(24))
    return dict(zip(NAMES, letters, strict=True))

"""The position: checkers in nibbles of words, each side's points numbered from its own side.

A side's points are 1 (its ace point) to 24, and 25 is its bar; point p of one side is point 25 - p
of the other.  Checkers that are nowhere have been borne off.
"""

from typing import NamedTuple

NAME = "Backgammon"
PLAYERS = ("White", "Black")
VARIANTS = ("cube=64",)
MAX_MOVES = 3072
"""More than the 3,060 multisets of four moves by 15 checkers."""
MOVE_SLOTS = 4096

BAR = 25
CHECKERS = 15
_HALF = 13
"""The points in the lower word; the upper has the others and the bar."""

# Stages of a turn.
OPENING = 0
"""Each side rolls a die; the higher one moves first, and plays both."""
ROLL = 1
"""The dice are rolled."""
PLAY = 2
"""The roll is played."""
OFFER = 3
"""The side to move may double before it rolls."""
ANSWER = 4
"""The side to move was offered a double."""
DROPPED = 5
"""The side to move has dropped the double: the game is over."""

CENTRE = 2
"""The owner of the cube while both sides may double."""


class Position(NamedTuple):
    white_low: int
    white_high: int
    black_low: int
    black_high: int
    side: int
    stage: int
    roll: int
    """Eight times the higher die plus the lower one; 0 unless the roll is played."""
    cube: int
    """The value of the cube."""
    owner: int
    """Who may double next: 0 or 1, or `CENTRE` for both."""
    max_cube: int
    """The highest value that the cube may have; 1 for games without it."""


def checkers(low: int, high: int, point: int) -> int:
    """The checkers of a side on one of its points, or on its bar."""
    if point <= _HALF:
        return low >> 4 * (point - 1) & 15
    return high >> 4 * (point - 1 - _HALF) & 15


def changed_low(low: int, point: int, change: int) -> int:
    """The lower word after adding checkers on a point."""
    return low + (change << 4 * (point - 1)) if 1 <= point <= _HALF else low


def changed_high(high: int, point: int, change: int) -> int:
    return high + (change << 4 * (point - 1 - _HALF)) if point > _HALF else high


def count_checkers(low: int, high: int) -> int:
    """The checkers of a side that have not been borne off."""
    total = 0
    for shift in range(0, 4 * _HALF, 4):
        total += (low >> shift & 15) + (high >> shift & 15)
    return total


def pack_side(counts: dict[int, int]) -> tuple[int, int]:
    """The words of a side, from the checkers on its points."""
    low = high = 0
    for point, count in counts.items():
        low, high = changed_low(low, point, count), changed_high(high, point, count)
    return low, high


START = pack_side({24: 2, 13: 5, 8: 3, 6: 5})

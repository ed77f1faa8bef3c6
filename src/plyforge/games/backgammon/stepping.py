"""Moves of single checkers.

A step is eight times the point that a checker leaves plus the die.  A whole move has up to four
steps, one in each byte, the first in the lowest; 0 is no step.
"""

from plyforge.games.backgammon.layout import (
    BAR,
    changed_high,
    changed_low,
    checkers,
)


def is_home(low: int, high: int) -> bool:
    """Whether all checkers of a side are on its points 1 to 6, so that it may bear off."""
    return high == 0 and low >> 24 == 0


def highest_point(low: int, high: int) -> int:
    """The highest point with a checker of a side; 0 if all have been borne off."""
    for point in range(BAR, 0, -1):
        if checkers(low, high, point) > 0:
            return point
    return 0


def can_step(low: int, high: int, other_low: int, other_high: int, point: int, die: int) -> bool:
    """Whether a checker may move from a point; the other side's words are from its own view."""
    if checkers(low, high, point) == 0:
        return False
    if point != BAR and checkers(low, high, BAR) > 0:
        return False
    target = point - die
    if target > 0:
        return checkers(other_low, other_high, 25 - target) < 2
    return is_home(low, high) and (target == 0 or highest_point(low, high) == point)


def hits(other_low: int, other_high: int, point: int, die: int) -> int:
    """The other side's point on which a step hits a checker, or 0."""
    target = point - die
    if target > 0 and checkers(other_low, other_high, 25 - target) == 1:
        return 25 - target
    return 0


def low_after(low: int, point: int, die: int) -> int:
    return changed_low(changed_low(low, point, -1), point - die, 1)


def high_after(high: int, point: int, die: int) -> int:
    return changed_high(changed_high(high, point, -1), point - die, 1)


def other_low_after(other_low: int, hit: int) -> int:
    """The other side's lower word after a hit on its point, unless that is 0."""
    return changed_low(other_low, hit, -1)


def other_high_after(other_high: int, hit: int) -> int:
    if hit == 0:
        return other_high
    return changed_high(changed_high(other_high, hit, -1), BAR, 1)

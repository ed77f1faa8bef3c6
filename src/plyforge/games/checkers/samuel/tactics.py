"""Features of what steps lead to.  Each but `taken` is a difference between the sides.

A step counts even where a capture is mandatory, and for the side that is not to move as well.  Of
a capture only the first jump counts.  Features count squares that pieces can step to, not steps.
"""

from plyforge.games.checkers import features as count
from plyforge.games.checkers.features import CENTRE, balance
from plyforge.games.checkers.rules import Position
from plyforge.games.checkers.samuel.material import credit
from plyforge.games.checkers.samuel.sides import DOUBLE_CORNERS, Side, black_side, white_side
from plyforge.rules import popcount

WEAK_CREDIT = 6


def targets(up: int, down: int, empty: int) -> int:
    """Empty squares to which pieces can step."""
    return (up << 4 | up << 5 | down >> 4 | down >> 5) & empty


def reached(side: Side) -> int:
    return targets(side.up, side.down, side.empty)


def reached_by_kings(side: Side) -> int:
    kings = side.up & side.down
    return targets(kings, kings, side.empty)


def total_mobility(position: Position) -> float:
    """Squares to which the side can step."""
    black, white = popcount(reached(black_side(position))), popcount(reached(white_side(position)))
    return balance(position, black, white) / 8


def step_mobility(position: Position) -> float:
    """Steps, of which several may lead to the same square."""
    return count.mobility(position) / 8


def king_mobility(position: Position) -> float:
    """Squares to which kings can step."""
    black = popcount(reached_by_kings(black_side(position)))
    white = popcount(reached_by_kings(white_side(position)))
    return balance(position, black, white) / 8


def x_centre_control(position: Position) -> float:
    """Squares of the centre that are occupied, or to which the side can step."""
    black = popcount((position.black | reached(black_side(position))) & CENTRE)
    white = popcount((position.white | reached(white_side(position))) & CENTRE)
    return balance(position, black, white) / 8


def escapes(side: Side, own: int, other: int) -> int:
    corner = int(reached(side) & DOUBLE_CORNERS != 0)
    return corner & int(own <= WEAK_CREDIT) & int(own < other)


def double_corner(position: Position) -> float:
    """1 if a side is behind, has at most 6 credits and can step to a double corner."""
    black, white = credit(position.black, position.kings), credit(position.white, position.kings)
    low = escapes(black_side(position), black, white)
    high = escapes(white_side(position), white, black)
    return float(balance(position, low, high))


def threats(side: Side) -> int:
    """Squares from which a piece that steps there could capture next."""
    kings = side.up & side.down
    empty, others = side.empty, side.other_up | side.other_down
    above = others >> 4 & empty >> 8 | others >> 5 & empty >> 10
    below = others << 4 & empty << 8 | others << 5 & empty << 10
    by_men = targets(side.up, 0, empty) & above | targets(0, side.down, empty) & below
    return by_men | targets(kings, kings, empty) & (above | below)


def threat(position: Position) -> float:
    """Squares to which a piece can step and then threatens a capture."""
    black, white = popcount(threats(black_side(position))), popcount(threats(white_side(position)))
    return balance(position, black, white) / 4


def safe_threat(position: Position) -> float:
    """Squares of `threat` where no step to them can be answered by a capture."""
    black, white = black_side(position), white_side(position)
    low, high = threats(black) & ~capturable(black, 0), threats(white) & ~capturable(white, 0)
    return balance(position, popcount(low), popcount(high)) / 4


def recaptures(side: Side) -> int:
    """Squares where the side could capture an opposing piece if it stood there."""
    up, down, empty = side.up, side.down, side.empty
    rising = up << 4 & empty >> 4 | up << 5 & empty >> 5
    return rising | down >> 4 & empty << 4 | down >> 5 & empty << 5


def capturable(side: Side, answered: int) -> int:
    """Squares to which a piece can step and then be captured.

    A capture does not count if it ends on one of the `answered` squares.  The square that a step
    leaves is empty, so an opposing piece straight ahead of it can always jump.
    """
    up, down, empty = side.up, side.down, side.empty
    above_4, above_5 = (
        side.other_down >> 4 & ~(answered << 4),
        side.other_down >> 5 & ~(answered << 5),
    )
    below_4, below_5 = side.other_up << 4 & ~(answered >> 4), side.other_up << 5 & ~(answered >> 5)
    open_above = above_4 & empty << 4 | above_5 & empty << 5
    anyway = open_above | below_4 & empty >> 4 | below_5 & empty >> 5
    rising = up << 4 & (anyway | above_4) | up << 5 & (anyway | above_5)
    falling = down >> 4 & (anyway | below_4) | down >> 5 & (anyway | below_5)
    return empty & (rising | falling)


def taken(position: Position) -> float:
    """Squares to which the mover can step and then be captured: no difference.

    The opponent has nearly as many of them: two pieces that face each other share the square.
    """
    side = white_side(position) if position.side else black_side(position)
    return popcount(capturable(side, 0)) / 8


def denied(side: Side) -> int:
    """Squares to which a piece can step and then be captured for nothing."""
    return capturable(side, recaptures(side))


def deny(position: Position) -> float:
    """Squares to which a piece can step and then be captured without being avenged."""
    black, white = popcount(denied(black_side(position))), popcount(denied(white_side(position)))
    return balance(position, black, white) / 4


def undenied_mobility(position: Position) -> float:
    """Squares to which the side can step, without those of `deny`."""
    black, white = black_side(position), white_side(position)
    low, high = reached(black) & ~denied(black), reached(white) & ~denied(white)
    return balance(position, popcount(low), popcount(high)) / 8


def exchanges(side: Side) -> int:
    """Squares to which a piece can step and be captured, but never for nothing."""
    return capturable(side, 0) & ~denied(side)


def exchange(position: Position) -> float:
    """Squares to which a piece can step and be captured, but not without being avenged."""
    black = popcount(exchanges(black_side(position)))
    white = popcount(exchanges(white_side(position)))
    return balance(position, black, white) / 4


def forks(side: Side) -> int:
    """Squares from which a piece that steps there threatens two pieces of the row ahead."""
    empty, others = side.empty, side.other_up | side.other_down
    above = others >> 4 & others >> 5 & empty >> 8 & empty >> 10
    below = others << 4 & others << 5 & empty << 8 & empty << 10
    return targets(side.up, 0, empty) & above | targets(0, side.down, empty) & below


def fork(position: Position) -> float:
    """Squares to which a piece can step between two adjacent pieces of a row and threaten both."""
    black, white = popcount(forks(black_side(position))), popcount(forks(white_side(position)))
    return balance(position, black, white) / 2

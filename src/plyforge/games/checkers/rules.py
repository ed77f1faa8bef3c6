"""English checkers on a board of 36 bits: the 32 squares and a gap after every second row.

Square s (0 to 31) is bit s + s // 8.  Black starts on the low squares and moves up; the step of a
man is then 4 or 5 bits in every row, and the gaps catch what would leave the board sideways.

A move is one int: bits 0-35 the captured pieces, 36-41 the bit of the start, 42-47 that of the
end, from 48 on the directions of the last seven jumps, two bits each.  The directions tell apart
two ways around the same pieces, which count as two moves.  No move jumps more than nine times (a
piece can reach only nine of the squares where it could be jumped), and the first two jumps of
nine follow from where they lead and what they capture.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ctz, popcount

BOARD = sum(1 << s + s // 8 for s in range(32))
LOW_ROW = 0b1111
HIGH_ROW = 0b1111 << 31
CAPTURED = (1 << 36) - 1
FROM, TO, ROUTE = 36, 42, 48
INDEX = 63
ROUTE_MASK = (1 << 14) - 1
MAN_WORTH, KING_WORTH = 4, 6
"""About the weights of men and kings in the evaluation."""


class Position(NamedTuple):
    black: int
    white: int
    kings: int
    side: int
    """0 when Black, who begins, is to move; 1 for White."""


def initial() -> Position:
    black = sum(1 << s + s // 8 for s in range(12))
    white = sum(1 << s + s // 8 for s in range(20, 32))
    return Position(black, white, 0, 0)


def moves(position: Position) -> Iterator[int]:
    """Yield the captures if there are any, since they are mandatory; otherwise the steps."""
    up, down, opponents, empty = forces(position)
    jumpers = up & (empty >> 8 & opponents >> 4 | empty >> 10 & opponents >> 5)
    jumpers |= down & (empty << 8 & opponents << 4 | empty << 10 & opponents << 5)
    if jumpers:
        yield from jumps(jumpers, up, down, opponents, empty)
        return
    yield from steps(up << 4 & empty, -4)
    yield from steps(up << 5 & empty, -5)
    yield from steps(down >> 4 & empty, 4)
    yield from steps(down >> 5 & empty, 5)


def can_move(position: Position) -> bool:
    """Whether there is a step or a capture."""
    up, down, opponents, empty = forces(position)
    return (
        (up << 4 | up << 5 | down >> 4 | down >> 5) & empty
        | up & (empty >> 8 & opponents >> 4 | empty >> 10 & opponents >> 5)
        | down & (empty << 8 & opponents << 4 | empty << 10 & opponents << 5)
    ) != 0


def in_check(position: Position) -> bool:
    """Whether there is a capture, which is mandatory: a static value means little then."""
    up, down, opponents, empty = forces(position)
    return (
        up & (empty >> 8 & opponents >> 4 | empty >> 10 & opponents >> 5)
        | down & (empty << 8 & opponents << 4 | empty << 10 & opponents << 5)
    ) != 0


def forces(position: Position) -> tuple[int, int, int, int]:
    """The mover's pieces that go up and those that go down, the other side's, the empty squares."""
    empty = BOARD & ~(position.black | position.white)
    if position.side == 0:
        return position.black, position.black & position.kings, position.white, empty
    return position.white & position.kings, position.white, position.black, empty


def steps(ends: int, back: int) -> Iterator[int]:
    """Yield the steps to each of `ends`; the start lies `back` bits from the end."""
    while ends:
        end = ctz(ends)
        ends &= ends - 1
        yield (end + back) << FROM | end << TO


def jumps(jumpers: int, up: int, down: int, opponents: int, empty: int) -> Iterator[int]:
    """Yield every complete capture."""
    while jumpers:
        start = jumpers & -jumpers
        jumpers ^= start
        climbs = up & start
        falls = down & start
        free = empty | start
        source = ctz(start) << FROM
        first = open_directions(start, climbs, falls, opponents, free)
        while first:
            direction = ctz(first)
            first &= first - 1
            over = neighbour(start, direction)
            square = landing(start, direction)
            further = open_directions(square, climbs, falls, opponents & ~over, free)
            if further == 0:
                yield over | source | ctz(square) << TO | direction << ROUTE
            else:
                yield from continue_capture(
                    square, over, source, direction, further, climbs, falls, opponents, free
                )


def continue_capture(
    square: int,
    captured: int,
    source: int,
    route: int,
    here: int,
    climbs: int,
    falls: int,
    opponents: int,
    free: int,
) -> Iterator[int]:
    """Yield every complete capture after a first jump that can be continued, depth first.

    Two ints replace a stack: `route` holds the directions taken, `waiting` four bits per jump for
    the directions still to try there.
    """
    waiting = 0
    while here:
        direction = ctz(here)
        waiting = waiting << 4 | here & (here - 1)
        route = route << 2 | direction
        captured |= neighbour(square, direction)
        square = landing(square, direction)
        here = open_directions(square, climbs, falls, opponents & ~captured, free)
        if here == 0:
            yield captured | source | ctz(square) << TO | (route & ROUTE_MASK) << ROUTE
            while waiting and here == 0:
                direction = route & 3
                square = landing(square, 3 - direction)
                captured &= ~neighbour(square, direction)
                here = waiting & 15
                route >>= 2
                waiting >>= 4


def open_directions(square: int, climbs: int, falls: int, opponents: int, free: int) -> int:
    """The directions, as bits, in which a piece can jump: 0 and 1 up, 2 and 3 back down."""
    result = 0
    if climbs:
        if square << 4 & opponents and square << 8 & free:
            result = 1
        if square << 5 & opponents and square << 10 & free:
            result |= 2
    if falls:
        if square >> 5 & opponents and square >> 10 & free:
            result |= 4
        if square >> 4 & opponents and square >> 8 & free:
            result |= 8
    return result


def neighbour(square: int, direction: int) -> int:
    """The neighbour in a direction; direction 3 - d is opposite to d."""
    if direction == 0:
        return square << 4
    if direction == 1:
        return square << 5
    if direction == 2:
        return square >> 5
    return square >> 4


def landing(square: int, direction: int) -> int:
    """The square behind the neighbour."""
    if direction == 0:
        return square << 8
    if direction == 1:
        return square << 10
    if direction == 2:
        return square >> 10
    return square >> 8


def play(position: Position, move: int) -> Position:
    captured = move & CAPTURED
    start = 1 << (move >> FROM & INDEX)
    end = 1 << (move >> TO & INDEX)
    kings = position.kings & ~captured
    if kings & start:
        kings = kings & ~start | end
    elif position.side == 0:
        kings |= end & HIGH_ROW
    else:
        kings |= end & LOW_ROW
    if position.side == 0:
        return Position(position.black & ~start | end, position.white & ~captured, kings, 1)
    return Position(position.black & ~captured, position.white & ~start | end, kings, 0)


def turn(position: Position) -> int:
    return position.side


def irreversible(position: Position, move: int) -> bool:
    """Whether it is a capture or a step of a man: men never go back."""
    return move & CAPTURED != 0 or position.kings >> (move >> FROM & INDEX) & 1 == 0


def noisy_moves(position: Position) -> Iterator[int]:
    """The captures."""
    up, down, opponents, empty = forces(position)
    yield from jumps(up | down, up, down, opponents, empty)


def move_kind(position: Position, move: int) -> int:
    return 1 if move & CAPTURED else 0


def move_gain(position: Position, move: int) -> int:
    """What the captured pieces are worth, in units of the evaluation."""
    captured = move & CAPTURED
    kings = popcount(captured & position.kings)
    return MAN_WORTH * (popcount(captured) - kings) + KING_WORTH * kings


def move_slot(position: Position, move: int) -> int:
    """The start and end squares."""
    return move >> FROM & 4095


def symmetries(position: Position) -> list[Position]:
    """The board rotated with colours exchanged is worth the same to the side to move."""

    def rotate(board: int) -> int:
        return sum(1 << 34 - bit for bit in range(35) if board >> bit & 1)

    black, white, kings = (rotate(b) for b in (position.white, position.black, position.kings))
    return [position, Position(black, white, kings, 1 - position.side)]

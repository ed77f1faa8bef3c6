"""What is counted of the mover's pawns, and of the pawns before its king."""

from plyforge.games.chess.attacks import ONE, pawns_attacks_down, pawns_attacks_up
from plyforge.games.chess.features import (
    beside,
    doubled_of,
    fill_down,
    fill_up,
    isolated_of,
    kings,
    pawns,
)
from plyforge.games.chess.position import Position
from plyforge.rules import ctz, popcount, u64

FIRST_COUNTED_RANK = 2
"""The kings' distances from a passed pawn count from the rank after this one on."""


def pawn_counts(position: Position) -> tuple[int, int, int, int, int, int, int]:
    """Return the counts of the mover's pawns.

    They are doubled, isolated, backward and supported pawns, then passed ones: supported, free to
    advance (by rank), and how much nearer the mover's king is than the opponent's (by rank).
    """
    mine, theirs = pawns(position) & position.own, pawns(position) & ~position.own
    guarded = pawns_attacks_up(mine)
    passed = passed_of(mine, theirs)
    return (
        doubled_of(mine),
        isolated_of(mine),
        backward_of(mine, theirs),
        popcount(mine & guarded),
        popcount(passed & guarded),
        free_ranks(position, passed),
        king_race(position, passed),
    )


def backward_of(mine: u64, theirs: u64) -> int:
    """Pawns that a pawn attacks when they advance, with no own pawn beside that can help."""
    helped = fill_up(pawns_attacks_up(mine))
    stops = (mine << 8) & pawns_attacks_down(theirs) & ~helped
    with_neighbours = mine & beside(fill_up(fill_down(mine)))
    return popcount((stops >> 8) & with_neighbours)


def passed_of(mine: u64, theirs: u64) -> u64:
    """Pawns that no opposing pawn can stop or take on their way."""
    held = fill_down(theirs >> 8)
    return mine & ~(held | beside(held))


def free_ranks(position: Position, passed: u64) -> int:
    """The ranks that passed pawns have left behind, if the next square is empty."""
    occupied = position.steppers | position.diagonals | position.straights
    free = passed & ~(occupied >> 8)
    total = 0
    while free:
        total += (ctz(free) >> 3) - 1
        free &= free - ONE
    return total


def king_race(position: Position, passed: u64) -> int:
    """How much nearer the mover's king is to the squares before its passed pawns, by rank."""
    my_king = ctz(kings(position) & position.own)
    their_king = ctz(kings(position) & ~position.own)
    total = 0
    while passed:
        stop = ctz(passed) + 8
        importance = max((stop >> 3) - 1 - FIRST_COUNTED_RANK, 0)
        total += importance * (distance(their_king, stop) - distance(my_king, stop))
        passed &= passed - ONE
    return total


def distance(first: int, second: int) -> int:
    """The number of king's moves between two squares."""
    return max(abs((first & 7) - (second & 7)), abs((first >> 3) - (second >> 3)))


def shelter_counts(position: Position) -> tuple[int, int, int]:
    """Return the counts of the mover's king's shelter.

    They are own pawns one and two ranks before the king, on its file and beside it, and the files
    there without own pawns.
    """
    mine = pawns(position) & position.own
    king = kings(position) & position.own
    front = king | beside(king)
    uncovered = fill_up(fill_down(front)) & ~fill_up(fill_down(mine))
    return (
        popcount(front << 8 & mine),
        popcount(front << 16 & mine),
        popcount(uncovered) >> 3,
    )

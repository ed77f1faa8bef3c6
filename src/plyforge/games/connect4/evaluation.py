"""Connect four's evaluation: threats, the rows they lie on, and lines that are still open.

A threat is an empty cell that would complete four stones of a side.  Once all else is filled, one
side must play below a threat; which one is known beforehand, because every column takes a known
number of stones.  So each side has its own rows, where it will be its turn.  On the standard board
X has the rows 1, 3 and 5, O the others (Allis, "A Knowledge-based Approach of Connect-Four",
1988).
"""

from plyforge.games.connect4.rules import BITS, Position, columns_of, turn
from plyforge.rules import linear, popcount

LIMIT = 999
"""The maximum evaluation; the weights are points without a unit."""

WEIGHTS = {
    # A win with the next move, or the other side's win that cannot be prevented.
    "at once": 400,
    # The side that wins when the other one must play below a threat.
    "zugzwang": 40,
    # Threats on a side's own rows, the lowest in each column.
    "threats on own rows": 80,
    # Threats on rows of the other side.
    "threats on other rows": 10,
    # Lines of four with two stones or more of one side and none of the other.
    "pairs": 24,
    # Lines of four without a stone of the other side.
    "open lines": 4,
}
"""The weight of each feature, in the order of `features`."""

EVERY_OTHER = sum(1 << bit for bit in range(0, BITS, 2))


def features(position: Position) -> tuple[int, ...]:
    mine, theirs = position.mine, position.stones ^ position.mine
    height = position.rows + 1
    board = position.floor * ((1 << position.rows) - 1)
    empty = board ^ position.stones
    landing = position.stones + position.floor & board
    my_threats = empty & fourths(mine, height)
    their_threats = empty & fourths(theirs, height)
    my_rows = rows_of_mover(position, board)

    mine_decide = my_threats & my_rows
    they_decide = their_threats & ~my_rows
    lowest = lowest_in_columns(mine_decide | they_decide, position)
    my_own, their_own = popcount(mine_decide & lowest), popcount(they_decide & lowest)
    my_other = popcount(my_threats & ~my_rows)
    their_other = popcount(their_threats & my_rows)
    if turn(position) == 0:
        zugzwang = zugzwang_of_first(my_own, their_own, their_other)
    else:
        zugzwang = -zugzwang_of_first(their_own, my_own, my_other)

    my_room, their_room = board ^ theirs, board ^ mine
    return (
        at_once(my_threats & landing, their_threats & landing, their_threats),
        zugzwang,
        my_own - their_own,
        my_other - their_other,
        all_pairs(mine, my_room, height) - all_pairs(theirs, their_room, height),
        all_lines(my_room, height) - all_lines(their_room, height),
    )


def fourths(stones: int, height: int) -> int:
    """Cells, on or off the board, with three of these stones on the other cells of a line."""
    return (
        fourths_along(stones, 1)
        | fourths_along(stones, height)
        | fourths_along(stones, height - 1)
        | fourths_along(stones, height + 1)
    )


def fourths_along(stones: int, step: int) -> int:
    if 3 * step >= BITS:
        return 0
    up, down = stones << step, stones >> step
    two_up, two_down = up & stones << 2 * step, down & stones >> 2 * step
    return (
        (two_up & (down | stones << 3 * step))  # the third stone is further up, or below
        | (two_down & (up | stones >> 3 * step))
    )


def rows_of_mover(position: Position, board: int) -> int:
    """The cells that the side to move gets when all other columns are full."""
    # Before the cell of row r is filled, counted from 0, the other columns took all their stones
    # and this one r of them.
    elsewhere = (columns_of(position) - 1) * position.rows
    from_bottom = board & position.floor * (EVERY_OTHER & ((1 << position.rows) - 1))
    return from_bottom if (elsewhere + turn(position)) & 1 == 0 else board ^ from_bottom


def lowest_in_columns(cells: int, position: Position) -> int:
    """The lowest of these cells in each column."""
    # The bit above each column keeps the subtraction from borrowing from the next one.
    above = position.floor << position.rows
    fenced = cells | above
    return fenced & ~(fenced - position.floor) & ~above


def zugzwang_of_first(first_own: int, second_own: int, second_other: int) -> int:
    """1 if the first player wins by zugzwang, -1 if the second does, 0 if neither.

    A threat of the first player on its own rows outweighs all threats of the second player except
    those on the same rows.  Without one, the second player needs only a threat on its own rows.
    """
    if first_own > second_other:
        return 1
    if first_own == 0 and second_own > 0:
        return -1
    return 0


def at_once(my_wins: int, their_wins: int, their_threats: int) -> int:
    """1 for a win with the next move, -1 if the other side then wins after any move."""
    if my_wins:
        return 1
    two_wins = their_wins & (their_wins - 1)
    another_above = their_wins << 1 & their_threats
    return -1 if two_wins | another_above else 0


def all_lines(room: int, height: int) -> int:
    """The lines of four that lie within `room`."""
    return (
        popcount(lines_along(room, 1))
        + popcount(lines_along(room, height))
        + popcount(lines_along(room, height - 1))
        + popcount(lines_along(room, height + 1))
    )


def lines_along(room: int, step: int) -> int:
    """The lowest cells of these lines."""
    if 3 * step >= BITS:
        return 0
    halves = room & room >> step
    return halves & halves >> 2 * step


def all_pairs(stones: int, room: int, height: int) -> int:
    """The lines within `room` with two stones or more."""
    return (
        popcount(pairs_along(stones, room, 1))
        + popcount(pairs_along(stones, room, height))
        + popcount(pairs_along(stones, room, height - 1))
        + popcount(pairs_along(stones, room, height + 1))
    )


def pairs_along(stones: int, room: int, step: int) -> int:
    if 3 * step >= BITS:
        return 0
    both, either = stones & stones >> step, stones | stones >> step
    two = both | both >> 2 * step | (either & either >> 2 * step)
    return two & lines_along(room, step)


EVALUATION = linear(features, WEIGHTS, limit=LIMIT)

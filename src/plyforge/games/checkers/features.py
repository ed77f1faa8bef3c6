"""What can be counted in a position of checkers, for the side to move.

Unless its docstring says otherwise, a feature is the mover's count minus the opponent's.
"""

from plyforge.games.checkers.rules import BOARD, HIGH_ROW, LOW_ROW, Position
from plyforge.rules import popcount


def _square(number: int) -> int:
    return 1 << number - 1 + (number - 1) // 8


def _row(row: int) -> int:
    return sum(_square(4 * row + column) for column in range(1, 5))


def _rows(*rows: int) -> int:
    return sum(map(_row, rows))


# Rows count from the top of the board, 0 to 7.  The rows whose number has a given binary digit
# set: weighted popcounts add up to a sum of row numbers.
ROW_ONES = _rows(1, 3, 5, 7)
ROW_NO_ONES = BOARD & ~ROW_ONES
ROW_TWOS = _rows(2, 3, 6, 7)
ROW_FOURS = _rows(4, 5, 6, 7)
LAST_ROW = 7
CENTRE = sum(map(_square, (10, 11, 14, 15, 18, 19, 22, 23)))
RUNNING_LOW, RUNNING_HIGH = _rows(1, 2, 3), _rows(4, 5, 6)
"""The squares where a man of White, or of Black, is at most three steps from its king row."""
LOW_HOLE, HIGH_HOLE = _square(5), _square(28)
"""One step from the corners 1 and 32, and no other step forward."""


def balance(position: Position, black: int, white: int) -> int:
    """Return the mover's count minus the opponent's."""
    return black - white if position.side == 0 else white - black


def men(position: Position) -> int:
    plain = ~position.kings
    return balance(position, popcount(position.black & plain), popcount(position.white & plain))


def kings(position: Position) -> int:
    crowned = position.kings
    return balance(position, popcount(position.black & crowned), popcount(position.white & crowned))


def majority(position: Position) -> float:
    """The difference in pieces as a share of all: it grows when the stronger side exchanges."""
    black, white = popcount(position.black), popcount(position.white)
    return balance(position, black, white) / max(black + white, 1)


def rows_passed(board: int) -> int:
    """The sum of the numbers of the rows that pieces stand on."""
    twos, fours = popcount(board & ROW_TWOS), popcount(board & ROW_FOURS)
    return popcount(board & ROW_ONES) + 2 * twos + 4 * fours


def advancement(position: Position) -> int:
    """Rows that men have advanced."""
    black, white = position.black & ~position.kings, position.white & ~position.kings
    climbed = LAST_ROW * popcount(white) - rows_passed(white)
    return balance(position, rows_passed(black), climbed)


def back_row(position: Position) -> int:
    """Men still at home, where they keep the opponent from crowning."""
    plain = ~position.kings
    black, white = position.black & plain & LOW_ROW, position.white & plain & HIGH_ROW
    return balance(position, popcount(black), popcount(white))


def men_in_centre(position: Position) -> int:
    central = CENTRE & ~position.kings
    return balance(position, popcount(position.black & central), popcount(position.white & central))


def kings_in_centre(position: Position) -> int:
    central = CENTRE & position.kings
    return balance(position, popcount(position.black & central), popcount(position.white & central))


def steps_open(up: int, down: int, empty: int) -> int:
    """Steps to empty squares, whether or not a capture forbids them."""
    rising = popcount(up << 4 & empty) + popcount(up << 5 & empty)
    return rising + popcount(down >> 4 & empty) + popcount(down >> 5 & empty)


def mobility(position: Position) -> int:
    empty = BOARD & ~(position.black | position.white)
    black = steps_open(position.black, position.black & position.kings, empty)
    white = steps_open(position.white & position.kings, position.white, empty)
    return balance(position, black, white)


def jumpable(up: int, down: int, others: int, empty: int) -> int:
    """How many of the `others` can be jumped over."""
    rising = up << 4 & empty >> 4 | up << 5 & empty >> 5
    falling = down >> 4 & empty << 4 | down >> 5 & empty << 5
    return popcount(others & (rising | falling))


def prey_of_black(position: Position) -> int:
    empty = BOARD & ~(position.black | position.white)
    return jumpable(position.black, position.black & position.kings, position.white, empty)


def prey_of_white(position: Position) -> int:
    empty = BOARD & ~(position.black | position.white)
    return jumpable(position.white & position.kings, position.white, position.black, empty)


def attacking(position: Position) -> int:
    """The opponent's pieces that the mover can jump over now; it must take one of them."""
    return prey_of_black(position) if position.side == 0 else prey_of_white(position)


def attacked(position: Position) -> int:
    """The mover's pieces that the opponent could jump over if it were to move."""
    return prey_of_white(position) if position.side == 0 else prey_of_black(position)


def runaways(position: Position) -> int:
    """Men within three steps of their king row that have no opposing piece ahead of them.

    Ahead is every square that the man could reach on an empty board.  The code spreads the opposing
    pieces backwards: a man outside their shadow has none of them ahead.
    """
    low_shadow, high_shadow = position.white, position.black
    for _ in range(3):
        low_shadow |= (low_shadow >> 4 | low_shadow >> 5) & BOARD
        high_shadow |= (high_shadow << 4 | high_shadow << 5) & BOARD
    black = position.black & RUNNING_HIGH & ~position.kings & ~low_shadow
    white = position.white & RUNNING_LOW & ~position.kings & ~high_shadow
    return balance(position, popcount(black), popcount(white))


def dog_holes(position: Position) -> int:
    """Men blocked beside the corner, Black's on 28 by a man on 32 and White's on 5 by one on 1."""
    black, white = position.black & ~position.kings, position.white & ~position.kings
    return balance(
        position, popcount(black & HIGH_HOLE & white >> 4), popcount(white & LOW_HOLE & black << 4)
    )


def the_move(position: Position) -> int:
    """With equal numbers: 1 if the mover has "the move", the last move in a face-off, else -1.

    It has the move when an odd number of all pieces stand in rows of the parity of its home row.
    """
    equal = int(popcount(position.black) == popcount(position.white))
    mine = ROW_ONES if position.side else ROW_NO_ONES
    odd = popcount((position.black | position.white) & mine) & 1
    return equal * (2 * odd - 1)

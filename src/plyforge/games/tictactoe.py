"""Tic-tac-toe: the file to copy for your own game.

A game needs a position type, `initial`, `moves` and `play`; everything below them is optional.
Cells are bits 0 to 8, row by row from the top left; a move is the number of a cell.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import DRAW, LOSS, ONGOING, Geometry, popcount, squares

NAME = "Tic-tac-toe"
PLAYERS = ("X", "O")
PIECES = {"X": (0, "cross"), "O": (1, "nought")}
MAX_MOVES = 9
FULL = 0b111_111_111
LINES = (0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124)


class Position(NamedTuple):
    mine: int
    """The stones of the side to move."""
    theirs: int


def initial() -> Position:
    return Position(0, 0)


def moves(position: Position) -> Iterator[int]:
    taken = position.mine | position.theirs
    for cell in range(9):
        if not taken >> cell & 1:
            yield cell


def play(position: Position, move: int) -> Position:
    return Position(position.theirs, position.mine | 1 << move)


def outcome(position: Position) -> int:
    for line in LINES:
        if position.theirs & line == line:
            return LOSS
    return ONGOING


def stuck(position: Position) -> int:
    return DRAW


def turn(position: Position) -> int:
    return popcount(position.mine | position.theirs) & 1


EVALUATION_RANGE = (-8.0, 8.0)


def open_lines(position: Position) -> int:
    """The lines still open to the side to move, minus those open to the other side."""
    balance = 0
    for line in LINES:
        if position.theirs & line == 0:
            balance += 1
        if position.mine & line == 0:
            balance -= 1
    return balance


FEATURES = {"open lines": (open_lines, 1)}
ALTERNATING = True
MOVE_SLOTS = 9


def move_slot(position: Position, move: int) -> int:
    return move


def irreversible(position: Position, move: int) -> bool:
    return True


def symmetries(position: Position) -> list[Position]:
    def image(bits: int, transform: int) -> int:
        result = 0
        for cell in range(9):
            if bits >> cell & 1:
                row, column = divmod(cell, 3)
                if transform & 1:
                    row, column = column, row
                if transform & 2:
                    row = 2 - row
                if transform & 4:
                    column = 2 - column
                result |= 1 << 3 * row + column
        return result

    return [Position(image(position.mine, t), image(position.theirs, t)) for t in range(8)]


def to_text(position: Position) -> str:
    """Rows from the top, `.` for an empty cell, then the side to move: `X.O/.X./... O`."""
    return _format(pieces(position), turn(position))


def _format(stones: dict[str, str], side: int) -> str:
    cells = "".join(stones.get(_cell_name(cell), ".") for cell in range(9))
    return f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {PLAYERS[side]}"


def from_text(text: str) -> Position:
    rows, _, side = text.strip().partition(" ")
    cells = rows.replace("/", "").upper()
    if [len(row) for row in rows.split("/")] != [3, 3, 3] or set(cells) - set("XO."):
        raise ValueError(
            f"'{rows}' is not three rows of three cells X, O or ., such as X.O/.X./..."
        )
    x, o = (sum(1 << i for i, c in enumerate(cells) if c == stone) for stone in "XO")
    surplus = popcount(x) - popcount(o)
    if surplus not in (0, 1):
        raise ValueError(
            f"{popcount(x)} X and {popcount(o)} O: X has as many stones as O or one more"
        )
    if side.strip().upper() != PLAYERS[surplus]:
        raise ValueError(
            f"side to move '{side}': with these stones it is {PLAYERS[surplus]}'s turn"
        )
    position = Position(x, o) if surplus == 0 else Position(o, x)
    if outcome(Position(position.theirs, position.mine)) == LOSS:
        raise ValueError(f"{PLAYERS[surplus]} has a line already, yet is to move")
    return position


def move_text(position: Position, move: int) -> str:
    return _cell_name(move)


def geometry(position: Position) -> Geometry:
    return squares(3, 3)


def pieces(position: Position) -> dict[str, str]:
    mover = PLAYERS[turn(position)]
    other = PLAYERS[1 - turn(position)]
    stones = {_cell_name(c): mover for c in range(9) if position.mine >> c & 1}
    return stones | {_cell_name(c): other for c in range(9) if position.theirs >> c & 1}


def arrange(position: Position, pieces: dict[str, str], side: int) -> Position:
    return from_text(_format(pieces, side))


def move_cells(position: Position, move: int) -> list[str]:
    return [_cell_name(move)]


def _cell_name(cell: int) -> str:
    return f"{'abc'[cell % 3]}{3 - cell // 3}"

"""Connect four's texts: boards row by row, moves as numbers of columns."""

from functools import cache

from plyforge.games.connect4.rules import (
    Position,
    columns_of,
    initial,
    moves,
    outcome,
    play,
    turn,
)
from plyforge.rules import LOSS, ONGOING, Geometry, popcount, squares

PLAYERS = ("X", "O")


def split_moves(text: str) -> list[str]:
    """Columns as one word, `4453`, or separated by spaces or commas."""
    words = text.replace(",", " ").split()
    return [digit for word in words for digit in (word if len(words) == 1 else [word])]


def move_text(position: Position, move: int) -> str:
    return str(move // (position.rows + 1) + 1)


def to_text(position: Position) -> str:
    """Rows from the top, then the side to move: `......./......./.../...XO.. X`."""
    return _format(columns_of(position), position.rows, pieces(position), turn(position))


def _format(columns: int, rows: int, stones: dict[str, str], side: int) -> str:
    lines = (
        "".join(stones.get(_name(column, row), ".") for column in range(columns))
        for row in range(rows - 1, -1, -1)
    )
    return f"{'/'.join(lines)} {PLAYERS[side]}"


def from_text(text: str) -> Position:
    """Read what `to_text` writes, or the columns played on the standard board, as `4453`."""
    if text.strip().isascii() and text.strip().isdigit():
        return _play_columns(text.strip())
    board, _, side = text.strip().partition(" ")
    rows = board.upper().split("/")[::-1]
    if len({len(row) for row in rows}) != 1 or set("".join(rows)) - set("XO."):
        raise ValueError(f"'{board}' is not rows of equal length made of X, O and .")
    start = initial(len(rows[0]), len(rows))
    boards = {"X": 0, "O": 0}
    for column in range(columns_of(start)):
        for row in range(start.rows):
            stone = rows[row][column]
            if stone == ".":
                if any(rows[above][column] != "." for above in range(row, start.rows)):
                    raise ValueError(f"a stone in column {column + 1} hangs in the air")
                break
            boards[stone] |= 1 << column * (start.rows + 1) + row
    surplus = popcount(boards["X"]) - popcount(boards["O"])
    if surplus not in (0, 1):
        raise ValueError(
            f"{popcount(boards['X'])} X and {popcount(boards['O'])} O:"
            " X has as many stones as O or one more"
        )
    if side.strip().upper() != PLAYERS[surplus]:
        raise ValueError(
            f"side to move '{side}': with these stones it is {PLAYERS[surplus]}'s turn"
        )
    position = start._replace(mine=boards[PLAYERS[surplus]], stones=boards["X"] | boards["O"])
    if outcome(position._replace(mine=position.stones ^ position.mine)) == LOSS:
        raise ValueError(f"{PLAYERS[surplus]} has four in a row already, yet is to move")
    return position


def _play_columns(columns: str) -> Position:
    position = initial()
    for number, digit in enumerate(columns, 1):
        matches = [move for move in moves(position) if move_text(position, move) == digit]
        if outcome(position) != ONGOING or not matches:
            raise ValueError(
                f"'{columns}': no stone can be played in column {digit} (move {number})"
            )
        position = play(position, matches[0])
    return position


def geometry(position: Position) -> Geometry:
    return _board(columns_of(position), int(position.rows))


@cache
def _board(columns: int, rows: int) -> Geometry:
    return squares(
        columns,
        rows,
        lambda column, row: _name(column, rows - 1 - row),
        column_label=lambda column: str(column + 1),
    )


def pieces(position: Position) -> dict[str, str]:
    mover = turn(position)
    stones = {}
    for column in range(columns_of(position)):
        for row in range(position.rows):
            bit = 1 << column * (position.rows + 1) + row
            if position.stones & bit:
                stones[_name(column, row)] = PLAYERS[mover if position.mine & bit else 1 - mover]
    return stones


def arrange(position: Position, pieces: dict[str, str], side: int) -> Position:
    return from_text(_format(columns_of(position), position.rows, pieces, side))


def move_cells(position: Position, move: int) -> list[str]:
    return [_name(*divmod(move, position.rows + 1))]


def _name(column: int, row: int) -> str:
    return f"{column + 1}.{row + 1}"

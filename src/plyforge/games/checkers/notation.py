"""Portable Draughts Notation: positions as FEN, moves as `11-15` and `15x22x31`."""

import re
from collections.abc import Iterator
from functools import cache

from plyforge.games.checkers.rules import (
    BOARD,
    CAPTURED,
    FROM,
    HIGH_ROW,
    INDEX,
    LOW_ROW,
    ROUTE,
    TO,
    Position,
    landing,
    moves,
    neighbour,
)
from plyforge.rules import Geometry, popcount, squares

_SIDES = "BW"


def _number(bit: int) -> int:
    """Return the number of a square, 1 to 32, from its bit's index."""
    return bit - bit // 9 + 1


def _bit(number: int) -> int:
    return number - 1 + (number - 1) // 8


def to_text(position: Position) -> str:
    """`B:W21,22,K29:B1,2,3`: side to move, White's pieces, Black's."""
    white = _format_squares(position.white, position.kings)
    black = _format_squares(position.black, position.kings)
    return f"{_SIDES[position.side]}:W{white}:B{black}"


def _format_squares(board: int, kings: int) -> str:
    bits = [bit for bit in range(36) if board >> bit & 1]
    return ",".join(f"{'K' if kings >> bit & 1 else ''}{_number(bit)}" for bit in bits)


def from_text(text: str) -> Position:
    parts = text.strip().rstrip(".").split(":")
    if len(parts) != 3:
        raise ValueError("a position has three parts separated by colons, as B:W21,22,K29:B1,2,3")
    side = parts[0].strip().upper()
    if side not in ("B", "W"):
        raise ValueError(f"side to move '{parts[0]}': it must be B or W")
    boards: dict[str, int] = {}
    kings = 0
    for part in parts[1:]:
        colour, squares_text = part.strip()[:1].upper(), part.strip()[1:]
        if colour not in ("B", "W") or colour in boards:
            raise ValueError(f"'{part}': one part must start with W, the other with B")
        boards[colour] = 0
        for number, king in _read_squares(squares_text, colour):
            bit = 1 << _bit(number)
            if any(board & bit for board in boards.values()):
                raise ValueError(f"square {number} is taken twice")
            boards[colour] |= bit
            kings |= bit if king else 0
    for colour, back, row in (("B", HIGH_ROW, "29 to 32"), ("W", LOW_ROW, "1 to 4")):
        if boards[colour] & back & ~kings:
            raise ValueError(f"a man of {colour} on its king row, {row}: it would be a king (K)")
        if popcount(boards[colour]) > 12:
            raise ValueError(
                f"{popcount(boards[colour])} pieces of {colour}; a side has at most 12"
            )
    return Position(boards["B"], boards["W"], kings, _SIDES.index(side))


def _read_squares(text: str, colour: str) -> Iterator[tuple[int, bool]]:
    for word in text.split(","):
        if not word.strip() and not text.strip():
            return
        match = re.fullmatch(r"(K?)([0-9]+)(?:-([0-9]+))?", word.strip().upper())
        if not match or not 1 <= int(match[2]) <= int(match[3] or match[2]) <= 32:
            raise ValueError(
                f"'{word}' among the pieces of {colour}: squares are 1 to 32, kings K1 to K32"
            )
        for number in range(int(match[2]), int(match[3] or match[2]) + 1):
            yield number, bool(match[1])


def _squares(position: Position, move: int) -> list[int]:
    """The numbers of the squares that a move visits, from first to last."""
    start, end = move >> FROM & INDEX, move >> TO & INDEX
    if not move & CAPTURED:
        return [_number(start), _number(end)]
    captured = move & CAPTURED
    visited = [_number(end)]
    square = 1 << end
    route = move >> ROUTE
    for taken in range(popcount(captured)):
        if taken < 7:
            direction = route & 3
            route >>= 2
            back = landing(square, 3 - direction)
        else:
            back = _unrecorded_step_back(square, captured, 1 << start)
        captured &= ~_between(square, back)
        square = back
        visited.append(_number(square.bit_length() - 1))
    return visited[::-1]


def _unrecorded_step_back(square: int, captured: int, start: int) -> int:
    """The square before one of the first two jumps of nine, whose directions are not recorded."""
    for direction in range(4):
        over, back = neighbour(square, direction), landing(square, direction)
        rest = captured & ~over
        if over & captured and (back == start if not rest else _leads(back, rest, start)):
            return back
    raise ValueError("not a move of this position")


def _leads(square: int, captured: int, start: int) -> bool:
    return any(neighbour(square, d) & captured and landing(square, d) == start for d in range(4))


def _between(one: int, other: int) -> int:
    low, high = sorted((one, other))
    return low << 4 if high == low << 8 else low << 5


def move_text(position: Position, move: int) -> str:
    separator = "x" if move & CAPTURED else "-"
    return separator.join(map(str, _squares(position, move)))


def parse_move(position: Position, text: str) -> int:
    """Return the move that a text means.

    A capture may leave out squares between its ends where the rest identifies it: `1x17` for
    `1x10x17`.
    """
    numbers = re.split(r"[-x:]", text.strip().lower())
    if len(numbers) < 2 or not all(re.fullmatch("[0-9]{1,2}", number) for number in numbers):
        raise ValueError(f"'{text}' is not a move; write 11-15, 15x22 or 1x10x17")
    squares = [int(number) for number in numbers]
    paths = {move: _squares(position, move) for move in moves(position)}
    exact = [move for move, path in paths.items() if path == squares]
    fitting = exact or [move for move, path in paths.items() if _shortens(squares, path)]
    if exact or len(fitting) == 1:
        return fitting[0]
    if fitting:
        ways = " or ".join(move_text(position, move) for move in fitting)
        raise ValueError(f"'{text}' is ambiguous: it may be {ways}")
    raise ValueError(f"'{text}' is not a legal move{_hint(position, squares, paths)}")


def _shortens(squares: list[int], path: list[int]) -> bool:
    """Whether these are squares of the path in its order, both ends among them."""
    rest = iter(path)
    return (squares[0], squares[-1]) == (path[0], path[-1]) and all(s in rest for s in squares)


def _hint(position: Position, squares: list[int], paths: dict[int, list[int]]) -> str:
    """What is probably wrong with an illegal move, in parentheses."""
    for move, path in paths.items():
        if path[: len(squares)] == squares:
            return f" (the capture must be completed: {move_text(position, move)})"
    return " (a capture must be made)" if any(move & CAPTURED for move in paths) else ""


def geometry(position: Position) -> Geometry:
    return _board()


@cache
def _board() -> Geometry:
    return squares(
        8,
        8,
        _square_name,
        lambda column, row: True,
        row_label=_row_label,
        column_label=lambda c: "",
    )


def _square_name(column: int, row: int) -> str | None:
    if (row + column) % 2 == 0:
        return None
    return str(4 * row + column // 2 + 1)


def _row_label(row: int) -> str:
    return str(4 * row + 1)


def pieces(position: Position) -> dict[str, str]:
    """Men `b` and `w`, kings `B` and `W`."""
    letters = {}
    for number in range(1, 33):
        bit = 1 << _bit(number)
        if (position.black | position.white) & bit & BOARD:
            letter = "b" if position.black & bit else "w"
            letters[str(number)] = letter.upper() if position.kings & bit else letter
    return letters


def arrange(position: Position, pieces: dict[str, str], side: int) -> Position:
    numbers: dict[str, list[str]] = {"w": [], "b": []}
    for number, letter in pieces.items():
        numbers[letter.lower()].append(f"{'K' if letter.isupper() else ''}{number}")
    return from_text(f"{_SIDES[side]}:W{','.join(numbers['w'])}:B{','.join(numbers['b'])}")


def move_cells(position: Position, move: int) -> list[str]:
    return [str(number) for number in _squares(position, move)]

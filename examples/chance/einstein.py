"""EinStein würfelt nicht! (Ingo Althöfer 2004): dice decide which stone moves.

Each side has six stones, numbered 1 to 6, in its corner of a 5x5 board.  The side to move rolls a
die and moves the stone of that number; if it is gone, the next higher or the next lower one that is
left.  A stone steps towards the opposite corner: sideways, forwards or diagonally, and captures
whatever stands there, even a stone of its own.  Who reaches the opposite corner, or captures all
enemy stones, wins.

    plyforge check examples/chance/einstein.py
    plyforge play examples/chance/einstein.py
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import LOSS, ONGOING, Geometry, squares

NAME = "EinStein würfelt nicht!"
PLAYERS = ("Top", "Bottom")
PIECES = {str(n): (0, "letter") for n in range(1, 7)} | dict.fromkeys("abcdef", (1, "letter"))
"""Stones of the second side are a to f instead of 1 to 6."""
VARIANTS = ("5", "3", "5,356412,124365")
MAX_MOVES = 6
MOVE_SLOTS = 18
GONE = 31
"""The cell of a stone that was captured."""


class Position(NamedTuple):
    top: int
    """The cells of the top side's stones, five bits each, stone 1 in the lowest."""
    bottom: int
    side: int
    die: int
    """What the die shows; 0 while it rolls."""
    size: int


def stones(size: int) -> int:
    """The number of stones of a side: a triangle in the corner."""
    return 6 if size == 5 else 3


def cell_of(cells: int, stone: int) -> int:
    """The cell of a stone, numbered from 0."""
    return cells >> 5 * stone & 31


def with_cell(cells: int, stone: int, cell: int) -> int:
    return cells & ~(31 << 5 * stone) | cell << 5 * stone


def initial(size: int = 5, top: str = "123456", bottom: str = "123456") -> Position:
    """`top` and `bottom` are the stones in each corner, row by row from the corner."""
    if size not in (3, 5):
        raise ValueError(f"the size is {size}; it must be 3 or 5")
    count, width = stones(size), (size + 1) // 2
    corner = [size * row + column for row in range(width) for column in range(width - row)]
    packed = []
    for digits, cells in ((top, corner), (bottom, [size * size - 1 - cell for cell in corner])):
        numbers = str(digits)[:count]
        if sorted(numbers) != [str(number) for number in range(1, count + 1)]:
            raise ValueError(f"'{digits}' must name the stones 1 to {count}, each once")
        side = 0
        for digit, cell in zip(numbers, cells, strict=True):
            side = with_cell(side, int(digit) - 1, cell)
        packed.append(side)
    return Position(packed[0], packed[1], 0, 0, size)


def chance(position: Position) -> bool:
    return position.die == 0


def chance_outcomes(position: Position) -> Iterator[tuple[int, float]]:
    count = stones(position.size)
    for die in range(1, count + 1):
        yield die, 1 / count


def turn(position: Position) -> int:
    return position.side


def cells_to_move(position: Position) -> int:
    return position.top if position.side == 0 else position.bottom


def higher(cells: int, die: int, count: int) -> int:
    """The stone of a number, or the next higher one that is left; -1 if there is none."""
    for stone in range(die - 1, count):
        if cell_of(cells, stone) != GONE:
            return stone
    return -1


def lower(cells: int, die: int) -> int:
    """The stone of a number, or the next lower one that is left; -1 if there is none."""
    for stone in range(die - 1, -1, -1):
        if cell_of(cells, stone) != GONE:
            return stone
    return -1


def target(cell: int, direction: int, side: int, size: int) -> int:
    """The cell that a step leads to, or -1: sideways (0), forwards (1) or diagonally (2)."""
    step = 1 if side == 0 else -1
    row, column = cell // size, cell % size
    if direction != 0:
        row += step
    if direction != 1:
        column += step
    if 0 <= row < size and 0 <= column < size:
        return row * size + column
    return -1


def moves(position: Position) -> Iterator[int]:
    """A move is three times the stone, numbered from 0, plus the direction."""
    cells = cells_to_move(position)
    above = higher(cells, position.die, stones(position.size))
    below = lower(cells, position.die)
    for direction in range(3):
        if above >= 0:
            cell = cell_of(cells, above)
            if target(cell, direction, position.side, position.size) >= 0:
                yield 3 * above + direction
        if below >= 0 and below != above:
            cell = cell_of(cells, below)
            if target(cell, direction, position.side, position.size) >= 0:
                yield 3 * below + direction


def without(cells: int, cell: int, count: int) -> int:
    """The stones of a side after a capture on a cell."""
    for stone in range(count):
        if cell_of(cells, stone) == cell:
            return with_cell(cells, stone, GONE)
    return cells


def play(position: Position, move: int) -> Position:
    top, bottom, side, die, size = position
    if die == 0:
        return Position(top, bottom, side, move, size)
    count, stone = stones(size), move // 3
    cell = target(cell_of(cells_to_move(position), stone), move % 3, side, size)
    top, bottom = without(top, cell, count), without(bottom, cell, count)
    if side == 0:
        top = with_cell(top, stone, cell)
    else:
        bottom = with_cell(bottom, stone, cell)
    return Position(top, bottom, 1 - side, 0, size)


def outcome(position: Position) -> int:
    """The side to move has lost if a stone of the other side has arrived, or it has none left."""
    top, bottom, side, _, size = position
    mine, theirs = (top, bottom) if side == 0 else (bottom, top)
    goal = 0 if side == 0 else size * size - 1
    left = 0
    for stone in range(stones(size)):
        if cell_of(theirs, stone) == goal:
            return LOSS
        if cell_of(mine, stone) != GONE:
            left += 1
    return ONGOING if left > 0 else LOSS


EVALUATION_RANGE = (-5.0, 5.0)


def steps_left(cells: int, side: int, size: int) -> float:
    """The steps to the goal of the nearest stone that may move, on average over the die."""
    count = stones(size)
    total = 0
    for die in range(1, count + 1):
        best = size
        for stone in (higher(cells, die, count), lower(cells, die)):
            if stone >= 0:
                cell = cell_of(cells, stone)
                row, column = cell // size, cell % size
                away = max(row, column) if side == 1 else size - 1 - min(row, column)
                best = min(best, away)
        total += best
    return total / count


def evaluate(position: Position) -> float:
    top = steps_left(position.top, 0, position.size)
    bottom = steps_left(position.bottom, 1, position.size)
    return bottom - top if position.side == 0 else top - bottom


def move_slot(position: Position, move: int) -> int:
    return move


def cell_name(cell: int, size: int) -> str:
    return f"{'abcde'[cell % size]}{size - cell // size}"


def to_text(position: Position) -> str:
    """Rows from the top, then the side to move and its die (`-` while it rolls).

    `123../45.../6.... Top 4`: digits for the top side, letters for the other, `.` for no stone.
    """
    stood, size = pieces(position), position.size
    rows = [
        "".join(stood.get(cell_name(row * size + column, size), ".") for column in range(size))
        for row in range(size)
    ]
    return f"{'/'.join(rows)} {PLAYERS[position.side]} {position.die or '-'}"


def from_text(text: str) -> Position:
    words = text.split()
    rows = words[0].split("/") if words else []
    size = len(rows)
    if len(words) != 3 or size not in (3, 5) or any(len(row) != size for row in rows):
        raise ValueError(
            "a position is 5 rows of 5 cells (or 3 of 3), the side to move and its die, such as"
            " '123../45.../6...a/...bc/..def Top 4' or with '-' for the die while it rolls"
        )
    count = stones(size)
    sides = [sum(GONE << 5 * stone for stone in range(count)) for _ in PLAYERS]
    for cell, letter in enumerate("".join(rows)):
        for side, letters in enumerate(("123456"[:count], "abcdef"[:count])):
            if letter in letters:
                stone = letters.index(letter)
                if cell_of(sides[side], stone) != GONE:
                    raise ValueError(f"the stone {letter} stands on two cells")
                sides[side] = with_cell(sides[side], stone, cell)
        if letter not in f".{'123456'[:count]}{'abcdef'[:count]}":
            raise ValueError(f"'{letter}' is not a stone of this board")
    if words[1] not in PLAYERS:
        raise ValueError(f"'{words[1]}' is not a side; it is Top or Bottom")
    if words[2] not in ("-", *"123456"[:count]):
        raise ValueError(f"'{words[2]}' is not a die; it is - or 1 to {count}")
    die = 0 if words[2] == "-" else int(words[2])
    return Position(sides[0], sides[1], PLAYERS.index(words[1]), die, size)


def move_text(position: Position, move: int) -> str:
    """The die; or the stone and the cell it moves to, as `4b3`."""
    if position.die == 0:
        return str(move)
    stone = move // 3
    cell = cell_of(cells_to_move(position), stone)
    cell = target(cell, move % 3, position.side, position.size)
    return f"{stone + 1}{cell_name(cell, position.size)}"


def geometry(position: Position) -> Geometry:
    return squares(position.size, position.size)


def pieces(position: Position) -> dict[str, str]:
    stood = {}
    for cells, letters in ((position.top, "123456"), (position.bottom, "abcdef")):
        for stone in range(stones(position.size)):
            cell = cell_of(cells, stone)
            if cell != GONE:
                stood[cell_name(cell, position.size)] = letters[stone]
    return stood


def move_cells(position: Position, move: int) -> list[str]:
    if position.die == 0:
        return []
    cell = cell_of(cells_to_move(position), move // 3)
    after = target(cell, move % 3, position.side, position.size)
    return [cell_name(cell, position.size), cell_name(after, position.size)]

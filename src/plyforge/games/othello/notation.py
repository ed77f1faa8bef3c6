"""Othello's texts: board lines as Edax and OBF files write them, moves as `d3`, transcripts.

A line is the cells row by row from a1, `X` black, `O` white, `-` empty, a space, and the side to
move.  Columns are letters from the left, rows numbers from the top.
"""

import re
from functools import cache

from plyforge.games.othello.rules import PASS, SIZES, Position, initial, moves, size_of
from plyforge.rules import Geometry, squares, u64

_SYMBOLS = "XO"
_READ_AS = str.maketrans("xo*.", "XOX-")
_PASSES = ("pass", "pa", "ps", "--", "-")
_MOVE = re.compile(r"[a-z][0-9]|pass|pa|ps|--", re.IGNORECASE)
"""A move in a transcript; within a word, a single `-` is more likely a mistake."""
_TRANSCRIPT = re.compile(f"({_MOVE.pattern})+", re.IGNORECASE)


def to_text(position: Position) -> str:
    """`---OX---XO--- X`, followed by ` empties` if empty cells go to the winner."""
    return _format(position, pieces(position), position.side)


def _format(like: Position, discs: dict[str, str], side: int) -> str:
    """The text of a board of the same size and with the same option."""
    size = size_of(like)
    cells = "".join(discs.get(_name(c, r), "-") for r in range(size) for c in range(size))
    option = " empties" if like.winner_takes else ""
    return f"{cells} {_SYMBOLS[side]}{option}"


def from_text(text: str) -> Position:
    """Read board lines and OBF lines; text after a semicolon (scores) is skipped."""
    words = text.partition(";")[0].split()
    if not 2 <= len(words) <= 3:
        raise ValueError("a position is the cells, a space and the side to move, as -OX-... X")
    cells, side = (word.translate(_READ_AS) for word in words[:2])
    if len(words) == 3 and words[2].lower() != "empties":
        raise ValueError(f"option '{words[2]}': only 'empties' may follow the side to move")
    sizes = {size * size: size for size in SIZES}
    if len(cells) not in sizes:
        raise ValueError(f"{len(cells)} cells; a board has 16, 36 or 64")
    unknown = sorted(set(cells) - set("XO-"))
    if unknown:
        raise ValueError(f"cell '{unknown[0]}': cells are X, O and -")
    if side not in ("X", "O"):
        raise ValueError(f"side to move '{words[1]}': it must be X (Black) or O (White)")
    size = sizes[len(cells)]
    black, white = (
        u64(sum(1 << 8 * (i // size) + i % size for i, c in enumerate(cells) if c == symbol))
        for symbol in _SYMBOLS
    )
    start = initial(size, len(words) == 3)
    mover = _SYMBOLS.index(side)
    mine, theirs = (black, white) if mover == 0 else (white, black)
    return start._replace(mine=mine, theirs=theirs, side=mover)


def move_text(position: Position, move: int) -> str:
    return "pass" if move == PASS else _name(move % 8, move // 8)


def parse_move(position: Position, text: str) -> int:
    word = text.strip().lower()
    legal = list(moves(position))
    if word in _PASSES:
        if legal == [PASS]:
            return PASS
        raise ValueError("a pass is allowed only when no disc can be placed")
    size = size_of(position)
    match = re.fullmatch(r"([a-h])([1-8])", word)
    if not match or ord(match[1]) - ord("a") >= size or int(match[2]) > size:
        last = _name(size - 1, size - 1)
        raise ValueError(f"'{text}' is not a cell; cells are a1 to {last}, or 'pass'")
    cell = 8 * (int(match[2]) - 1) + ord(match[1]) - ord("a")
    if int(position.mine | position.theirs) >> cell & 1:
        raise ValueError(f"'{text}': this cell is taken")
    if cell not in legal:
        raise ValueError(f"'{text}' flips no disc")
    return cell


def split_moves(text: str) -> list[str]:
    """A transcript, `f5d6c3`, or moves with spaces or commas between them."""
    return [
        move
        for word in text.replace(",", " ").split()
        for move in (_MOVE.findall(word) if _TRANSCRIPT.fullmatch(word) else [word])
    ]


def geometry(position: Position) -> Geometry:
    return _board(size_of(position))


@cache
def _board(size: int) -> Geometry:
    return squares(size, size, _name, row_label=lambda row: str(row + 1))


def pieces(position: Position) -> dict[str, str]:
    size = size_of(position)
    discs = {}
    for row in range(size):
        for column in range(size):
            bit = 8 * row + column
            if int(position.mine) >> bit & 1:
                discs[_name(column, row)] = _SYMBOLS[position.side]
            elif int(position.theirs) >> bit & 1:
                discs[_name(column, row)] = _SYMBOLS[1 - position.side]
    return discs


def arrange(position: Position, pieces: dict[str, str], side: int) -> Position:
    return from_text(_format(position, pieces, side))


def move_cells(position: Position, move: int) -> list[str]:
    return [] if move == PASS else [_name(move % 8, move // 8)]


def _name(column: int, row: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"

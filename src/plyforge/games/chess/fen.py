"""Forsyth-Edwards Notation: positions as text.

PGN standard, section 16.1.  The en-passant square is written only where a legal capture exists,
but read wherever a pawn may have just passed it.
"""

import re
from typing import Final

import numpy as np

from plyforge.games.chess.attacks import ONE
from plyforge.games.chess.movegen import en_passant_pawns
from plyforge.games.chess.position import (
    LETTERS,
    RANK_6,
    Position,
    seen_by,
    square_name,
    square_number,
    with_rights,
)
from plyforge.games.chess.rules import in_check
from plyforge.rules import ctz, u64

Board = dict[str, str]

_CODES: Final = {letter: code for code, letter in LETTERS.items()}
_CASTLING: Final = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}
_CASTLERS: Final = {"White castling": str.upper, "Black castling": str.lower}
_CASTLING_TEXTS: Final = {"O-O, O-O-O": "KQ", "O-O": "K", "O-O-O": "Q", "no": ""}
_SIDES: Final = {"w": 0, "b": 1}
_AT_START: Final = {"Q": 1, "R": 2, "B": 2, "N": 2}


def pieces(position: Position) -> Board:
    """The pieces on the board: square name to FEN letter, white pieces in capitals."""
    board: Board = {}
    own, *planes = (int(word) for word in position[:4])
    for square in range(64):
        bit = seen_by(position.side, square)
        code = sum((plane >> bit & 1) << n for n, plane in enumerate(planes))
        if code:
            white = (own >> bit & 1) != position.side
            board[square_name(square)] = LETTERS[code] if white else LETTERS[code].lower()
    return board


def to_text(position: Position) -> str:
    """The position as FEN with all six fields."""
    castling = "".join(
        letter
        for letter, (_, rook) in _CASTLING.items()
        if int(position.rights) >> seen_by(position.side, square_number(rook)) & 1
    )
    passed = position.rights & RANK_6
    en_passant = square_name(seen_by(position.side, ctz(passed))) if passed else "-"
    side = "wb"[position.side]
    clocks = f"{position.halfmove} {position.fullmove}"
    return f"{_rows(pieces(position))} {side} {castling or '-'} {en_passant} {clocks}"


def _rows(board: Board) -> str:
    rows = ["".join(board.get(file + rank, "1") for file in "abcdefgh") for rank in "87654321"]
    return re.sub("1+", lambda run: str(len(run[0])), "/".join(rows))


def arrange(position: Position, pieces: Board, side: int) -> Position:
    """Kings and rooks on their home squares may castle; no pawn has just made a double step."""
    castling = "".join(letter for letter in _CASTLING if _at_home(letter, pieces))
    return from_text(f"{_rows(pieces)} {'wb'[side]} {castling or '-'} - 0 1")


def extras(position: Position) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The castling rights of both sides, and the square of an en-passant capture."""
    board = pieces(position)
    _, _, rights, passed, *_ = to_text(position).split()
    found = {}
    for name, case in _CASTLERS.items():
        possible = {
            case(letters): text
            for text, letters in _CASTLING_TEXTS.items()
            if all(_at_home(letter, board) for letter in case(letters))
        }
        held = "".join(letter for letter in rights if letter in case("KQ"))
        found[name] = possible[held], tuple(possible.values())
    squares = [file + "63"[position.side] for file in "abcdefgh"]
    capturable = [square for square in squares if _can_capture_on(position, board, square)]
    found["En passant"] = "no" if passed == "-" else passed, ("no", *capturable)
    return found


def with_extras(position: Position, values: dict[str, str]) -> Position:
    """The position with other castling rights and another en-passant square."""
    fields = to_text(position).split()
    rights = "".join(case(_CASTLING_TEXTS[values[name]]) for name, case in _CASTLERS.items())
    fields[2] = rights or "-"
    fields[3] = "-" if values["En passant"] == "no" else values["En passant"]
    return from_text(" ".join(fields))


@np.errstate(over="ignore")
def _can_capture_on(position: Position, board: Board, square: str) -> bool:
    """Whether a pawn may have just passed the square, and can be captured there."""
    try:
        _read_en_passant(square, board, position.side)
    except ValueError:
        return False
    target = ONE << seen_by(position.side, square_number(square))
    return bool(en_passant_pawns(position, target))


def _at_home(letter: str, board: Board) -> bool:
    """Whether king and rook are on the start squares of the castling that a letter means."""
    king, rook = _CASTLING[letter]
    kind = str.upper if letter.isupper() else str.lower
    return board.get(king) == kind("K") and board.get(rook) == kind("R")


@np.errstate(over="ignore")
def from_text(text: str) -> Position:
    """The position that a FEN describes; the clocks may be left out."""
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise ValueError(f"a FEN has 4 to 6 fields, not {len(fields)}: '{text.strip()}'")
    board = _read_board(fields[0])
    if fields[1] not in _SIDES:
        raise _error("side to move", fields[1], "must be w or b")
    side = _SIDES[fields[1]]
    castling = _read_castling(fields[2], board)
    passed = _read_en_passant(fields[3], board, side)
    halfmove = _read_clock("halfmove clock", fields[4]) if len(fields) > 4 else 0
    fullmove = _read_clock("move number", fields[5]) if len(fields) > 5 else 1
    if in_check(_assemble(board, [], 1 - side, 0, 1)):
        raise _error("side to move", fields[1], "the other side's king is in check")
    position = _assemble(board, castling, side, halfmove, max(fullmove, 1))
    if passed is not None:
        target = ONE << seen_by(side, square_number(passed))
        if en_passant_pawns(position, target):
            position = with_rights(position, position.rights | target)
    return position


def _error(field: str, value: str, reason: str) -> ValueError:
    return ValueError(f"FEN field '{field}' is '{value}': {reason}")


def _assemble(board: Board, rooks: list[str], side: int, halfmove: int, fullmove: int) -> Position:
    """The position of a board whose `rooks` may castle."""
    own = rights = 0
    planes = [0, 0, 0]
    for name, letter in board.items():
        bit = 1 << seen_by(side, square_number(name))
        if letter.isupper() == (side == 0):
            own |= bit
        if name in rooks:
            rights |= bit
        for n in range(3):
            if _CODES[letter.upper()] >> n & 1:
                planes[n] |= bit
    steppers, diagonals, straights = (u64(plane) for plane in planes)
    return Position(u64(own), steppers, diagonals, straights, u64(rights), side, halfmove, fullmove)


def _read_board(text: str) -> Board:
    rows = text.split("/")
    if len(rows) != 8:
        raise _error("board", text, f"needs 8 rows separated by '/', not {len(rows)}")
    board: Board = {}
    for rank, row in zip("87654321", rows, strict=True):
        file = 0
        for letter in row:
            if letter in "12345678":
                file += int(letter)
                continue
            if letter.upper() not in _CODES:
                raise _error("board", text, f"'{letter}' in rank {rank} is not a piece")
            if letter in "Pp" and rank in "18":
                raise _error("board", text, f"a pawn cannot stand on rank {rank}")
            if file < 8:
                board["abcdefgh"[file] + rank] = letter
            file += 1
        if file != 8:
            raise _error("board", text, f"rank {rank} ('{row}') has {file} squares instead of 8")
    _check_material(text, list(board.values()))
    return board


def _check_material(text: str, letters: list[str]) -> None:
    """Reject what no game can reach: it could have more moves than `MAX_MOVES`."""
    for side, case in (("White", str.upper), ("Black", str.lower)):
        count = {letter: letters.count(case(letter)) for letter in _CODES}
        if count["K"] != 1:
            raise _error("board", text, f"{side} has {count['K']} kings instead of 1")
        if count["P"] > 8:
            raise _error("board", text, f"{side} has {count['P']} pawns; the maximum is 8")
        promoted = sum(max(0, count[letter] - usual) for letter, usual in _AT_START.items())
        if promoted + count["P"] > 8:
            reason = f"{side} has more pieces than {8 - count['P']} promotions can give"
            raise _error("board", text, reason)


def _read_castling(text: str, board: Board) -> list[str]:
    """The squares of the rooks that may castle."""
    if text == "-":
        return []
    rooks = []
    for letter in text:
        if letter not in _CASTLING or text.count(letter) > 1:
            raise _error("castling", text, "must be '-' or some of KQkq, each once")
        king, rook = _CASTLING[letter]
        if not _at_home(letter, board):
            raise _error("castling", text, f"{letter} needs a king on {king} and a rook on {rook}")
        rooks.append(rook)
    return rooks


def _read_en_passant(text: str, board: Board, side: int) -> str | None:
    if text == "-":
        return None
    rank, origin, reached, pawn = ("6", "7", "5", "p") if side == 0 else ("3", "2", "4", "P")
    if len(text) != 2 or text[0] not in "abcdefgh" or text[1] != rank:
        raise _error("en passant", text, f"must be '-' or a square of rank {rank}")
    file = text[0]
    if board.get(file + reached) != pawn or text in board or file + origin in board:
        reason = f"no pawn can have just moved from {file}{origin} to {file}{reached}"
        raise _error("en passant", text, reason)
    return text


def _read_clock(field: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 6:
        raise _error(field, text, "must be a number between 0 and 999999")
    return int(text)

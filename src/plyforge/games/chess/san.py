"""Moves as text: long algebraic (`e2e4`, `e7e8q`) and standard algebraic (`Nf3`, `exd5`, `O-O`).

FIDE laws, appendix C; PGN standard, section 8.2.3.
"""

import re
from typing import Final

import numpy as np

from plyforge.games.chess.hints import captures
from plyforge.games.chess.position import (
    CASTLING,
    LETTERS,
    PASS_MOVE,
    PAWN,
    PROMOTION,
    Position,
    seen_by,
    square_name,
)
from plyforge.games.chess.rules import MAX_MOVES, in_check, moves, play

_LONG: Final = re.compile(r"([a-h][1-8])-?([a-h][1-8])=?([QRBNqrbn]?)")
_SHORT: Final = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])=?\(?([QRBN]?)\)?")
_CASTLING: Final = {"O-O": "g", "O-O-O": "c"}
_PIECES: Final = {
    "": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king",
}  # fmt: skip


@np.errstate(over="ignore")
def legal_moves(position: Position) -> list[int]:
    """All legal moves, as a list."""
    out = [0] * MAX_MOVES
    return out[: moves(position, out)]


def move_cells(position: Position, move: int) -> list[str]:
    """The squares a move starts from and ends on."""
    if move == PASS_MOVE:
        return []
    source, target = move & 63, move >> 6 & 63
    return [square_name(seen_by(position.side, int(square))) for square in (source, target)]


def move_text(position: Position, move: int) -> str:
    """The move in long algebraic notation as UCI writes it; a pass is `0000`."""
    if move == PASS_MOVE:
        return "0000"
    promoted = LETTERS[move >> 12 & 7].lower() if move >> 15 == PROMOTION else ""
    return "".join(move_cells(position, move)) + promoted


@np.errstate(over="ignore")
def san(position: Position, move: int) -> str:
    """The move in standard algebraic notation, with `+` or `#`."""
    child = play(position, move)
    check = ("+" if legal_moves(child) else "#") if in_check(child) else ""
    return _without_check(position, move) + check


def readable_move(position: Position, move: int) -> str:
    """The move in standard algebraic notation."""
    return move_text(position, move) if move == PASS_MOVE else san(position, move)


def _letter(position: Position, move: int) -> str:
    """The letter of the piece that moves, empty for a pawn."""
    code = PAWN if move >> 15 == PROMOTION else move >> 12 & 7
    return "" if code == PAWN else LETTERS[code]


def _without_check(position: Position, move: int) -> str:
    source, target = move_cells(position, move)
    if move >> 15 == CASTLING:
        return "O-O" if target[0] == "g" else "O-O-O"
    letter = _letter(position, move)
    taking = "x" if captures(position, move) else ""
    if not letter:
        promoted = "=" + LETTERS[move >> 12 & 7] if move >> 15 == PROMOTION else ""
        return (source[0] if taking else "") + taking + target + promoted
    rivals = [
        move_cells(position, other)[0]
        for other in legal_moves(position)
        if other != move
        and _letter(position, other) == letter
        and move_cells(position, other)[1] == target
    ]
    return letter + _distinction(source, rivals) + taking + target


def _distinction(source: str, rivals: list[str]) -> str:
    """What distinguishes `source`: nothing, its file, its rank, or both, in this order."""
    if not rivals:
        return ""
    if all(source[0] != rival[0] for rival in rivals):
        return source[0]
    if all(source[1] != rival[1] for rival in rivals):
        return source[1]
    return source


def split_moves(text: str) -> list[str]:
    """The moves in a line such as `1. e4 e5 2. Nf3`; move numbers are skipped."""
    return re.sub(r"\b\d+\.+", " ", text.replace(",", " ")).split()


def parse_move(position: Position, text: str) -> int:
    """The legal move that a text in long or standard algebraic notation means."""
    bare = re.sub(r"(\s*e\.?p\.?)?[+#!?]*$", "", text.strip())
    legal = legal_moves(position)
    castling = _CASTLING.get(bare.replace("0", "O"))
    if castling:
        candidates = [
            move
            for move in legal
            if move >> 15 == CASTLING and move_cells(position, move)[1][0] == castling
        ]
        return _single_move(position, candidates, text, "castling is not possible here")
    long = _LONG.fullmatch(bare)
    if long:
        source, target, promoted = long.groups()
        candidates = [m for m in legal if move_cells(position, m) == [source, target]]
        return _single_move(
            position,
            _with_promotion(candidates, promoted.upper()),
            text,
            f"no legal move goes from {source} to {target}" if not candidates else _PROMOTION_ERROR,
        )
    short = _SHORT.fullmatch(bare)
    if not short:
        raise ValueError(f"'{text}' is not a move in algebraic notation, such as e2e4, Nf3 or O-O")
    letter, file, rank, target, promoted = short.groups()
    if not letter and not file:
        file = target[0]
    candidates = [m for m in legal if _fits(position, m, letter, file, rank, target)]
    reason = f"no {_PIECES[letter]}{_from(file, rank)} can legally go to {target}"
    if candidates:
        reason = _PROMOTION_ERROR
    return _single_move(position, _with_promotion(candidates, promoted), text, reason)


_PROMOTION_ERROR: Final = "a pawn that reaches the last rank, and no other, becomes Q, R, B or N"


def _from(file: str, rank: str) -> str:
    return f" on {file + rank}" if file or rank else ""


def _fits(position: Position, move: int, letter: str, file: str, rank: str, target: str) -> bool:
    if _letter(position, move) != letter:
        return False
    start, end = move_cells(position, move)
    return end == target and start.startswith(file) and start.endswith(rank)


def _with_promotion(candidates: list[int], letter: str) -> list[int]:
    """The moves that promote to `letter`, or that do not promote if it is empty."""
    return [
        move
        for move in candidates
        if (LETTERS[move >> 12 & 7] if move >> 15 == PROMOTION else "") == letter
    ]


def _single_move(position: Position, candidates: list[int], text: str, reason: str) -> int:
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise ValueError(f"no such move '{text}': {reason}")
    choice = " or ".join(_without_check(position, move) for move in candidates)
    raise ValueError(f"'{text}' is ambiguous: {choice}")

"""Mates by a series of checks, found by trying everything with python-chess."""

from functools import cache

import chess


def mate_by_checks(fen: str, plies: int, *, attacking: bool = True) -> int | None:
    """Return the plies of the fastest forced mate within `plies` in which every move checks.

    The side to move attacks, or defends if `attacking` is False.  None if there is no such mate.
    Clocks and repetitions are ignored: the fastest mate goes through no position twice.
    """
    return _find(" ".join(fen.split()[:4]), plies, attacking)


@cache
def _find(position: str, plies: int, attacking: bool) -> int | None:
    board = chess.Board(f"{position} 0 1")
    if board.is_checkmate():
        return None if attacking else 0
    if plies == 0:
        return None
    lengths = []
    for move in board.legal_moves:
        if attacking and not board.gives_check(move):
            continue
        board.push(move)
        length = _find(board.epd(), plies - 1, not attacking)
        board.pop()
        if length is not None:
            lengths.append(length + 1)
        elif not attacking:
            return None
    return (min if attacking else max)(lengths, default=None)

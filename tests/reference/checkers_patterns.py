"""Checkers' patterns, slowly: what stands on each square as the mover sees it."""

from typing import Any

from plyforge.games.checkers.patterns import SIZE, pattern_squares


def content(position: Any, square: int) -> str:
    """Return '.', 'm' or 'k' for the mover's pieces and 'M' or 'K' for the opponent's.

    Squares are 0 to 31 as the mover counts them.
    """
    real = 31 - square if position.side else square
    bit = 1 << real + real // 8
    own, other = position.black, position.white
    if position.side:
        own, other = other, own
    king = bool(position.kings & bit)
    if own & bit:
        return "k" if king else "m"
    if other & bit:
        return "K" if king else "M"
    return "."


def indices(position: Any) -> list[int]:
    """Return the index of every pattern."""
    digits = {"m": 1, "M": 2}
    return [
        number * SIZE
        + sum(digits.get(content(position, square), 0) * 3**n for n, square in enumerate(squares))
        for number, squares in enumerate(pattern_squares())
    ]


def king_sum(position: Any, entries: Any) -> Any:
    """Return the entries of the mover's kings minus those of the opponent's."""
    total = 0
    for square in range(32):
        mine = content(position, square) == "k"
        theirs = content(position, 31 - square) == "K"
        total += (mine - theirs) * entries[square + square // 8]
    return total

"""Connect four with keys of few bits, so that different positions share a key.

This is a game file; its variant is the number of bits: `…/short_keys.py:16`.
"""

from typing import NamedTuple

from plyforge.games.connect4 import (
    EVALUATION,
    can_move,
    irreversible,
    move_slot,
    move_text,
    moves,
    outcome,
    stuck,
    turn,
)
from plyforge.games.connect4 import initial as connect_four
from plyforge.games.tree.randomness import mix
from plyforge.rules import u64

NAME = "Connect four with short keys"
PLAYERS = ("X", "O")
MAX_MOVES = 31
ALTERNATING = True
MOVE_SLOTS = 64
EVALUATION_RANGE = (-1000.0, 1000.0)
BITS = 64

_SALT = u64(0x9E3779B97F4A7C15)
_ALL = u64(0xFFFFFFFFFFFFFFFF)


class Position(NamedTuple):
    mine: int
    stones: int
    floor: int
    rows: int
    bits: int
    """The number of bits of a key."""


def initial(bits: int = BITS) -> Position:
    if not 1 <= bits <= BITS:
        raise ValueError(f"bits must be between 1 and {BITS}, not {bits}")
    return Position(*connect_four(), bits)


def play(position: Position, move: int) -> Position:
    theirs = position.stones ^ position.mine
    stones = position.stones | 1 << move
    return Position(theirs, stones, position.floor, position.rows, position.bits)


def key(position: Position) -> u64:
    """Return a key cut to its bits and mixed again, since a table uses all 64 bits."""
    whole = mix(mix(u64(position.mine) + _SALT) ^ u64(position.stones))
    short: u64 = mix((whole & _ALL >> u64(BITS - position.bits)) + _SALT)
    return short


__all__ = [
    "EVALUATION", "Position", "can_move", "initial", "irreversible", "key", "move_slot",
    "move_text", "moves", "outcome", "play", "stuck", "turn",
]  # fmt: skip

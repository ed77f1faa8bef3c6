"""A small net for chess: 768 inputs, one for each piece on each square, 64 units, one output.

The squares and colours of the inputs do not depend on who is to move, so a move changes few inputs,
and the sums of the first layer are kept from ply to ply.  Half of the units count when White is to
move and the other half when Black is: the side to move has inputs of its own, which switch the
other half off.  Both halves have the same weights, mirrored, so they are one net of 32 units that
sees the board from the side to move.  `SEEN` is that net, which is what is trained;
scripts/chess_net.py trains it and converts the weights.

The weights are in weights/net.npz; docs/games/chess.md says how they were made.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.games.chess.attacks import ONE
from plyforge.games.chess.position import CASTLING, EN_PASSANT, PASS, Position
from plyforge.games.chess.positional.updates import (
    LONG_CORNER,
    LONG_GOAL,
    SHORT_CORNER,
    SHORT_GOAL,
    piece_at,
)
from plyforge.rules import net, table, u64

EVALUATION_RANGE = (-30_000, 30_000)
AHEAD = 300
WEIGHTS_FILE = "weights/net.npz"

UNITS: Final = 32
"""The units of the net that sees the board from the side to move."""
UNIT: Final = 1 / 256
"""What 1 at the output is worth: 256 centipawns."""
COLOUR: Final = 6 * 64
EMPTY: Final = 2 * COLOUR
"""The index of a square without a piece."""
OFF: Final = 16.0
"""What switches a unit off: more than its sum ever reaches."""
LAST_RANK: Final = 56
NO_PLACE: Final = -1

Four = tuple[int, int, int, int]


def content(position: Position, square: int) -> int:
    """Return the index of what stands on a square of the board, White's pieces first."""
    flip = LAST_RANK if position.side else 0
    code = piece_at(position, square ^ flip)
    if code == 0:
        return EMPTY
    mine = (position.own >> u64(square ^ flip)) & ONE != u64(0)
    white = mine == (position.side == 0)
    return (0 if white else COLOUR) + (code - 1) * 64 + square


def content_seen(position: Position, square: int) -> int:
    """Return the index of what stands on a square as the mover sees it, the mover's first."""
    code = piece_at(position, square)
    if code == 0:
        return EMPTY
    mine = (position.own >> u64(square)) & ONE != u64(0)
    return (0 if mine else COLOUR) + (code - 1) * 64 + square


def changed_squares(position: Position, move: int, child: Position) -> Four:
    """Return the squares that a move changes."""
    move = int(move)
    kind, flip = move >> 15, LAST_RANK if position.side else 0
    if kind == PASS:
        return NO_PLACE, NO_PLACE, NO_PLACE, NO_PLACE
    source, target = move & 63, (move >> 6) & 63
    third, fourth = NO_PLACE, NO_PLACE
    if kind == EN_PASSANT:
        third = (target - 8) ^ flip
    elif kind == CASTLING:
        third = (SHORT_CORNER if target > source else LONG_CORNER) ^ flip
        fourth = (SHORT_GOAL if target > source else LONG_GOAL) ^ flip
    return source ^ flip, target ^ flip, third, fourth


def side_to_move(position: Position) -> int:
    return position.side


def mirrored_inputs() -> NDArray[np.int64]:
    """Return, for each input of the board, the one that Black sees in its place."""
    pieces = np.arange(EMPTY)
    swapped = np.where(pieces < COLOUR, pieces + COLOUR, pieces - COLOUR)
    return np.append(swapped ^ LAST_RANK, EMPTY)


def from_seen(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of `EVALUATION` from those of `SEEN`; the values are the same.

    Empty squares get weights of 0, and the bias what 64 of them would add: rounded to int16, the
    same error on every empty square would add up.  A sum of the first layer that reaches `OFF`
    would not be switched off.
    """
    first = vector[: (EMPTY + 1) * UNITS].reshape(EMPTY + 1, UNITS)
    biases, rest = np.split(vector[(EMPTY + 1) * UNITS :], [UNITS])
    first, biases = first - first[EMPTY], biases + 64 * first[EMPTY]
    outputs, bias = rest[:UNITS], rest[UNITS:]
    switch = np.zeros((2, 2 * UNITS))
    switch[0, UNITS:] = switch[1, :UNITS] = -OFF
    board = np.hstack([first, first[mirrored_inputs()]])
    parts = (board, switch, np.tile(biases, 2), np.tile(outputs, 2), bias)
    return np.concatenate([part.reshape(-1) for part in parts])


SEEN = net({"board": table(content_seen, EMPTY + 1, places=64)}, hidden=(UNITS,), unit=UNIT)
EVALUATION = net(
    {
        "board": table(content, EMPTY + 1, places=64, update=changed_squares),
        "side to move": table(side_to_move, 2),
    },
    hidden=(2 * UNITS,),
    unit=UNIT,
)

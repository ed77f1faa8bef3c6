"""Kalah: rules in `rules`, texts in `notation`."""

from plyforge.games.kalah.notation import (
    PLAYERS,
    from_text,
    geometry,
    move_cells,
    move_text,
    pieces,
    to_text,
)
from plyforge.games.kalah.rules import (
    MOST_PITS,
    MOST_SEEDS,
    ONE_EACH,
    WIDTH,
    Position,
    first_pits,
    initial,
    irreversible,
    move_slot,
    moves,
    outcome,
    play,
    total,
    turn,
)

NAME = "Kalah"
VARIANTS = ("6,6", "3,2", "9,1")
MAX_MOVES = MOST_PITS
MOVE_SLOTS = MOST_PITS

__all__ = [
    "MOST_PITS",
    "MOST_SEEDS",
    "ONE_EACH",
    "PLAYERS",
    "WIDTH",
    "Position",
    "first_pits",
    "from_text",
    "geometry",
    "initial",
    "irreversible",
    "move_cells",
    "move_slot",
    "move_text",
    "moves",
    "outcome",
    "pieces",
    "play",
    "to_text",
    "total",
    "turn",
]

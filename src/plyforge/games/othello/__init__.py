"""Othello: rules in `rules`, texts in `notation`."""

from plyforge.games.othello.notation import (
    from_text,
    geometry,
    move_cells,
    move_text,
    parse_move,
    pieces,
    split_moves,
    to_text,
)
from plyforge.games.othello.rules import (
    Position,
    initial,
    irreversible,
    move_slot,
    moves,
    play,
    stuck,
    symmetries,
    turn,
)

NAME = "Othello"
PLAYERS = ("Black", "White")
VARIANTS = ("8", "6", "4", "8,empties")
ALTERNATING = True
MAX_MOVES = 60
MOVE_SLOTS = 65
FINISHED_LEAVES = 1
SILENT_PASS = True

__all__ = [
    "Position",
    "from_text",
    "geometry",
    "initial",
    "irreversible",
    "move_cells",
    "move_slot",
    "move_text",
    "moves",
    "parse_move",
    "pieces",
    "play",
    "split_moves",
    "stuck",
    "symmetries",
    "to_text",
    "turn",
]

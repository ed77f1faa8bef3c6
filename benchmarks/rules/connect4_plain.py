"""Connect four without an evaluation: every position at the horizon has the value 0."""

from plyforge.games.connect4 import (
    Position,
    from_text,
    initial,
    irreversible,
    move_slot,
    move_text,
    moves,
    outcome,
    play,
    stuck,
    to_text,
    turn,
)

NAME = "Connect four, plain"
MAX_MOVES = 31
ALTERNATING = True
MOVE_SLOTS = 64

__all__ = [
    "Position",
    "from_text",
    "initial",
    "irreversible",
    "move_slot",
    "move_text",
    "moves",
    "outcome",
    "play",
    "stuck",
    "to_text",
    "turn",
]

"""Kalah: rules in `rules`, texts in `notation`, the evaluation in `evaluation`."""

from plyforge.games.kalah.database import index, secured_score, slices, unindex
from plyforge.games.kalah.evaluation import EVALUATION
from plyforge.games.kalah.notation import (
    PLAYERS,
    arrange,
    from_text,
    geometry,
    move_cells,
    move_text,
    parse_move,
    pieces,
    readable_move,
    to_text,
)
from plyforge.games.kalah.rules import (
    MAX_PITS,
    MAX_SEEDS,
    ONE_EACH,
    WIDTH,
    Position,
    can_move,
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
MAX_MOVES = MAX_PITS
MOVE_SLOTS = MAX_PITS
EVALUATION_RANGE = (-128.0, 128.0)
EVALUATION_MEANING = "score"

__all__ = [
    "EVALUATION",
    "MAX_PITS",
    "MAX_SEEDS",
    "ONE_EACH",
    "PLAYERS",
    "WIDTH",
    "Position",
    "arrange",
    "can_move",
    "first_pits",
    "from_text",
    "geometry",
    "index",
    "initial",
    "irreversible",
    "move_cells",
    "move_slot",
    "move_text",
    "moves",
    "outcome",
    "parse_move",
    "pieces",
    "play",
    "readable_move",
    "secured_score",
    "slices",
    "to_text",
    "total",
    "turn",
    "unindex",
]

"""Artificial game trees: given as nested lists, or generated from a seed.

For teaching, tests and experiments; `docs/games/tree.md` defines every kind.
"""

from plyforge.games.tree.layout import MAX_MOVES, MOVE_SLOTS, NAME, PLAYERS, Position
from plyforge.games.tree.notation import from_text, move_text, to_text
from plyforge.games.tree.picture import board, geometry, move_cells, pieces
from plyforge.games.tree.rules import (
    ALTERNATING,
    EVALUATION_RANGE,
    REPETITION,
    REPETITION_COUNT,
    can_move,
    evaluate,
    irreversible,
    key,
    move_slot,
    moves,
    outcome,
    play,
    scratch_key,
    stuck,
    turn,
)
from plyforge.games.tree.start import VARIANTS, initial

__all__ = [
    "ALTERNATING",
    "EVALUATION_RANGE",
    "MAX_MOVES",
    "MOVE_SLOTS",
    "NAME",
    "PLAYERS",
    "REPETITION",
    "REPETITION_COUNT",
    "VARIANTS",
    "Position",
    "board",
    "can_move",
    "evaluate",
    "from_text",
    "geometry",
    "initial",
    "irreversible",
    "key",
    "move_cells",
    "move_slot",
    "move_text",
    "moves",
    "outcome",
    "pieces",
    "play",
    "scratch_key",
    "stuck",
    "to_text",
    "turn",
]

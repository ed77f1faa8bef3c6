"""Connect four: rules in `rules`, texts in `notation`, the evaluation in `evaluation`."""

from plyforge.games.connect4.database import index, slices, unindex
from plyforge.games.connect4.evaluation import EVALUATION
from plyforge.games.connect4.hints import (
    canonical_key,
    in_check,
    loses_at_once,
    move_priority,
    noisy_moves,
    quick_value,
)
from plyforge.games.connect4.notation import (
    PLAYERS,
    arrange,
    from_text,
    geometry,
    move_cells,
    move_text,
    pieces,
    split_moves,
    to_text,
)
from plyforge.games.connect4.rules import (
    Position,
    can_move,
    columns_of,
    has_four,
    initial,
    irreversible,
    move_slot,
    moves,
    outcome,
    play,
    stuck,
    symmetries,
    turn,
)

NAME = "Connect four"
PIECES = {"X": (0, "stone"), "O": (1, "stone")}
VARIANTS = ("7x6", "5x4", "8x6")
MAX_MOVES = 31
ALTERNATING = True
MOVE_SLOTS = 64
EVALUATION_RANGE = (-1000.0, 1000.0)
SEARCH = {
    "on": ["child-eval"],
    "off": ["killers"],
    "set": {"order": ("table", "child-eval", "history")},
}
"""Killer moves make the order of the evaluation worse; see docs/performance.md."""
SOLVE = {
    "on": ["quick-value", "losing-moves", "priority", "symmetry"],
    "off": ["child-eval", "deepening"],
    "driver": "mtd-bi",
}
"""To the end of the game at once; see docs/search/solving.md."""

__all__ = [
    "EVALUATION",
    "PLAYERS",
    "Position",
    "arrange",
    "can_move",
    "canonical_key",
    "columns_of",
    "from_text",
    "geometry",
    "has_four",
    "in_check",
    "index",
    "initial",
    "irreversible",
    "loses_at_once",
    "move_cells",
    "move_priority",
    "move_slot",
    "move_text",
    "moves",
    "noisy_moves",
    "outcome",
    "pieces",
    "play",
    "quick_value",
    "slices",
    "split_moves",
    "stuck",
    "symmetries",
    "to_text",
    "turn",
    "unindex",
]

"""Othello: rules in `rules`, texts in `notation`, the evaluation in `evaluation`."""

from plyforge.games.othello.evaluation import EVALUATION
from plyforge.games.othello.notation import (
    arrange,
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
    can_move,
    initial,
    irreversible,
    move_slot,
    moves,
    play,
    stuck,
    symmetries,
    turn,
)
from plyforge.games.othello.transcript import read_games, write_game

NAME = "Othello"
PLAYERS = ("Black", "White")
PIECES = {"X": (0, "stone"), "O": (1, "stone")}
VARIANTS = ("8", "6", "4", "8,empties")
ALTERNATING = True
MAX_MOVES = 60
MOVE_SLOTS = 65
FINISHED_LEAVES = 1
SILENT_PASS = True
EVALUATION_RANGE = (-64.0, 64.0)
EVALUATION_MEANING = "score"
SEARCH = {
    "on": ["child-eval"],
    "off": ["killers"],
    "set": {"order": ("table", "child-eval", "history")},
    "play": {"on": ["lmr"], "set": {"lmr-base": 1.0}},
}
"""Killer moves make the order of the evaluation worse; see docs/performance.md.

What late move reductions are worth is in docs/results/selective.md.
"""

__all__ = [
    "EVALUATION",
    "Position",
    "arrange",
    "can_move",
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
    "read_games",
    "split_moves",
    "stuck",
    "symmetries",
    "to_text",
    "turn",
    "write_game",
]

"""English checkers (draughts): `rules`, `notation` and evaluations, by hand, patterns and nets."""

from plyforge.games.checkers import patterns, samuel
from plyforge.games.checkers.database import index, slices, unindex
from plyforge.games.checkers.evaluation import EVALUATION, EVALUATION_RANGE
from plyforge.games.checkers.named_players import NAMED_PLAYERS
from plyforge.games.checkers.notation import (
    arrange,
    from_text,
    geometry,
    move_cells,
    move_text,
    parse_move,
    pieces,
    to_text,
)
from plyforge.games.checkers.openings import OPENINGS
from plyforge.games.checkers.pdn import read_games, write_game
from plyforge.games.checkers.rules import (
    Position,
    can_move,
    in_check,
    initial,
    irreversible,
    move_gain,
    move_kind,
    move_slot,
    moves,
    noisy_moves,
    play,
    symmetries,
    turn,
)
from plyforge.games.checkers.samuel import samuel_net

EVALUATIONS = {"patterns": patterns, "samuel": samuel}
NAME = "English checkers"
PLAYERS = ("Black", "White")
PIECES = {"b": (0, "disc"), "B": (0, "crowned"), "w": (1, "disc"), "W": (1, "crowned")}
ALTERNATING = True
MAX_MOVES = 128
MOVE_SLOTS = 4096
NO_PROGRESS_LIMIT = 80
REPETITION = "draw"
REPETITION_COUNT = 3
SEARCH = {
    "play": {
        "evaluation": "patterns",
        "on": ["quiescence"],
        "set": {"quiescence-evasions": 32},
    }
}
"""Captures are played out to the end; see docs/results/selective.md, and docs/results/tuning.md for
the evaluation.
"""

__all__ = [
    "EVALUATION",
    "EVALUATION_RANGE",
    "NAMED_PLAYERS",
    "OPENINGS",
    "Position",
    "arrange",
    "can_move",
    "from_text",
    "geometry",
    "in_check",
    "index",
    "initial",
    "irreversible",
    "move_cells",
    "move_gain",
    "move_kind",
    "move_slot",
    "move_text",
    "moves",
    "noisy_moves",
    "parse_move",
    "pieces",
    "play",
    "read_games",
    "samuel_net",
    "slices",
    "symmetries",
    "to_text",
    "turn",
    "unindex",
    "write_game",
]

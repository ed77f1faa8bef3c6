"""Othello: rules in `rules`, texts in `notation`, evaluations in `evaluation` and `patterns`."""

from plyforge.games.othello import patterns
from plyforge.games.othello.endgame import finish, max_score, mobility, odd_region, plies_left
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
    PHASES,
    Position,
    can_move,
    initial,
    irreversible,
    move_slot,
    moves,
    phase,
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
EVALUATIONS = {"patterns": patterns}
SEARCH = {
    "on": ["child-eval", "fastest-first", "finish", "parity", "score-limit"],
    "off": ["killers"],
    "set": {"order": ("table", "child-eval", "history"), "child-eval-end": 24},
    "play": {
        "evaluation": "patterns",
        "on": ["lmr", "multi-probcut"],
        "set": {
            "lmr-base": 1.0,
            "multi-probcut-fit": ("probcut-patterns.json", "probcut.json"),
            "multi-probcut-gate": 0,
        },
    },
}
"""Killer moves make the order of the evaluation worse; see docs/performance.md.

What the steps of `play` are worth is in docs/results/selective.md, the evaluation by patterns in
docs/games/othello.md.
"""

__all__ = [
    "EVALUATION",
    "PHASES",
    "Position",
    "arrange",
    "can_move",
    "finish",
    "from_text",
    "geometry",
    "initial",
    "irreversible",
    "max_score",
    "mobility",
    "move_cells",
    "move_slot",
    "move_text",
    "moves",
    "odd_region",
    "parse_move",
    "phase",
    "pieces",
    "play",
    "plies_left",
    "read_games",
    "split_moves",
    "stuck",
    "symmetries",
    "to_text",
    "turn",
    "write_game",
]

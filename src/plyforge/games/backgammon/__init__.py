"""Backgammon: bar, bearing off, gammons and backgammons, with or without the doubling cube.

A move plays a whole roll.  `docs/games/backgammon.md` describes rules, notation and evaluation.
"""

from plyforge.games.backgammon import td_net
from plyforge.games.backgammon.evaluation import evaluate, move_slot
from plyforge.games.backgammon.layout import (
    MAX_MOVES,
    MOVE_SLOTS,
    NAME,
    PLAYERS,
    VARIANTS,
    Position,
)
from plyforge.games.backgammon.notation import (
    from_text,
    move_text,
    parse_move,
    split_moves,
    to_text,
)
from plyforge.games.backgammon.picture import PIECES, board, geometry, move_cells, pieces
from plyforge.games.backgammon.rules import (
    EVALUATION_MEANING,
    EVALUATION_RANGE,
    chance,
    chance_outcomes,
    initial,
    moves,
    outcome,
    play,
    turn,
)

EVALUATIONS = {"td_net": td_net}

__all__ = [
    "EVALUATIONS",
    "EVALUATION_MEANING",
    "EVALUATION_RANGE",
    "MAX_MOVES",
    "MOVE_SLOTS",
    "NAME",
    "PIECES",
    "PLAYERS",
    "VARIANTS",
    "Position",
    "board",
    "chance",
    "chance_outcomes",
    "evaluate",
    "from_text",
    "geometry",
    "initial",
    "move_cells",
    "move_slot",
    "move_text",
    "moves",
    "outcome",
    "parse_move",
    "pieces",
    "play",
    "split_moves",
    "to_text",
    "turn",
]

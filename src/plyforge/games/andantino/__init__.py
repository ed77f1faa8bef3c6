"""Andantino (David L. Smith, 1995): a line of five, or a ring around an enemy stone, wins.

`docs/games/andantino.md` says which reading of the rules is used and why.
"""

from plyforge.games.andantino.evaluation import (
    EVALUATION,
    EVALUATION_MEANING,
    EVALUATION_RANGE,
)
from plyforge.games.andantino.hints import in_check, noisy_moves
from plyforge.games.andantino.notation import (
    arrange,
    from_text,
    geometry,
    move_cells,
    move_text,
    pieces,
    to_text,
)
from plyforge.games.andantino.rules import (
    ALTERNATING,
    MAX_MOVES,
    MOVE_SLOTS,
    NAME,
    PIECES,
    PLAYERS,
    VARIANTS,
    Position,
    initial,
    irreversible,
    key,
    move_slot,
    moves,
    outcome,
    play,
    scratch_key,
    stuck,
    symmetries,
    turn,
)

__all__ = [
    "ALTERNATING",
    "EVALUATION",
    "EVALUATION_MEANING",
    "EVALUATION_RANGE",
    "MAX_MOVES",
    "MOVE_SLOTS",
    "NAME",
    "PIECES",
    "PLAYERS",
    "VARIANTS",
    "Position",
    "arrange",
    "from_text",
    "geometry",
    "in_check",
    "initial",
    "irreversible",
    "key",
    "move_cells",
    "move_slot",
    "move_text",
    "moves",
    "noisy_moves",
    "outcome",
    "pieces",
    "play",
    "scratch_key",
    "stuck",
    "symmetries",
    "to_text",
    "turn",
]

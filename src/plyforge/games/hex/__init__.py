"""Hex (Piet Hein 1942, John Nash 1948): join your two edges of the rhombus.

`docs/games/hex.md` tells which edges are whose, and how the swap is played.
"""

from plyforge.games.hex.evaluation import (
    EVALUATION_MEANING,
    EVALUATION_RANGE,
    evaluate,
    terms,
)
from plyforge.games.hex.notation import (
    from_text,
    geometry,
    move_cells,
    move_text,
    parse_move,
    pieces,
    to_text,
)
from plyforge.games.hex.rules import (
    ALTERNATING,
    MAX_MOVES,
    MOVE_SLOTS,
    NAME,
    PIECES,
    PLAYERS,
    VARIANTS,
    Position,
    can_move,
    initial,
    irreversible,
    key,
    move_slot,
    moves,
    outcome,
    play,
    scratch_key,
    symmetries,
    turn,
)

__all__ = [
    "ALTERNATING",
    "EVALUATION_MEANING",
    "EVALUATION_RANGE",
    "MAX_MOVES",
    "MOVE_SLOTS",
    "NAME",
    "PIECES",
    "PLAYERS",
    "VARIANTS",
    "Position",
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
    "parse_move",
    "pieces",
    "play",
    "scratch_key",
    "symmetries",
    "terms",
    "to_text",
    "turn",
]

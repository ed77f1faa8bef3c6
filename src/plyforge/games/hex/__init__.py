"""Hex (Piet Hein 1942, John Nash 1948): join your two edges of the rhombus.

`docs/games/hex.md` says which edges belong to whom, and how the swap works.
"""

from plyforge.games.hex.connections import canonical_key, proven_result
from plyforge.games.hex.evaluation import (
    EVALUATION_MEANING,
    EVALUATION_RANGE,
    WEIGHTS,
    evaluate,
)
from plyforge.games.hex.notation import (
    arrange,
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

SOLVE = {"method": "df-pn"}
"""Its questions need no number of plies, so that `proven_result` can answer them."""

__all__ = [
    "ALTERNATING",
    "EVALUATION_MEANING",
    "EVALUATION_RANGE",
    "MAX_MOVES",
    "MOVE_SLOTS",
    "NAME",
    "PIECES",
    "PLAYERS",
    "SOLVE",
    "VARIANTS",
    "WEIGHTS",
    "Position",
    "arrange",
    "can_move",
    "canonical_key",
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
    "proven_result",
    "scratch_key",
    "symmetries",
    "to_text",
    "turn",
]

"""Chess by the FIDE laws.

The hooks of the contract, gathered from the modules of this package.
"""

from functools import cache

from plyforge.games.chess import evaluation, net, positional, teaching, tuned
from plyforge.games.chess.database import index, slices, unindex
from plyforge.games.chess.exchanges import exchange
from plyforge.games.chess.fen import (
    arrange,
    extras,
    from_text,
    pieces,
    to_text,
    with_extras,
)
from plyforge.games.chess.hints import (
    MOVE_SLOTS,
    irreversible,
    move_gain,
    move_kind,
    move_slot,
    move_target,
    noisy_moves,
    pass_move,
    zugzwang_prone,
)
from plyforge.games.chess.openings import OPENINGS
from plyforge.games.chess.pgn import read_games, write_game
from plyforge.games.chess.polyglot import read_book, write_book
from plyforge.games.chess.position import Position
from plyforge.games.chess.positional import AHEAD, EVALUATION, EVALUATION_RANGE
from plyforge.games.chess.rules import (
    ALTERNATING,
    CLOCKS,
    MAX_MOVES,
    NO_PROGRESS_LIMIT,
    REPETITION,
    REPETITION_COUNT,
    can_move,
    drawn,
    in_check,
    initial,
    moves,
    play,
    progress,
    stuck,
    turn,
)
from plyforge.games.chess.san import (
    move_cells,
    move_text,
    parse_move,
    readable_move,
    san,
    split_moves,
)
from plyforge.rules import Geometry, squares

NAME = "Chess"
PLAYERS = ("White", "Black")
_SHAPES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
PIECES = {letter: (0, shape) for letter, shape in _SHAPES.items()} | {
    letter.lower(): (1, shape) for letter, shape in _SHAPES.items()
}
EVALUATIONS = {
    "basic": evaluation,
    "net": net,
    "positional": positional,
    "teaching": teaching,
    "tuned": tuned,
}
SEARCH = {
    "play": {
        "evaluation": "tuned",
        "on": [
            "gains",
            "quiescence",
            "null-move",
            "reverse-futility",
            "razoring",
            "futility",
            "late-move-pruning",
            "lmr",
            "check",
            "internal-reduction",
        ],
        "set": {
            "quiescence-margin": 200,
            "null-move-step": 200,
            "reverse-futility-margin": 80,
            "razoring-margin": 250,
            "futility-margin": 120,
        },
    },
}
"""What the steps of `play` are worth is in docs/results/selective.md, the weights in
docs/results/tuning.md.
"""

__all__ = [
    "AHEAD",
    "ALTERNATING",
    "CLOCKS",
    "EVALUATION",
    "EVALUATION_RANGE",
    "MAX_MOVES",
    "MOVE_SLOTS",
    "NAME",
    "NO_PROGRESS_LIMIT",
    "OPENINGS",
    "PIECES",
    "PLAYERS",
    "REPETITION",
    "REPETITION_COUNT",
    "SEARCH",
    "Position",
    "arrange",
    "can_move",
    "drawn",
    "exchange",
    "extras",
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
    "move_target",
    "move_text",
    "moves",
    "noisy_moves",
    "parse_move",
    "pass_move",
    "pieces",
    "play",
    "progress",
    "read_book",
    "read_games",
    "readable_move",
    "san",
    "slices",
    "split_moves",
    "stuck",
    "to_text",
    "turn",
    "unindex",
    "with_extras",
    "write_book",
    "write_game",
    "zugzwang_prone",
]


def geometry(position: Position) -> Geometry:
    return _board()


@cache
def _board() -> Geometry:
    """Return eight by eight squares, a1 dark."""
    return squares(8, 8, shaded=lambda column, row: (column + row) % 2 == 1)

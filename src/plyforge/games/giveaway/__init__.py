"""Give-away checkers: English checkers in which a side that cannot move has won."""

from plyforge.games.checkers import *  # noqa: F403
from plyforge.games.checkers import (  # noqa: F401
    ALTERNATING,
    MAX_MOVES,
    MOVE_SLOTS,
    NO_PROGRESS_LIMIT,
    PLAYERS,
    REPETITION,
    REPETITION_COUNT,
    Position,
)
from plyforge.games.giveaway.evaluation import EVALUATION_RANGE, evaluate, terms  # noqa: F401
from plyforge.rules import WIN

NAME = "Give-away checkers"


def stuck(position: Position) -> int:
    return WIN

"""Give-away checkers: English checkers in which a side that cannot move has won."""

from plyforge.games.checkers import *  # noqa: F403
from plyforge.games.checkers import (  # noqa: F401
    ALTERNATING,
    MAX_MOVES,
    MOVE_SLOTS,
    NO_PROGRESS_LIMIT,
    PIECES,
    PLAYERS,
    REPETITION,
    REPETITION_COUNT,
    Position,
)
from plyforge.games.checkers.pdn import read_give_away as read_games  # noqa: F401
from plyforge.games.checkers.pdn import write_give_away as write_game  # noqa: F401
from plyforge.games.giveaway import learned, patterns
from plyforge.games.giveaway.evaluation import EVALUATION, EVALUATION_RANGE  # noqa: F401
from plyforge.games.giveaway.hints import move_gain  # noqa: F401
from plyforge.rules import WIN

NAME = "Give-away checkers"
EVALUATIONS = {"learned": learned, "patterns": patterns}
SEARCH = {"play": {"evaluation": "patterns"}}
"""What it is worth is in docs/results/tuning.md."""


def stuck(position: Position) -> int:
    return WIN

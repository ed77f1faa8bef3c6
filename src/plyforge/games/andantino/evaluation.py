"""Andantino's evaluation after S. Koneru, "Alpha Beta Search on Andantino", equations 1 to 6.

The report leaves three of its terms open; `docs/games/andantino.md` says how they are filled in.
The parameters below are the only numbers in it; `variation` returns the evaluation with others.
"""

from types import FunctionType

import numpy as np
from numpy.typing import NDArray

from plyforge.games.andantino.board import ROWS
from plyforge.games.andantino.features import count_walled, count_winning_cells, lanes, rows
from plyforge.games.andantino.rules import Position, turn
from plyforge.rules import Evaluation, linear

TWO_IN_A_ROW = 1
THREE_IN_A_ROW = 2
FOUR_IN_A_ROW = 4
COUNT_BLOCKED = False
"""Whether rows that can no longer become five count."""

WINNING_FEATURE = 10
CELLS_TO_WIN = 1
"""The side to move has won if this many cells win at once; 0 for no such look-ahead."""
CELLS_TO_HAVE_WON = 2
"""The other side has won if this many cells win at once and the side to move has none; or 0."""

WALLED_FOUR = 0
WALLED_FIVE = 0
WALLED_SIX = 1
"""Surroundability: the value of an enemy stone with walls in four, five and six directions."""

PARAMETERS = (
    "TWO_IN_A_ROW",
    "THREE_IN_A_ROW",
    "FOUR_IN_A_ROW",
    "COUNT_BLOCKED",
    "WINNING_FEATURE",
    "CELLS_TO_WIN",
    "CELLS_TO_HAVE_WON",
    "WALLED_FOUR",
    "WALLED_FIVE",
    "WALLED_SIX",
)

EVALUATION_RANGE = (-600.0, 600.0)
"""A side has at most 136 stones.  In a row a stone counts at most 1 for each of the three axes, and
as prey at most 1: 544 for all stones of a side, and 10 for a winning feature."""
EVALUATION_MEANING = "points"


def features(position: Position) -> tuple[int, ...]:
    """Return every feature of the side to move minus that of the other side."""
    mine = turn(position) * ROWS
    theirs = ROWS - mine
    own, other = lanes(position, mine), lanes(position, theirs)
    two, three, four = rows(own, COUNT_BLOCKED)
    two_less, three_less, four_less = rows(other, COUNT_BLOCKED)
    prey_four, prey_five, prey_six = count_walled(position.stones, theirs)
    lost_four, lost_five, lost_six = count_walled(position.stones, mine)
    return (
        two - two_less,
        three - three_less,
        four - four_less,
        prey_four - lost_four,
        prey_five - lost_five,
        prey_six - lost_six,
        winning_feature(position, mine, own, other),
    )


def winning_feature(
    position: Position, mine: int, own: NDArray[np.int64], other: NDArray[np.int64]
) -> int:
    """1 if the side to move wins at once, -1 if it cannot stop the other side from winning."""
    if CELLS_TO_WIN and count_winning_cells(position, mine, own, CELLS_TO_WIN) >= CELLS_TO_WIN:
        return 1
    theirs = ROWS - mine
    enough = CELLS_TO_HAVE_WON
    if enough and count_winning_cells(position, theirs, other, enough) >= enough:
        return -1
    return 0


def variation(**changes: int) -> Evaluation:
    """Return the evaluation with other values of the parameters above.

    >>> variation(WINNING_FEATURE=100, COUNT_BLOCKED=True).vector.tolist()
    [1.0, 2.0, 4.0, 0.0, 0.0, 1.0, 100.0]
    """
    for name in changes:
        if name not in PARAMETERS:
            raise ValueError(f"unknown parameter '{name}'; use {', '.join(PARAMETERS)}")
    scope = globals() | changes
    for function in (winning_feature, features):
        scope[function.__name__] = FunctionType(function.__code__, scope, function.__name__)
    weights = {
        "two in a row": scope["TWO_IN_A_ROW"],
        "three in a row": scope["THREE_IN_A_ROW"],
        "four in a row": scope["FOUR_IN_A_ROW"],
        "enemy stones with walls in four directions": scope["WALLED_FOUR"],
        "enemy stones with walls in five directions": scope["WALLED_FIVE"],
        "enemy stones with walls in six directions": scope["WALLED_SIX"],
        "winning feature": scope["WINNING_FEATURE"],
    }
    return linear(scope["features"], weights)


EVALUATION = variation()

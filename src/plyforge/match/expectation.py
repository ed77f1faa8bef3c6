"""Convert evaluations to expected scores: 1 for a win, 0.5 for a draw, 0 for a loss."""

import math
from typing import Final

from plyforge.core.rules import Rules
from plyforge.core.scores import SCORE_LIMIT

_STEPS: Final = {"points": 100.0, "score": 10.0}
"""The number of steps of the logistic curve between 0 and the maximum of the evaluation.

A hundredth of the range is three pawns in chess, a tenth is six discs in Othello: one step means an
expected score of 0.73.
"""


def expected_score(rules: Rules, score: float, proved: bool) -> float:
    """Return the expected score of the side to which a score belongs.

    A win or a loss that was found, and the sign of every proved score, count as 1, 0.5 or 0.  Other
    scores are estimates: a probability is scaled to 0 to 1; points and final scores s become
    1 / (1 + exp(-s / step)), where a step is a hundredth of the maximum evaluation for points and a
    tenth of it for final scores.  In a game of chance a win counts as the maximum evaluation, and a
    proved score is an average: points are scaled there like a probability.
    """
    has_chance = "chance" in rules.hooks
    if (proved and not has_chance) or abs(score) > SCORE_LIMIT:
        return 0.5 if score == 0 else float(score > 0)
    low, high = rules.constant("EVALUATION_RANGE")
    meaning = rules.constant("EVALUATION_MEANING")
    if meaning == "probability" or (has_chance and meaning == "points"):
        return float(min(max((score - low) / (high - low), 0.0), 1.0))
    step = max(abs(low), abs(high)) / _STEPS[meaning]
    return 0.5 + 0.5 * math.tanh(score / step / 2)

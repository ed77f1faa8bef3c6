"""From an evaluation to an expected score: 1 for a win, 0 for a loss, 0.5 for a draw."""

import math
from typing import Final

from plyforge.core.rules import Rules
from plyforge.core.scores import SCORE_LIMIT

_STEPS: Final = {"points": 100.0, "score": 10.0}
"""How many steps of the logistic curve lie between 0 and the greatest evaluation.

A hundredth of chess's range is three pawns, a tenth of Othello's six discs: one such step means an
expected score of 0.73.
"""


def expected_score(rules: Rules, score: float, proved: bool) -> float:
    """What a score promises the side in whose view it is.

    A win or a loss that was found counts fully, and so does every proved score by its sign.  Other
    scores are guesses: a probability is stretched over 0 to 1; points and final scores go through
    1 / (1 + exp(-score / step)), where a step is a hundredth of the greatest evaluation for points
    and a tenth of it for final scores.
    """
    if proved or abs(score) > SCORE_LIMIT:
        return 0.5 if score == 0 else float(score > 0)
    low, high = rules.constant("EVALUATION_RANGE")
    meaning = rules.constant("EVALUATION_MEANING")
    if meaning == "probability":
        return float(min(max((score - low) / (high - low), 0.0), 1.0))
    step = max(abs(low), abs(high)) / _STEPS[meaning]
    return 0.5 + 0.5 * math.tanh(score / step / 2)

"""The check of chance's probabilities that all kernels share.

`game.chance.find_problem` is the slow reference, and has the words for what is wrong.
"""

from typing import Any

from plyforge.game.chance import SUM_TOLERANCE


def are_probabilities(count: int, probabilities: Any) -> bool:
    """Whether numbers are above 0 and add up to 1."""
    total = 0.0
    for index in range(count):
        if not probabilities[index] > 0.0:
            return False
        total += probabilities[index]
    return abs(total - 1.0) <= SUM_TOLERANCE

"""Plain ExpectiMax on a game's module, without any code of the project's search.

Values are rounded to float32 where they are created, as the project documents.  Positions recur, so
their values are kept.
"""

from types import ModuleType
from typing import Any

import numpy as np

from plyforge.core.scores import LOSS, ONGOING, WIN


class ExpectiMax:
    """The expected values of the positions of one game."""

    def __init__(self, rules: ModuleType) -> None:
        self.rules = rules
        self.limit = max(abs(bound) for bound in rules.EVALUATION_RANGE)
        self._known: dict[Any, float] = {}

    def value(self, position: Any, depth: int, root: bool = True) -> float:
        """Return the value for the side to move, `depth` moves deep; chance takes no depth."""
        known = self._known.get((position, depth))
        if known is None:
            known = self._known[position, depth] = self._value(position, depth)
        return known

    def _value(self, position: Any, depth: int) -> float:
        rules = self.rules
        result = rules.outcome(position)
        if result != ONGOING:
            return self._result(result)
        if rules.chance(position):
            if depth <= 0:
                return round32(rules.evaluate(position))
            total = 0.0
            for outcome, probability in rules.chance_outcomes(position):
                total += probability * self._below(position, outcome, depth)
            return round32(total)
        moves = list(rules.moves(position))
        if not moves:
            return self._result(rules.stuck(position))
        if depth <= 0:
            return round32(rules.evaluate(position))
        return max(self._below(position, move, depth - 1) for move in moves)

    def _below(self, position: Any, move: int, depth: int) -> float:
        child = self.rules.play(position, move)
        value = self.value(child, depth)
        return value if self.rules.turn(child) == self.rules.turn(position) else 0.0 - value

    def _result(self, value: float) -> float:
        return round32({WIN: self.limit, LOSS: -self.limit}.get(value, value))


def round32(value: float) -> float:
    """Return the nearest float32; -0 becomes 0."""
    return float(np.float32(value)) + 0.0

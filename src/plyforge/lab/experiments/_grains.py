"""Evaluations of give-away checkers that differ only in their grain."""

from types import ModuleType
from typing import Any

from plyforge.games.checkers import features
from plyforge.games.giveaway.evaluation import EVALUATION_RANGE


def evaluate_finely(position: Any) -> float:
    """Evaluate with the game's own terms and weights of five decimals, as if learned."""
    return (
        -4.13274 * features.men(position)
        - 2.28619 * features.kings(position)
        + 0.09137 * features.advancement(position)
        + 0.67481 * features.kings_in_centre(position)
        + 0.52963 * features.mobility(position)
        - 2.17358 * features.attacking(position)
        - 2.30191 * features.the_move(position)
    )


def rounded_evaluation(steps: float) -> ModuleType:
    """Return the fine evaluation rounded to `steps` per unit, as an evaluation module."""

    def evaluate(position: Any) -> float:
        return round(evaluate_finely(position) * steps) / steps

    module = ModuleType(f"grain 1/{steps:.0f}")
    vars(module).update(evaluate=evaluate, EVALUATION_RANGE=EVALUATION_RANGE)
    return module

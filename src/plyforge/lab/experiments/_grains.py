"""Evaluations of give-away checkers that differ in nothing but their grain."""

from types import ModuleType
from typing import Any

from plyforge.games.checkers import features
from plyforge.games.giveaway.evaluation import EVALUATION_RANGE


def evaluate_finely(position: Any) -> float:
    """The game's own evaluation with weights of five decimals, as learning would leave them."""
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
    """The fine evaluation rounded to so many steps a unit, as an evaluation's file."""

    def evaluate(position: Any) -> float:
        return round(evaluate_finely(position) * steps) / steps

    module = ModuleType(f"grain 1/{steps:.0f}")
    vars(module).update(evaluate=evaluate, EVALUATION_RANGE=EVALUATION_RANGE)
    return module

"""Find the evaluation that a module declares."""

import inspect
from collections.abc import Mapping
from types import FunctionType
from typing import Any

from plyforge.core.errors import GameFileError
from plyforge.game.forms.declaring import linear
from plyforge.game.forms.evaluation import Evaluation, unscaled
from plyforge.game.forms.own import Own
from plyforge.game.forms.weights import as_numbers


def read_evaluation(names: Mapping[str, Any], label: str) -> Evaluation | None:
    """Return the form and the weights that a module declares; None if it declares none.

    It declares them by EVALUATION, by FEATURES without a function `evaluate`, or by WEIGHTS and a
    function `evaluate(position, weights)`.  `label` is what errors call the module.
    """
    evaluate = names.get("evaluate")
    declared = names.get("EVALUATION")
    if declared is not None:
        if not isinstance(declared, Evaluation):
            raise GameFileError(
                f"{label}: EVALUATION is {declared!r}; it must be made by linear, patterns or net"
            )
        if isinstance(evaluate, FunctionType):
            raise GameFileError(
                f"{label}: it defines EVALUATION and a function 'evaluate'; remove one of them"
            )
        _refuse_state(names, label, "EVALUATION")
        return declared
    try:
        if "FEATURES" in names and not isinstance(evaluate, FunctionType):
            _refuse_state(names, label, "FEATURES")
            return linear(names["FEATURES"])
        if takes_weights(names):
            assert isinstance(evaluate, FunctionType)
            return _own(evaluate, names["WEIGHTS"])
    except ValueError as error:
        constant = "FEATURES" if "FEATURES" in names else "WEIGHTS"
        raise GameFileError(f"{label}: {constant}: {error}") from error
    return None


def _refuse_state(names: Mapping[str, Any], label: str, form: str) -> None:
    """Refuse functions for a state, which belong to a function `evaluate(position, state)`."""
    for name in ("begin", "advance"):
        if isinstance(names.get(name), FunctionType):
            raise GameFileError(
                f"{label}: it defines {form} and a function '{name}'; remove one of them: a form"
                " keeps its own state"
            )


def takes_weights(names: Mapping[str, Any]) -> bool:
    """Whether a module has WEIGHTS and a function `evaluate(position, weights)`."""
    evaluate = names.get("evaluate")
    if "WEIGHTS" not in names or "begin" in names or not isinstance(evaluate, FunctionType):
        return False
    return len(inspect.signature(evaluate).parameters) == 2


def _own(function: FunctionType, weights: Any) -> Evaluation:
    if isinstance(weights, Mapping):
        names, numbers = tuple(map(str, weights)), as_numbers(list(weights.values()), "the weights")
    else:
        numbers = as_numbers(weights, "the weights")
        names = tuple(f"weight {index}" for index in range(numbers.size))
    if numbers.ndim != 1 or not numbers.size:
        raise ValueError("give a number for each name, or an array of numbers")
    form = Own(function, names)
    return Evaluation(form, unscaled(form, numbers))

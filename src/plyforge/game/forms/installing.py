"""Put an evaluation into the rules of a game."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plyforge.core.rules import Rules
from plyforge.game.forms.evaluation import Evaluation


def install_evaluation(rules: Rules, evaluation: Evaluation | None) -> Rules:
    """Return the rules with the hooks of an evaluation, in place of a function `evaluate`.

    A function `terms` of the rules is kept.
    """
    if evaluation is None:
        return rules
    linked = evaluation.linked
    constants = rules.constants | {"EVALUATION": evaluation}
    if linked.state is not None:
        constants["STATE"] = linked.state
    hooks: dict[str, Callable[..., Any]] = {"terms": evaluation.terms}
    hooks |= rules.hooks | linked.hooks
    return replace(rules, hooks=hooks, constants=constants, weights=linked.weights)


def replace_weights(rules: Rules, evaluation: Evaluation) -> Rules:
    """Return the rules with another vector of weights for the form of their evaluation."""
    before: Evaluation = rules.constant("EVALUATION")
    # Another type of numbers may keep no state.
    removed = ["begin", "advance"]
    if rules.hooks["terms"] is before.terms:
        removed.append("terms")
    hooks = {name: hook for name, hook in rules.hooks.items() if name not in removed}
    constants = {name: value for name, value in rules.constants.items() if name != "STATE"}
    return install_evaluation(replace(rules, hooks=hooks, constants=constants), evaluation)

"""An evaluation: a form and a vector of weights."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType
from typing import Any

import numpy as np

from plyforge.game.forms.finish import Limits
from plyforge.game.forms.nets import Net
from plyforge.game.forms.own import Own
from plyforge.game.forms.sums import Sum, Term
from plyforge.game.forms.weights import Reals, Weights, as_numbers

Form = Sum | Net | Own


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A form and its weights.

    `evaluate(position)` has the weights as constants: this is the one place where weights become
    code.  `limits` keep the values of weights from a file within the range of the game.
    """

    form: Form
    weights: Weights
    limits: Limits = None

    def __post_init__(self) -> None:
        if self.weights.numbers.shape != (self.form.size,):
            shape = self.weights.numbers.shape
            raise ValueError(f"the form has {self.form.size} weights, not {shape}")
        if len(self.weights.scales) != len(self.form.blocks):
            raise ValueError(f"the form has {len(self.form.blocks)} scales")

    def __str__(self) -> str:
        digest = hashlib.sha256(self.weights.numbers.tobytes())
        digest.update(repr(self.weights.scales).encode())
        return f"{self.form.kind} evaluation {digest.hexdigest()[:12]}"

    __repr__ = __str__

    @property
    def vector(self) -> Reals:
        """The weights as floats."""
        return self.weights.vector(self.form.blocks)

    @property
    def file(self) -> str:
        """The file that declares the form's first function."""
        return str(self.form.functions[0].__code__.co_filename)

    @cached_property
    def evaluate(self) -> FunctionType:
        """The function `evaluate(position)`, which can be compiled."""
        return self.form.link(self.weights, self.limits, self.file)

    @cached_property
    def terms(self) -> Callable[[Any], list[Term]]:
        """The function `terms(position)`: name, value and weight of every term."""

        def terms(position: Any) -> list[Term]:
            with np.errstate(over="ignore"):
                value = float(self.evaluate(position))
                return self.form.terms(self.weights, position, value)

        return terms

    def with_weights(self, weights: Any) -> "Evaluation":
        """Return the same form with other weights: a vector, as long as this one."""
        numbers = as_numbers(weights, "the weights").reshape(-1)
        return Evaluation(self.form, unscaled(self.form, numbers), self.limits)


def unscaled(form: Form, numbers: Any) -> Weights:
    """Return numbers as weights of a form, with scales of 1."""
    return Weights(numbers, (1.0,) * len(form.blocks))

"""An evaluation: a form and a vector of weights."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import FunctionType
from typing import Any, Final

import numpy as np

from plyforge.compilation.fingerprint import Fingerprint, Unhashable
from plyforge.core.memory import WeightBlock, weight_block
from plyforge.game.forms.finish import Limits
from plyforge.game.forms.nets import Net
from plyforge.game.forms.own import Own
from plyforge.game.forms.source import FormHooks
from plyforge.game.forms.sums import Sum, Term
from plyforge.game.forms.weights import Reals, Weights, as_numbers

Form = Sum | Net | Own
MAX_CONSTANTS: Final = 1 << 14
"""More weights are read from memory even if they are declared: as constants they gain nothing."""


@dataclass(frozen=True)
class LinkedEvaluation:
    """The hooks of an evaluation as a kernel calls them."""

    hooks: dict[str, FunctionType]
    state: tuple[str, int] | None
    """The STATE that `begin` and `advance` write."""
    weights: WeightBlock | None
    """The last argument of the hooks; None if the weights are constants."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A form and its weights.

    With `as_data` a kernel reads the weights from memory: one kernel serves all vectors with
    numbers of one type.  Else they are constants of the kernel, which is how a game's own
    evaluation keeps its speed; nets and large tables are read from memory all the same.  `limits`
    keep the values within the range of the game.
    """

    form: Form
    weights: Weights
    limits: Limits = None
    as_data: bool = False

    def __post_init__(self) -> None:
        if self.weights.numbers.shape != (self.form.size,):
            shape = self.weights.numbers.shape
            raise ValueError(f"the form has {self.form.size} weights, not {shape}")
        if len(self.weights.scales) != len(self.form.blocks):
            raise ValueError(f"the form has {len(self.form.blocks)} scales")

    def __str__(self) -> str:
        return f"{self.form.kind} evaluation {self.digest[:12]}"

    __repr__ = __str__

    @property
    def digest(self) -> str:
        """A hash of the weights, of the form and of the code of its functions."""
        code = Fingerprint()
        code.text(self.form.describe(), self.weights.numbers.dtype, self.weights.scales)
        try:
            code.values(self.form.functions)
        except Unhashable as error:  # the kernel is not stored either
            code.text(error)
        digest = hashlib.sha256(self.weights.numbers.tobytes())
        digest.update(code.hexdigest().encode())
        return digest.hexdigest()

    @property
    def vector(self) -> Reals:
        """The weights as floats."""
        return self.weights.vector(self.form.blocks)

    @property
    def file(self) -> str:
        """The file that declares the form's first function."""
        return str(self.form.functions[0].__code__.co_filename)

    @cached_property
    def linked(self) -> LinkedEvaluation:
        """The hooks of the evaluation, which can be compiled."""
        form, weights = self.form, self.weights
        if not isinstance(form, Net) and not self.as_data and form.size <= MAX_CONSTANTS:
            constant = form.link(weights, self.limits, self.file)
            return LinkedEvaluation(constant.hooks, constant.state, None)
        linked = _link_data(form, form.data_kind(weights), self.limits, self.file)
        return LinkedEvaluation(linked.hooks, linked.state, weight_block(*form.data(weights)))

    @cached_property
    def evaluate(self) -> Callable[[Any], Any]:
        """The function `evaluate(position)`, uncompiled."""
        linked = self.linked
        hooks = linked.hooks
        if linked.weights is None and linked.state is None:
            return hooks["evaluate"]
        block = () if linked.weights is None else (linked.weights.words,)

        def evaluate(position: Any) -> Any:
            if linked.state is None:
                return hooks["evaluate"](position, *block)
            state = np.zeros(linked.state[1], linked.state[0])
            hooks["begin"](position, state, *block)
            return hooks["evaluate"](position, state, *block)

        return evaluate

    @cached_property
    def terms(self) -> Callable[[Any], list[Term]]:
        """The function `terms(position)`: name, value and weight of every term."""

        def terms(position: Any) -> list[Term]:
            with np.errstate(over="ignore"):
                value = float(self.evaluate(position))
                return self.form.terms(self.weights, position, value)

        return terms

    def with_weights(self, weights: Any) -> "Evaluation":
        """Return the same form with other weights, as data: a vector, as long as this one."""
        numbers = as_numbers(weights, "the weights").reshape(-1)
        return replace(self, weights=unscaled(self.form, numbers), as_data=True)


@lru_cache(maxsize=256)
def _link_data(form: Form, kind: str, limits: Limits, file: str) -> FormHooks:
    """Return the hooks of a form for weights in memory, the same ones for all vectors."""
    return form.link_data(kind, limits, file)


def unscaled(form: Form, numbers: Any) -> Weights:
    """Return numbers as weights of a form, with scales of 1."""
    return Weights(numbers, (1.0,) * len(form.blocks))

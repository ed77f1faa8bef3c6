"""The form of an author's own function `evaluate(position, weights)`."""

from dataclasses import dataclass
from types import FunctionType
from typing import Any, Final

from plyforge.game.forms.finish import Finish, Limits
from plyforge.game.forms.source import (
    Constants,
    Data,
    FormHooks,
    Reference,
    make_evaluation,
    scope_for,
)
from plyforge.game.forms.sums import Term
from plyforge.game.forms.tracing import trace
from plyforge.game.forms.weights import Reals, WeightData, Weights, scale_of

_MAX_TUPLE: Final = 64
"""So many weights are handed over as a tuple, which the compiler sees through; more as an array."""


@dataclass(frozen=True)
class Own:
    """An author's own function of position and weights."""

    function: FunctionType
    names: tuple[str, ...]
    kind: str = "own"

    @property
    def size(self) -> int:
        """The number of weights."""
        return len(self.names)

    @property
    def blocks(self) -> tuple[int, ...]:
        """The lengths of the parts that have a scale of their own."""
        return (self.size,)

    @property
    def functions(self) -> list[FunctionType]:
        """The author's functions."""
        return [self.function]

    def describe(self) -> dict[str, Any]:
        """Return all that decides the meaning of the weights except the function."""
        return {"kind": self.kind, "names": list(self.names)}

    def data(self, weights: Weights) -> WeightData:
        """Return the numbers that the evaluation reads: the weights themselves, already scaled."""
        plain = weights.scales == (1.0,)
        return WeightData(weights.numbers if plain else weights.vector(self.blocks), (1.0,))

    def data_kind(self, weights: Weights) -> str:
        """Return the type of the numbers as the evaluation reads them from memory."""
        return str(self.data(weights).numbers.dtype)

    def scales(self, vector: Reals) -> tuple[float, ...]:
        """Return the scales with which weights become int16."""
        return (scale_of(vector),)

    def link(self, weights: Weights, limits: Limits, file: str) -> FormHooks:
        """Return `evaluate(position)` with the weights as constants."""
        scope = scope_for(file)
        numbers = self.data(weights).numbers
        small = self.size <= _MAX_TUPLE
        scope["WEIGHTS"] = tuple(numbers.tolist()) if small else numbers
        reference = Constants(numbers, (1.0,), scope)
        return FormHooks({"evaluate": self._function(reference, "WEIGHTS", limits, scope)})

    def link_data(self, kind: str, limits: Limits, file: str) -> FormHooks:
        """Return `evaluate(position, block)` for a block of what `data` returns."""
        scope = scope_for(file)
        return FormHooks(
            {"evaluate": self._function(Data(kind, 1, scope), "weights", limits, scope)}
        )

    def _function(
        self, reference: Reference, weights: str, limits: Limits, scope: dict[str, Any]
    ) -> FunctionType:
        scope["rule"] = self.function
        body = [f"total = rule(position, {weights})", *Finish().lines(False, "", 1, limits)]
        return make_evaluation(reference, body, scope)

    def terms(self, weights: Weights, position: Any, value: float) -> list[Term]:
        """Return each weight with the derivative of the value by it, and the rest.

        If the value is a sum of weights times something, these are the terms of the sum.  Code
        whose derivative cannot be found has no terms.
        """
        vector = weights.vector(self.blocks)
        try:
            _, slopes = trace(self.function, position, vector)
        except TypeError:
            return []
        result = [
            (name, slopes.get(index, 0.0), float(vector[index]))
            for index, name in enumerate(self.names)
            if self.size <= _MAX_TUPLE or slopes.get(index)
        ]
        rest = value - sum(count * weight for _, count, weight in result)
        if abs(rest) > 1e-9 * max(1.0, abs(value)):
            result.append(("rest", float(rest), 1.0))
        return result

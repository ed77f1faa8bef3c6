"""Derivatives of an author's own code by the weights that it reads.

The code runs on numbers that record what is done with them (reverse accumulation, as described in
A. Griewank, A. Walther, Evaluating Derivatives, 2008).  It may use the operators of Python, `abs`,
`min`, `max`, `round`, comparisons, and the functions of NumPy named below.  `round` and `//` count
as if they did not round.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


class Tape:
    """The record of a computation: for every number, where it comes from."""

    def __init__(self) -> None:
        self.sources: list[tuple[tuple[int, float], ...]] = []
        """By number: the numbers that it depends on, each with the partial derivative."""

    def number(self, value: float, *sources: tuple["Traced", float]) -> "Traced":
        """Record a number."""
        self.sources.append(tuple((source.place, slope) for source, slope in sources))
        return Traced(self, len(self.sources) - 1, value)

    def gradient(self, result: "Traced") -> list[float]:
        """Return the derivative of a result by every number."""
        slopes = [0.0] * len(self.sources)
        slopes[result.place] = 1.0
        for place in range(result.place, -1, -1):
            if slopes[place]:
                for source, slope in self.sources[place]:
                    slopes[source] += slopes[place] * slope
        return slopes


class Traced:
    """A number whose use is recorded."""

    __slots__ = ("place", "tape", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tape: Tape, place: int, value: float) -> None:
        self.tape, self.place, self.value = tape, place, value

    def _with(self, value: float, *sources: tuple[Any, float]) -> "Traced":
        traced = [(one, slope) for one, slope in sources if isinstance(one, Traced)]
        return self.tape.number(value, *traced)

    def __add__(self, other: Any) -> "Traced":
        return self._with(self.value + plain(other), (self, 1.0), (other, 1.0))

    def __sub__(self, other: Any) -> "Traced":
        return self._with(self.value - plain(other), (self, 1.0), (other, -1.0))

    def __rsub__(self, other: Any) -> "Traced":
        return self._with(plain(other) - self.value, (self, -1.0))

    def __mul__(self, other: Any) -> "Traced":
        factor = plain(other)
        return self._with(self.value * factor, (self, factor), (other, self.value))

    def __truediv__(self, other: Any) -> "Traced":
        divisor = plain(other)
        value = self.value / divisor
        return self._with(value, (self, 1 / divisor), (other, -value / divisor))

    def __rtruediv__(self, other: Any) -> "Traced":
        value = plain(other) / self.value
        return self._with(value, (self, -value / self.value))

    def __floordiv__(self, other: Any) -> "Traced":
        divisor = plain(other)
        slope = -self.value / divisor / divisor
        return self._with(self.value // divisor, (self, 1 / divisor), (other, slope))

    def __pow__(self, power: Any) -> "Traced":
        if isinstance(power, Traced):
            raise TypeError("a weight cannot be an exponent; use np.exp and np.log")
        return self._with(self.value**power, (self, power * self.value ** (power - 1)))

    def __neg__(self) -> "Traced":
        return self._with(-self.value, (self, -1.0))

    def __pos__(self) -> "Traced":
        return self

    def __abs__(self) -> "Traced":
        return -self if self.value < 0 else self

    def __round__(self, digits: int | None = None) -> "Traced":
        return self._with(round(self.value, digits), (self, 1.0))

    __radd__ = __add__
    __rmul__ = __mul__

    def __lt__(self, other: Any) -> bool:
        return bool(self.value < plain(other))

    def __le__(self, other: Any) -> bool:
        return bool(self.value <= plain(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self.value > plain(other))

    def __ge__(self, other: Any) -> bool:
        return bool(self.value >= plain(other))

    def __eq__(self, other: object) -> bool:
        return bool(self.value == plain(other))

    def __bool__(self) -> bool:
        return bool(self.value)

    def __float__(self) -> float:
        raise TypeError(
            "a weight must not pass through float(), int() or the functions of 'math', which lose"
            " its derivative; use those of NumPy, as np.tanh"
        )

    __int__ = __index__ = __float__

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            return NotImplemented
        if len(inputs) == 2 and function in _OPERATORS:
            return _OPERATORS[function](*inputs)
        if function not in _FUNCTIONS:
            raise TypeError(f"np.{function.__name__} of a weight has no derivative here")
        value, slope = _FUNCTIONS[function](self.value)
        return self._with(value, (self, slope))


class TracedWeights:
    """Weights that record how they are used; each is recorded when it is first read."""

    def __init__(self, tape: Tape, weights: Any) -> None:
        self._tape, self._weights = tape, weights
        self.read: dict[int, Traced] = {}
        """The weights that were read, by index."""

    def __len__(self) -> int:
        return len(self._weights)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = int(index) + (len(self) if index < 0 else 0)
        if place not in self.read:
            self.read[place] = self._tape.number(float(self._weights[place]))
        return self.read[place]

    def __iter__(self) -> Iterator[Traced]:
        return (self[index] for index in range(len(self)))


def trace(
    function: Callable[..., Any], position: Any, weights: Any
) -> tuple[float, dict[int, float]]:
    """Return `function(position, weights)`, and its derivative by every weight that it reads."""
    tape = Tape()
    traced = TracedWeights(tape, weights)
    with np.errstate(over="ignore"):
        result = function(position, traced)
    if not isinstance(result, Traced):  # it does not depend on the weights
        return float(result), {}
    slopes = tape.gradient(result)
    return float(result.value), {index: slopes[one.place] for index, one in traced.read.items()}


def plain(value: Any) -> Any:
    """Return the value of a number, recorded or not."""
    return value.value if isinstance(value, Traced) else value


def _tanh(x: float) -> tuple[float, float]:
    return math.tanh(x), 1 - math.tanh(x) ** 2


_FUNCTIONS: dict[Any, Callable[[float], tuple[float, float]]] = {
    np.tanh: _tanh,
    np.exp: lambda x: (math.exp(x), math.exp(x)),
    np.log: lambda x: (math.log(x), 1 / x),
    np.sqrt: lambda x: (math.sqrt(x), 0.5 / math.sqrt(x)),
    np.absolute: lambda x: (abs(x), -1.0 if x < 0 else 1.0),
    np.floor: lambda x: (math.floor(x), 1.0),
    np.rint: lambda x: (round(x), 1.0),
}
"""The value and the derivative of functions of NumPy."""
_OPERATORS: dict[Any, Callable[[Any, Any], Any]] = {
    np.add: lambda a, b: a + b if isinstance(a, Traced) else b + a,
    np.subtract: lambda a, b: a - b if isinstance(a, Traced) else b.__rsub__(a),
    np.multiply: lambda a, b: a * b if isinstance(a, Traced) else b * a,
    np.divide: lambda a, b: a / b if isinstance(a, Traced) else b.__rtruediv__(a),
    np.maximum: lambda a, b: a if plain(a) >= plain(b) else b,
    np.minimum: lambda a, b: a if plain(a) <= plain(b) else b,
    np.less: lambda a, b: plain(a) < plain(b),
    np.less_equal: lambda a, b: plain(a) <= plain(b),
    np.greater: lambda a, b: plain(a) > plain(b),
    np.greater_equal: lambda a, b: plain(a) >= plain(b),
    np.equal: lambda a, b: plain(a) == plain(b),
}
"""Operators and functions of two numbers, one of which may be a number of NumPy."""

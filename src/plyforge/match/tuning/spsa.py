"""Simultaneous perturbation stochastic approximation (SPSA).

Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
approximation", IEEE Transactions on Automatic Control 37, 1992.  Each iteration moves all
parameters at once by plus or minus c_k, each sign at random, and compares the two points.  The
better one shows the direction in which all parameters take a step; two measurements are enough for
any number of parameters.

The gains are given by their values at the last iteration, as on Stockfish's testing site: `step` is
c_k of a parameter at the end, and `rate` is a_k / c_k^2 at the end.  A result is the difference of
points in a pair of games, from -2 to 2; Spall's divisor 2 is part of the rate.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from plyforge.core.randomness import Stream

ALPHA: Final = 0.602
"""The exponent with which a_k decreases."""
GAMMA: Final = 0.101
"""The exponent with which c_k decreases."""
STABILITY: Final = 0.1
"""Spall's A as a share of the iterations: it keeps the first steps small."""
MIN_INTEGER_STEP: Final = 0.5
"""With a smaller step, both points could be rounded to the same integer."""
_DEFAULT_RATE: Final = 0.5
_UNIT: Final = 2.0**-64


@dataclass(frozen=True)
class TunedParameter:
    """A parameter to tune: where it starts, its range, and how far it is moved for a comparison."""

    name: str
    start: float
    minimum: float
    maximum: float
    step: float
    """c_k at the last iteration; earlier ones are larger."""
    integer: bool = False

    def clip(self, value: float) -> float:
        """Return the value of the range that is nearest to a value."""
        return min(max(value, self.minimum), self.maximum)

    def round(self, value: float) -> float:
        """Return a result as it is written: an integer, or in about hundredths of the step."""
        clipped = self.clip(value)
        if self.integer:
            return math.floor(clipped + 0.5)
        return self.clip(round(clipped, 2 - math.floor(math.log10(self.step))))


@dataclass(frozen=True)
class Comparison:
    """Two points to compare: the values moved along a direction, and against it."""

    plus: tuple[float, ...]
    minus: tuple[float, ...]
    signs: tuple[int, ...]


def default_rate(comparisons: int) -> float:
    """Return a rate for a number of comparisons in all.

    Pure chance then moves a parameter by about its step, however many games are played.
    """
    return _DEFAULT_RATE / math.sqrt(comparisons)


class Spsa:
    """The state of a tuning: the values of the parameters after each iteration.

    The same seed and the same results give the same values.
    """

    def __init__(
        self,
        parameters: Sequence[TunedParameter],
        iterations: int,
        rate: float,
        seed: int = 0,
        comparisons: int = 1,
    ) -> None:
        self.parameters = tuple(parameters)
        self.iterations = iterations
        self.rate = rate
        self.comparisons = comparisons
        """How many comparisons an iteration makes, each in a direction of its own."""
        self.course: list[tuple[float, ...]] = [tuple(float(one.start) for one in self.parameters)]
        """The values before the first iteration and after each one."""
        self._stream = Stream(seed).split("spsa")

    @property
    def values(self) -> tuple[float, ...]:
        """The values of the parameters now."""
        return self.course[-1]

    @property
    def done(self) -> int:
        """The number of finished iterations."""
        return len(self.course) - 1

    def compare(self) -> list[Comparison]:
        """Return the comparisons of the next iteration; the same ones until `update` is called."""
        first = self.done * self.comparisons
        return [self._comparison(number) for number in range(first, first + self.comparisons)]

    def update(self, results: Sequence[float]) -> None:
        """Finish an iteration with the results of its comparisons: positive if `plus` is better."""
        moves = [0.0] * len(self.parameters)
        for comparison, result in zip(self.compare(), results, strict=True):
            for place, sign in enumerate(comparison.signs):
                moves[place] += sign * result
        self.course.append(
            tuple(
                one.clip(value + self._gain(one) * move)
                for one, value, move in zip(self.parameters, self.values, moves, strict=True)
            )
        )

    def _comparison(self, number: int) -> Comparison:
        stream = self._stream.split(f"comparison {number}")
        signs = tuple(1 - 2 * stream.below(2) for _ in self.parameters)
        # An integer is rounded at random, both points by the same number: on the average it is
        # where the parameter is, and the points still differ.
        shares = [stream.next_word() * _UNIT for _ in self.parameters]

        def point(direction: int) -> tuple[float, ...]:
            moved = []
            for one, value, sign, share in zip(
                self.parameters, self.values, signs, shares, strict=True
            ):
                far = value + direction * sign * self._distance(one)
                moved.append(one.clip(math.floor(far + share) if one.integer else far))
            return tuple(moved)

        return Comparison(point(1), point(-1), signs)

    def _distance(self, parameter: TunedParameter) -> float:
        """Return c_k of the next iteration."""
        return parameter.step * math.pow(self.iterations / (self.done + 1), GAMMA)

    def _gain(self, parameter: TunedParameter) -> float:
        """Return a_k / c_k of the next iteration."""
        shift = STABILITY * self.iterations
        decrease = math.pow((shift + self.iterations) / (shift + self.done + 1), ALPHA)
        return self.rate * parameter.step * parameter.step * decrease / self._distance(parameter)

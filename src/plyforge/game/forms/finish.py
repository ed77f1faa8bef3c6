"""The last step of a form: from a sum to the value, by unit, rounding and limit."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.game.forms.weights import Reals

NEAREST: Final = "nearest"
ZERO: Final = "zero"
ROUNDINGS: Final = (NEAREST, ZERO)


@dataclass(frozen=True)
class Finish:
    """Divides a sum by `unit`, rounds it to an integer if asked, and limits it to ±`limit`."""

    unit: float = 1
    limit: float | None = None
    rounding: str | None = None

    def __post_init__(self) -> None:
        if not _is_positive(self.unit):
            raise ValueError(f"unit must be a positive number, not {self.unit!r}")
        if self.limit is not None and not _is_positive(self.limit):
            raise ValueError(f"limit must be a positive number or None, not {self.limit!r}")
        if self.rounding not in (*ROUNDINGS, None):
            raise ValueError(f"rounding must be 'nearest', 'zero' or None, not {self.rounding!r}")

    def lines(self, integral: bool, scale: str, share: float, limits: "Limits") -> list[str]:
        """Return source that turns `total` into `value`.

        `integral` says that the total is an integer and not to be scaled; else `scale` is the
        source of its factor, empty for 1.  `share` is a divisor besides the unit.
        """
        divisor = self.unit * share
        whole = integral and float(divisor).is_integer()
        if whole and self.rounding == NEAREST:
            return [f"value = (total + {int(divisor) // 2}) // {int(divisor)}", *self._cap(limits)]
        if whole and self.rounding == ZERO:
            return [
                f"value = total // {int(divisor)} if total >= 0 else -(-total // {int(divisor)})",
                *self._cap(limits),
            ]
        value = f"total * {scale}" if scale else "total"
        value = value if divisor == 1 else f"{value} / {divisor!r}"
        if self.rounding == NEAREST:
            value = f"math.floor({value} + 0.5)"
        elif self.rounding == ZERO:
            value = f"int({value})"
        return [f"value = {value}", *self._cap(limits)]

    def _cap(self, limits: "Limits") -> list[str]:
        low, high = self.bounds(limits)
        if low == -np.inf and high == np.inf:
            return []
        return [f"value = max({low!r}, min({high!r}, value))"]

    def bounds(self, limits: "Limits") -> tuple[float, float]:
        """Return the limits of the value, from the form and from outside."""
        low, high = limits or (-np.inf, np.inf)
        if self.limit is not None:
            low, high = max(low, -self.limit), min(high, self.limit)
        return low, high

    def values(self, totals: Reals, limits: "Limits" = None) -> Reals:
        """Return the values of sums, as the source of `lines` computes them."""
        values: Reals = np.clip(self.rounded(totals / self.unit), *self.bounds(limits))
        return values

    def rounded(self, values: Any) -> Any:
        """Round values that are not limited yet."""
        if self.rounding == NEAREST:
            return np.floor(values + 0.5)
        return np.trunc(values) if self.rounding == ZERO else values

    def slopes(self, totals: Reals, limits: "Limits" = None) -> Reals:
        """Return the derivative of the value by the sum.

        It is 0 beyond a limit.  Rounding counts as if it did not happen.
        """
        low, high = self.bounds(limits)
        inside = (low <= totals / self.unit) & (totals / self.unit <= high)
        return inside / self.unit


Limits = tuple[float, float] | None
"""Limits of the value besides those of the form: the range of an evaluation from a file."""


def _is_positive(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and bool(np.isfinite(value)) and value > 0

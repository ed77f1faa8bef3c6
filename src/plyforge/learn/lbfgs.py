"""Minimise a smooth function by L-BFGS.

J. Nocedal, Updating quasi-Newton matrices with limited storage, Mathematics of Computation 35,
1980. The line search halves a step until it satisfies Armijo's condition, and lengthens it while
the function still falls steeply (Wolfe's condition).
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from plyforge.learn.inputs import Reals

_MEMORY: Final = 10
_ARMIJO: Final = 1e-4
_WOLFE: Final = 0.9
_MAX_TRIALS: Final = 60

Objective = Callable[[Reals], tuple[float, Reals]]
"""Returns the value of a function and its gradient."""


def minimise(
    objective: Objective,
    start: Reals,
    iterations: int,
    tolerance: float,
    report: Callable[[int, float], object] = lambda iteration, value: None,
) -> tuple[Reals, float]:
    """Return the point and the value that were found.

    It ends when the largest entry of the gradient is at most `tolerance`, or no step improves.
    """
    point = np.array(start, np.float64)
    value, gradient = objective(point)
    pairs: list[tuple[Reals, Reals]] = []
    for iteration in range(iterations):
        if not np.isfinite(value) or np.abs(gradient).max(initial=0.0) <= tolerance:
            break
        direction = -_product(pairs, gradient)
        if not pairs:
            direction /= max(1.0, float(np.linalg.norm(gradient)))
        found = _search(objective, point, value, gradient, direction)
        if found is None:
            if not pairs:
                break
            pairs.clear()  # start again with the gradient itself
            continue
        step, value, after = found
        change = after - gradient
        if float(step @ change) > 1e-12 * float(np.linalg.norm(step) * np.linalg.norm(change)):
            pairs = [*pairs[1 - _MEMORY :], (step, change)]
        point, gradient = point + step, after
        report(iteration + 1, value)
    return point, value


def _search(
    objective: Objective, point: Reals, value: float, gradient: Reals, direction: Reals
) -> tuple[Reals, float, Reals] | None:
    """Return a step along a direction, and the value and gradient there."""
    slope = float(gradient @ direction)
    if slope >= 0.0:
        return None
    low, high, length = 0.0, np.inf, 1.0
    best = None
    for _ in range(_MAX_TRIALS):
        step = length * direction
        other, after = objective(point + step)
        if not np.isfinite(other) or other > value + _ARMIJO * length * slope:
            high = length
        else:
            best = step, other, after
            if float(after @ direction) >= _WOLFE * slope:
                return best
            low = length
        length = 2.0 * low if high == np.inf else 0.5 * (low + high)
        if high - low < 1e-16 * length:
            break
    return best


def _product(pairs: list[tuple[Reals, Reals]], gradient: Reals) -> Reals:
    """Return the estimate of the inverse Hessian matrix times the gradient, by two loops."""
    result = gradient.copy()
    factors = []
    for step, change in reversed(pairs):
        factor = float(step @ result) / float(step @ change)
        result -= factor * change
        factors.append(factor)
    if pairs:
        step, change = pairs[-1]
        result *= float(step @ change) / float(change @ change)
    for (step, change), factor in zip(pairs, reversed(factors), strict=True):
        result += (factor - float(change @ result) / float(step @ change)) * step
    return result

"""Sums of features, each multiplied by a weight."""

from collections.abc import Iterable
from typing import Any, overload


@overload
def weighted_sum(features: Iterable[int], weights: Iterable[int]) -> int: ...
@overload
def weighted_sum(features: Iterable[float], weights: Iterable[float]) -> float: ...
def weighted_sum(features: Any, weights: Any) -> Any:
    """Return the sum of every feature times its weight, added from left to right.

    For compiled rules the features must be a tuple of one type, all ints or all floats, and the
    weights a tuple or an array of one type.

    >>> weighted_sum((3, -1), (100, 1))
    299
    """
    total = 0
    for feature, weight in zip(features, weights):  # noqa: B905 (compiled code has no `strict`)
        total += feature * weight
    return total

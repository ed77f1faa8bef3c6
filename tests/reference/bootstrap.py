"""Bootstrap intervals the slow way: draw rows, compute the figure, sort, take the percentiles."""

import random
from collections.abc import Callable, Sequence


def interval(
    rows: Sequence[tuple[float, ...]],
    figure: Callable[[Sequence[tuple[float, ...]]], float],
    draws: int,
    seed: int,
) -> tuple[float, float]:
    """The 2.5th and 97.5th percentile of a figure over rows drawn with replacement."""
    chance = random.Random(seed)
    found = sorted(figure([chance.choice(rows) for _ in rows]) for _ in range(draws))
    return found[round(0.025 * draws)], found[round(0.975 * draws) - 1]


def mean(rows: Sequence[tuple[float, ...]]) -> float:
    return sum(row[0] for row in rows) / len(rows)


def ratio(rows: Sequence[tuple[float, ...]]) -> float:
    return sum(row[0] for row in rows) / sum(row[1] for row in rows)

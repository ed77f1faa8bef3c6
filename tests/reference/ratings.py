"""Slow and obvious twins of the ratings: searches by small steps and plain ascent."""

import math
from collections.abc import Callable, Sequence

Rows = Sequence[tuple[str, str, float, float]]


def constrained_likelihood(counts: Sequence[float], score: float) -> float:
    """The greatest log-likelihood of counts under an expected score.

    All but the first and the last probability are free; those two follow from the sum and the
    mean.  From a distribution that has them, each free one is moved up and down by a step that is
    halved when nothing improves.
    """
    last = len(counts) - 1
    binomial = [math.comb(last, i) * score**i * (1 - score) ** (last - i) for i in range(last + 1)]
    inner = binomial[1:-1]

    def likelihood(free: Sequence[float]) -> float:
        mean = sum(p * (i + 1) / last for i, p in enumerate(free))
        top = score - mean
        everything = [1 - sum(free) - top, *free, top]
        if min(everything) <= 0:
            return -math.inf
        return sum(n * math.log(p) for n, p in zip(counts, everything, strict=True))

    return _climb(likelihood, inner, 0.1, 1e-9)


def _climb(
    value: Callable[[Sequence[float]], float], start: Sequence[float], step: float, min_step: float
) -> float:
    """The greatest value that steps along each axis, and along each pair of axes, lead to."""
    size = len(start)
    axes = [[float(i == j) for j in range(size)] for i in range(size)]
    directions = [[s * x for x in axis] for axis in axes for s in (1, -1)]
    directions += [
        [s * x + t * y for x, y in zip(a, b, strict=True)]
        for i, a in enumerate(axes)
        for b in axes[:i]
        for s in (1, -2, 2, -1)
        for t in (1, -1)
    ]
    point, best = list(start), value(start)
    while step > min_step:
        improved = False
        for direction in directions:
            other = [x + step * d for x, d in zip(point, direction, strict=True)]
            there = value(other)
            if there > best:
                point, best, improved = other, there, True
        if not improved:
            step /= 2
    return best


def ratings_by_ascent(
    rows: Rows, prior: float, advantage: bool, rounds: int = 5000
) -> tuple[dict[str, float], float]:
    """Ratings with a mean of 0 and the first player's advantage, in Elo, by gradient ascent."""
    names = sorted({name for row in rows for name in row[:2]})
    ratings = dict.fromkeys([*names, "the virtual player"], 0.0)
    lead = 0.0
    virtual = [(name, "the virtual player", prior / 2, prior) for name in names]
    rate = 1 / (sum(row[3] for row in rows) + (len(names) + 1) * prior)
    for _ in range(rounds):
        slopes = dict.fromkeys(ratings, 0.0)
        lead_slope = prior / 2 - prior * _logistic(lead)
        for number, (one, two, points, games) in enumerate([*rows, *virtual]):
            real = number < len(rows)
            excess = points - games * _logistic(ratings[one] - ratings[two] + lead * real)
            slopes[one] += excess
            slopes[two] -= excess
            lead_slope += excess * real
        for name, slope in slopes.items():
            ratings[name] += rate * slope
        lead += rate * lead_slope * advantage
    mean = sum(ratings[name] for name in names) / len(names)
    points_per_nat = 400 / math.log(10)
    return {n: points_per_nat * (ratings[n] - mean) for n in names}, points_per_nat * lead


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))

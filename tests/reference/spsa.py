"""SPSA as it is written in papers: all gains first, then one iteration after the other."""

from collections.abc import Sequence


def gains(step: float, rate: float, iterations: int) -> list[tuple[float, float]]:
    """Return (a_k, c_k) for k = 1, 2, ..., from their values at the last iteration."""
    big_a = 0.1 * iterations
    c = step * iterations**0.101
    a = rate * step**2 * (big_a + iterations) ** 0.602
    return [(a / (big_a + k) ** 0.602, c / k**0.101) for k in range(1, iterations + 1)]


def follow(
    start: float, step: float, rate: float, signs: Sequence[int], results: Sequence[float]
) -> list[float]:
    """Return the values of one parameter without a range, before and after each iteration."""
    values = [start]
    table = gains(step, rate, len(results))
    for (a, c), sign, result in zip(table, signs, results, strict=True):
        gradient = result / (c * sign)
        values.append(values[-1] + a * gradient)
    return values

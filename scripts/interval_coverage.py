"""How often intervals contain the truth when there are few games: a simulation.

python -m scripts.interval_coverage [--trials N] [--seed N]

Figures are made up like those of searches: sizes differ a hundredfold between positions, positions
of one game resemble each other, and the ratio differs from game to game. Three intervals for the
ratio of two sums are compared: percentiles of a bootstrap over games, the linear approximation of
Cochran (1977) with Student's distribution, and the jackknife that the laboratory uses.
"""

import argparse
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from plyforge.lab import statistics, student
from plyforge.match.tables import Table

TRUTH = 0.6
POSITIONS = 40
"""Positions of a game."""
DRAWS = 1000

Floats = npt.NDArray[np.float64]
Interval = Callable[[Floats, Floats, np.random.Generator], tuple[float, float]]


def draw(games: int, spread: float, chance: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the sums of two figures over each game."""
    size = chance.normal(0, 0.6, (games, 1)) + chance.normal(0, 0.8, (games, POSITIONS))
    factor = chance.normal(0, 0.2, (games, 1)) + chance.normal(0, 0.4, (games, POSITIONS))
    sizes = np.exp(spread * size)
    values = TRUTH * sizes * np.exp(spread * factor - spread**2 * (0.2**2 + 0.4**2) / 2)
    return values.sum(axis=1), sizes.sum(axis=1)


def bootstrap(top: Floats, bottom: Floats, chance: np.random.Generator) -> tuple[float, float]:
    """Return percentiles of the ratio over games that are drawn again (Efron 1979)."""
    chosen = chance.integers(0, len(top), (DRAWS, len(top)))
    low, high = np.percentile(top[chosen].sum(axis=1) / bottom[chosen].sum(axis=1), (2.5, 97.5))
    return float(low), float(high)


def linear(top: Floats, bottom: Floats, _: np.random.Generator) -> tuple[float, float]:
    """Return the interval by the variance of the residuals of games (Cochran 1977)."""
    ratio, games = top.sum() / bottom.sum(), len(top)
    residuals = ((top - ratio * bottom) ** 2).sum()
    error = np.sqrt(games / (games - 1) * residuals) / bottom.sum()
    reach = student.quantile(0.975, games - 1) * error
    return float(ratio - reach), float(ratio + reach)


def jackknife(top: Floats, bottom: Floats, _: np.random.Generator) -> tuple[float, float]:
    """Return the interval of the laboratory."""
    found = statistics.ratio(top.tolist(), bottom.tolist())
    return found.low, found.high


INTERVALS: dict[str, Interval] = {
    "bootstrap": bootstrap,
    "linear": linear,
    "jackknife": jackknife,
}


def coverage(
    interval: Interval, games: int, spread: float, trials: int, seed: int
) -> tuple[float, float]:
    """Return how often an interval contains the truth, and its median width over the ratio."""
    chance, held, widths = np.random.default_rng(seed), 0, []
    for _ in range(trials):
        low, high = interval(*draw(games, spread, chance), chance)
        held += low <= TRUTH <= high
        widths.append((high - low) / TRUTH)
    return held / trials, float(np.median(widths))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rows = []
    for spread, name in ((1.0, "moderate"), (1.6, "strong")):
        for games in (5, 10, 25, 50):
            cells = []
            for interval in INTERVALS.values():
                held, width = coverage(interval, games, spread, arguments.trials, arguments.seed)
                cells.append(f"{100 * held:.1f} % (± {50 * width:.0f} %)")
            rows.append((f"{name} differences, {games} games", *cells))
    print(Table(("", *INTERVALS), tuple(rows)).markdown(), end="")


if __name__ == "__main__":
    main()

"""Sequential tests on random results: how often they err, and how long they take."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plyforge.match.ratings.elo import expected_score
from plyforge.match.ratings.sprt import Floats, Sprt, most_likely_distribution


@dataclass(frozen=True)
class Simulation:
    """How many tests accepted which hypothesis, and the mean number of results of a test."""

    runs: int
    accepted_h0: int
    accepted_h1: int
    mean_length: float

    @property
    def unfinished(self) -> int:
        """The tests that were cut off."""
        return self.runs - self.accepted_h0 - self.accepted_h1


def shift(frequencies: Sequence[float], elo: float) -> Floats:
    """Return frequencies close to these, for a player who is better by `elo`."""
    weights = np.asarray(frequencies, np.float64)
    return most_likely_distribution(weights / weights.sum(), expected_score(elo))


def simulate(
    sprt: Sprt, frequencies: Floats, seed: int, runs: int = 1000, max_results: int = 100_000
) -> Simulation:
    """Run a test many times on results of these frequencies.

    All tests advance together and look at the ratio after every result.
    """
    random = np.random.default_rng(seed)
    bounds = np.cumsum(frequencies)[:-1]
    counts = np.zeros((runs, len(frequencies)))
    accepted = [0, 0]
    results = 0
    for _ in range(max_results):
        drawn = np.searchsorted(bounds, random.random(len(counts)), side="right")
        counts[np.arange(len(counts)), drawn] += 1
        results += len(counts)
        llrs = sprt.llrs(counts)
        ends = (llrs <= sprt.lower, llrs >= sprt.upper)
        accepted = [before + int(ended.sum()) for before, ended in zip(accepted, ends, strict=True)]
        counts = counts[~(ends[0] | ends[1])]
        if not len(counts):
            break
    return Simulation(runs, accepted[0], accepted[1], results / runs)

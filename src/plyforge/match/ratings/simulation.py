"""Sequential tests on drawn results: how often they err, and how long they take."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from plyforge.core.errors import PlyforgeError, clip
from plyforge.match.ratings.elo import expected_score
from plyforge.match.ratings.pentanomial import GAME_RESULTS, PAIR_RESULTS
from plyforge.match.ratings.sprt import MAX_ELO, Floats, Sprt, likeliest

_RUNS: Final = 1000
_MOST: Final = 100_000


@dataclass(frozen=True)
class Simulated:
    """How many tests accepted which hypothesis, and the results that one took on average."""

    runs: int
    accepted_h0: int
    accepted_h1: int
    mean_length: float

    @property
    def unfinished(self) -> int:
        """The tests that were cut off."""
        return self.runs - self.accepted_h0 - self.accepted_h1


def of_strength(frequencies: Sequence[float] | Floats, elo: float) -> Floats:
    """Frequencies like these, of a player who is better by so much Elo."""
    if not -MAX_ELO <= elo <= MAX_ELO:
        raise PlyforgeError(f"elo = {elo!r}: give a difference within ±{MAX_ELO:g}")
    return likeliest(_checked(frequencies), expected_score(elo))


def simulate(
    sprt: Sprt,
    frequencies: Sequence[float] | Floats,
    seed: int,
    runs: int = _RUNS,
    most: int = _MOST,
) -> Simulated:
    """Run a test many times on results of these frequencies, at most `most` results each.

    All tests go on together, looking at the ratio after every result.
    """
    if runs < 1 or most < 1:
        raise PlyforgeError(f"runs = {runs!r}, most = {most!r}: give 1 or more")
    random = np.random.default_rng(seed)
    bounds = np.cumsum(_checked(frequencies))[:-1]
    counts = np.zeros((runs, len(frequencies)))
    accepted = [0, 0]
    results = 0
    for _ in range(most):
        drawn = np.searchsorted(bounds, random.random(len(counts)), side="right")
        counts[np.arange(len(counts)), drawn] += 1
        results += len(counts)
        llrs = sprt.llrs(counts)
        ends = (llrs <= sprt.lower, llrs >= sprt.upper)
        accepted = [before + int(ended.sum()) for before, ended in zip(accepted, ends, strict=True)]
        counts = counts[~(ends[0] | ends[1])]
        if not len(counts):
            break
    return Simulated(runs, accepted[0], accepted[1], results / runs)


def _checked(frequencies: Sequence[float] | Floats) -> Floats:
    """Frequencies with a sum of 1."""
    weights = np.asarray(frequencies, np.float64)
    known = weights.shape in ((GAME_RESULTS,), (PAIR_RESULTS,)) and np.isfinite(weights).all()
    if not (known and weights.min() >= 0 and weights[0] > 0 and weights[-1] > 0):
        told = clip(f"{frequencies!r}")
        raise PlyforgeError(
            f"frequencies {told}: give {GAME_RESULTS} for games or {PAIR_RESULTS} for pairs,"
            " none negative, the first and the last positive"
        )
    return np.asarray(weights / weights.sum())

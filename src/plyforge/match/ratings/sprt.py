"""The sequential probability ratio test: play until it is clear which of two hypotheses holds.

H0 says that the difference is `elo0`, H1 that it is `elo1`.  The ratio of their likelihoods is
generalised, as nothing else is known of the results' distribution: each hypothesis is given the
distribution that makes the results most likely among those with its expected score.  That one is
p[i] / (1 + x (a[i] - s)) for results a[i] of frequency p[i] and the score s, where x solves

    sum of p[i] (a[i] - s) / (1 + x (a[i] - s)) = 0.

A result that never came up counts as `UNSEEN`, or a hypothesis could have no distribution.
"""

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from plyforge.core.errors import PlyforgeError
from plyforge.match.ratings.elo import expected_score
from plyforge.match.ratings.pentanomial import Sample

Floats = npt.NDArray[np.float64]
Verdict = Literal["continue", "H0", "H1"]

UNSEEN: Final = 1e-3
"""What a result counts for that never came up, as is customary."""
MAX_ELO: Final = 1000.0
_STEPS: Final = 200
"""More than any root takes: halving alone needs some sixty."""
_CLOSE: Final = 1e-13


@dataclass(frozen=True)
class Progress:
    """Where a test stands."""

    llr: float
    lower: float
    upper: float
    verdict: Verdict


@dataclass(frozen=True)
class Sprt:
    """A test of `elo0` against `elo1`, with the odds of wrongly accepting H1 and H0.

    >>> test = Sprt(0, 10)
    >>> progress = test.progress(Sample((20, 80, 150, 130, 40)))
    >>> round(progress.llr, 2), progress.verdict
    (4.18, 'H1')
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            raise PlyforgeError(
                f"elo0 = {self.elo0!r}, elo1 = {self.elo1!r}: give elo0 below elo1,"
                f" both within ±{MAX_ELO:g}"
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise PlyforgeError(
                f"alpha = {self.alpha!r}, beta = {self.beta!r}: give positive odds of error"
                " with a sum below 1, as 0.05"
            )

    @property
    def lower(self) -> float:
        """The ratio's logarithm at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The ratio's logarithm at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, sample: Sample) -> float:
        """The logarithm of the generalised likelihood ratio, of H1 over H0."""
        if not sample.size:
            return 0.0
        return float(self.llrs(np.array(sample.counts, np.float64)))

    def llrs(self, counts: Floats) -> Floats:
        """The same for many tests at once: the last axis holds a test's counts."""
        seen = np.where(counts == 0, UNSEEN, counts)
        h0, h1 = (_likelihood(seen, expected_score(elo)) for elo in (self.elo0, self.elo1))
        return h1 - h0

    def progress(self, sample: Sample) -> Progress:
        """The ratio, its bounds, and what follows."""
        llr = self.llr(sample)
        return Progress(llr, self.lower, self.upper, self.verdict(llr))

    def verdict(self, llr: float) -> Verdict:
        """What a ratio's logarithm says."""
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else "continue"


def likeliest(counts: Floats, score: float) -> Floats:
    """The distribution of this expected score that makes the counts most likely."""
    frequencies = counts / counts.sum(axis=-1, keepdims=True)
    return np.asarray(frequencies / _tilt(counts, score))


def _likelihood(counts: Floats, score: float) -> Floats:
    """The greatest log-likelihood under a score, less what is the same for every score."""
    return np.asarray(-(counts * np.log(_tilt(counts, score))).sum(axis=-1))


def _tilt(counts: Floats, score: float) -> Floats:
    """What each frequency is divided by to have the score as its mean."""
    distances = np.linspace(0.0, 1.0, counts.shape[-1]) - score
    return np.asarray(1 + _multiplier(counts, distances)[..., None] * distances)


def _multiplier(counts: Floats, distances: Floats) -> Floats:
    """Newton's method between two ends that close in on the root; the sum falls throughout."""
    frequencies = counts / counts.sum(axis=-1, keepdims=True)
    shape = counts.shape[:-1]
    low = np.full(shape, -1 / distances[-1])
    high = np.full(shape, -1 / distances[0])
    x = np.zeros(shape)
    for _ in range(_STEPS):
        shares = distances / (1 + x[..., None] * distances)
        value = (frequencies * shares).sum(axis=-1)
        slope = -(frequencies * shares**2).sum(axis=-1)
        low, high = np.where(value > 0, x, low), np.where(value > 0, high, x)
        step = x - value / slope
        inside = (step > low) & (step < high)
        following = np.where(inside, step, (low + high) / 2)
        if np.all(np.abs(following - x) <= _CLOSE * (1 + np.abs(x))):
            break
        x = following
    return x

"""The sequential probability ratio test: play until it is clear which of two hypotheses holds.

H0 says that the difference is `elo0`, H1 that it is `elo1`.  The distribution of results is not
known otherwise, so the likelihood ratio is generalised: each hypothesis gets the distribution that
makes the results most likely among those with its expected score.  For results a[i] of frequency
p[i] and the score s it is p[i] / (1 + x (a[i] - s)), where x solves

    sum of p[i] (a[i] - s) / (1 + x (a[i] - s)) = 0.

A result with count 0 counts as `UNSEEN`; otherwise a hypothesis might have no distribution.
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
"""The count of a result that did not occur, as in Fishtest."""
MAX_ELO: Final = 1000.0
_STEPS: Final = 200
"""More than any root takes: bisection alone needs about sixty."""
_TOLERANCE: Final = 1e-13


@dataclass(frozen=True)
class Progress:
    """The state of a test."""

    llr: float
    lower: float
    upper: float
    verdict: Verdict


@dataclass(frozen=True)
class Sprt:
    """A test of `elo0` against `elo1`; `alpha` and `beta` are its error rates.

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
                f"elo0 must be less than elo1, both within ±{MAX_ELO:g}, not {self.elo0!r} and"
                f" {self.elo1!r}"
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise PlyforgeError(
                "alpha and beta must be positive with a sum below 1, as 0.05, not"
                f" {self.alpha!r} and {self.beta!r}"
            )

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, sample: Sample) -> float:
        """Return the generalised log-likelihood ratio of H1 to H0."""
        if not sample.size:
            return 0.0
        return float(self.llrs(np.array(sample.counts, np.float64)))

    def llrs(self, counts: Floats) -> Floats:
        """Return the ratios of many tests: the last axis holds the counts of a test."""
        seen = np.where(counts == 0, UNSEEN, counts)
        h0, h1 = (_likelihood(seen, expected_score(elo)) for elo in (self.elo0, self.elo1))
        return h1 - h0

    def progress(self, sample: Sample) -> Progress:
        """Return the ratio, its bounds and the verdict."""
        llr = self.llr(sample)
        return Progress(llr, self.lower, self.upper, self.verdict(llr))

    def verdict(self, llr: float) -> Verdict:
        """Return the verdict of a log-likelihood ratio."""
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else "continue"


def most_likely_distribution(counts: Floats, score: float) -> Floats:
    """Return the distribution of this expected score that makes the counts most likely."""
    frequencies = counts / counts.sum(axis=-1, keepdims=True)
    return np.asarray(frequencies / _tilt(counts, score))


def _likelihood(counts: Floats, score: float) -> Floats:
    """Return the maximum log-likelihood for a score, up to a constant."""
    return np.asarray(-(counts * np.log(_tilt(counts, score))).sum(axis=-1))


def _tilt(counts: Floats, score: float) -> Floats:
    """Return the divisors of the frequencies that make the score their mean."""
    distances = np.linspace(0.0, 1.0, counts.shape[-1]) - score
    return np.asarray(1 + _multiplier(counts, distances)[..., None] * distances)


def _multiplier(counts: Floats, distances: Floats) -> Floats:
    """Solve for x by Newton's method within brackets; the sum decreases in x."""
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
        if np.all(np.abs(following - x) <= _TOLERANCE * (1 + np.abs(x))):
            break
        x = following
    return x

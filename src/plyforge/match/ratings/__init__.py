"""Elo differences, sequential tests and ratings of many players from counts of results.

>>> score = Score.of([(1, 0), (1, 0.5), (1, 1), (0.5, 0.5)])
>>> round(elo(score.sample).value)
137
"""

from plyforge.match.ratings.bradley_terry import PairResult, Ratings, fit
from plyforge.match.ratings.elo import (
    Estimate,
    elo,
    elo_difference,
    expected_score,
    normalised_elo,
    score_interval,
    superiority,
)
from plyforge.match.ratings.pentanomial import Sample, Score
from plyforge.match.ratings.sprt import Progress, Sprt, Verdict

__all__ = [
    "Estimate",
    "PairResult",
    "Progress",
    "Ratings",
    "Sample",
    "Score",
    "Sprt",
    "Verdict",
    "elo",
    "elo_difference",
    "expected_score",
    "fit",
    "normalised_elo",
    "score_interval",
    "superiority",
]

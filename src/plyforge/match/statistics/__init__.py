"""What a game is like when it is played: who wins, how long it takes, how wide it is."""

from plyforge.match.statistics.figures import Statistics
from plyforge.match.statistics.sources import GameSource, RandomPlay
from plyforge.match.statistics.survey import Budget, Survey

__all__ = ["Budget", "GameSource", "RandomPlay", "Statistics", "Survey"]

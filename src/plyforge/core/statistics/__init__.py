"""What a game is like when it is played: who wins, how long it takes, how wide it is."""

from plyforge.core.statistics.figures import Statistics
from plyforge.core.statistics.source import RandomPlay, Source
from plyforge.core.statistics.survey import Budget, Survey

__all__ = ["Budget", "RandomPlay", "Source", "Statistics", "Survey"]

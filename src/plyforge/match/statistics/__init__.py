"""Statistics of many games: who wins, how long games are, how many moves there are."""

from plyforge.match.statistics.figures import Statistics
from plyforge.match.statistics.self_play import SelfPlay, SelfPlaySettings
from plyforge.match.statistics.sources import GameSource, RandomPlay
from plyforge.match.statistics.survey import Budget, ParallelSurvey, Survey

__all__ = [
    "Budget",
    "GameSource",
    "ParallelSurvey",
    "RandomPlay",
    "SelfPlay",
    "SelfPlaySettings",
    "Statistics",
    "Survey",
]

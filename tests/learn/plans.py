"""Small plans: games of tic-tac-toe, uncompiled and in this process."""

from dataclasses import replace
from typing import Any

from plyforge.jobs.local import local_executor
from plyforge.learn import choosing
from plyforge.learn.games import GamePlan
from plyforge.learn.methods import LEAVES, find_method
from plyforge.learn.plan import LearningPlan
from plyforge.learn.runs import LearningRun
from plyforge.learn.store import LearningStore

GAMES = GamePlan("tictactoe", depth=2, seed=3, opening=2, backend="python")


def make_plan(method: str = "td", games: GamePlan = GAMES, **settings: Any) -> LearningPlan:
    """Return a plan with rounds of four games and no tests."""
    games = replace(games, lines=find_method(method).data == LEAVES)
    return LearningPlan(games, method, **{"round_games": 4, "test_rounds": 0, **settings})


def open_run(store: LearningStore, plan: LearningPlan, name: str = "one") -> LearningRun:
    """Return a run that works in this process."""
    return choosing.open_run(plan, store, name, local_executor(0))

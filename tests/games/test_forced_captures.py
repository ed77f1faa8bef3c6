"""Quiescence in checkers: forced captures are played out before a position is evaluated."""

from random import Random
from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge import Game
from plyforge.core.scores import WIN
from plyforge.engine import Engine

MAX_EVASIONS = 32
DEPTH = 2


def slow_value(game: Game, position: Any, depth: int, ply: int = 0) -> float:
    """The minimax value if captures do not count as plies at the horizon."""
    moves = game.moves(position)
    if not moves:
        return float((WIN - ply) * (1 if game.name == "giveaway" else -1))
    captures = any("x" in game.move_text(position, move) for move in moves)
    if depth <= 0 and not captures:
        return float(np.float32(game.rules.evaluate_from_scratch(position)))
    return max(-slow_value(game, game.play(position, move), depth - 1, ply + 1) for move in moves)


@pytest.mark.parametrize("name", ["checkers", "giveaway"])
def test_captures_at_the_horizon_are_played_out(name: str) -> None:
    game, random = plyforge.load(name, "python"), Random(3)
    engine = Engine(
        game,
        off=["all"],
        on=["quiescence"],
        settings={"quiescence-evasions": MAX_EVASIONS, "quiescence-plies": MAX_EVASIONS},
    )
    for _ in range(12):
        history = game.history()
        for _ in range(random.randrange(6, 40)):
            if moves := game.moves(history.position):
                history.play(random.choice(moves))
        if history.verdict().name == "ongoing":
            result = engine.analyse(history, depth=DEPTH)
            assert result.score == slow_value(game, history.position, DEPTH)

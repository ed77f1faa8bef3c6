"""The example of a driver finds what the engine's own drivers find."""

from pathlib import Path

import pytest

from plyforge import Engine
from plyforge.core.scores import outcome_name

HALVING = str(Path(__file__).parents[2] / "examples" / "drivers" / "halving.py")


@pytest.mark.parametrize("width", [0.001, 1.0, 1000.0])
@pytest.mark.parametrize(("game", "depth"), [("checkers", 6), ("connect4", 7), ("tictactoe", 9)])
def test_halving_finds_the_value(game: str, depth: int, width: float) -> None:
    driven = Engine(game, driver=HALVING, settings={"width": width}, entries=1 << 16)
    result = driven.analyse(depth=depth)
    assert result.driver == "halving"
    assert result.score == Engine(game, entries=1 << 16).analyse(depth=depth).score


@pytest.mark.parametrize(
    ("moves", "outcome"), [("b2 b1", "win"), ("b2 b1 a1", "loss"), ("a1 b2", "draw")]
)
def test_halving_finds_wins_and_losses_beyond_the_range(moves: str, outcome: str) -> None:
    engine = Engine("tictactoe", driver=HALVING, entries=1 << 12)
    root = engine.game.history()
    root.play_text(moves)
    truth = Engine("tictactoe", entries=1 << 12).analyse(root, depth=9)
    result = engine.analyse(root, depth=9)
    assert (result.score, result.proved) == (truth.score, True)
    assert outcome_name(result.score) == outcome

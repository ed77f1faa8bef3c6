"""The example of a driver finds what the engine's own drivers find."""

import runpy
from pathlib import Path

import pytest

import plyforge

DRIVERS = Path(__file__).parents[2] / "examples" / "drivers"


@pytest.mark.parametrize("depth", [1, 4, 7])
def test_halving_finds_the_value(depth):
    halving = runpy.run_path(str(DRIVERS / "halving.py"))["halving"]
    engine = plyforge.Engine("checkers", entries=1 << 16)
    start = engine.game.initial()
    assert halving(engine, start, depth) == engine.analyse(start, depth=depth).score


def test_halving_asks_the_game_for_its_range():
    halving = runpy.run_path(str(DRIVERS / "halving.py"))["halving"]
    engine = plyforge.Engine("tree", entries=1 << 16)
    assert halving(engine, "[[200,900],[300,500]]", 2) == 300

"""Random graphs with cycles."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import plyforge
from plyforge import Game

_FILE = Path(__file__).with_name("graph_game.py")


@cache
def _rules() -> Any:
    return plyforge.load(str(_FILE)).rules


def graph_game(seed: int, size: int, scores: int, rule: str, count: int) -> Game:
    """Load a random graph with a rule of repetition; see the game's file."""
    rules = _rules()
    constants = {**rules.constants, "REPETITION": rule, "REPETITION_COUNT": count}
    return Game(replace(rules, constants=constants), f"{seed},{size},{scores}")

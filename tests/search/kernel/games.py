"""Games and positions that tests of the search share."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

import plyforge
from plyforge import Game
from plyforge.core.randomness import Stream
from tests.reference.tree import Recipe

OF_CHANCE = ("backgammon", "pig")
"""Games whose search has a kernel and algorithms of its own; see `tests/search/chance`."""
NOT_COMPILED = ("andantino", "chess", "giveaway", "hex", *OF_CHANCE)
"""Games that the fast tests search uncompiled: kernels of these take longest, or add least."""
GAMES = [
    pytest.param(name, marks=[pytest.mark.long] * (name in NOT_COMPILED))
    for name in plyforge.names()
    if name not in ("tree", *OF_CHANCE)
]

_RANDOM_GRAPH = Path(__file__).parents[1] / "textbook" / "random_graph.py"
_CYCLE_GAME = Path(__file__).with_name("cycle_game.py")


@cache
def _rules(path: Path) -> Any:
    return plyforge.load(str(path)).rules


def random_graph(seed: int, spread: int = 21, **constants: Any) -> Game:
    """Load a game with sides that move twice, recurring positions and early ends; see its file."""
    rules = _rules(_RANDOM_GRAPH)
    return Game(replace(rules, constants={**rules.constants, **constants}), f"{seed},{spread}")


def cycle_game(seed: int, width: int = 3, clock: int = 0, **constants: Any) -> Game:
    """Load a game with cycles and any rule of repetition; see its file."""
    rules = _rules(_CYCLE_GAME)
    constants = {**rules.constants, **constants}
    return Game(replace(rules, constants=constants), f"{seed},{width},{clock}")


recipes = st.builds(
    Recipe,
    kind=st.sampled_from(["uniform", "incremental", "ordered", "layered", "skipping"]),
    branching=st.integers(2, 4),
    depth=st.integers(2, 6),
    seed=st.integers(0, 2**32 - 1),
    values=st.sampled_from([0, 4, 5, 101]),
    p=st.sampled_from([0.0, 0.5, 1.0]),
    width=st.integers(1, 8),
)
"""Trees and graphs of all kinds; of 5 values many are equal."""

cyclic = st.builds(
    Recipe,
    kind=st.just("cyclic"),
    branching=st.integers(2, 3),
    depth=st.integers(2, 6),
    seed=st.integers(0, 2**32 - 1),
    values=st.sampled_from([0, 3, 101]),
    width=st.integers(1, 3),
)


def load_tree(recipe: Recipe) -> Game:
    """Load the tree or graph of a recipe."""
    return plyforge.load(f"tree:{recipe.variant}")


def random_position(game: Game, seed: int, plies: int) -> Any:
    """Return a position after random moves in which the game is not over."""
    stream, position = Stream(seed), game.initial()
    for _ in range(plies):
        child = game.play(position, stream.choice(game.legal_moves(position)))
        if game.verdict(child).over:
            break
        position = child
    return position


def depth_within(game: Game, position: Any, max_leaves: int, max_depth: int = 4) -> int:
    """Return the maximum depth at which the tree has at most so many leaves."""
    depth = 1
    while depth < max_depth and game.perft(position, depth + 1, "python") <= max_leaves:
        depth += 1
    return depth

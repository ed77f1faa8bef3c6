"""Games and positions that tests of the search share."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Game
from plyforge.core.randomness import Stream
from tests.reference.tree import Recipe

often = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seldom = settings(often, max_examples=5)

GAMES = [name for name in plyforge.names() if name != "tree"]

_WAYWARD = Path(__file__).parents[1] / "textbook" / "wayward.py"
_ROUNDABOUT = Path(__file__).with_name("roundabout.py")


@cache
def _rules(path: Path) -> Any:
    return plyforge.load(str(path)).rules


def wayward(seed: int, spread: int = 21, **constants: Any) -> Game:
    """Sides that move twice, positions that recur, early ends; see its file."""
    rules = _rules(_WAYWARD)
    return Game(replace(rules, constants={**rules.constants, **constants}), f"{seed},{spread}")


def roundabout(seed: int, width: int = 3, clock: int = 0, **constants: Any) -> Game:
    """Cycles, with any rule of repetition; see its file."""
    rules = _rules(_ROUNDABOUT)
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


def grown(recipe: Recipe) -> Game:
    return plyforge.load(f"tree:{recipe.variant}")


def walked(game: Game, seed: int, plies: int) -> Any:
    """A position after some random moves, in which the game goes on."""
    stream, position = Stream(seed), game.initial()
    for _ in range(plies):
        child = game.play(position, stream.choice(game.legal_moves(position)))
        if game.verdict(child).over:
            break
        position = child
    return position


def shallow(game: Game, position: Any, most: int, deepest: int = 4) -> int:
    """The greatest depth at which the tree has few leaves."""
    depth = 1
    while depth < deepest and game.perft(position, depth + 1, "python") <= most:
        depth += 1
    return depth

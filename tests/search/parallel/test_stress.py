"""Ten thousand searches with real threads find the value of one thread."""

import pytest

import plyforge
from plyforge import Engine
from plyforge.core.randomness import Stream
from plyforge.search.parallel.methods import METHODS
from tests.engine.test_exact import true_value
from tests.search.kernel.games import random_position

THREAD_METHODS = [method.name for method in METHODS.values() if not method.distributed]
THREADS = range(2, 9)
TREE_SEARCHES = 1_000
"""Searches of random trees with each method."""
POSITION_SEARCHES = 32
"""Searches of random positions of each game with each method."""
MAX_PLIES = 24
DEPTHS = {"chess": 3, "andantino": 3, "hex": 3, "kalah": 5, "othello": 5}
TREES = ("uniform,3,7", "incremental,4,6", "incremental,2,10", "layered,3,7", "skipping,3,7")
TINY = (256, 512, 4096)
"""Entries of the tables, so small that threads overwrite each other's results."""

pytestmark = pytest.mark.long


@pytest.mark.parametrize("method", THREAD_METHODS)
def test_random_trees(method: str) -> None:
    stream = Stream(THREAD_METHODS.index(method))
    for number in range(TREE_SEARCHES // 2):
        game = plyforge.load(f"tree:{TREES[number % len(TREES)]},seed={number}")
        engine = Engine(
            game,
            threads=stream.choice(THREADS),
            parallel=method,
            entries=stream.choice(TINY),
            settings={"split-depth": stream.choice((1, 2, 3))},
        )
        for depth in (5, 7):  # the second search finds the entries of the first
            found = engine.analyse(depth=depth).score
            assert found == true_value(game, game.initial(), depth), (number, depth)


@pytest.mark.parametrize("name", [name for name in plyforge.names() if name != "tree"])
def test_random_positions(name: str) -> None:
    game, stream = plyforge.load(name), Stream(7)
    depth = DEPTHS.get(name, 7)
    one = Engine(game, entries=1 << 16)
    for number in range(POSITION_SEARCHES):
        position = random_position(game, number, stream.below(MAX_PLIES))
        one.clear()
        expected = one.analyse(position, depth=depth).score
        for method in THREAD_METHODS:
            engine = Engine(
                game,
                threads=stream.choice(THREADS),
                parallel=method,
                entries=stream.choice(TINY),
                settings={"split-depth": 1},
            )
            found = engine.analyse(position, depth=depth).score
            assert found == expected, (method, game.text(position))

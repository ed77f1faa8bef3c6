"""Many threads on a table that is far too small: no wrong entry is ever read."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import plyforge
from plyforge import Engine, Game
from plyforge.search.kernels import table
from plyforge.search.kernels.context import ONE_PLY
from plyforge.search.kernels.values import value_of
from tests.engine import small_keys
from tests.engine.test_line import assert_line_leads_to_score

THREADS = 8
SMALL = Path(small_keys.__file__)
UNSPREAD = pow(int(table._SPREAD), -1, 1 << 64)


@cache
def true_value(position: small_keys.Position, depth: int) -> float:
    count = small_keys.moves(position, [0] * 4)
    children = [small_keys.play(position, move) for move in range(count)]
    if depth == 0 or not children:
        return float(small_keys.evaluate(position))
    return max(0.0 - true_value(child, depth - 1) for child in children)


def count_true_entries(words: np.ndarray) -> int:
    """Compare every entry that a probe can find with minimax; return their number."""
    found = 0
    for first, data in zip(words[0::2], words[1::2], strict=True):
        key = int(first ^ data) * UNSPREAD % (1 << 64) - 1
        if int(data) == 0 or key >= small_keys.LAYERS * small_keys.WIDTH:
            continue
        position = small_keys.Position(*divmod(key, small_keys.WIDTH))
        plies, rest = divmod(int(table.depth_of(data)), ONE_PLY)
        assert rest == 0
        value, truth = value_of(data), true_value(position, plies)
        bound = int(table.bound_of(data))
        assert bound == table.LOWER or value >= truth
        assert bound == table.UPPER or value <= truth
        found += 1
    return found


def run_stress(game: Game, nodes: int, driver: str) -> None:
    engine = Engine(game, driver=driver, entries=256, threads=THREADS)
    total, depth = 0, 9
    while total < nodes:
        result = engine.analyse(depth=depth)
        assert result.score == true_value(game.initial(), depth)
        assert_line_leads_to_score(result, game.history())
        assert count_true_entries(engine.searcher.table.words) > 0
        total, depth = total + result.nodes, 9 + (depth - 8) % 6


@pytest.mark.long
@pytest.mark.parametrize("driver", ["pvs", "mtdf"])
def test_every_entry_that_can_be_found_is_true(driver: str) -> None:
    run_stress(plyforge.load(str(SMALL)), 100_000, driver)


@pytest.mark.long
@pytest.mark.parametrize("driver", ["pvs", "mtdf", "alphabeta", "sss"])
def test_every_entry_is_true_for_millions_of_nodes(driver: str) -> None:
    run_stress(plyforge.load(str(SMALL)), 20_000_000, driver)


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("checkers", 9),
        *(
            pytest.param(name, depth, marks=pytest.mark.long)
            for name, depth in (("connect4", 8), ("othello", 6), ("chess", 4))
        ),
    ],
)
def test_values_and_lines_of_real_games(name: str, depth: int) -> None:
    game = plyforge.load(name)
    expected = Engine(game).analyse(depth=depth).score
    engine = Engine(game, entries=256, threads=THREADS)
    for _ in range(3):
        result = engine.analyse(depth=depth)
        assert result.score == expected
        assert_line_leads_to_score(result, game.history())

"""The memory of a searcher between searches: clearing and ageing."""

import numpy as np
import pytest

import plyforge
from plyforge import Engine
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels.cuts import MAX_HISTORY
from plyforge.search.searcher import Searcher

GENERATION_BITS = 3


def histories(searcher: Searcher) -> np.ndarray:
    return np.concatenate(
        [np.array(searcher._arrays[name], np.int64) for name in ("history_scores", "pair_scores")]
    )


def divide(values: np.ndarray, bits: int) -> np.ndarray:
    """Divide slowly, rounding towards 0."""
    return np.array([int(v / 2**bits) for v in values.tolist()], np.int64)


@pytest.mark.parametrize("backend", ["compiled", "python"])
def test_a_new_position_divides_all_histories(backend: str) -> None:
    game = plyforge.load("connect4", backend=backend)  # type: ignore[arg-type]
    engine = Engine(game, entries=4096)
    searcher, used = engine.searcher, []
    for depth in (1, 5, 1, 4, 1):
        engine.search(None, depth=depth)
        before = histories(searcher)
        used.append(bool(before.any()))
        searcher.new_generation()
        assert np.array_equal(histories(searcher), divide(before, GENERATION_BITS))
    assert set(used) == {True, False}


def test_histories_that_are_not_changed_any_more_become_empty() -> None:
    engine = Engine("connect4", entries=4096)
    searcher = engine.searcher
    engine.analyse(depth=6)
    searcher._arrays["history_scores"][0] = -MAX_HISTORY
    searcher._arrays["history_scores"][1] = MAX_HISTORY
    for _ in range(MAX_HISTORY.bit_length()):
        searcher.age(1)
    assert not histories(searcher).any()
    assert searcher._history_bits <= 0
    engine.analyse(depth=6)
    assert searcher._history_bits > 0


def test_a_cleared_searcher_is_like_a_new_one() -> None:
    engine = Engine("connect4", entries=4096)
    first = engine.analyse(depth=7)
    assert engine.analyse(depth=7).counts != first.counts
    engine.clear()
    assert not histories(engine.searcher).any()
    assert engine.analyse(depth=7).counts == first.counts


def test_a_cleared_table_is_empty_to_its_last_word() -> None:
    table = HashTable(1000, stamped=True)
    for array in (table.words, table.stamps):
        array[:] = 7
    table.new_generation(8)
    table.clear()
    assert not table.words.any()
    assert not table.stamps.any()
    assert (table.generation, table.stamp) == (0, 1)

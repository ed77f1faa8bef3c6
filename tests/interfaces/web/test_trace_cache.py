"""The cache of trees has an end."""

import pytest

from plyforge import PlyforgeError
from plyforge.interfaces.web.trace_cache import TraceCache
from plyforge.search.textbook import minimax
from plyforge.search.textbook.tracing import TraceRequest, TraceResult
from tests.search.textbook.figures import AIMA, recorded, tree

WISH = TraceRequest(tree.history(), 2, ("minimax",), False)


def grown() -> TraceResult:
    return TraceResult("", "", recorded(minimax, tree.parse(AIMA)), "")


def test_trees_not_asked_for_lately_are_let_go_and_the_latest_stays() -> None:
    cache = TraceCache(most=2 * 13)
    numbers = [cache.put(WISH, [grown()]) for _ in range(2)]
    cache.get(numbers[0])
    numbers.append(cache.put(WISH, [grown()]))
    cache.trim()
    assert cache.get(numbers[0])[0] is WISH
    assert cache.get(numbers[2])
    with pytest.raises(PlyforgeError, match="no longer kept; draw them again"):
        cache.get(numbers[1])


def test_trees_that_are_too_large_alone_are_kept_until_others_come() -> None:
    cache = TraceCache(most=5)
    first = cache.put(WISH, [grown()])
    cache.trim()
    assert cache.get(first)
    cache.put(WISH, [])
    cache.trim()
    with pytest.raises(PlyforgeError):
        cache.get(first)


def test_nothing_is_kept_at_first() -> None:
    with pytest.raises(PlyforgeError, match="draw them again"):
        TraceCache().get(None)


def test_small_trees_have_an_end_too() -> None:
    cache = TraceCache(rows=2)
    numbers = [cache.put(WISH, []) for _ in range(3)]
    assert cache.get(numbers[2])
    with pytest.raises(PlyforgeError):
        cache.get(numbers[0])

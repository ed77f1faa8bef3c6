"""The cache of traces has limits."""

import pytest

from plyforge import PlyforgeError
from plyforge.interfaces.web.trace_cache import TraceCache
from plyforge.search.textbook import minimax
from plyforge.search.textbook.tracing import TraceRequest, TraceResult
from tests.search.textbook.figures import AIMA, record_search, tree

REQUEST = TraceRequest(tree.history(), 2, ("minimax",), False)
VISITS = 13
"""Visits of each result."""


def make_result() -> TraceResult:
    return TraceResult("", "", record_search(minimax, tree.parse(AIMA)), "")


def test_the_least_recently_used_trees_are_dropped() -> None:
    cache = TraceCache(max_visits=2 * VISITS)
    numbers = [cache.put(REQUEST, [make_result()]) for _ in range(2)]
    cache.get(numbers[0])
    numbers.append(cache.put(REQUEST, [make_result()]))
    cache.trim()
    assert cache.get(numbers[0])[0] is REQUEST
    assert cache.get(numbers[2])
    with pytest.raises(PlyforgeError, match="no longer on the server; draw them again"):
        cache.get(numbers[1])


def test_the_latest_trees_are_kept_even_if_they_are_too_large() -> None:
    cache = TraceCache(max_visits=5)
    first = cache.put(REQUEST, [make_result()])
    cache.trim()
    assert cache.get(first)
    cache.put(REQUEST, [])
    cache.trim()
    with pytest.raises(PlyforgeError):
        cache.get(first)


def test_an_empty_cache_has_no_trees() -> None:
    with pytest.raises(PlyforgeError, match="draw them again"):
        TraceCache().get(None)


def test_the_number_of_requests_is_limited() -> None:
    cache = TraceCache(max_requests=2)
    numbers = [cache.put(REQUEST, []) for _ in range(3)]
    assert cache.get(numbers[2])
    with pytest.raises(PlyforgeError):
        cache.get(numbers[0])

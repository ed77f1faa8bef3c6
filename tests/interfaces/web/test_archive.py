"""Slow work is done once, and few requests may wait for it."""

import threading

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.archive import MAX_ROWS, LruCache, table_fields
from plyforge.match.tables import Table


def test_results_are_made_once_and_the_oldest_is_dropped() -> None:
    made: list[int] = []

    def make(number: int) -> str:
        made.append(number)
        return str(number)

    cache: LruCache[str] = LruCache(2)
    for number in (1, 2, 1, 3, 1, 2):
        assert cache.get(number, lambda number=number: make(number)) == str(number)
    assert made == [1, 2, 3, 2]


def test_a_failure_is_not_cached() -> None:
    cache: LruCache[int] = LruCache(2)
    with pytest.raises(ZeroDivisionError):
        cache.get(1, lambda: 1 // 0)
    assert cache.get(1, lambda: 7) == 7


def test_one_thread_works_few_wait_and_others_are_refused() -> None:
    cache: LruCache[int] = LruCache(2, max_waiting=2)
    started, resume = threading.Event(), threading.Event()
    made: list[int] = []

    def slow() -> int:
        started.set()
        resume.wait()
        made.append(1)
        return 7

    threads = [threading.Thread(target=lambda: cache.get("a", slow)) for _ in range(2)]
    threads[0].start()
    started.wait()
    threads[1].start()
    while cache._slots._value:  # until the second waits
        threading.Event().wait(0.001)
    with pytest.raises(PlyforgeError, match="try again"):
        cache.get("b", lambda: 8)
    resume.set()
    for thread in threads:
        thread.join()
    assert made == [1]
    assert cache.get("b", lambda: 8) == 8


def test_a_long_table_is_cut_and_says_so() -> None:
    table = Table(("x",), tuple((str(number),) for number in range(MAX_ROWS + 5)))
    fields = table_fields(table)
    assert len(fields["rows"]) == MAX_ROWS
    assert fields["more"] == 5

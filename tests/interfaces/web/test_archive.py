"""Slow work is kept, done once, and never by too many at once."""

import threading

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.archive import MAX_ROWS, LruCache, table_fields
from plyforge.match.tables import Table


def test_what_is_kept_is_made_once_and_the_oldest_goes() -> None:
    made: list[int] = []

    def make(number: int) -> str:
        made.append(number)
        return str(number)

    kept: LruCache[str] = LruCache(2)
    for number in (1, 2, 1, 3, 1, 2):
        assert kept.get(number, lambda number=number: make(number)) == str(number)
    assert made == [1, 2, 3, 2]


def test_what_fails_is_not_kept() -> None:
    kept: LruCache[int] = LruCache(2)
    with pytest.raises(ZeroDivisionError):
        kept.get(1, lambda: 1 // 0)
    assert kept.get(1, lambda: 7) == 7


def test_one_makes_it_few_wait_and_others_are_sent_away() -> None:
    kept: LruCache[int] = LruCache(2, waiting=2)
    begun, go_on = threading.Event(), threading.Event()
    made: list[int] = []

    def slow() -> int:
        begun.set()
        go_on.wait()
        made.append(1)
        return 7

    threads = [threading.Thread(target=lambda: kept.get("a", slow)) for _ in range(2)]
    threads[0].start()
    begun.wait()
    threads[1].start()
    while kept._places._value:  # the second has taken its place
        threading.Event().wait(0.001)
    with pytest.raises(PlyforgeError, match="try again"):
        kept.get("b", lambda: 8)
    go_on.set()
    for thread in threads:
        thread.join()
    assert made == [1]
    assert kept.get("b", lambda: 8) == 8


def test_a_long_table_is_cut_and_says_so() -> None:
    table = Table(("x",), tuple((str(number),) for number in range(MAX_ROWS + 5)))
    told = table_fields(table)
    assert len(told["rows"]) == MAX_ROWS
    assert told["more"] == 5

"""The shelf of trees has an end."""

import pytest

from plyforge import PlyforgeError
from plyforge.interfaces.web.trace_cache import Shelf
from plyforge.interfaces.web.tracing import Grown, Wish
from plyforge.search.textbook import minimax
from tests.search.textbook.figures import AIMA, recorded, tree

WISH = Wish(tree.history(), 2, ("minimax",), False)


def grown() -> Grown:
    return Grown("", "", recorded(minimax, tree.parse(AIMA)), "")


def test_trees_not_asked_for_lately_are_let_go_and_the_latest_stays() -> None:
    shelf = Shelf(most=2 * 13)
    numbers = [shelf.put(WISH, [grown()]) for _ in range(2)]
    shelf.get(numbers[0])
    numbers.append(shelf.put(WISH, [grown()]))
    shelf.trim()
    assert shelf.get(numbers[0])[0] is WISH
    assert shelf.get(numbers[2])
    with pytest.raises(PlyforgeError, match="no longer kept; draw them again"):
        shelf.get(numbers[1])


def test_trees_that_are_too_large_alone_are_kept_until_others_come() -> None:
    shelf = Shelf(most=5)
    first = shelf.put(WISH, [grown()])
    shelf.trim()
    assert shelf.get(first)
    shelf.put(WISH, [])
    shelf.trim()
    with pytest.raises(PlyforgeError):
        shelf.get(first)


def test_nothing_is_kept_at_first() -> None:
    with pytest.raises(PlyforgeError, match="draw them again"):
        Shelf().get(None)


def test_small_trees_have_an_end_too() -> None:
    shelf = Shelf(rows=2)
    numbers = [shelf.put(WISH, []) for _ in range(3)]
    assert shelf.get(numbers[2])
    with pytest.raises(PlyforgeError):
        shelf.get(numbers[0])

"""Known trees: values, visited leaves and minimal trees."""

import math

import pytest

import plyforge
from plyforge import Engine
from plyforge.engine import DRIVERS
from plyforge.search.options import Options
from plyforge.search.request import SearchRequest, root_of
from plyforge.search.searcher import Searcher
from tests.search.kernel.test_visits import kernel_visits
from tests.search.textbook.figures import DEEP, FIGURES, tree

HIDDEN = [-100, -1, 0, 4, 7, 9, 100]


def bare_engine(driver: str = "alphabeta") -> Engine:
    return Engine(tree, driver=driver, off=["all", "cycles"] if driver != "pvs" else [])


def visited_leaves(text: str) -> list[float]:
    """Return the values of the visited leaves for MAX, in the order of visits."""
    position = tree.parse(text)
    by_key = {}
    waiting = [position]
    while waiting:
        node = waiting.pop()
        below = [] if tree.verdict(node).over else tree.moves(node)
        waiting += [tree.play(node, move) for move in below]
        if not below:
            by_key[tree.key(node)] = tree.outcome(node) * (-1 if tree.turn(node) else 1)
    options = Options.preset("exact").changed(off=["all", "cycles"])
    _, visits = kernel_visits(tree, position, DEEP, options, "compiled", 10_000)
    return [by_key[visit[0]] for visit in visits if visit[0] in by_key]


@pytest.mark.parametrize("text", FIGURES)
def test_alpha_beta_visits_the_leaves_of_the_textbook(text: str) -> None:
    for_max, for_min, order, visited_by_min = FIGURES[text]
    words = order.split()
    engine = bare_engine()
    result = engine.analyse(text, depth=DEEP)
    assert (result.score, result.counts.leaves, result.proved) == (for_max, len(words), True)
    assert visited_leaves(text) == [float(word) for word in words]
    below = engine.analyse(f"{text} MIN", depth=DEEP)
    assert (-below.score, below.counts.leaves) == (for_min, visited_by_min)
    assert len(visited_leaves(f"{text} MIN")) == visited_by_min


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("text", FIGURES)
def test_every_driver_finds_the_values_of_the_textbook(text: str, driver: str) -> None:
    for_max, for_min, _, _ = FIGURES[text]
    engine = Engine(tree, driver=driver, entries=4096)
    assert engine.analyse(text, depth=DEEP).score == for_max
    assert -engine.analyse(f"{text} MIN", depth=DEEP).score == for_min


@pytest.mark.parametrize("text", FIGURES)
def test_minimax_visits_every_leaf(text: str) -> None:
    engine = bare_engine("minimax")
    assert engine.analyse(text, depth=DEEP).counts.leaves == text.count(",") + 1


@pytest.mark.parametrize("hidden", HIDDEN)
def test_the_lectures_leaf_is_never_visited(hidden: int) -> None:
    engine = bare_engine()
    result = engine.analyse(f"[[5],[3,{hidden}],[8]]", depth=DEEP)
    assert (result.score, result.counts.leaves) == (8, 3)
    assert visited_leaves(f"[[5],[3,{hidden}],[8]]") == [5, 3, 8]
    result = engine.analyse(f"[[20],[5,{hidden}]]", depth=DEEP)
    assert (result.score, result.counts.leaves) == (20, 2)


@pytest.mark.parametrize(
    ("branching", "max_depth"), [(1, 8), (2, 16), (3, 10), (5, 7), (10, 9), (40, 4)]
)
def test_perfect_order_leaves_the_minimal_tree(branching: int, max_depth: int) -> None:
    for depth in range(1, max_depth + 1):
        game = plyforge.load(f"tree:ordered,{branching},{depth},p=1")
        minimum = branching ** -(-depth // 2) + branching ** (depth // 2) - 1
        plain = Engine(game, driver="alphabeta", off=["all", "cycles"])
        result = plain.analyse(depth=depth)
        assert (result.counts.leaves, result.score) == (minimum, game.initial().value)
        null_windows = Engine(game, driver="pvs", off=["all", "cycles"])
        assert null_windows.analyse(depth=depth).counts.leaves == minimum


def test_the_minimal_tree_of_ten_moves_and_nine_plies() -> None:
    game = plyforge.load("tree:ordered,10,9,p=1")
    result = Engine(game, driver="alphabeta", off=["all", "cycles"]).analyse(depth=9)
    assert result.counts.leaves == 109_999


@pytest.mark.parametrize(("branching", "depth"), [(2, 10), (3, 7), (10, 4)])
def test_minimax_visits_all_leaves_of_a_uniform_tree(branching: int, depth: int) -> None:
    game = plyforge.load(f"tree:uniform,{branching},{depth}")
    counts = Engine(game, driver="minimax").analyse(depth=depth).counts
    assert counts.leaves == branching**depth
    assert counts.interior == (branching**depth - 1) // (branching - 1)


def test_the_deepest_tree_fits_into_the_buffers() -> None:
    """A tree of the maximum depth, with the widest nodes that fit."""
    game = plyforge.load("tree:ordered,2,62,p=1")
    options = Options.preset("exact").changed(off=["all", "cycles"])
    searcher = Searcher(game, options)
    request = SearchRequest.of(root_of(game.history(), game), -math.inf, math.inf, 62)
    searcher.reset_stop(100_000)
    assert searcher.search(request).stopped
    assert searcher.counts.nodes == 100_000

"""Searches with chance return the values of plain ExpectiMax, or bounds of them."""

import random
from pathlib import Path
from typing import Any

import pytest

import plyforge
from plyforge import Engine, Game
from plyforge.compilation.kernel import Backend
from plyforge.core.scores import DRAW, LOSS, WIN
from plyforge.engine.drivers import DRIVERS
from plyforge.search.textbook import View, expectimax, star1, star2
from tests.reference.expectimax import ExpectiMax
from tests.search.chance import chance_graph

FILE = Path(__file__).parent / "chance_graph.py"
CONFIGURATIONS = (
    {"off": ["all"]},
    {"off": ["star2"]},
    {},
    {"settings": {"star2-probes": 3}},
    {"off": ["table"], "settings": {"star2-probes": 2}},
)
MAX_PLAIN_DEPTH = 2
"""The depth up to which 100,000 trees are searched without a table."""


@pytest.fixture(scope="module")
def game() -> Game:
    return plyforge.load(FILE)


def start_of(seed: int) -> tuple[chance_graph.Position, int]:
    """Return a random graph's start position, and a depth."""
    stream = random.Random(seed)
    width, steps = stream.choice([2, 3, 6, 21, 36]), stream.choice([1, 5, 1000])
    return chance_graph.initial(seed, width, steps), stream.choice([1, 2, 3, 4])


def check_trees(game: Game, seeds: range, all_windows: bool = True) -> int:
    """Compare every configuration in several windows; return the number of trees.

    Without `all_windows` each tree has the full window and one of the others in turn, and is
    searched without a table only if it is small: positions recur, so that such searches visit
    2,000 times as many nodes as those with a table.
    """
    engines = [Engine(game, entries=4096, **options) for options in CONFIGURATIONS]
    searched = 0
    for seed in seeds:
        start, depth = start_of(seed)
        if not list(chance_graph.moves(start)):
            continue
        searched += 1
        true = ExpectiMax(chance_graph).value(start, depth)
        middle = random.Random(-seed).uniform(-3, 3)
        windows = [(-1e9, 1e9), (true, true + 1), (true - 1, true), (middle, middle + 0.5)]
        if not all_windows:
            windows = [windows[0], windows[1 + searched % 3]]
        for engine in engines:
            if not (all_windows or depth <= MAX_PLAIN_DEPTH or engine.options.has("table")):
                continue
            for low, high in windows:
                value = engine.search(start, low, high, depth).value
                if value <= low:
                    assert true <= value, (seed, low, high)
                elif value >= high:
                    assert true >= value, (seed, low, high)
                else:
                    assert true == value, (seed, low, high)
    return searched


def test_values_and_bounds_are_those_of_expectimax(game: Game) -> None:
    assert check_trees(game, range(150)) > 75


@pytest.mark.long
def test_values_and_bounds_are_those_of_expectimax_in_100000_trees(game: Game) -> None:
    searched, seed = 0, 1000
    while searched < 100_000:
        searched += check_trees(game, range(seed, seed + 10_000), all_windows=False)
        seed += 10_000


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_driver_finds_the_value(game: Game, driver: str) -> None:
    engine = Engine(game, driver=driver, entries=4096)
    for seed in range(12):
        start, depth = start_of(seed)
        if list(chance_graph.moves(start)):
            true = ExpectiMax(chance_graph).value(start, depth)
            assert engine.analyse(start, depth=depth).score == pytest.approx(true, abs=1e-5)


@pytest.mark.parametrize("algorithm", [expectimax, star1, star2])
def test_textbook_algorithms_agree(algorithm: object) -> None:
    game = plyforge.load(FILE, "python")
    view = View(game)
    for seed in range(40):
        start, depth = start_of(seed)
        if depth <= 2 and list(chance_graph.moves(start)):
            true = ExpectiMax(chance_graph).value(start, depth)
            assert algorithm(view, view.root(start), depth) == true  # type: ignore[operator]


def test_star2_bounds_in_windows() -> None:
    game = plyforge.load(FILE, "python")
    view = View(game)
    for seed in range(40):
        start, depth = start_of(seed)
        if depth > 2 or not list(chance_graph.moves(start)):
            continue
        true = ExpectiMax(chance_graph).value(start, depth)
        for algorithm in (star1, star2):
            for low, high in ((true - 1, true), (true, true + 1), (-1.0, 0.5)):
                value = algorithm(view, view.root(start), depth, low, high)
                assert value > low or true <= value
                assert value < high or true >= value
                assert not low < value < high or value == true


def test_both_backends_visit_the_same_nodes(game: Game) -> None:
    backends: tuple[Backend, ...] = ("compiled", "python")
    engines = [Engine(plyforge.load(FILE, backend), entries=4096) for backend in backends]
    for seed in range(8):
        start, depth = start_of(seed)
        if list(chance_graph.moves(start)):
            one, other = (engine.analyse(start, depth=min(depth, 2)) for engine in engines)
            assert (one.score, one.nodes, one.pv) == (other.score, other.nodes, other.pv)


def graph_without_chance() -> dict[str, Any]:
    """Return the rules without chance; wins are scores, which count the same in both kernels."""

    def play(position: chance_graph.Position, move: int) -> chance_graph.Position:
        return chance_graph.play(position, move)._replace(chance=0)

    scores: dict[float, float] = {WIN: 8.0, LOSS: -8.0, DRAW: 0.0}

    def as_score(value: float) -> float:
        return scores.get(value, value)

    def outcome(position: chance_graph.Position) -> float:
        return as_score(chance_graph.outcome(position))

    def stuck(position: chance_graph.Position) -> float:
        return as_score(chance_graph.stuck(position))

    own = {"play": play, "outcome": outcome, "stuck": stuck}
    return {**vars(chance_graph), **own}


def test_the_kernel_with_chance_visits_the_nodes_of_the_other_where_chance_never_moves() -> None:
    rules = graph_without_chance()
    plain = {name: one for name, one in rules.items() if not name.startswith("chance")}
    steps = ["table", "table-move", "killers", "history"]
    engines = [
        Engine(
            plyforge.load(one, "python"), driver="alphabeta", entries=4096, off=["all"], on=steps
        )
        for one in (rules, plain)
    ]
    assert [engine.game.has_chance() for engine in engines] == [True, False]
    nodes = 0
    for seed in range(30):
        start, _ = start_of(seed)
        if list(chance_graph.moves(start)):
            found = []
            for engine in engines:
                engine.searcher.reset_counts()
                value = engine.search(start, depth=5).value
                found.append((value, engine.searcher.counts.nodes))
            assert found[0] == found[1]
            nodes += found[0][1]
    assert nodes > 300


def test_star1_searches_fewer_nodes_and_star2_fewer_with_a_table(game: Game) -> None:
    counts = []
    for on in ([], ["star1"], ["table"], ["table", "star1", "star2"]):
        engine = Engine(game, driver="alphabeta", entries=1 << 16, off=["all"], on=on)
        counts.append(sum(engine.analyse(s, depth=3).nodes for s in _wide_starts()))
    assert counts[0] > counts[1]
    assert counts[2] > counts[3]


def _wide_starts() -> list[chance_graph.Position]:
    starts = [chance_graph.initial(seed, 21, 1000) for seed in range(40)]
    return [start for start in starts if list(chance_graph.moves(start))]

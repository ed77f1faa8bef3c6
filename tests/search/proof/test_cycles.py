"""Graphs with cycles: proofs compared with a solver that follows every path."""

from typing import Any

import pytest

from plyforge.core.randomness import Stream
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN
from plyforge.engine.proof import find_bounds
from plyforge.game.game import History
from plyforge.search.proof.methods import METHODS
from plyforge.search.proof.prover import Prover
from plyforge.search.request import root_of
from tests.reference.path_solver import PathSolver, TooManyPaths
from tests.search.proof.graphs import graph_game

RULES = ("draw", "loss", "illegal")
GRAPHS = 100_000
"""The number of graphs of the long test."""
PARTS = 20
SEEDS = 2050
"""The seeds of one part: some graphs have no move at the root, or too many paths to compare."""


def random_root(seed: int, rule: str, count: int) -> History:
    """Return a graph, with some moves made before the root in every third."""
    size = 3 if count == 3 else 4 + seed % 4
    history = graph_game(seed, size, seed % 2, rule, count).history()
    stream = Stream(seed)
    for _ in range(seed % 5 if seed % 3 == 0 else 0):
        if history.verdict().over:
            break
        history.play(stream.choice(history.legal_moves()))
    return history


class Comparison:
    """Compares the values of graphs by two methods."""

    def __init__(self, method: str, **options: Any) -> None:
        self._method = method
        self._options = options
        self._provers: dict[Any, Prover] = {}
        self.compared = 0
        self.wrong: list[Any] = []

    def compare(self, seed: int, rule: str, count: int) -> None:
        root = random_root(seed, rule, count)
        if root.verdict().over:
            return
        try:
            expected = PathSolver(root).value
        except TooManyPaths:
            return
        # Keys contain the seed, so graphs can share a table, but not under different rules.
        prover = self._provers.get((rule, count))
        if prover is None:
            prover = Prover(root.game, self._method, entries=1 << 12, **self._options)
            self._provers[rule, count] = prover
        prover.game = root.game
        bounds, _ = find_bounds(prover, root_of(root, root.game))
        self.compared += 1
        if not bounds.solved or bounds.lower != expected:
            self.wrong.append((seed, rule, count, expected, bounds))

    def compare_all(self, seeds: range) -> None:
        for seed in seeds:
            for rule in RULES:
                self.compare(seed, rule, 3 if seed % 4 == 0 else 2)


@pytest.mark.parametrize(
    ("method", "graphs"),
    [
        ("df-pn", 120),
        pytest.param("proof-number", 500, marks=pytest.mark.long),
        pytest.param("pn2", 500, marks=pytest.mark.long),
    ],
)
def test_values_are_those_of_all_paths(method: str, graphs: int) -> None:
    comparison = Comparison(method)
    comparison.compare_all(range(graphs))
    assert comparison.wrong == []
    assert comparison.compared > 0.7 * graphs * len(RULES)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_many_graphs_have_the_values_of_all_paths(part: int) -> None:
    """All parts together compare `GRAPHS` graphs."""
    comparison = Comparison("df-pn")
    comparison.compare_all(range(10_000 + part * SEEDS, 10_000 + (part + 1) * SEEDS))
    assert comparison.wrong == []
    assert comparison.compared * PARTS >= GRAPHS


@pytest.mark.parametrize("method", METHODS)
def test_uncompiled_kernels_find_the_same_values(method: str) -> None:
    comparison = Comparison(method, backend="python")
    comparison.compare_all(range(1000, 1004))
    assert comparison.wrong == []
    assert comparison.compared > 0


def test_without_simulation_values_are_the_same() -> None:
    comparison = Comparison("df-pn", simulate=False)
    comparison.compare_all(range(5000, 5040))
    assert comparison.wrong == []


def test_the_whole_path_is_compared_if_its_positions_are_not_counted() -> None:
    comparison = Comparison("df-pn", scan_path=True)
    comparison.compare_all(range(6000, 6040))
    assert comparison.wrong == []


def test_without_the_treatment_some_values_are_wrong() -> None:
    """Otherwise the other tests would not show anything."""
    comparison = Comparison("df-pn", treat_cycles=False)
    comparison.compare_all(range(1000, 1060))
    assert comparison.wrong


@pytest.mark.parametrize("size", [8, pytest.param(25, marks=pytest.mark.long)])
def test_larger_graphs_have_the_values_of_retrograde_analysis(size: int) -> None:
    """With repetition as a draw, a win is what can be forced without going round."""
    prover = None
    for seed in range(0, 60 if size == 8 else 600, 2):
        game = graph_game(seed, size, 0, "draw", 2)
        root = game.history()
        if root.verdict().over:
            continue
        prover = prover or Prover(game, entries=1 << 16)
        prover.game = game
        bounds, _ = find_bounds(prover, root_of(root, game))
        assert bounds.solved
        assert bounds.lower == _outcome(game, root.position)


def _outcome(game: Any, start: Any) -> float:
    """Return the result by working backwards from the ends."""
    children: dict[Any, list[Any]] = {}
    values: dict[Any, float] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position in children:
            continue
        children[position] = [game.play(position, move) for move in game.moves(position)]
        result = game.outcome(position)
        if result == ONGOING and not children[position]:
            result = game.stuck(position)
        if result != ONGOING:
            values[position] = result
            children[position] = []
        waiting += children[position]
    changed = True
    while changed:
        changed = False
        for position, below in children.items():
            if position in values:
                continue
            found = [
                None
                if child not in values
                else values[child]
                if game.turn(child) == game.turn(position)
                else -values[child]
                for child in below
            ]
            if WIN in found:
                values[position], changed = WIN, True
            elif all(value == LOSS for value in found):
                values[position], changed = LOSS, True
    return values.get(start, DRAW)

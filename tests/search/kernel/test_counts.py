"""The counts of a search; both backends count the same."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Engine, Game
from plyforge.compilation.kernel import Backend
from plyforge.search.textbook import Trace, View, alpha_beta
from tests.reference.tree import Recipe
from tests.search.examples import examples
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import (
    GAMES,
    cycle_game,
    cyclic,
    depth_within,
    load_tree,
    random_graph,
    random_position,
    recipes,
)

EVERYTHING = ["eib", "child-eval", "wins"]
"""The switches that the presets leave off."""
NOT_COMPARED = ("seconds", "kernel_seconds", "root")
"""The fields that differ between two results of the same search."""


def result_fields(engine: Engine, position: Any, depth: int) -> dict[str, Any]:
    """Search, and return the fields that two results of the same search have in common."""
    result = engine.analyse(position, depth=depth)
    return {name: value for name, value in vars(result).items() if name not in NOT_COMPARED}


@given(recipe=recipes, depth=st.integers(1, 5), configuration=configurations())
@examples(15)
def test_backends_agree_on_trees(recipe: Recipe, depth: int, configuration: Configuration) -> None:
    game = load_tree(recipe)
    depth = min(depth, depth_within(game, game.initial(), 100, 5))
    compiled, python = configuration.engine(game), configuration.engine(game, backend="python")
    for _ in range(2):
        assert result_fields(compiled, None, depth) == result_fields(python, None, depth)


@given(seed=st.integers(0, 10**6), depth=st.integers(1, 5), configuration=configurations())
@examples(15)
def test_backends_agree_where_sides_move_twice(
    seed: int, depth: int, configuration: Configuration
) -> None:
    game = random_graph(seed, 9)
    if game.verdict(game.initial()).over:
        return
    compiled, python = configuration.engine(game), configuration.engine(game, backend="python")
    for _ in range(2):
        assert result_fields(compiled, None, depth) == result_fields(python, None, depth)


@given(
    seed=st.integers(0, 10**6),
    rule=st.sampled_from(["draw", "loss", "illegal"]),
    depth=st.integers(1, 5),
    configuration=configurations(cycles=True),
)
@examples(15)
def test_backends_agree_on_cycles(
    seed: int, rule: str, depth: int, configuration: Configuration
) -> None:
    game = cycle_game(seed, 3, REPETITION=rule, NO_PROGRESS_LIMIT=6)
    if game.history().verdict().over:
        return
    compiled, python = configuration.engine(game), configuration.engine(game, backend="python")
    for _ in range(2):
        assert result_fields(compiled, None, depth) == result_fields(python, None, depth)


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 80))
@examples(3)
def test_backends_agree_on_every_game_with_everything_on(name: str, seed: int, plies: int) -> None:
    game = plyforge.load(name)
    position = random_position(game, seed, plies)
    depth = depth_within(game, position, 100)
    options: dict[str, Any] = {"on": EVERYTHING, "settings": {"store-leaves": "yes"}}
    compiled = Engine(game, entries=1000, **options)
    python = Engine(game, entries=1000, backend="python", **options)
    assert result_fields(compiled, position, depth) == result_fields(python, position, depth)


@given(recipe=recipes, depth=st.integers(1, 5))
@examples(60)
def test_leaves_and_interior_nodes_are_those_of_the_textbook(recipe: Recipe, depth: int) -> None:
    game = load_tree(recipe)
    depth = min(depth, depth_within(game, game.initial(), 500, 5))
    trace = Trace()
    view = View(game, trace=trace)
    alpha_beta(view, view.root(game.initial()), depth)
    counts = Engine(game, driver="alphabeta", off=["all", "cycles"]).analyse(depth=depth).counts
    assert counts.leaves == len(trace.leaves())
    assert counts.interior == len(trace.visits) - len(trace.leaves())
    assert counts.nodes == counts.leaves + counts.interior == len(trace.visits)
    assert (counts.probes, counts.hits, counts.transpositions) == (0, 0, 0)
    inner = [visit for visit in trace.visits if not visit.leaf]
    assert counts.cuts == sum(visit.kind == "CUT" for visit in inner)
    first = [visit for visit in inner if visit.kind == "CUT" and len(visit.searched) == 1]
    assert counts.first_cuts == len(first)


@given(recipe=recipes | cyclic, depth=st.integers(1, 6), configuration=configurations())
@examples(60)
def test_counts_are_consistent(recipe: Recipe, depth: int, configuration: Configuration) -> None:
    game = load_tree(recipe)
    depth = min(depth, depth_within(game, game.initial(), 500, 6))
    counts = configuration.engine(game).analyse(depth=depth).counts
    assert counts.nodes == counts.leaves + counts.interior
    assert counts.transpositions == counts.table_cuts + counts.etc_cuts <= counts.hits
    assert counts.hits <= counts.probes
    by_source = counts.cuts_by_table_move + counts.cuts_by_killer + counts.cuts_by_win
    assert max(by_source, counts.first_cuts) <= counts.cuts
    assert 0 <= counts.first_share <= 1


@pytest.mark.parametrize(
    ("game", "backend", "on"),
    [
        ("tictactoe", "compiled", []),  # a kernel that other tests use, too
        ("checkers", "python", ["prefetch"]),
        pytest.param("checkers", "compiled", [], marks=pytest.mark.long),
        pytest.param("checkers", "compiled", ["prefetch"], marks=pytest.mark.long),
    ],
)
def test_a_specialised_kernel_visits_the_same_nodes(
    game: str, backend: Backend, on: list[str]
) -> None:
    depth = 8 if backend == "compiled" else 4
    searches = [
        Engine(game, on=on, settings={"specialise": choice}, backend=backend)
        for choice in ("yes", "no")
    ]
    special, general = (engine.analyse(depth=depth) for engine in searches)
    assert (special.score, special.lines) == (general.score, general.lines)
    assert special.counts == general.counts
    history = searches[0].root()
    history.play(special.move)
    first, second = (engine.analyse(history, depth=depth).counts for engine in searches)
    assert first == second


@pytest.mark.parametrize("table", [True, False])
@given(recipe=recipes, depth=st.integers(1, 5))
@examples(10)
def test_distinct_interior_nodes_are_those_of_a_set(
    table: bool, recipe: Recipe, depth: int
) -> None:
    game = load_tree(recipe)
    depth = min(depth, depth_within(game, game.initial(), 500, 5))
    expected = len({game.key(position) for position in interior(game, game.initial(), depth)})
    engine = Engine(
        game,
        driver="minimax",
        on=["table"] if table else [],
        off=["cycles"],
        settings={"distinct": "yes"},
        entries=1 << 16,
    )
    for _ in range(2):
        engine.clear()
        counts = engine.analyse(depth=depth).counts
        assert counts.distinct_interior == expected
        assert counts.interior >= expected
    assert Engine(game, entries=256).analyse(depth=depth).counts.distinct_interior == 0


def interior(game: Game, position: Any, depth: int) -> list[Any]:
    """Return every position that minimax expands."""
    if depth == 0 or game.verdict(position).over:
        return []
    positions = [position]
    for move in game.moves(position):
        positions += interior(game, game.play(position, move), depth - 1)
    return positions


def test_counts_add_up_over_searches_and_restart_with_an_analysis() -> None:
    engine = Engine("tictactoe", off=["all", "cycles"])
    engine.analyse(depth=2)
    counts = [engine.searcher.counts]
    for _ in range(2):
        engine.search(None, -math.inf, math.inf, 2)
        counts.append(engine.searcher.counts)
    assert counts[0].nodes < counts[1].nodes
    assert counts[0].plus(counts[2]) == counts[1].plus(counts[1])
    assert engine.analyse(depth=2).counts.nodes <= counts[0].nodes

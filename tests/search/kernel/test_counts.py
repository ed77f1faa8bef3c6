"""What a search counts, and that both backends count the same."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Engine, Game
from plyforge.search.textbook import Trace, View, alpha_beta
from tests.reference.tree import Recipe
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import (
    GAMES,
    cyclic,
    grown,
    often,
    recipes,
    roundabout,
    seldom,
    shallow,
    walked,
    wayward,
)

EVERYTHING = ["eib", "child-eval", "wins"]
"""What the presets leave off."""
OWN = ("seconds", "root")
"""What a result tells of its own search: how long it took, and of which game it is."""


def told(engine: Engine, position: Any, depth: int) -> dict[str, Any]:
    """All that two results of the same search have in common."""
    result = engine.analyse(position, depth=depth)
    return {name: value for name, value in vars(result).items() if name not in OWN}


@given(recipe=recipes, depth=st.integers(1, 5), configuration=configurations())
@settings(often, max_examples=15)
def test_both_gears_tell_the_same_of_trees(
    recipe: Recipe, depth: int, configuration: Configuration
) -> None:
    game = grown(recipe)
    depth = min(depth, shallow(game, game.initial(), 100, 5))
    compiled, python = configuration.engine(game), configuration.engine(game, backend="python")
    for _ in range(2):
        assert told(compiled, None, depth) == told(python, None, depth)


@given(seed=st.integers(0, 10**6), depth=st.integers(1, 5), configuration=configurations())
@settings(often, max_examples=15)
def test_both_gears_tell_the_same_where_sides_move_twice(
    seed: int, depth: int, configuration: Configuration
) -> None:
    game = wayward(seed, 9)
    if game.verdict(game.initial()).over:
        return
    compiled, python = configuration.engine(game), configuration.engine(game, backend="python")
    for _ in range(2):
        assert told(compiled, None, depth) == told(python, None, depth)


@given(
    seed=st.integers(0, 10**6),
    rule=st.sampled_from(["draw", "loss", "illegal"]),
    depth=st.integers(1, 5),
    configuration=configurations(cycles=True),
)
@settings(often, max_examples=15)
def test_both_gears_tell_the_same_where_play_goes_round(
    seed: int, rule: str, depth: int, configuration: Configuration
) -> None:
    game = roundabout(seed, 3, REPETITION=rule, NO_PROGRESS_LIMIT=6)
    if game.history().verdict().over:
        return
    compiled, python = configuration.engine(game), configuration.engine(game, backend="python")
    for _ in range(2):
        assert told(compiled, None, depth) == told(python, None, depth)


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 80))
@settings(seldom, max_examples=3)
def test_both_gears_tell_the_same_of_every_game_with_everything_on(
    name: str, seed: int, plies: int
) -> None:
    game = plyforge.load(name)
    position = walked(game, seed, plies)
    depth = shallow(game, position, 100)
    options: dict[str, Any] = {"on": EVERYTHING, "settings": {"store-leaves": "yes"}}
    compiled = Engine(game, entries=1000, **options)
    python = Engine(game, entries=1000, backend="python", **options)
    assert told(compiled, position, depth) == told(python, position, depth)


@given(recipe=recipes, depth=st.integers(1, 5))
@often
def test_leaves_and_interior_nodes_are_those_of_the_textbook(recipe: Recipe, depth: int) -> None:
    game = grown(recipe)
    depth = min(depth, shallow(game, game.initial(), 500, 5))
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
@often
def test_counts_fit_together(recipe: Recipe, depth: int, configuration: Configuration) -> None:
    game = grown(recipe)
    depth = min(depth, shallow(game, game.initial(), 500, 6))
    counts = configuration.engine(game).analyse(depth=depth).counts
    assert counts.nodes == counts.leaves + counts.interior
    assert counts.transpositions == counts.table_cuts + counts.etc_cuts <= counts.hits
    assert counts.hits <= counts.probes
    by_source = counts.cuts_by_table_move + counts.cuts_by_killer + counts.cuts_by_win
    assert max(by_source, counts.first_cuts) <= counts.cuts
    assert 0 <= counts.first_share <= 1


@pytest.mark.parametrize("table", [True, False])
@given(recipe=recipes, depth=st.integers(1, 5))
@settings(often, max_examples=10)
def test_distinct_interior_nodes_are_those_of_a_set(
    table: bool, recipe: Recipe, depth: int
) -> None:
    game = grown(recipe)
    depth = min(depth, shallow(game, game.initial(), 500, 5))
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
    """Every position that minimax expands."""
    if depth == 0 or game.verdict(position).over:
        return []
    found = [position]
    for move in game.moves(position):
        found += interior(game, game.play(position, move), depth - 1)
    return found


def test_counts_add_up_over_searches_and_restart_with_an_analysis() -> None:
    engine = Engine("tictactoe", off=["all", "cycles"])
    engine.analyse(depth=2)
    once = engine.searcher.counts
    engine.search(None, -math.inf, math.inf, 2)
    assert engine.searcher.counts == once.plus(once)
    assert engine.analyse(depth=2).counts.nodes <= once.nodes

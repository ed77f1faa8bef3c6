"""The principal variation is complete, legal, and leads to the score."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Engine
from plyforge.engine import DRIVERS
from plyforge.engine.result import SearchResult
from plyforge.game.game import History
from plyforge.search.values import from_root, to_float32
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


def assert_line_leads_to_score(result: SearchResult, root: History) -> None:
    """Play the line, and compare the position it leads to with the score."""
    game, path = root.game, root.copy()
    for move in result.pv:
        path.play(move)
    verdict = path.verdict()
    assert len(result.pv) == result.depth or (verdict.over and len(result.pv) < result.depth)
    if verdict.over:
        value = from_root(to_float32(verdict.value), len(result.pv))
    else:
        value = to_float32(game.evaluation(path.position))
    assert result.score == (value if path.turn == root.turn else 0.0 - value)
    assert result.move == result.pv[0]


@given(recipe=recipes, depth=st.integers(1, 6), configuration=configurations())
@examples(100)
def test_lines_in_trees_and_graphs(
    recipe: Recipe, depth: int, configuration: Configuration
) -> None:
    game = load_tree(recipe)
    depth = min(depth, depth_within(game, game.initial(), 1000, 6))
    engine = configuration.engine(game)
    for _ in range(2):
        assert_line_leads_to_score(engine.analyse(depth=depth), game.history())


@given(seed=st.integers(0, 10**6), depth=st.integers(1, 7), configuration=configurations())
@examples(100)
def test_lines_where_sides_move_twice(seed: int, depth: int, configuration: Configuration) -> None:
    game = random_graph(seed, 9)
    if game.verdict(game.initial()).over:
        return
    engine = configuration.engine(game)
    for _ in range(2):
        assert_line_leads_to_score(engine.analyse(depth=depth), game.history())


@given(
    seed=st.integers(0, 10**6),
    rule=st.sampled_from(["draw", "loss", "illegal"]),
    depth=st.integers(1, 7),
    configuration=configurations(cycles=True),
)
@examples(100)
def test_lines_in_games_with_cycles(
    seed: int, rule: str, depth: int, configuration: Configuration
) -> None:
    game = cycle_game(seed, 2, REPETITION=rule, NO_PROGRESS_LIMIT=5)
    if game.history().verdict().over:
        return
    depth = min(depth, depth_within(game, game.initial(), 1000, 7))
    engine = configuration.engine(game)
    for _ in range(2):
        assert_line_leads_to_score(engine.analyse(depth=depth), game.history())


@given(recipe=cyclic, depth=st.integers(1, 7), configuration=configurations(cycles=True))
@examples(60)
def test_lines_in_cyclic_graphs(recipe: Recipe, depth: int, configuration: Configuration) -> None:
    game = load_tree(recipe)
    depth = min(depth, depth_within(game, game.initial(), 1000, 7))
    assert_line_leads_to_score(configuration.engine(game).analyse(depth=depth), game.history())


@pytest.mark.parametrize("name", GAMES)
@given(
    seed=st.integers(0, 2**32), plies=st.integers(0, 120), driver=st.sampled_from(sorted(DRIVERS))
)
@examples(5)
def test_lines_in_every_game(name: str, seed: int, plies: int, driver: str) -> None:
    game = plyforge.load(name)
    position = random_position(game, seed, plies)
    depth = depth_within(game, position, 1000)
    engine = Engine(game, driver=driver, entries=4096)
    assert_line_leads_to_score(engine.analyse(position, depth=depth), game.history(position))


@given(
    seed=st.integers(0, 10**6),
    rule=st.sampled_from(["draw", "loss", "illegal"]),
    depth=st.integers(1, 7),
    configuration=configurations(),
)
@examples(60)
def test_lines_may_repeat_positions_where_cycles_are_off(
    seed: int, rule: str, depth: int, configuration: Configuration
) -> None:
    """The search ignores repetition, although the rules would end the game earlier."""
    game = cycle_game(seed, 2, REPETITION=rule, NO_PROGRESS_LIMIT=5)
    if game.history().verdict().over:
        return
    depth = min(depth, depth_within(game, game.initial(), 1000, 7))
    result = configuration.engine(game).analyse(depth=depth)
    assert result.move in game.history().legal_moves()
    position = game.initial()
    for move in result.pv:
        assert move in game.moves(position)
        position = game.play(position, move)


@given(
    seed=st.integers(0, 10**6),
    depth=st.integers(1, 5),
    count=st.integers(2, 5),
    configuration=configurations(),
)
@examples(60)
def test_several_lines_are_those_of_the_best_moves(
    seed: int, depth: int, count: int, configuration: Configuration
) -> None:
    game = random_graph(seed, 9)
    if game.verdict(game.initial()).over:
        return
    engine = configuration.engine(game)
    truth = Engine(game, driver="minimax", off=["cycles"], entries=256)
    result = engine.analyse(depth=depth, multipv=count)
    moves = game.moves(game.initial())
    scores = {m: truth.analyse(depth=result.depth, moves=[m]).score for m in moves}
    best = sorted(scores.values(), reverse=True)[:count]
    assert [line.score for line in result.lines] == best
    firsts = [line.pv[0] for line in result.lines]
    assert len(set(firsts)) == len(firsts) == min(count, len(moves))
    for line in result.lines:
        assert scores[line.pv[0]] == line.score
        assert_line_leads_to_score(replace(result, lines=(line,)), game.history())
    assert engine.analyse(depth=depth).score == truth.analyse(depth=depth).score


def test_a_line_is_written_in_the_games_notation() -> None:
    engine = Engine("tictactoe", entries=4096)
    root = engine.root("XX./OO./... X")
    result = engine.analyse(root, depth=3)
    assert (engine.text(result), engine.line_texts(root, result.pv)) == ("c3", ["c3"])
    assert result.fields([["c3"]])["score_text"] == "win in 1"

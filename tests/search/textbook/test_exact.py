"""Every algorithm finds the minimax value, and bounds are correct."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Game, PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN
from plyforge.search.textbook import (
    View,
    alpha_beta,
    alpha_beta_fail_hard,
    alpha_beta_table,
    for_max,
    minimax,
    mtdf,
    negamax,
    negascout,
    vision_draughts,
)
from plyforge.search.textbook.memory_test import memory_test
from plyforge.search.textbook.table import Flag, flag_of
from tests.games.tiers import with_long
from tests.reference import kalah
from tests.reference.tree import Recipe
from tests.reference.tree import minimax as tree_value
from tests.search.examples import examples
from tests.search.textbook.figures import DEEP, tree, values

whole = st.integers(-3, 3)
real = st.floats(-(2**23), 2**23, width=32)


def nested(numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for trees of any shape, at least one move deep."""
    lists = st.recursive(
        numbers, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=20
    )
    return lists.map(lambda value: value if isinstance(value, list) else [value])


recipes = st.builds(
    Recipe,
    kind=st.sampled_from(["uniform", "incremental", "ordered", "layered", "skipping"]),
    branching=st.integers(2, 3),
    depth=st.integers(2, 4),
    seed=st.integers(0, 2**32 - 1),
    values=st.sampled_from([0, 3, 101]),
    p=st.just(0.5),
    width=st.integers(1, 4),
)


@cache
def random_graph_rules() -> str:
    return str(Path(__file__).with_name("random_graph.py"))


def random_graph(seed: int, spread: int) -> Game:
    return plyforge.load(f"{random_graph_rules()}:{seed},{spread}")


def plain_minimax(game: Game, position: Any, depth: int, ply: int = 0) -> float:
    """Return the minimax value for the first player, by the contract alone."""
    sign = 1 if game.turn(position) == 0 else -1
    result = game.outcome(position)
    moves = game.moves(position)
    if result == ONGOING and not moves:
        result = game.stuck(position)
    if result != ONGOING:
        return sign * {WIN: WIN - ply, LOSS: LOSS + ply}.get(result, result)
    if depth == 0:
        return sign * game.rules.hooks["evaluate"](position)
    below = [plain_minimax(game, game.play(position, move), depth - 1, ply + 1) for move in moves]
    return max(below) if sign == 1 else min(below)


# Trees and graphs


@given(lists=nested(whole) | nested(real), side=st.sampled_from(["MAX", "MIN"]))
@examples(60)
def test_all_algorithms_find_the_value_of_any_tree(lists: Any, side: str) -> None:
    text = str(lists).replace(" ", "")
    found = values(View(tree), tree.parse(f"{text} {side}"), DEEP)
    assert set(found.values()) == {tree_value(lists, side == "MAX")}


@given(recipe=recipes, horizon=st.integers(0, 4))
@examples(60)
def test_all_algorithms_agree_on_generated_trees_and_graphs(recipe: Recipe, horizon: int) -> None:
    game = plyforge.load(f"tree:{recipe.variant}")
    integer = recipe.values > 0
    found = values(View(game, integer=integer), game.initial(), horizon)
    assert len(set(found.values())) == 1, found
    whole_depth = values(View(game), game.initial(), DEEP)
    assert set(whole_depth.values()) == {tree_value(recipe.tree())}


@given(seed=st.integers(0, 10**6), spread=st.sampled_from([1, 3, 1001]), depth=st.integers(0, 5))
@examples(60)
def test_all_algorithms_agree_where_sides_move_twice_and_games_end_early(
    seed: int, spread: int, depth: int
) -> None:
    game = random_graph(seed, spread)
    found = values(View(game), game.initial(), depth)
    assert set(found.values()) == {plain_minimax(game, game.initial(), depth)}
    assert set(values(View(game, integer=True), game.initial(), depth).values()) == set(
        found.values()
    )


@given(seed=st.integers(0, 10**6))
@examples(60)
def test_tables_can_be_kept_between_searches(seed: int) -> None:
    """While depth and root change: entries are for one depth, and count wins from the node."""
    game = random_graph(seed, 5)
    view = View(game)
    table: Any = {}
    other_table: Any = {}
    memory: Any = {}
    start = game.initial()
    for position in (start, *(game.play(start, move) for move in game.moves(start)), start):
        for depth in (3, 1, 2, 4):
            root = view.root(position)
            value = plain_minimax(game, position, depth)
            assert for_max(root, alpha_beta_table(view, root, depth, table=table)) == value
            assert vision_draughts(view, root, depth, table=other_table) == value
            assert for_max(root, mtdf(view, root, depth, memory=memory)) == value


# Bounds


@given(
    seed=st.integers(0, 10**6),
    depth=st.integers(0, 4),
    bounds=st.lists(
        st.integers(-12, 12) | st.sampled_from([WIN - 2, LOSS + 2]),
        min_size=2,
        max_size=2,
        unique=True,
    ),
)
@examples(60)
def test_results_outside_the_window_are_bounds(seed: int, depth: int, bounds: list[int]) -> None:
    game = random_graph(seed, 21)
    view = View(game)
    root = view.root(game.initial())
    true = negamax(view, root, depth)
    alpha, beta = sorted(map(float, bounds))
    results = {
        "alpha-beta": alpha_beta(view, root, depth, alpha, beta),
        "NegaScout": negascout(view, root, depth, alpha, beta),
        "skip_research": negascout(view, root, depth, alpha, beta, skip_research=True),
        "table": alpha_beta_table(view, root, depth, alpha, beta),
        "memory": memory_test(view, root, depth, alpha, beta, {}),
        "VisionDraughts": vision_draughts(view, root, depth, alpha, beta),
    }
    for name, value in results.items():
        if value <= alpha:
            assert true <= value, name
        elif value >= beta:
            assert true >= value, name
        else:
            assert true == value, name
    assert alpha_beta_fail_hard(view, root, depth, alpha, beta) == min(max(true, alpha), beta)


# Every game


def pseudo_evaluation(game: Game, kinds: int, divisor: float) -> Any:
    """Return an evaluation by hashing: integers with many ties, or real numbers."""
    return lambda position: (game.key(position) % kinds - kinds // 2) / divisor


SMALL = 700


@pytest.mark.parametrize(
    "name",
    with_long(
        sorted({*plyforge.names()} - {"tree", "chess", "hex", "backgammon", "pig"}),
        ["chess", "hex"],
    ),
)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 80))
@examples(5)
def test_all_algorithms_agree_on_positions_of_every_game(name: str, seed: int, plies: int) -> None:
    game = plyforge.load(name)
    stream, position = Stream(seed), game.initial()
    for _ in range(plies):
        moves = game.legal_moves(position)
        if not moves:
            break
        position = game.play(position, stream.choice(moves))
    depth = 1
    while depth < 4 and game.perft(position, depth + 1, "python") <= SMALL:
        depth += 1
    for evaluate in (pseudo_evaluation(game, 7, 1), pseudo_evaluation(game, 10**6, 7)):
        found = values(View(game, evaluate), position, depth)
        assert len(set(found.values())) == 1, found


def kalah_value(game: kalah.Game, depth: int) -> int:
    """Return South's lead after best play by both sides, which may move several times."""
    if depth == 0 or game.over:
        return game.score() * (1 if game.mover == 0 else -1)
    below = []
    for move in game.moves():
        child = game.copy()
        child.play(move)
        below.append(kalah_value(child, depth - 1))
    return max(below) if game.mover == 0 else min(below)


@pytest.mark.parametrize("size", [(2, 3), (3, 2), (6, 4)])
def test_the_value_of_kalah_where_a_side_moves_again(
    size: tuple[int, int],
) -> None:
    game = plyforge.load(f"kalah:{size[0]},{size[1]}")
    view = View(game, lambda position: position.store - position.their_store)
    for depth in range(5 if size[0] < 6 else 4):
        expected = kalah_value(kalah.Game(*size), depth)
        assert set(values(view, game.initial(), depth).values()) == {expected}


# Values


def test_a_shorter_win_and_a_longer_loss_are_better() -> None:
    game = plyforge.load("tictactoe")
    view = View(game)
    win_in_one = game.parse("XX./OO./... X")
    assert alpha_beta(view, view.root(win_in_one), 5) == WIN - 1
    lost_in_two = game.parse("X.X/O../XO. O")
    assert set(values(view, lost_in_two, 4).values()) == {WIN - 2}
    root = view.root(lost_in_two)
    assert negamax(view, root, 4) == LOSS + 2


def test_a_finished_root_is_a_leaf() -> None:
    game = plyforge.load("tictactoe")
    view = View(game)
    over = game.parse("XXX/OO./... O")
    assert set(values(view, over, 3).values()) == {WIN}


def test_a_side_without_moves_is_detected_at_the_horizon_by_default() -> None:
    game = plyforge.load("chess")
    mate = game.parse("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")
    assert minimax(View(game), View(game).root(mate), 0) == WIN
    blind = View(game, lambda position: 0.0, stuck_at_horizon=False)
    assert minimax(blind, blind.root(mate), 0) == 0
    assert minimax(blind, blind.root(mate), 1) == WIN


def test_values_are_float32_and_zero_has_no_sign() -> None:
    game = plyforge.load("tictactoe")
    third = View(game, lambda position: 1 / 3)
    value = alpha_beta(third, third.root(game.initial()), 1)
    assert value != -1 / 3
    assert abs(value + 1 / 3) < 1e-7
    nothing = View(game, lambda position: -0.0)
    for depth in (0, 1, 2):
        found = values(nothing, game.initial(), depth)
        assert {str(value) for value in found.values()} == {"0.0"}


def test_impossible_values_are_refused() -> None:
    game = plyforge.load("tictactoe")
    root = View(game).root(game.initial())
    with pytest.raises(PlyforgeError, match="within"):
        negamax(View(game, lambda position: 2.0**24), root, 1)
    with pytest.raises(PlyforgeError, match="not an integer"):
        negamax(View(game, lambda position: 0.5, integer=True), root, 1)


def test_a_drawn_position_is_a_leaf() -> None:
    game = plyforge.load("chess")
    bare = game.parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    view = View(game, lambda position: 50)
    assert game.drawn(bare)
    assert set(values(view, bare, 3).values()) == {DRAW}


@pytest.mark.parametrize("seeds", [60, pytest.param(400, marks=pytest.mark.long)])
def test_skipping_researches_is_exact_where_the_same_side_moves_again(seeds: int) -> None:
    """A child that moves for the same side and fails high has not seen all its leaves."""
    for seed in range(seeds):
        game = random_graph(seed, 1001)
        view = View(game)
        root = view.root(game.initial())
        for depth in (2, 3):
            value = plain_minimax(game, game.initial(), depth)
            assert negascout(view, root, depth, skip_research=True) == value


def test_a_score_at_the_end_of_its_window_is_a_bound() -> None:
    flags = [flag_of(score, 1.0, 3.0) for score in (0.0, 1.0, 2.0, 3.0, 4.0)]
    assert flags == [Flag.UPPER, Flag.UPPER, Flag.EXACT, Flag.LOWER, Flag.LOWER]

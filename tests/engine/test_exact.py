"""Every driver with any exact switches and parameters finds the minimax value."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import plyforge
from plyforge import Engine, Game
from plyforge.core.scores import LOSS, SCORE_LIMIT, WIN
from plyforge.engine import DRIVERS
from tests.reference.path_minimax import minimax
from tests.reference.tree import Recipe
from tests.search.examples import examples
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import GAMES, load_tree, random_graph, random_position, recipes

LEAVES = 5_000
LONG = pytest.mark.long


def true_value(game: Game, position: Any, depth: int) -> float:
    """Return the minimax value of the kernel, which `test_visits` compares with the textbook."""
    engine = Engine(game, driver="minimax", off=["cycles"], entries=256)
    return engine.analyse(position, depth=depth).score


def limit_depth(game: Game, position: Any, max_leaves: int, depth: int) -> int:
    """Return `depth`, or less if the tree is too large.

    It counts from the root: a deep tree of a game such as Hex cannot be counted.
    """
    plies = 1
    while plies < depth and game.perft(position, plies + 1) <= max_leaves:
        plies += 1
    return plies


@given(recipe=recipes, depth=st.integers(1, 8), configuration=configurations())
@examples(100)
def test_the_value_of_trees_and_graphs(
    recipe: Recipe, depth: int, configuration: Configuration
) -> None:
    game = load_tree(recipe)
    depth = limit_depth(game, game.initial(), LEAVES, depth)
    assert configuration.engine(game).analyse(depth=depth).score == true_value(
        game, game.initial(), depth
    )


@given(
    seed=st.integers(0, 10**6),
    spread=st.sampled_from([1, 3, 21, 1001]),
    depth=st.integers(1, 8),
    configuration=configurations(),
)
@examples(100)
def test_the_value_where_sides_move_twice_and_games_end_early(
    seed: int, spread: int, depth: int, configuration: Configuration
) -> None:
    reach = spread // 2
    game = random_graph(seed, spread, EVALUATION_RANGE=(-float(reach), float(reach)))
    if game.verdict(game.initial()).over:
        return
    result = configuration.engine(game).analyse(depth=depth)
    assert result.score == true_value(game, game.initial(), depth)


@pytest.mark.parametrize("name", GAMES)
@given(
    seed=st.integers(0, 2**32),
    plies=st.integers(0, 120),
    depth=st.integers(1, 6),
    configuration=configurations(),
)
@examples(5)
def test_the_value_of_positions_of_every_game(
    name: str, seed: int, plies: int, depth: int, configuration: Configuration
) -> None:
    game = plyforge.load(name)
    position = random_position(game, seed, plies)
    depth = limit_depth(game, position, LEAVES, depth)
    result = configuration.engine(game).analyse(position, depth=depth)
    assert result.score == true_value(game, position, depth)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
        ("hex:4", None),
        ("andantino", None),
        ("giveaway", None),
    ],
)
def test_games_that_are_not_compiled_are_compared_uncompiled(name: str, text: str | None) -> None:
    """The long tests compare their compiled searches."""
    game = plyforge.load(name, backend="python")
    root = game.history(None if text is None else game.parse(text))
    engine = Engine(game, backend="python", entries=256)
    assert engine.analyse(root, depth=2).score == minimax(root, 2)


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(
    ("name", "text", "score"),
    [
        ("tictactoe", "XX./OO./... X", WIN - 1),
        ("tictactoe", "X.X/.O./X.O O", LOSS + 2),
        pytest.param("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", WIN - 1, marks=LONG),
        pytest.param("chess", "7k/R7/8/8/8/8/8/1R4K1 b - - 0 1", LOSS + 2, marks=LONG),
    ],
)
def test_wins_and_losses_beyond_the_range_of_evaluations(
    driver: str, name: str, text: str, score: float
) -> None:
    assert abs(score) > SCORE_LIMIT
    engine = Engine(name, driver=driver, entries=4096)
    result = engine.analyse(text, depth=5)
    assert (result.score, result.proved) == (score, True)


@given(
    seed=st.integers(0, 10**6),
    depths=st.lists(st.integers(1, 6), min_size=2, max_size=4),
    configuration=configurations(),
)
@examples(30)
def test_a_table_of_earlier_searches_keeps_values_exact(
    seed: int, depths: list[int], configuration: Configuration
) -> None:
    """Search several positions with one table, each to several depths."""
    game = random_graph(seed, 9)
    start = game.initial()
    if game.verdict(start).over:
        return
    below = [game.play(start, move) for move in game.moves(start)]
    engine = configuration.engine(game)
    for position in (start, *below, start):
        if game.verdict(position).over:
            continue
        for depth in depths:
            assert engine.analyse(position, depth=depth).score == true_value(game, position, depth)


@given(recipe=recipes, depth=st.integers(2, 5), configuration=configurations())
@examples(30)
def test_a_table_of_earlier_searches_keeps_values_of_graphs_exact(
    recipe: Recipe, depth: int, configuration: Configuration
) -> None:
    game = load_tree(recipe)
    start = game.initial()
    engine = configuration.engine(game)
    for position in (start, game.play(start, 1), game.play(start, 0), start):
        for plies in (depth, depth - 1, depth):
            if not game.verdict(position).over:
                found = engine.analyse(position, depth=plies).score
                assert found == true_value(game, position, plies)


@given(
    recipe=recipes,
    depth=st.integers(1, 5),
    epsilon=st.sampled_from([1e-9, 0.003, 0.3, 1.0, 7.0, 1000.0]),
    table=st.booleans(),
)
@example(Recipe("uniform", 3, 4, seed=1, values=0), 4, 0.3, True)
@examples(60)
def test_the_error_of_real_mtdf_as_printed_is_less_than_epsilon(
    recipe: Recipe, depth: int, epsilon: float, table: bool
) -> None:
    game = load_tree(recipe)
    engine = Engine(
        game,
        driver="real-mtdf",
        off=["all", "cycles"],
        on=["table"] if table else [],
        settings={"epsilon": epsilon, "closing": "no"},
        entries=4096,
    )
    found = engine.analyse(depth=depth).score
    error = abs(found - true_value(game, game.initial(), depth))
    assert error < epsilon


@pytest.mark.parametrize("seed", range(5))
def test_aspiration_ends_with_windows_narrower_than_float32_steps(seed: int) -> None:
    """Every search narrows the bounds, so there are few of them."""
    engine = Engine(
        f"tree:uniform,3,5,{seed}",
        driver="aspiration",
        off=["all", "cycles"],
        settings={"aspiration": 1e-30, "aspiration-growth": 1.001, "guess": "zero"},
    )
    assert len(engine.analyse(depth=5).steps) < 30

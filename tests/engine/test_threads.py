"""Several threads share a table, and values stay exact."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Engine
from plyforge.core.errors import GameFileError
from plyforge.engine import DRIVERS
from tests.engine.test_bad_input import FAULTY
from tests.engine.test_exact import limit_depth, true_value
from tests.engine.test_line import assert_line_leads_to_score
from tests.reference.path_minimax import minimax
from tests.reference.tree import Recipe
from tests.search.examples import examples
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import cycle_game, load_tree, recipes


@given(
    recipe=recipes,
    depth=st.integers(3, 8),
    threads=st.integers(2, 4),
    configuration=configurations(),
)
@examples(30)
def test_values_are_those_of_one_thread(
    recipe: Recipe, depth: int, threads: int, configuration: Configuration
) -> None:
    game = load_tree(recipe)
    depth = limit_depth(game, game.initial(), 5_000, depth)
    engine = configuration.engine(game, threads=threads)
    for _ in range(2):
        result = engine.analyse(depth=depth)
        assert result.score == true_value(game, game.initial(), depth)
        assert_line_leads_to_score(result, game.history())


@given(
    seed=st.integers(0, 10**6),
    rule=st.sampled_from(["draw", "loss", "illegal"]),
    depth=st.integers(2, 6),
    configuration=configurations(cycles=True),
)
@examples(30)
def test_values_on_paths_are_those_of_one_thread(
    seed: int, rule: str, depth: int, configuration: Configuration
) -> None:
    game = cycle_game(seed, 2, REPETITION=rule, NO_PROGRESS_LIMIT=5)
    if not game.history().verdict().over:
        engine = configuration.engine(game, threads=3)
        assert engine.analyse(depth=depth).score == minimax(game.history(), depth)


@pytest.mark.parametrize("driver", DRIVERS)
def test_values_are_exact_in_a_small_table_full_of_collisions(driver: str) -> None:
    game = plyforge.load("tree:skipping,4,12,width=300")
    depth = 6 if driver == "minimax" else 8
    expected = Engine(game, off=["cycles"], entries=1 << 18).analyse(depth=depth).score
    engine = Engine(game, driver=driver, on=["table"], off=["cycles"], entries=256, threads=4)
    for _ in range(3):
        assert engine.analyse(depth=depth).score == expected


def test_a_limit_of_nodes_counts_the_main_thread() -> None:
    engine = Engine("tree:uniform,4,12", entries=4096, threads=2)
    result = engine.analyse(depth=12, nodes=500)
    assert result.stopped
    assert result.counts.nodes >= 500
    assert sum(step.nodes for step in result.steps) == 500


@pytest.mark.parametrize("method", ["shared-table", "lazy", "ybwc"])
def test_an_account_has_the_nodes_of_each_thread_and_their_time(method: str) -> None:
    engine = Engine("tree:uniform,4,12", entries=4096, threads=3, parallel=method)
    result = engine.analyse(depth=8)
    assert result.account is not None
    assert result.account.method == method
    assert sum(result.account.nodes) == result.nodes
    assert len(result.account.nodes) == 3
    assert 0 < result.account.seconds <= 3 * result.seconds
    assert result.account.fields()["thread_seconds"] == result.account.seconds
    if method != "ybwc":
        assert result.account.searching == 1
    alone = Engine("tree:uniform,4,12", entries=4096)
    assert alone.analyse(depth=4).account is None


def test_a_fault_of_the_game_is_an_error_in_any_thread() -> None:
    engine = Engine(plyforge.load(f"{FAULTY}:2"), entries=256, threads=3)
    with pytest.raises(GameFileError, match="EVALUATION_RANGE"):
        engine.analyse(depth=8)
    engine.clear()


def test_engines_in_many_threads_never_disturb_each_other() -> None:
    """Each visits the same nodes as alone, also two of the same game and options."""
    makers = [
        lambda: Engine("connect4", entries=4096),
        lambda: Engine("connect4", entries=4096),
        lambda: Engine("connect4", entries=256, driver="mtdf"),
        lambda: Engine("tree:uniform,4,12", entries=4096),
        lambda: Engine("checkers", entries=4096, off=["history"]),
        lambda: Engine("checkers", entries=256, settings={"depth-rule": "at-least"}),
    ]
    alone = [maker().analyse(depth=8) for maker in makers]
    for _ in range(3):
        engines = [maker() for maker in makers]
        with ThreadPoolExecutor(len(engines)) as pool:
            together = list(pool.map(lambda engine: engine.analyse(depth=8), engines))
        for one, other in zip(alone, together, strict=True):
            assert (one.score, one.pv, one.counts) == (other.score, other.pv, other.counts)

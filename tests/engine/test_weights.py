"""Weights as data: one kernel for all vectors, which never see one another's values."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge import Engine, PlyforgeError
from plyforge.compilation import kernel
from plyforge.compilation.kernel import kernel_name
from plyforge.evaluate import evaluation_of, quantise, save_evaluation, with_evaluation
from plyforge.game.game import Game
from plyforge.lab.variations import Variation
from plyforge.match.plan import Plan, identify
from plyforge.search.hashtable import HashTable
from plyforge.search.request import SearchRequest, root_of
from plyforge.search.searcher import Searcher
from plyforge.search.steps.linking import search_kernel

BOARD = "connect4:5x4"
GAMES = [
    *("tictactoe", "connect4", "checkers", "giveaway", "othello"),
    *("chess", "hex:5", "kalah", "andantino"),
]


def load(backend: Any = "python") -> Game:
    return plyforge.load(BOARD, backend)


def vectors(count: int) -> list[Any]:
    """The same vectors in every test, whichever tests ran before."""
    random, size = np.random.default_rng(14), evaluation_of(load()).form.size
    return [random.integers(-8, 9, size) for _ in range(count)]


def root(game: Game) -> Any:
    """A position with unequal chances, in which most weights matter."""
    history = game.history()
    for column in (1, 2, 1, 2, 4, 1):
        history.play(history.legal_moves()[column])
    return history


def summary(engine: Engine, depth: int = 4) -> Any:
    result = engine.analyse(root(engine.game), depth=depth)
    return result.score, result.pv, result.counts


@pytest.mark.parametrize("replace", ["two-level", "newer", "deeper", "deeper-timestamp"])
@pytest.mark.parametrize("entries", [256, 1 << 14])
def test_an_engine_with_other_weights_is_like_a_new_one(replace: str, entries: int) -> None:
    game, settings = load(), {"replace": replace}
    own, scores = evaluation_of(game), set()
    engine = Engine(game, evaluation=quantise(own), settings=settings, entries=entries)
    for weights in vectors(4):
        engine.set_weights(weights)
        evaluation = quantise(own.with_weights(weights))
        new = Engine(game, evaluation=evaluation, settings=settings, entries=entries)
        found = summary(engine)
        assert found == summary(new)
        scores.add(found[0])
    assert len(scores) > 1


def test_searchers_with_other_weights_may_share_a_table() -> None:
    game, table = load(), HashTable.sized(entries=1 << 12)
    games = [with_evaluation(game, evaluation_of(game).with_weights(v)) for v in vectors(3)]
    options = Engine(game).options
    shared = [Searcher(one, options, table) for one in games]
    alone = [Searcher(one, options) for one in games]
    for depth in (2, 3, 4):
        for searchers in zip(shared, alone, strict=True):
            values = []
            for searcher in searchers:
                start = root_of(root(game), searcher.game)
                request = SearchRequest.of(start, -1e9, 1e9, depth)
                values.append(searcher.search(request).value)
            assert values[0] == values[1]


def test_the_kernel_does_not_depend_on_the_weights_but_on_their_type() -> None:
    game = load()
    own, options = evaluation_of(game), Engine(game).options

    def name(evaluation: Any) -> str:
        rules = with_evaluation(game, evaluation).rules
        return kernel_name(search_kernel(options.kernel_steps), rules, game.position_type)[0]

    first, second = vectors(2)
    assert name(own.with_weights(first)) == name(own.with_weights(second))
    assert name(quantise(own.with_weights(first))) == name(quantise(own.with_weights(second)))
    kinds = [
        own.with_weights(first),
        own.with_weights(first + 0.5),
        quantise(own.with_weights(first)),
        quantise(own.with_weights(first), "float32"),
    ]
    assert len({name(one) for one in kinds}) == len(kinds)


@pytest.mark.long
def test_a_thousand_vectors_in_threads_need_one_kernel() -> None:
    game = load("compiled")
    own = evaluation_of(game)
    several = [own.with_weights(vector) for vector in vectors(1000)]
    Engine(game, evaluation=several[0], entries=1024).prepare()
    built = set(kernel._compiled)

    def value(evaluation: Any) -> tuple[float, int]:
        result = Engine(game, evaluation=evaluation, entries=1024).analyse(depth=5)
        return result.score, result.nodes

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(value, several))
    assert set(kernel._compiled) == built
    plain = load()
    for place in range(0, 1000, 250):
        expected = Engine(plain, evaluation=several[place], entries=1024).analyse(depth=5)
        assert found[place] == (expected.score, expected.nodes)
    assert len(set(found)) > 100


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_searches_with_data_visit_the_nodes_of_constants_in_every_game(name: str) -> None:
    game = plyforge.load(name)
    own = evaluation_of(game)
    constants = Engine(game, entries=1 << 14).analyse(depth=5)
    data = Engine(game, evaluation=own, entries=1 << 14).analyse(depth=5)
    assert (data.score, data.counts, data.pv) == (constants.score, constants.counts, constants.pv)
    plain = Engine(game, evaluation=own, entries=1 << 14, backend="python")
    shallow = Engine(game, entries=1 << 14).analyse(depth=2)
    assert plain.analyse(depth=2).counts == shallow.counts


def test_threads_of_an_engine_take_the_new_weights() -> None:
    game = load()
    first, second = vectors(2)
    engine = Engine(game, evaluation=evaluation_of(game).with_weights(first), threads=3)
    before = summary(engine)[0]
    engine.set_weights(second)
    expected = Engine(game, evaluation=evaluation_of(game).with_weights(second))
    assert summary(engine)[0] == summary(expected)[0] != before


def test_weights_of_a_built_in_evaluation_can_be_changed_too(tmp_path: Path) -> None:
    game = load()
    engine = Engine(game)
    own = summary(engine)[0]
    vector = evaluation_of(game).vector
    engine.set_weights(vector * -1)
    assert summary(engine)[0] != own
    path = tmp_path / "own.npz"
    save_evaluation(path, game, positions=())
    for back in (vector.astype(int), str(path), evaluation_of(game)):
        engine.set_weights(vector * -1)
        engine.set_weights(back)
        assert summary(engine)[0] == own
        position = root(game).position
        assert engine.game.terms(position) == game.terms(position)


def test_other_types_of_numbers_are_taken_as_well() -> None:
    game = load()
    first, second = vectors(2)
    engine = Engine(game, evaluation=evaluation_of(game).with_weights(first))
    summary(engine)
    engine.set_weights(second + 0.25)
    expected = Engine(game, evaluation=evaluation_of(game).with_weights(second + 0.25))
    assert summary(engine) == summary(expected)


REFUSED = {
    "too many": (np.zeros(99), "the form has .* weights, not"),
    "not a number": (np.full(10_000, np.nan), "nan is not a finite number"),
    "no numbers": (["a"], "is not a number or an array of numbers"),
    "a huge integer": ([1 << 60], "within ±2\\^53"),
    "another file": ("none.npz", "no file none.npz"),
    "no file of weights": ("mine.py", "does not end in .npz"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_weights_that_do_not_fit_are_refused_and_change_nothing(case: str) -> None:
    wrong, message = REFUSED[case]
    game = load()
    engine = Engine(game, evaluation=evaluation_of(game).with_weights(vectors(1)[0]))
    before = summary(engine, 3)[0]
    with pytest.raises(PlyforgeError, match=message):
        engine.set_weights(wrong)
    engine.clear()
    assert summary(engine, 3)[0] == before


def test_a_plain_function_has_no_weights() -> None:
    engine = Engine(load(), evaluation="none")
    with pytest.raises(PlyforgeError, match="has no weights: it is a plain function"):
        engine.set_weights([1])


def test_identities_of_matches_and_variations_depend_on_the_weights(tmp_path: Path) -> None:
    game, path = load(), tmp_path / "weights.npz"
    own = evaluation_of(game)
    identities, variations = set(), set()
    for vector in vectors(2):
        evaluation = own.with_weights(vector)
        save_evaluation(path, game, evaluation, positions=())
        plan = Plan(BOARD, ("random", f"engine:depth=2,evaluation={path}"))
        identities.add(identify(plan.settings()))
        variations.add(Variation("one", evaluation=str(path)).identity)
        variations.add(Variation("one", evaluation=evaluation).identity)
    assert len(identities) == 2
    assert len(variations) == 4

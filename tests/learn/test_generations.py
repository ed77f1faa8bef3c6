"""Runs of the genetic algorithm and of evolution strategies: resumed, repeated, made longer."""

from dataclasses import replace

import numpy as np
import pytest

from plyforge import PlyforgeError
from plyforge.jobs.local import local_executor
from plyforge.learn.choosing import open_run as open_any_run
from plyforge.learn.games import GamePlan
from plyforge.learn.runs import LearningRun
from plyforge.learn.store import LearningStore
from tests.learn.plans import make_plan, open_run

GAMES = GamePlan("kalah:3,2", depth=1, seed=3, opening=2, backend="python")
SMALL = {
    "genetic": {
        "population": 3,
        "generations": 2,
        "tournament": 2,
        "training_games": 4,
        "pair_games": 2,
    },
    "evolution": {"population": 4, "generations": 3, "candidate_games": 4},
}
EVOLUTION = pytest.param("evolution", marks=pytest.mark.long)  # importing cma takes seconds
METHODS = ["genetic", EVOLUTION]
PER_GENERATION = {"genetic": 3 * 4 + 3 * 2, "evolution": 4 * 4}


def plan_of(method, **parameters):
    return make_plan(method, GAMES, parameters={**SMALL[method], **parameters}, test_games=2)


def learn(path, plan, games=None, stop_after=None):
    """Learn in a file; leave the run when so many games have been played."""
    with LearningStore(path) as store:
        run = open_run(store, plan)
        for step in run.run(games):
            if stop_after is not None and step.games >= stop_after:
                break
        return run.weights, store.rounds(run.row.id), store.extras(run.row.id)


def same(one, other):
    (weights, rounds, extras), (other_weights, other_rounds, other_extras) = one, other
    np.testing.assert_array_equal(weights, other_weights)
    assert extras == other_extras
    plain = [replace(one, seconds=0.0) for one in rounds]
    assert plain == [replace(one, seconds=0.0) for one in other_rounds]


@pytest.mark.parametrize("method", METHODS)
def test_a_run_that_was_left_anywhere_ends_like_one_that_was_not(tmp_path, method):
    plan, path = plan_of(method), tmp_path / "parts.db"
    whole = learn(tmp_path / "whole.db", plan)
    generations, per_generation = SMALL[method]["generations"], PER_GENERATION[method]
    assert [one.games for one in whole[1]] == [
        per_generation * (number + 1) for number in range(generations)
    ]
    for stop in range(5, generations * per_generation, 7):
        learn(path, plan, stop_after=stop)
    same(learn(path, plan), whole)
    same(learn(path, plan), whole)  # there is nothing left to do


@pytest.mark.parametrize("method", METHODS)
def test_what_has_ended_of_a_generation_is_not_played_again(tmp_path, method, monkeypatch):
    plan, path = plan_of(method), tmp_path / "a.db"
    learn(path, plan, stop_after=PER_GENERATION[method] - 1)
    with LearningStore(path) as store:
        run = open_run(store, plan)
        assert store.parts(run.row.id, 1)
        steps = run.run()
        assert next(steps).games == 0
        assert next(steps).games > 0  # the stored parts, at once
        steps.close()


@pytest.mark.parametrize("method", METHODS)
def test_more_generations_make_a_run_longer(tmp_path, method):
    short = plan_of(method, generations=1)
    assert len(learn(tmp_path / "a.db", short)[1]) == 1
    same(learn(tmp_path / "a.db", plan_of(method)), learn(tmp_path / "b.db", plan_of(method)))


@pytest.mark.parametrize("method", METHODS)
def test_games_end_a_run_with_the_generation_in_which_they_are_reached(tmp_path, method):
    with LearningStore(tmp_path / "a.db") as store:
        run = open_run(store, plan_of(method))
        games = PER_GENERATION[method]
        assert run.total_games(None) == games * SMALL[method]["generations"]
        assert run.total_games(1) == run.total_games(games) == games
        assert run.total_games(games + 1) == 2 * games
    assert len(learn(tmp_path / "a.db", plan_of(method), games=1)[1]) == 1


@pytest.mark.parametrize("method", METHODS)
def test_the_seed_of_the_run_decides_all_chance(tmp_path, method):
    plan = plan_of(method)
    other = replace(plan, games=replace(GAMES, seed=4))
    one, two = learn(tmp_path / "a.db", plan), learn(tmp_path / "b.db", other)
    assert one[2] != two[2]


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_processes_do_not_change_the_result(tmp_path, method):
    plan = plan_of(method)
    whole = learn(tmp_path / "a.db", plan)
    with LearningStore(tmp_path / "b.db") as store:
        run = open_any_run(plan, store, "one", local_executor(2))
        for _ in run.run():
            pass
        same((run.weights, store.rounds(run.row.id), store.extras(run.row.id)), whole)


def test_the_weights_of_a_genetic_run_are_those_of_its_fittest_individual(tmp_path):
    with LearningStore(tmp_path / "a.db") as store:
        run = open_run(store, plan_of("genetic", generations=4))
        best = 0.0
        for step in run.run():
            if step.round is None:
                continue
            before, best = best, max(best, 1.0 - step.round.loss)
            chosen = run.state.extra["features"]
            kept = np.array([name in chosen for name in run.names])
            assert not run.weights[~kept].any()
            if best > before:
                newest = run.history[-1]
                assert run.chosen_names(newest.individuals[newest.best]) == tuple(chosen)


@pytest.mark.long
def test_evolution_moves_the_mean_to_what_wins(tmp_path):
    start = open_run(LearningStore(":memory:"), plan_of("evolution")).start
    weights, rounds, extras = learn(tmp_path / "a.db", plan_of("evolution", against="start"))
    assert not np.array_equal(weights, start)
    assert all(len(extra["losses"]) == 4 for extra in extras)
    assert [one.loss for one in rounds] == [min(extra["losses"]) for extra in extras]
    assert "against the start" in rounds[0].note


@pytest.mark.long
def test_a_run_that_draws_other_candidates_than_before_is_not_resumed(tmp_path):
    plan = plan_of("evolution", generations=1)
    learn(tmp_path / "a.db", plan)
    with LearningStore(tmp_path / "a.db") as store, store.connection:
        store.connection.execute("UPDATE learning_round SET weights = ?", (np.ones(7).tobytes(),))
    with pytest.raises(PlyforgeError, match="cannot be resumed"):
        learn(tmp_path / "a.db", plan_of("evolution"))


@pytest.mark.parametrize(
    ("method", "settings", "message"),
    [
        ("evolution", {"opponent": "clone"}, "its parameter 'against'"),
        ("evolution", {"parameters": {"candidate_games": 3}}, "even number"),
        ("evolution", {"parameters": {"against": "nobody"}}, "unknown against 'nobody'"),
        ("genetic", {"parameters": {"pair_games": 3}}, "even number"),
        ("genetic", {"parameters": {"training": "logistic"}}, "unknown training 'logistic'"),
        ("genetic", {"data": "a.csv"}, "learns from games that it plays"),
    ],
)
def test_impossible_plans_are_refused(method, settings, message):
    with pytest.raises(PlyforgeError, match=message):
        make_plan(method, GAMES, **settings)


def test_features_are_chosen_from_named_ones_only(tmp_path):
    plan = make_plan("genetic", replace(GAMES, game="hex:3"))
    with LearningStore(tmp_path / "a.db") as store, pytest.raises(PlyforgeError, match="named"):
        open_run(store, plan)


def test_the_plain_run_refuses_methods_that_rate_candidates(tmp_path):
    with LearningStore(tmp_path / "a.db") as store:
        run = LearningRun(plan_of("genetic"), store, "one", local_executor(0))
        with pytest.raises(PlyforgeError, match="open_run"):
            list(run.run(10))

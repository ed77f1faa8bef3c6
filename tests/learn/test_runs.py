"""Runs of learning: resumed, repeated, against a clone, from data sets."""

from dataclasses import replace

import numpy as np
import pytest

from plyforge import PlyforgeError
from plyforge.jobs.local import local_executor
from plyforge.learn.games import GameQueue
from plyforge.learn.runs import score_against
from plyforge.learn.store import LearningStore
from tests.learn.plans import GAMES, make_plan, open_run

ONLINE = ["td", "td-forward", "tdleaf", "td-root"]


def learn(path, plan, games=8, name="one"):
    with LearningStore(path) as store:
        run = open_run(store, plan, name)
        for _ in run.run(games):
            pass
        return run.weights, store.rounds(run.row.id)


@pytest.mark.parametrize("method", ONLINE)
def test_a_run_that_was_left_ends_like_one_that_was_not(tmp_path, method):
    plan = make_plan(method)
    whole, rounds = learn(tmp_path / "whole.db", plan, 12)
    with LearningStore(tmp_path / "parts.db") as store:
        run = open_run(store, plan)
        for step in run.run(12):
            if step.games > 5:  # within the second round
                break
        start = run.start
        assert run.state.round.games == 4
    again, other = learn(tmp_path / "parts.db", plan, 12)
    np.testing.assert_array_equal(again, whole)
    assert [one.loss for one in other] == [one.loss for one in rounds]
    assert [one.games for one in rounds] == [4, 8, 12]
    assert not np.array_equal(whole, start)


def test_the_step_size_falls_with_the_number_of_games(tmp_path):
    plan = make_plan(slow_after=4, parameters={"rate": 0.5})
    with LearningStore(str(tmp_path / "runs.db")) as store:
        run = open_run(store, plan)
        rates = [plan.make_parameters(run.model, games).rate for games in (0, 4, 12)]
        assert rates == pytest.approx([rates[0], rates[0] / 2, rates[0] / 4])
        constant = open_run(store, make_plan(parameters={"rate": 0.5}), "constant")
        for _ in run.run(4):
            pass
        for _ in constant.run(4):
            pass
        assert np.array_equal(run.weights, constant.weights)
        for _ in run.run(8):
            pass
        for _ in constant.run(8):
            pass
        first = run.start
        assert np.abs(run.weights - first).max() > 0
        assert not np.array_equal(run.weights, constant.weights)


def test_another_seed_learns_something_else(tmp_path):
    one, _ = learn(tmp_path / "a.db", make_plan())
    other, _ = learn(tmp_path / "b.db", make_plan(games=replace(GAMES, seed=4)))
    assert not np.array_equal(one, other)


def test_a_run_can_be_made_longer_but_not_changed(tmp_path):
    learn(tmp_path / "a.db", make_plan(), 4)
    longer, _ = learn(tmp_path / "a.db", make_plan(), 8)
    whole, _ = learn(tmp_path / "b.db", make_plan(), 8)
    np.testing.assert_array_equal(longer, whole)
    with pytest.raises(PlyforgeError, match=r"'one' with depth 2, not 3; repeat its options"):
        learn(tmp_path / "a.db", make_plan(games=replace(GAMES, depth=3)))
    with pytest.raises(PlyforgeError, match=r"with rate 0\.01, not 0\.5"):
        learn(tmp_path / "a.db", make_plan(parameters={"rate": 0.5}))
    learn(tmp_path / "a.db", make_plan(parameters={"rate": 0.5}), 4, name="two")


def test_the_learner_replaces_its_clone_when_it_has_won_a_tournament(tmp_path):
    plan = make_plan(opponent="clone", tournament=4, replace_above=0.0)
    with LearningStore(tmp_path / "a.db") as store:
        run = open_run(store, plan)
        for _ in run.run(8):
            pass
        np.testing.assert_array_equal(run.state.others[0], run.weights)
        assert all("replaced" in one.note for one in store.rounds(run.row.id))
    plan = make_plan(opponent="clone", tournament=4, replace_above=1.0)
    with LearningStore(tmp_path / "b.db") as store:
        run = open_run(store, plan)
        for _ in run.run(8):
            pass
        np.testing.assert_array_equal(run.state.others[0], run.start)
        assert all("kept" in one.note for one in store.rounds(run.row.id))
        assert not np.array_equal(run.weights, run.start)


@pytest.mark.parametrize("method", ["td", "td-root", "tdleaf"])
def test_against_a_clone_positions_of_both_sides_count_but_searches_of_the_learner_only(
    tmp_path, method
):
    plan = make_plan(method, opponent="clone", tournament=4)
    with LearningStore(tmp_path / "a.db") as store, GameQueue(local_executor(0), ()) as queue:
        run = open_run(store, plan)
        game = next(queue.play(plan.games, [(0, run.weights, run.weights)]))
        episode = run._episode(game)
    count = len(game.moves) - plan.games.opening
    assert episode.inputs.count == (count if method == "td" else (count + 1) // 2)


def test_tests_against_the_start_do_not_change_what_is_learned(tmp_path):
    plain, _ = learn(tmp_path / "a.db", make_plan())
    tested, rounds = learn(tmp_path / "b.db", make_plan(test_rounds=1, test_games=2))
    np.testing.assert_array_equal(plain, tested)
    assert all(0.0 <= one.score <= 1.0 and one.score_games == 2 for one in rounds)


def test_equal_weights_score_half(tmp_path):
    from plyforge.jobs.local import local_executor
    from plyforge.learn.games import GameQueue

    plan = make_plan(test_games=6)
    with LearningStore(tmp_path / "a.db") as store, GameQueue(local_executor(0), []) as queue:
        run = open_run(store, plan)
        assert score_against(plan, run.start, run.start, 1, queue) == 0.5


@pytest.mark.parametrize("method", ["regression", "logistic", "supervised"])
def test_data_sets_are_played_stored_and_learned_from(tmp_path, method):
    settings = {"search_weight": 0.5}
    if method == "supervised":
        settings["parameters"] = {"epochs": 2, "held_out": 0.25}
    plan = make_plan(method, **settings)
    whole, rounds = learn(tmp_path / "whole.db", plan, 6)
    with LearningStore(tmp_path / "parts.db") as store:
        run = open_run(store, plan)
        for step in run.run(6):
            if step.games == 3:
                break
        assert len(store.games(run.row.id)) == 3
    again, _ = learn(tmp_path / "parts.db", plan, 6)
    np.testing.assert_array_equal(again, whole)
    (only,) = rounds
    assert only.loss is not None
    assert (only.held_out_loss is not None) == (method == "supervised")


def test_a_run_goes_through_the_file_as_it_is_made(tmp_path):
    with LearningStore(tmp_path / "a.db") as store:
        run = open_run(store, make_plan())
        seen = []
        for step in run.run(8):
            if step.round is not None:
                seen.append(store.last_state(run.row.id))
        assert [state.round.games for state in seen] == [4, 8]
        assert len(store.weights(run.row.id)) == 2
        np.testing.assert_array_equal(store.weights(run.row.id)[-1][1], run.weights)


def test_a_rate_that_makes_the_weights_infinite_is_named_and_nothing_is_lost(tmp_path):
    plan = make_plan(parameters={"rate": 1e6}, squash="identity")
    with LearningStore(tmp_path / "a.db") as store:
        run = open_run(store, plan)
        with pytest.raises(PlyforgeError, match="use a rate less than"):
            for _ in run.run(400):
                pass
        assert np.isfinite(run.weights).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponent": "nobody"}, "unknown opponent 'nobody'"),
        ({"round_games": 0}, "round games must be an integer of at least 1, not 0"),
        ({"test_rounds": 1, "test_games": 3}, "must be an even number"),
        ({"slow_after": -1}, "slow after must be an integer of at least 0, not -1"),
        ({"method": "logistic", "slow_after": 5}, "slow after must be 0, not 5"),
        ({"replace_above": 1.5}, "replace above must be between 0 and 1, not 1.5"),
        ({"opponent": "clone", "tournament": 6}, "whole rounds of 4 games"),
        ({"parameters": {"rate": -1.0}}, "rate must be"),
        ({"parameters": {"rats": 1.0}}, "unknown parameter of td 'rats'"),
        ({"squash": "cube"}, "unknown squashing 'cube'"),
        ({"data": "x.csv"}, "learns from games that it plays"),
    ],
)
def test_impossible_plans_are_refused(settings, message):
    with pytest.raises(PlyforgeError, match=message):
        make_plan(**settings)


@pytest.mark.parametrize("games", [0, -1, 10**8])
def test_an_impossible_number_of_games_is_refused(tmp_path, games):
    with pytest.raises(PlyforgeError, match="number of games must be between"):
        learn(tmp_path / "a.db", make_plan(), games)


def test_predictions_that_are_values_have_the_range_of_the_evaluation():
    plan = make_plan(squash="identity")
    game = plan.games.load_game()
    prediction = plan.make_model(game).prediction
    assert (prediction.minimum, prediction.maximum) == game.rules.constant("EVALUATION_RANGE")

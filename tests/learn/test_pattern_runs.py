"""Runs of 'patterns': resumed, repeated, longer, and with games that leave nothing to learn."""

from dataclasses import replace

import numpy as np
import pytest

from plyforge import PlyforgeError
from plyforge.jobs.local import local_executor
from plyforge.learn import choosing
from plyforge.learn.games import GameBatch, play_batch
from plyforge.learn.store import LearningStore
from tests.learn.plans import GAMES, make_plan, open_run

LINES = """
from plyforge.rules import patterns, table

EVALUATION_RANGE = (-50, 50)


def rows(position):
    return index(position, 0), index(position, 3), index(position, 6)


def index(position, start):
    mine, theirs = position.mine >> start & 7, position.theirs >> start & 7
    return POWERS[mine] + 2 * POWERS[theirs]


POWERS = (0, 1, 3, 4, 9, 10, 12, 13)
EVALUATION = patterns({"rows": table(rows, 27, 3)})
"""
SMALL = {"generation-games": 6, "longest-opening": 3, "solve-from": 5, "held-out": 0.3}


@pytest.fixture
def plan(tmp_path):
    file = tmp_path / "lines.py"
    file.write_text(LINES)
    return make_plan("patterns", replace(GAMES, evaluation=str(file)), parameters=SMALL)


def learn(path, plan, games=12):
    with LearningStore(path) as store:
        run = open_run(store, plan)
        for _ in run.run(games):
            pass
        return run.weights, store.rounds(run.row.id), store.games(run.row.id)


def test_a_run_that_was_left_ends_like_one_that_was_not(tmp_path, plan, monkeypatch):
    whole, rounds, games = learn(tmp_path / "whole.db", plan)
    monkeypatch.setattr("plyforge.learn.pattern_runs.BATCH", 2)
    for end in (3, 8):
        with LearningStore(tmp_path / "parts.db") as store:
            for step in open_run(store, plan).run(12):
                if step.games >= end:
                    break
    again, other, played = learn(tmp_path / "parts.db", plan)
    np.testing.assert_array_equal(again, whole)
    assert played == games
    assert [(r.games, r.loss, r.held_out_loss) for r in other] == [
        (r.games, r.loss, r.held_out_loss) for r in rounds
    ]
    assert whole.any()


@pytest.mark.long
def test_the_number_of_processes_does_not_change_the_weights(tmp_path, plan):
    alone, _, _ = learn(tmp_path / "a.db", plan)
    with LearningStore(tmp_path / "b.db") as store:
        run = choosing.open_run(plan, store, "one", local_executor(2))
        for _ in run.run(12):
            pass
    np.testing.assert_array_equal(run.weights, alone)


def test_more_games_continue_a_run_in_whole_generations(tmp_path, plan):
    learn(tmp_path / "a.db", plan, 6)
    longer, rounds, _ = learn(tmp_path / "a.db", plan, 7)
    whole, _, _ = learn(tmp_path / "b.db", plan, 12)
    np.testing.assert_array_equal(longer, whole)
    assert [one.games for one in rounds] == [6, 12]


def test_errors_of_all_positions_are_stored_by_stage(tmp_path, plan):
    with LearningStore(tmp_path / "a.db") as store:
        run = open_run(store, plan)
        for _ in run.run(6):
            pass
        (error,) = run.state.extra["errors"]
        games = store.games(run.row.id).values()
    searched = sum(value is not None for game in games for value in game.searched)
    assert error["positions"] + error["held_out_positions"] == searched


def test_values_of_searches_count_as_much_as_they_are_told_to(tmp_path, plan):
    with LearningStore(tmp_path / "a.db") as store:
        runs = [
            open_run(store, replace(plan, search_weight=weight), str(weight))
            for weight in (0.0, 0.25, 1.0)
        ]
        for _ in runs[0].run(6):
            pass
        game = store.games(runs[0].row.id)[0]
        results, mixed, searched = (run._positions(game)[1] for run in runs)
        scores = runs[1]._positions(game)[2]
    np.testing.assert_array_equal(results, scores)
    np.testing.assert_allclose(mixed, 0.75 * results + 0.25 * searched)
    assert not np.array_equal(results, searched)


def test_openings_vary_in_length_and_games_end_perfectly():
    games = replace(GAMES, opening=1, longest_opening=4, solve_from=3, depth=1)
    played = play_batch(GameBatch(games, tuple(range(12))), None)
    lengths = {next(i for i, v in enumerate(one.searched) if v is not None) for one in played}
    assert lengths == {1, 2, 3, 4}
    for one in played:
        for ply in range(4, len(one.moves)):
            sign = 1 if ply % 2 == 0 else -1
            assert np.sign(one.searched[ply]) == sign * one.result


def test_games_that_end_in_their_openings_are_an_error(tmp_path, plan):
    games = replace(plan.games, opening=9, max_plies=20)
    plan = replace(plan, games=games, parameters={**SMALL, "longest-opening": 9})
    with pytest.raises(PlyforgeError, match=r"no position to learn from.*smaller --opening"):
        learn(tmp_path / "a.db", plan)


def test_evaluations_without_tables_and_data_sets_are_refused(tmp_path, plan):
    with (
        LearningStore(tmp_path / "a.db") as store,
        pytest.raises(PlyforgeError, match="needs an evaluation with a table"),
    ):
        open_run(store, make_plan("patterns"))
    with pytest.raises(PlyforgeError, match="learns from games that it plays"):
        replace(plan, data="games.pgn")


@pytest.mark.parametrize(
    ("name", "value"), [("generation-games", 1), ("ridge", -1.0), ("held-out", 0.95)]
)
def test_parameters_out_of_range_are_refused(name, value):
    with pytest.raises(PlyforgeError, match=f"{name} must be"):
        make_plan("patterns", parameters={name: value})


def test_entries_that_never_occur_do_not_count_as_weights(tmp_path, plan):
    with LearningStore(tmp_path / "a.db") as store:
        run = open_run(store, plan)
        for _ in run.run(6):
            pass
        assert 0 < run.state.extra["used weights"] < run.model.size

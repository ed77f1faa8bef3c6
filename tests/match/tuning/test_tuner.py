"""Tunings of a small game: reproducible, resumable, and stored with their settings."""

import json
import re
from dataclasses import replace

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.engine.clock import Clock
from plyforge.jobs.local import local_executor
from plyforge.match.openings import Opening, OpeningSource
from plyforge.match.players import MoveLimits
from plyforge.match.referee import Adjudication, GameResult, MatchRules
from plyforge.match.tuning import TunedParameter, Tuner, TuningPlan, TuningStore

# Exact steps are in every kernel, so that these searches need no kernel of their own.
PARAMETERS = (
    TunedParameter("aspiration", 5.0, 1.0, 100.0, 4.0),
    TunedParameter("depth-step", 2, 1, 5, 1.0, integer=True),
)
PLAN = TuningPlan(
    "connect4:6x5",
    "engine:preset=play,driver=aspiration,entries=1024,specialise=no",
    PARAMETERS,
    iterations=6,
    openings=OpeningSource("random", 3),
    limits=MoveLimits(nodes=100),
)
PLAYED = GameResult((), 1.0, "", "rules", False, None, (0.0, 0.0), (0, 0))


def tune(plan, file, iterations=None, processes=0):
    """Play until an iteration, by default the last; return the values after each iteration."""
    with TuningStore(file) as store:
        tuner = Tuner(plan, store, local_executor(processes))
        tuner.prepare()
        for done in tuner.run():
            if done == iterations:
                break
        return tuner.state.course


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return tune(PLAN, tmp_path_factory.mktemp("tuning") / "tuning.db")


def test_a_tuning_moves_the_parameters(course):
    assert len(course) == PLAN.iterations + 1
    assert course[0] == (5.0, 2.0)
    assert course[-1] != course[0]


def test_the_same_seed_gives_the_same_values(course, tmp_path):
    assert tune(PLAN, tmp_path / "again.db") == course


@pytest.mark.long
def test_the_number_of_processes_does_not_matter(course, tmp_path):
    assert tune(PLAN, tmp_path / "two.db", processes=2) == course


def test_another_seed_gives_other_games(tmp_path):
    games = []
    for seed in (0, 1):
        tune(replace(PLAN, seed=seed), tmp_path / f"{seed}.db", 1)
        with TuningStore(tmp_path / f"{seed}.db") as store:
            games.append(store.connection.execute("SELECT moves FROM tuning_game").fetchall())
    assert games[0] != games[1]


def test_a_tuning_that_is_stopped_goes_on_as_if_it_had_not_been(course, tmp_path):
    file = tmp_path / "tuning.db"
    assert tune(PLAN, file, 2) == course[:3]
    with TuningStore(file) as store, store.connection:  # one of the two games of the last pair
        store.connection.execute("DELETE FROM tuning_game WHERE number = 3")
    assert tune(PLAN, file, 4) == course[:5]
    assert tune(PLAN, file) == course
    with TuningStore(file) as store:
        assert len(store.results()) == 2 * PLAN.iterations


def test_several_pairs_share_an_iteration_and_few_openings_are_used_again(tmp_path):
    openings = tmp_path / "openings.txt"
    openings.write_text("1 2\n2 3\n3 4\n")
    source = OpeningSource("file", 0, str(openings))
    limits = MoveLimits(nodes=50)
    plan = replace(PLAN, iterations=2, pairs=4, openings=source, limits=limits)
    assert len(tune(plan, tmp_path / "tuning.db")) == 3
    with TuningStore(tmp_path / "tuning.db") as store:
        assert len(store.results()) == 16
        assert len(store.openings()) == 3
        rows = store.connection.execute(
            "SELECT first, second, moves FROM tuning_game ORDER BY number"
        ).fetchall()
    for (first, second, moves), (other_first, other_second, other_moves) in zip(
        rows[::2], rows[1::2], strict=True
    ):
        assert (first, second) == (other_second, other_first)
        assert first != second
        assert json.loads(moves)[:2] == json.loads(other_moves)[:2]
    assert len({first for first, _, _ in rows[:8:2]}) > 1  # each pair has a direction of its own


def test_results_are_the_points_of_the_pair(tmp_path):
    """Values follow from the stored points alone: `plus` has the first side in even games."""
    with TuningStore(tmp_path / "tuning.db") as store:
        tuner = Tuner(PLAN, store, local_executor(0))
        tuner.prepare()
        next(tuner.run())
        for points, direction in (((1.0, 0.0), 1), ((0.0, 1.0), -1), ((0.5, 0.5), 0)):
            for number in (0, 1):
                store.connection.execute(
                    "UPDATE tuning_game SET points = ? WHERE number = ?", (points[number], number)
                )
            state = Tuner(PLAN, store, local_executor(0)).state
            (one,) = PLAN.spsa().compare()
            moved = state.values[0] - PARAMETERS[0].start
            assert (moved > 0) - (moved < 0) == direction * one.signs[0]


def test_a_plan_survives_being_stored(tmp_path):
    plan = replace(
        PLAN,
        rate=0.1,
        limits=MoveLimits(clock=Clock(10.0, 0.1, 2.0)),
        rules=MatchRules(99, Clock(10.0, 0.1, 2.0), adjudication=Adjudication(0.9, 0.01)),
    )
    with TuningStore(tmp_path / "tuning.db") as store:
        store.begin(plan.settings([]))
        assert TuningPlan.from_settings(store.settings()) == plan


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "tictactoe"}, "of connect4:6x5, not of tictactoe; give another file, or resume"),
        (
            {"parameters": PARAMETERS[:1]},
            "with parameters aspiration=5:1:100:4, depth-step=2:1:5:1, not aspiration=5:1:100:4;",
        ),
        ({"iterations": 7}, "with iterations 6, not 7"),
        ({"seed": 7}, "with seed 0, not 7"),
        ({"limits": MoveLimits(depth=2)}, "with limits nodes=100, not depth=2"),
        ({"player": "engine:preset=play,on=wins"}, "not engine:preset=play,on=wins"),
        ({"openings": OpeningSource("random", 2)}, "with openings random:3, not random:2"),
    ],
)
def test_a_file_with_another_tuning_is_refused(tmp_path, change, message):
    with TuningStore(tmp_path / "tuning.db") as store:
        store.begin(PLAN.settings([]))
        store.add(0, ("a", "b"), PLAYED)
        with pytest.raises(PlyforgeError, match=re.escape(message)):
            Tuner(replace(PLAN, **change), store, local_executor(0))


def test_a_tuning_without_games_is_replaced(tmp_path):
    with TuningStore(tmp_path / "tuning.db") as store:
        store.begin(PLAN.settings([]))
        store.add_openings([Opening((1,))])
        other = replace(PLAN, seed=1)
        store.begin(other.settings([]))
        assert TuningPlan.from_settings(store.settings()) == other
        assert store.openings() == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"iterations": 0}, "iterations must be an integer, at least 1, not 0"),
        ({"pairs": 0}, "pairs must be an integer, at least 1, not 0"),
        ({"rate": 0.0}, "the rate must be more than 0, not 0"),
        ({"rules": MatchRules(0)}, "limit of plies must be at least 1, not 0"),
    ],
)
def test_impossible_plans_are_refused(change, message):
    with pytest.raises(PlyforgeError, match=re.escape(message)):
        replace(PLAN, **change)

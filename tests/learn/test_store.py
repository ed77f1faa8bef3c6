"""The figures of runs in a file."""

import numpy as np
import pytest

from plyforge.learn import store as module
from plyforge.learn.store import LearningStore, Round, State


def fill(path, rounds, weights=2):
    store = LearningStore(path)
    run = store.begin("one", {}).id
    for number in range(1, rounds + 1):
        score = 0.5 if number % 4 == 0 else None
        figures = Round(number, 10 * number, 1 / number, score=score, score_games=2)
        store.add_state(run, State(figures, np.full(weights, float(number)), {}))
    return store, run


@pytest.mark.parametrize("rounds", [0, 1, 3, 4, 9])
def test_a_summary_has_the_last_round_and_the_last_test(tmp_path, rounds):
    store, run = fill(tmp_path / "a.db", rounds)
    with store:
        summary, all_rounds = store.summary(run), store.rounds(run)
    if not rounds:
        assert summary is None
        return
    assert summary.last == all_rounds[-1]
    tested = [one for one in all_rounds if one.score is not None]
    assert summary.tested == (tested[-1] if tested else None)
    assert summary.ended


@pytest.mark.parametrize("limit", [2, 3, 7, 20])
def test_of_many_weights_the_first_and_the_last_are_read(tmp_path, limit):
    store, run = fill(tmp_path / "a.db", 9)
    with store:
        everything, some = store.weights(run), store.weights(run, limit)
    assert len(some) == min(limit, 9)
    games = [after for after, _ in some]
    assert games == sorted(set(games))
    assert (games[0], games[-1]) == (10, 90)
    kept = dict(everything)
    assert all(np.array_equal(kept[after], vector) for after, vector in some)


def test_of_long_vectors_only_the_last_one_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "KEPT_WEIGHTS", 1)
    store, run = fill(tmp_path / "a.db", 3)
    with store:
        ((games, vector),) = store.weights(run, 5)
    assert games == 30
    assert vector.tolist() == [3.0, 3.0]

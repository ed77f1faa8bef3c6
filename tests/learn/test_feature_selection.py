"""Chosen features: masks, and the genetic algorithm over trained evaluations."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.evaluate import evaluation_of
from plyforge.games import load
from plyforge.games.checkers import samuel_net
from plyforge.jobs.local import local_executor
from plyforge.learn import feature_selection
from plyforge.learn.feature_selection import (
    FeatureSelection,
    SelectionStore,
    TrainingTask,
    tournament_scores,
)
from plyforge.learn.inputs import Inputs
from plyforge.learn.masking import MaskedModel, feature_names, keep_columns
from plyforge.learn.methods.genetic import GeneticParameters
from plyforge.learn.methods.td import TdParameters, learn_td
from plyforge.learn.model import GameModel
from plyforge.learn.samples import Episode
from tests.learn.plans import GAMES, make_plan, open_run

GENETIC = GeneticParameters(population=3, generations=2, tournament=2, elite=1, seed=5)


def make_selection(store, **settings):
    plan = make_plan("td", start="zero", parameters={"rate": 0.1})
    options = {"genetic": GENETIC, "training_games": 4, "pair_games": 2, **settings}
    return FeatureSelection(plan, store=store, executor=local_executor(0), **options)


def test_masked_inputs_are_those_of_the_dense_matrix():
    rows = np.random.default_rng(2).integers(-1, 2, (20, 5)).astype(float)
    kept = np.array([True, False, True, True, False])
    masked = keep_columns(Inputs.from_rows(rows), kept)
    assert np.array_equal(masked.dense(5), rows * kept)


def test_a_masked_net_is_the_net_over_the_chosen_features():
    """Same values, and the same weights after learning, as a net that has only these inputs."""
    game = load("checkers", "python")
    names = ("piece advantage", "total mobility", "dyke", "gap")
    chosen = ("total mobility", "gap")
    masked = MaskedModel(game, chosen, samuel_net(names, (3,), seed=1))
    small = GameModel(game, samuel_net(chosen, (3,), seed=1))
    large = masked.mask(masked.start)
    first = large[:12].reshape(4, 3)
    assert not first[[0, 2]].any()
    weights = np.concatenate([first[[1, 3]].ravel(), large[12:]])
    moves, history = [], game.history()
    for _ in range(12):
        moves.append(history.legal_moves()[0])
        history.play(moves[-1])
    for model, vector in ((masked, large), (small, weights)):
        inputs, sides = model.read_line(game.initial(), moves)
        episode = Episode(inputs, sides, 1.0)
        learned = learn_td(model, vector, [episode], TdParameters(rate=0.1)).weights
        if model is masked:
            kept = learned
        else:
            assert not kept[:12].reshape(4, 3)[[0, 2]].any()
            assert np.allclose(learned[:6].reshape(2, 3), kept[:12].reshape(4, 3)[[1, 3]])
            assert np.allclose(learned[6:], kept[12:])
            assert not np.allclose(learned, weights)


def test_unknown_and_missing_features_are_refused():
    game = load("checkers", "python")
    with pytest.raises(PlyforgeError, match="feature 'kings of'"):
        MaskedModel(game, ["kings of"])
    with pytest.raises(PlyforgeError, match="at least one feature"):
        MaskedModel(game, [])


def test_a_run_starts_from_zero_and_changes_only_the_chosen_features(tmp_path):
    names = feature_names(evaluation_of(GAMES.load_game()).form)
    plan = make_plan("td", start="zero", features=names[:1], parameters={"rate": 0.1})
    with SelectionStore(tmp_path / "a.db") as store:
        run = open_run(store, plan)
        assert not run.start.any()
        for _ in run.run(8):
            pass
        assert run.weights[0] != 0
        assert not run.weights[1:].any()


def test_a_selection_that_was_interrupted_ends_like_one_that_was_not(tmp_path):
    with SelectionStore(tmp_path / "whole.db") as store:
        whole = make_selection(store).choose()
    assert len(whole.generations) == 2

    class Stopped(Exception):
        pass

    def stop(generation):
        raise Stopped

    with SelectionStore(tmp_path / "parts.db") as store, pytest.raises(Stopped):
        make_selection(store).choose(stop)
    with SelectionStore(tmp_path / "parts.db") as store:
        selection = make_selection(store)
        again = selection.choose()
        assert len(store.rounds(selection.run.row.id)) == 2
    for one, other in zip(whole.generations, again.generations, strict=True):
        assert one.fitness == other.fitness
        assert all(
            np.array_equal(*pair) for pair in zip(one.individuals, other.individuals, strict=True)
        )
    assert np.array_equal(whole.bits, again.bits)


def test_other_settings_do_not_use_what_is_stored(tmp_path):
    with SelectionStore(tmp_path / "a.db") as store:
        make_selection(store).choose()
        other = make_selection(store, training_games=8)
        assert not store.rounds(other.run.row.id)
        longer = make_selection(store, genetic=replace(GENETIC, generations=9))
        assert len(store.rounds(longer.run.row.id)) == 2


def test_trainings_and_matches_of_an_unfinished_generation_are_kept(tmp_path, monkeypatch):
    with SelectionStore(tmp_path / "whole.db") as store:
        whole = make_selection(store).choose()
    done = []
    real = feature_selection.train_or_play

    def stop_later(task, report):
        if len(done) == 5:
            raise KeyboardInterrupt
        done.append(task)
        return real(task, report)

    monkeypatch.setattr(feature_selection, "train_or_play", stop_later)
    with SelectionStore(tmp_path / "parts.db") as store:
        with pytest.raises(KeyboardInterrupt):
            make_selection(store).choose()
        selection = make_selection(store)
        assert sorted(store.parts(selection.run.row.id, 1)) == [0, 1, 2, 3]  # and a match of two
        done.clear()
        done.extend([None] * 6)
        again = selection.choose()
        first = [task for task in done[6:] if "individual" not in str(task)]
        trainings = [task for task in first if isinstance(task, TrainingTask)]
        assert len(trainings) == 3  # those of the second generation
        assert not store.parts(selection.run.row.id, 2)
    assert [one.fitness for one in again.generations] == [one.fitness for one in whole.generations]


def test_a_tournament_counts_the_points_of_all_pairs():
    pairs = list(combinations(range(4), 2))
    strengths = (1.0, 3.0, 2.0, 2.0)
    shares = [0.5 + np.sign(strengths[one] - strengths[other]) / 2 for one, other in pairs]
    assert tournament_scores(4, pairs, shares) == pytest.approx([0, 1, 0.5, 0.5])


@pytest.mark.parametrize("games", [0, 3])
def test_an_odd_number_of_games_of_a_pair_is_refused(tmp_path, games):
    with SelectionStore(tmp_path / "a.db") as store, pytest.raises(PlyforgeError, match="pair"):
        make_selection(store, pair_games=games)

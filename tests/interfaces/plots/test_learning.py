"""Plots of learning."""

import numpy as np

from plyforge.interfaces.plots.learning import MAX_WEIGHTS, PlottedRun, plot_learning
from plyforge.learn.curves import WeightCurves
from plyforge.learn.store import Round

ROUNDS = [Round(1, 10, 0.5), Round(2, 20, 0.4, score=0.5, score_games=4), Round(3, 30, 0.3)]


def curves(count: int, rounds: int = 3, form: str = "a") -> WeightCurves:
    """Return weights of which later ones change more."""
    weights = np.outer(np.arange(rounds), np.arange(count)).astype(float)
    games = [10 * (number + 1) for number in range(rounds)]
    return WeightCurves(form, games, weights.reshape(rounds, count), None)


def weight_axes(*runs: PlottedRun):
    _, _, *others = plot_learning(runs).axes
    return others


def test_few_weights_are_all_drawn() -> None:
    (axes,) = weight_axes(PlottedRun("one", ROUNDS, curves(3)))
    assert [line.get_label() for line in axes.lines] == ["weight 1", "weight 2", "weight 3"]
    assert axes.lines[2].get_ydata().tolist() == [0.0, 2.0, 4.0]
    assert axes.get_title(loc="left") == "Weights of one"


def test_of_many_weights_those_are_drawn_that_changed_most() -> None:
    (axes,) = weight_axes(PlottedRun("one", ROUNDS, curves(2000)))
    names = [line.get_label() for line in axes.lines]
    assert names == [f"weight {n}" for n in range(2001 - MAX_WEIGHTS, 2001)]
    assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == MAX_WEIGHTS
    assert axes.get_title(loc="left") == "Weights of one, the 12 of 2,000 that changed most"


def test_each_run_has_its_weights_and_one_without_a_curve_has_none() -> None:
    runs = [
        PlottedRun("one", ROUNDS, curves(3)),
        PlottedRun("two", ROUNDS, curves(30, form="b")),
        PlottedRun("new", ROUNDS[:1], curves(3, rounds=1)),
        PlottedRun("empty", [], curves(0, rounds=0)),
    ]
    assert [len(axes.lines) for axes in weight_axes(*runs)] == [3, MAX_WEIGHTS]


def test_losses_of_held_out_games_are_dashed() -> None:
    rounds = [Round(1, 10, 0.5, 0.6), Round(2, 20, 0.4, 0.55), Round(3, 30, 0.3)]
    (losses,) = plot_learning([PlottedRun("one", rounds, curves(0, rounds=0))]).axes
    plain, dashed = losses.lines
    assert (plain.get_label(), plain.get_linestyle()) == ("one", "-")
    assert (dashed.get_label(), dashed.get_linestyle()) == ("one, held-out games", "--")
    assert list(dashed.get_xdata()) == [10, 20]
    assert list(dashed.get_ydata()) == [0.6, 0.55]


def test_scores_are_left_out_where_nothing_was_tested() -> None:
    untested = PlottedRun("one", [Round(1, 10, 0.5)], curves(0, rounds=0))
    tested = PlottedRun("two", ROUNDS, curves(0, rounds=0))
    assert len(plot_learning([untested]).axes) == 1
    assert len(plot_learning([untested, tested]).axes) == 2

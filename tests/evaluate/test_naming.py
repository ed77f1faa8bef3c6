"""Names of weights: one for each, at the place that the form reads."""

import numpy as np
import pytest

from plyforge import PlyforgeError, load
from plyforge.evaluate import evaluation_of, find_form, form_fingerprint, weight_name
from plyforge.game.forms import linear, net, table

GAMES = ["tictactoe", "connect4", "checkers", "othello", "chess", "hex"]


def a(position):
    return position


def names(form):
    return [weight_name(form, place) for place in range(form.size)]


@pytest.mark.parametrize("game", GAMES)
def test_each_weight_has_a_name_of_its_own(game):
    found = names(evaluation_of(load(game)).form)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("game", ["connect4", "checkers", "hex"])
def test_a_name_stands_for_the_weight_of_its_term(game):
    loaded = load(game)
    evaluation = evaluation_of(loaded)
    for place, name in enumerate(names(evaluation.form)):
        changed = evaluation.vector
        changed[place] += 64
        terms = [
            {label: weight for label, _, weight in one.terms(loaded.initial())}
            for one in (
                evaluation.with_weights(evaluation.vector),
                evaluation.with_weights(changed),
            )
        ]
        assert [label for label in terms[0] if terms[0][label] != terms[1][label]] == [name]


def test_stages_phases_and_entries_of_tables_are_named():
    rows = {"a": (a, (1, 2)), "t": table(a, [[1, 2], [3, 4]])}
    staged = linear(rows, stages=(a, 2)).form
    assert names(staged)[:4] == ["a, stage 1", "t 0, stage 1", "t 1, stage 1", "a, stage 2"]
    blended = linear(rows, blend=(a, 4)).form
    assert names(blended)[2:4] == ["t 1, opening", "a, ending"]


def test_weights_of_nets_are_named_by_layer():
    form = net({"a": a, "b": a}, hidden=2).form
    assert names(form) == [
        *("a → unit 1.1", "a → unit 1.2", "b → unit 1.1", "b → unit 1.2"),
        *("bias of unit 1.1", "bias of unit 1.2"),
        *("unit 1.1 → output", "unit 1.2 → output", "bias of output"),
    ]


def test_a_place_outside_is_refused():
    form = linear({"a": a}).form
    with pytest.raises(PlyforgeError, match="has 1 weights"):
        weight_name(form, 1)


def test_a_form_is_found_by_its_fingerprint():
    chess = load("chess")
    for module in chess.rules.constant("EVALUATIONS").values():
        declared = getattr(module, "EVALUATION", None)
        if declared is not None:
            found = find_form(chess, form_fingerprint(declared.form))
            assert found is not None
            assert np.array_equal(found.describe(), declared.form.describe())
    assert find_form(chess, "0") is None

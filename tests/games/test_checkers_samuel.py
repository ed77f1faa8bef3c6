"""Checkers after Samuel: every feature against its slow twin, and nets over any of them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.evaluate import (
    Evaluation,
    compiled_evaluation,
    evaluation_of,
    linear,
    quantise,
    save_evaluation,
    with_evaluation,
)
from plyforge.games import checkers
from plyforge.games.checkers import samuel, samuel_net
from plyforge.rules import random_weights
from tests.games.evaluations import random_positions
from tests.games.test_checkers_evaluation import every_position
from tests.reference import samuel_features as twin
from tests.reference.forms import value as net_value

ALL = samuel.FEATURES | samuel.VARIATIONS
TWINS = twin.FEATURES | twin.VARIATIONS
OF_THE_TURN = {
    *("piece advantage", "piece disadvantage", "material advantage", "material disadvantage"),
    *("piece threat", "piece take", "taken", "the move", "signed move"),
}
"""Features that are more than one side's count less the other's."""
RARE = {"cramp": "B:W17,21,22,25:B9,13", "double corner": "W:WK6:BK10,K11,K12"}
SUBSET = ("threat", "dyke", "the move", "inner gap", "piece advantage", "deny")

game = plyforge.load("checkers")


def pieces_of(position: checkers.Position) -> dict[int, str]:
    return {int(square): piece for square, piece in game.pieces(position).items()}


def position_of_random_game(seed: int, plies: int) -> checkers.Position:
    stream = Stream(seed)
    position = game.initial()
    for _ in range(plies):
        legal = game.moves(position)
        if not legal:
            break
        position = game.play(position, stream.choice(legal))
    return position


positions = st.builds(position_of_random_game, st.integers(0, 2**32), st.integers(0, 120))


def check_twins(position: checkers.Position) -> None:
    pieces, mover = pieces_of(position), "bw"[position.side]
    for name, feature in ALL.items():
        assert feature(position) == TWINS[name](pieces, mover), (name, game.text(position))


@given(positions)
@settings(max_examples=25)
def test_features_agree_with_their_twins_in_random_games(position: checkers.Position) -> None:
    check_twins(position)


def test_features_agree_with_their_twins_with_pieces_anywhere() -> None:
    for position in every_position()[::-16]:
        check_twins(position)


def test_every_feature_has_a_twin_and_is_documented() -> None:
    page = Path("docs/games/checkers-features.md").read_text()
    assert list(samuel.FEATURES) == list(twin.FEATURES)
    assert list(samuel.VARIATIONS) == list(twin.VARIATIONS)
    for name, feature in ALL.items():
        assert feature.__doc__
        assert f"| {name} |" in page


@pytest.mark.parametrize("name", ALL)
def test_a_feature_has_several_values_within_its_scale(name: str) -> None:
    found = [ALL[name](position) for position in random_positions(game, 12, 120)]
    found.append(ALL[name](game.parse(RARE.get(name, game.text(game.initial())))))
    assert len(set(found)) > 1
    assert np.mean([abs(value) <= 1 for value in found]) > 0.9


def test_the_rotated_board_with_colours_exchanged_has_the_same_features() -> None:
    for position in every_position():
        one, other = checkers.symmetries(position)
        for feature in ALL.values():
            assert feature(one) == feature(other)


def test_what_is_good_for_one_side_is_bad_for_the_other() -> None:
    for position in every_position():
        turned = position._replace(side=1 - position.side)
        for name, feature in ALL.items():
            assert name in OF_THE_TURN or feature(position) == -feature(turned)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("cramp", "B:W17,21,22,25:B9,13", 1),
        ("cramp", "W:W17,21,22,25:B9,13", -1),
        ("back row bridge", "B:W32:B1,3", 1),
        ("back row bridge", "B:WK32:B1,3", 0),
        ("triangle of Oreo", "W:W26,30,31:B9", 1),
        ("guard", "W:W30,32:B9", 1),
        ("apex", "B:W26:B9", -1),
        ("apex", "W:W26:B9", 1),
        ("double corner", "W:WK6:BK10,K11,K12", 1),
        ("dyke", "B:W32:B1,6,10,15", 2 / 4),
        ("pole", "B:W32:B14", 0),  # the man on 32 is alone too, at the edge
        ("inner pole", "B:W32:B14", 1 / 4),
        ("fork", "B:W18,19:B11", 1 / 2),
        ("fork", "B:W18,20:B11", 0),
        ("exchange", "B:W22:B14,10,9", 1 / 4),
        ("deny", "B:W22:B14,10,9", -1 / 4),
        ("taken", "B:W22:B14,10,9", 2 / 8),
        ("the move", "B:W21:B12", 1),
        ("the move", "B:W20:B12", 0),
    ],
)
def test_a_feature_has_the_value_of_its_definition(name: str, text: str, value: float) -> None:
    assert ALL[name](game.parse(text)) == value


@pytest.mark.long
def test_compiled_features_are_the_plain_ones() -> None:
    """One kernel for all: the weights are powers of a number, so that no two sums are alike."""
    weights = {name: (feature, 1.1**number) for number, (name, feature) in enumerate(ALL.items())}
    every = linear(weights)
    evaluate = compiled_evaluation(with_evaluation(game, limited(every)))
    for position in every_position():
        assert evaluate(position) == pytest.approx(every.evaluate(position), abs=1e-9)


def limited(evaluation: Evaluation) -> Evaluation:
    """The evaluation within a range that it never leaves."""
    return Evaluation(evaluation.form, evaluation.weights, (-1e4, 1e4))


# Nets


def check_scratch(evaluation: Evaluation, value: float, position: checkers.Position) -> None:
    expected = net_value(evaluation.form, position, evaluation.vector.tolist())
    assert value == pytest.approx(expected, abs=1e-6)


def test_a_net_of_chosen_features_has_the_value_from_scratch() -> None:
    one = samuel_net(SUBSET, (5, 3), seed=4)
    assert [row.names for row in one.form.rows] == [(name,) for name in SUBSET]
    values = set()
    for position in every_position()[::7]:
        values.add(float(one.evaluate(position)))
        check_scratch(one, float(one.evaluate(position)), position)
    assert len(values) > 20


def test_the_seed_decides_the_weights() -> None:
    one, same, other = (samuel_net(SUBSET, seed=seed).vector for seed in (1, 1, 2))
    assert (one == same).all()
    assert not (one == other).all()
    assert not samuel_net(SUBSET).vector.any()
    with pytest.raises(ValueError, match="random weights are for a net"):
        random_weights(checkers.EVALUATION, 1)


@pytest.mark.parametrize("precision", ["int16", "float32"])
def test_a_file_of_weights_alone_loads_a_net_of_chosen_features(
    tmp_path: Path, precision: str
) -> None:
    one = samuel_net(SUBSET, 6, activation="sigmoid", output="linear", seed=2)
    save_evaluation(
        tmp_path / "chosen.npz", game, one, precision=precision, positions=every_position()[:8]
    )
    loaded = with_evaluation(game, str(tmp_path / "chosen.npz"))
    stored = quantise(one, precision)
    assert (evaluation_of(loaded).vector == stored.vector).all()
    assert loaded.rules.constant("EVALUATION_RANGE") == samuel.EVALUATION_RANGE
    for position in every_position()[::7]:
        expected = min(max(stored.evaluate(position), -1.0), 1.0)
        assert loaded.evaluation(position) == pytest.approx(expected)


def test_the_evaluation_by_name_and_a_file_of_its_weights_load(tmp_path: Path) -> None:
    named = with_evaluation(game, "samuel")
    assert named.evaluation(game.initial()) == 0
    sample = every_position()[:8]
    save_evaluation(tmp_path / "all.npz", game, samuel_net(seed=5), positions=sample)
    loaded = with_evaluation(game, str(tmp_path / "all.npz"))
    assert any(loaded.evaluation(position) != 0 for position in sample)


def test_a_file_of_another_form_is_refused(tmp_path: Path) -> None:
    other = linear({"dyke": (samuel.FEATURES["dyke"], 2)})
    save_evaluation(tmp_path / "sum.npz", game, other, positions=every_position()[:8])
    with pytest.raises(PlyforgeError, match="the weights belong to other features"):
        with_evaluation(game, str(tmp_path / "sum.npz"))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["dike"], "unknown feature 'dike'; did you mean 'dyke'?"),
        (["dyke", "dyke"], "feature 'dyke' is named twice"),
        ([], "at least one feature"),
        ("dyke", "must be a list of features"),
    ],
)
def test_names_that_are_not_features_are_refused(names: list[str], message: str) -> None:
    with pytest.raises(PlyforgeError, match=message.replace("?", r"\?")):
        samuel_net(names)


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"kind": "net"},
        {"kind": "net", "rows": 3, "hidden": [4], "activations": ["tanh", "tanh"]},
        {"kind": "net", "rows": [["dyke", 1]], "hidden": [-4], "activations": ["tanh", "tanh"]},
        {"kind": "net", "rows": [["dyke", 1]], "hidden": [4], "activations": []},
        {"kind": "net", "rows": [["a", "b", 2]], "hidden": [4], "activations": ["tanh", "tanh"]},
    ],
)
def test_a_description_of_no_net_over_the_features_builds_none(form: dict[str, object]) -> None:
    assert samuel.evaluation_like(form) is None


@pytest.mark.long
def test_a_net_in_a_compiled_search_is_the_net_from_scratch() -> None:
    one = quantise(samuel_net(seed=3))
    played = with_evaluation(game, one)
    compiled, plain = (
        Engine(played, backend=backend).analyse(depth=3) for backend in ("compiled", "python")
    )
    assert compiled.score == pytest.approx(plain.score, abs=1e-6)
    assert compiled.pv == plain.pv
    assert compiled.nodes == plain.nodes
    evaluate = compiled_evaluation(played)
    for position in every_position()[::5]:
        check_scratch(one, evaluate(position), position)

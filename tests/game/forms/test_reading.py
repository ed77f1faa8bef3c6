"""The evaluation that a game's file declares."""

from pathlib import Path

import pytest

import plyforge
from plyforge import PlyforgeError

RULES = """
from typing import NamedTuple
import numpy as np
from plyforge.rules import linear, net, patterns, table

class Position(NamedTuple):
    left: int

def initial():
    return Position(9)

def moves(position):
    for take in range(1, min(position.left, 2) + 1):
        yield take

def play(position, move):
    return Position(position.left - move)

def left(position):
    return position.left
"""


def load(folder: Path, text: str) -> plyforge.Game:
    path = folder / "counting.py"
    path.write_text(RULES + text, encoding="utf-8")
    return plyforge.load(str(path), backend="python")


@pytest.mark.parametrize(
    "text",
    [
        "FEATURES = {'left': (left, 3)}",
        "EVALUATION = linear({'left': (left, 3)})",
        "WEIGHTS = {'left': 3}\ndef evaluate(position, weights):\n"
        "    return weights[0] * position.left",
    ],
)
def test_a_file_declares_features_a_form_or_a_function_of_weights(
    tmp_path: Path, text: str
) -> None:
    game = load(tmp_path, text)
    assert game.evaluation(game.initial()) == 27
    assert game.terms(game.initial()) == [("left", 9, 3)]
    assert {"evaluate", "terms"} <= set(game.hooks)


def test_weights_may_be_an_array_without_names(tmp_path: Path) -> None:
    text = "WEIGHTS = np.array([3.0, 1.0])\ndef evaluate(p, weights):\n    return weights[1] * 2"
    game = load(tmp_path, text)
    assert game.terms(game.initial()) == [("weight 0", 0, 3), ("weight 1", 2, 1)]


def test_the_authors_own_terms_are_kept(tmp_path: Path) -> None:
    text = "FEATURES = {'left': (left, 3)}\ndef terms(position):\n    return [('all', 27, 1)]"
    game = load(tmp_path, text)
    assert game.terms(game.initial()) == [("all", 27, 1)]


def test_a_function_of_the_position_alone_needs_no_form(tmp_path: Path) -> None:
    text = "FEATURES, WEIGHTS = ['mine'], 3\ndef evaluate(position):\n    return WEIGHTS"
    game = load(tmp_path, text)
    assert game.evaluation(game.initial()) == 3
    assert game.rules.constant("EVALUATION") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("EVALUATION = 3", "EVALUATION is 3; it must be made by linear, patterns or net"),
        ("EVALUATION = linear({'left': 3})", r"counting\.py, line 21: ValueError: feature 'left'"),
        ("FEATURES = {'left': 3}", r"counting\.py: FEATURES: feature 'left' must be a plain"),
        ("FEATURES = {'left': (left, 1e999)}", "inf is not a finite number"),
        (
            "EVALUATION = linear({'left': left})\ndef evaluate(position):\n    return 0",
            "EVALUATION and a function 'evaluate'; remove one",
        ),
        (
            "EVALUATION = linear({'left': left})\ndef begin(position, state):\n    pass",
            "EVALUATION and a function 'begin'; remove one",
        ),
        (
            "FEATURES = {'left': left}\ndef begin(position, state):\n    pass",
            "FEATURES and a function 'begin'; remove one",
        ),
        (
            "WEIGHTS = ['a']\ndef evaluate(position, weights):\n    return 0",
            "WEIGHTS: the weights: .* is not a number",
        ),
        (
            "WEIGHTS = {}\ndef evaluate(position, weights):\n    return 0",
            "a number for each name",
        ),
        ("def evaluate(position, weights):\n    return 0", r"requires evaluate\(position\)"),
    ],
)
def test_a_wrong_declaration_names_the_file_and_the_reason(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(PlyforgeError, match=message):
        load(tmp_path, text)


def test_a_value_out_of_range_is_blamed_on_the_file_of_the_features(tmp_path: Path) -> None:
    game = load(tmp_path, "EVALUATION_RANGE = (-9, 9)\nFEATURES = {'left': (left, 3)}")
    with pytest.raises(PlyforgeError, match=r"counting\.py: 'evaluate' returned 27"):
        game.evaluation(game.initial())


def test_an_error_in_a_feature_names_its_line(tmp_path: Path) -> None:
    game = load(tmp_path, "def bad(p):\n    return p.none\nFEATURES = {'bad': (bad, 3)}")
    with pytest.raises(PlyforgeError, match=r"counting\.py, line 22: evaluate: AttributeError"):
        game.evaluation(game.initial())

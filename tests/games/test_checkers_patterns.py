"""Checkers' patterns: indices and kings against a slow count, colours, the stored weights."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.evaluate import form_fingerprint, read_weights, with_evaluation
from plyforge.games.checkers import patterns
from plyforge.games.checkers.rules import Position, symmetries
from plyforge.games.giveaway import patterns as giveaway
from tests.games.tiers import examples
from tests.reference import checkers_patterns as twin

pieces_anywhere = st.lists(st.sampled_from("....bwBW"), min_size=32, max_size=32)
checkers = plyforge.load("checkers", "python")


def make_position(board: list[str], side: int) -> Position:
    bits = {square: 1 << square + square // 8 for square in range(32)}
    black = sum(bits[n] for n, piece in enumerate(board) if piece in "bB")
    white = sum(bits[n] for n, piece in enumerate(board) if piece in "wW")
    return Position(black, white, sum(bits[n] for n, p in enumerate(board) if p in "BW"), side)


@given(pieces_anywhere, st.integers(0, 1))
@examples(60)
def test_indices_and_kings_are_those_of_a_slow_count(board: list[str], side: int) -> None:
    position = make_position(board, side)
    assert list(patterns.men_patterns(position)) == twin.indices(position)
    entries = np.arange(1, 36) ** 2
    assert patterns.king_places(position, entries) == twin.king_sum(position, entries)


def test_a_pattern_has_eight_squares_and_all_squares_are_covered() -> None:
    squares = patterns.pattern_squares()
    assert len(squares) == patterns.PATTERNS
    assert all(len(set(one)) == 8 for one in squares)
    assert {square for one in squares for square in one} == set(range(32))


@given(pieces_anywhere, st.integers(0, 1))
@examples(30)
def test_the_value_does_not_depend_on_the_colour(board: list[str], side: int) -> None:
    position = make_position(board, side)
    evaluation = with_evaluation(checkers, "patterns")
    values = {float(evaluation.evaluation(one)) for one in images(position)}
    assert max(values) - min(values) < 1e-5


def images(position: Position) -> list[Any]:
    return list(symmetries(position))


@pytest.mark.parametrize(("game", "module"), [("checkers", patterns), ("giveaway", giveaway)])
def test_the_stored_weights_belong_to_the_code(game: str, module: Any) -> None:
    path = Path(module.__file__).parent / module.WEIGHTS_FILE
    file = read_weights(path)
    assert file.game == game
    assert file.fingerprint == form_fingerprint(module.EVALUATION.form)
    assert path.stat().st_size < 1_000_000

"""Give-away checkers: the moves of English checkers, the opposite aim."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge.rules import DRAW, LOSS, WIN
from tests.games.draughts_endings import count_results
from tests.reference.checkers import Game as Twin

PERFT = (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680)
"""That of English checkers, OEIS A133046: a side that cannot move has no moves in either game."""

game = plyforge.load("giveaway")
english = plyforge.load("checkers")


@pytest.mark.parametrize("depth", range(1, 10))
def test_perft_is_that_of_english_checkers(depth: int) -> None:
    assert game.perft(game.initial(), depth) == PERFT[depth - 1]


def test_a_side_without_moves_has_won() -> None:
    for fen in ("B:W32:B", "W:W:B1", "B:W9,14,32:B5"):
        position = game.parse(fen)
        verdict = game.verdict(position)
        assert (verdict.value, verdict.reason) == (WIN, "the side to move has no move")
        assert english.verdict(position).value == LOSS


@given(st.randoms(use_true_random=True))
@settings(deadline=None, max_examples=15)
def test_random_play_agrees_with_the_twin_at_every_step(random: Random) -> None:
    twin, position = Twin(giveaway=True), game.initial()
    for _ in range(150):
        moves = {game.move_text(position, move): move for move in game.moves(position)}
        assert sorted(moves) == twin.moves()
        assert game.verdict(position).name == twin.result()
        assert game.text(position) == twin.text()
        if not moves:
            break
        chosen = random.choice(sorted(moves))
        position = game.play(position, moves[chosen])
        twin.play(chosen)


def test_repetition_and_lack_of_progress_are_draws_as_in_english_checkers() -> None:
    line = game.history(game.parse("B:WK32:BK1"))
    line.play_text("1-6 32-27 6-1 27-32 " * 2)
    assert line.verdict().value == DRAW
    assert game.rules.constant("NO_PROGRESS_LIMIT") == 80


@pytest.mark.long
def test_endings_of_two_pieces_are_never_drawn() -> None:
    assert count_results(game) == {
        "0K1M v 0K1M": (361, 399, 0),
        "0K1M v 1K0M": (421, 447, 0),
        "1K0M v 0K1M": (420, 448, 0),
        "1K0M v 1K0M": (480, 512, 0),
        "all": (3424, 3548, 0),
    }


def test_it_is_a_separate_game_with_the_notation_of_checkers() -> None:
    assert game.title == "Give-away checkers"
    assert game.players == ("Black", "White")
    assert game.text(game.initial()) == english.text(english.initial())
    assert game.hooks == ["stuck", *english.hooks]


def burden(position: Any, side: int) -> int:
    """A side's men and kings, as the evaluation counts them against it."""
    letters = list(game.rules.hooks["pieces"](position).values())
    return 4 * letters.count("bw"[side]) + 2 * letters.count("BW"[side])


@given(st.randoms(use_true_random=True))
@settings(deadline=None, max_examples=15)
def test_a_capture_costs_the_burden_that_it_takes_from_the_other_side(random: Random) -> None:
    hooks, position = game.rules.hooks, game.initial()
    for _ in range(150):
        moves, other = game.moves(position), 1 - position.side
        if not moves:
            break
        for move in moves:
            change = burden(game.play(position, move), other) - burden(position, other)
            assert hooks["move_gain"](position, move) == change
        assert hooks["in_check"](position) == any(hooks["move_gain"](position, m) for m in moves)
        position = game.play(position, random.choice(moves))

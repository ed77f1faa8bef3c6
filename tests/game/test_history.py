"""Games in progress: repetition, lack of progress, illegal moves, lines of text."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Game, PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.rules import DRAW, LOSS, ONGOING, WIN

RING = '''
"""A token on a ring of four places; each move takes it one place forward (1) or back (-1)."""
from typing import NamedTuple


class Position(NamedTuple):
    place: int
    side: int


def initial():
    return Position(0, 0)


def moves(position):
    yield 1
    yield -1


def play(position, move):
    return Position((position.place + move) % 4, 1 - position.side)
'''
TURN = """
def turn(position):
    return position.side
"""
Loader = Callable[..., Game]


@pytest.fixture
def ring(tmp_path: Path) -> Loader:
    """Return a function that loads the ring with more lines in its file."""

    def load(*lines: str) -> Game:
        path = tmp_path / "ring.py"
        path.write_text(RING + "\n".join(lines), encoding="utf-8")
        return plyforge.load(str(path))

    return load


def test_a_history_starts_from_the_start_or_any_other_position(ring: Loader) -> None:
    game = ring(TURN)
    assert game.history().position == game.initial()
    position = game.parse("3 1")
    history = game.history(position)
    assert (history.position, history.turn, history.moves) == (position, 1, [])
    assert (history.occurrences(), history.verdict().over) == (1, False)


def test_sides_alternate_in_a_game_without_turn(ring: Loader) -> None:
    history = ring().history()
    turns = []
    for _ in range(4):
        turns.append(history.turn)
        history.play(1)
    assert turns == [0, 1, 0, 1]


def test_without_a_rule_positions_may_repeat_forever(ring: Loader) -> None:
    history = ring("REPETITION = None").history()
    history.play_text("1 -1 " * 50)
    assert history.occurrences() == 51
    assert history.verdict() == plyforge.Verdict(ONGOING, "")


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_repeated_position_is_a_draw_at_the_declared_occurrence(ring: Loader, count: int) -> None:
    history = ring("REPETITION = 'draw'", f"REPETITION_COUNT = {count}").history()
    for _ in range(count - 1):
        assert not history.verdict().over
        history.play_text("1 -1")
    assert history.verdict().value == DRAW
    assert history.verdict().reason == f"the position occurred {count} times"
    assert history.legal_moves() == []


def test_repetition_may_lose_for_the_side_that_repeats(ring: Loader) -> None:
    for more in ([], [TURN]):
        history = ring("REPETITION = 'loss'", "REPETITION_COUNT = 2", *more).history()
        history.play_text("1 -1")
        assert history.verdict().value == WIN  # for the side to move, who did not repeat


def test_a_side_that_repeats_and_is_to_move_again_has_lost(ring: Loader) -> None:
    one_sided = "def turn(position):\n    return 0\n"
    history = ring("REPETITION = 'loss'", "REPETITION_COUNT = 2", one_sided).history()
    history.play_text("1 -1")
    assert history.verdict().value == LOSS


def test_repetition_may_be_illegal(ring: Loader) -> None:
    history = ring("REPETITION = 'illegal'").history()
    history.play_text("1")
    assert history.legal_moves() == [1]
    with pytest.raises(PlyforgeError, match=r"move 2, '-1': -1 is not a legal move here"):
        history.play_text("-1")
    history.play_text("1 1")
    assert history.verdict() == plyforge.Verdict(LOSS, "the side to move has no move")


def test_plies_without_progress_are_counted_from_the_last_irreversible_move(ring: Loader) -> None:
    game = ring(
        "NO_PROGRESS_LIMIT = 3",
        "def irreversible(position, move):",
        "    return move == -1",
    )
    history = game.history()
    history.play_text("1 1 -1 1 1")
    assert not history.verdict().over
    history.play_text("1")
    assert history.verdict() == plyforge.Verdict(DRAW, "3 plies without progress", by_path=True)


def test_a_position_may_count_plies_without_progress(ring: Loader) -> None:
    game = ring("NO_PROGRESS_LIMIT = 3", "def progress(position):", "    return position.place")
    history = game.history(game.parse("2 0"))
    assert not history.verdict().over
    history.play_text("-1")
    assert history.verdict().value == DRAW
    assert game.verdict(game.parse("3 0")).value == DRAW


def test_the_hook_drawn_ends_the_game(ring: Loader) -> None:
    game = ring("def drawn(position):", "    return position.place == 2")
    history = game.history()
    history.play_text("1 1")
    assert history.verdict() == plyforge.Verdict(DRAW, "a draw by rule")
    assert game.perft(game.initial(), 4, "python") == 16


def test_a_won_position_is_won_even_where_it_repeats_or_lacks_progress(ring: Loader) -> None:
    game = ring(
        "NO_PROGRESS_LIMIT = 1",
        "def outcome(position):",
        f"    return {LOSS} if position.place == 1 else {ONGOING}",
    )
    history = game.history()
    history.play_text("1")
    assert history.verdict() == plyforge.Verdict(LOSS, "the last move wins the game")
    assert history.verdict().name == "loss"


@pytest.mark.parametrize(
    ("value", "reason", "without_moves"),
    [
        (LOSS, "the last move wins the game", "the side to move has lost"),
        (WIN, "the last move loses the game", "the side to move has won"),
        (DRAW, "the game ends level", "the game ends level"),
        (-12, "the final score decides", "the final score decides"),
    ],
)
def test_the_reason_of_an_outcome_fits_every_game(
    ring: Loader, value: int, reason: str, without_moves: str
) -> None:
    game = ring(
        "def outcome(position):",
        f"    return {value} if position.place == 1 else {ONGOING}",
    )
    history = game.history()
    history.play_text("1")
    assert history.verdict() == plyforge.Verdict(value, reason)
    assert game.verdict(history.position).reason == without_moves


def test_a_side_that_moves_twice_and_wins_has_won_by_the_last_move(ring: Loader) -> None:
    game = ring(
        "def turn(position):",
        "    return 0",
        "def outcome(position):",
        f"    return {WIN} if position.place == 1 else {ONGOING}",
    )
    history = game.history()
    history.play_text("1")
    assert history.verdict().reason == "the last move wins the game"


def test_illegal_moves_are_errors_and_change_nothing(ring: Loader) -> None:
    history = ring().history()
    with pytest.raises(PlyforgeError, match="7 is not a legal move here"):
        history.play(7)
    with pytest.raises(PlyforgeError) as error:
        history.play_text("1 -1 up 1")
    assert str(error.value) == "move 3, 'up': 'up' is not a legal move; legal: 1, -1"
    assert history.moves == [1, -1]
    assert len(history.positions) == 3


def test_moves_after_the_end_are_errors_with_the_reason(ring: Loader) -> None:
    history = ring("NO_PROGRESS_LIMIT = 2").history()
    with pytest.raises(PlyforgeError) as error:
        history.play_text("1,1,1")
    assert str(error.value) == "move 3, '1': the game is over (2 plies without progress)"


@pytest.mark.parametrize("value", ["None", "'win'", f"{ONGOING} + 1", "float('nan')", "1e9"])
def test_an_outcome_that_is_not_a_result_is_an_error_of_the_file(ring: Loader, value: str) -> None:
    game = ring("def outcome(position):", f"    return {value}")
    with pytest.raises(PlyforgeError, match=r"ring\.py: 'outcome' returned .*WIN, LOSS, DRAW"):
        game.verdict(game.initial())


def test_a_history_can_be_cut_to_an_earlier_ply() -> None:
    history = plyforge.load("kalah").history()
    history.play_text("3 1")
    earlier = history.at(1)
    assert (earlier.moves, earlier.turn) == (history.moves[:1], 0)
    assert [history.turn_at(plies) for plies in range(3)] == [0, 0, 1]
    earlier.play_text("2")
    assert history.moves != earlier.moves
    assert history.at(2).keys == history.keys
    for plies in (-1, 3):
        with pytest.raises(PlyforgeError, match="ply must be between 0 and 2, not"):
            history.at(plies)


def test_moves_are_playable_after_an_unclaimed_draw() -> None:
    history = plyforge.load("chess").history()
    history.play_text("g1f3 g8f6 f3g1 f6g8 " * 2)
    assert history.legal_moves() == []
    assert len(history.playable()) == 20
    over = plyforge.load("tictactoe").history()
    over.play_text("a1 a2 b1 b2 c1")
    assert over.playable() == []


def test_the_rules_are_asked_once_for_each_position(
    ring: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ring()
    asked = {"moves": 0, "outcome": 0}

    def count(name: str) -> None:
        ask = getattr(game, name)

        def counted(position: object) -> object:
            asked[name] += 1
            return ask(position)

        monkeypatch.setattr(game, name, counted)

    count("moves")
    count("outcome")
    history = game.history()
    for _ in range(3):
        history.verdict()
        assert history.legal_moves() == [1, -1]
        assert history.copy().legal_moves() == [1, -1]
        assert history.turn == 0
    assert asked == {"moves": 1, "outcome": 1}
    history.play(1)
    assert history.legal_moves() == [1, -1]
    assert asked == {"moves": 2, "outcome": 2}


def test_what_is_known_of_a_position_is_not_taken_for_another(ring: Loader) -> None:
    history = ring("REPETITION = 'draw'\nREPETITION_COUNT = 2").history()
    before = history.copy()
    history.legal_moves().clear()
    assert history.legal_moves() == [1, -1]
    for move in (1, -1):
        assert not history.verdict().over
        history.play(move)
    assert history.verdict().over
    assert not before.verdict().over
    assert not history.at(1).verdict().over
    assert history.at(2).verdict().over


@given(st.integers(0, 2**32), st.integers(0, 30), st.integers(0, 30))
@settings(max_examples=30, deadline=None)
def test_undo_restores_the_earlier_game(seed: int, plies: int, count: int) -> None:
    history, stream = plyforge.load("connect4:5x4").history(), Stream(seed)
    while len(history.moves) < plies and history.legal_moves():
        history.play(stream.choice(history.legal_moves()))
    count = min(count, len(history.moves))
    expected = history.at(len(history.moves) - count)
    history.undo(count)
    assert (history.moves, history.positions) == (expected.moves, expected.positions)
    assert (history.keys, history.verdict()) == (expected.keys, expected.verdict())
    assert history.plies_without_progress == expected.plies_without_progress


@pytest.mark.parametrize("count", [2, -1])
def test_more_moves_than_were_made_cannot_be_taken_back(count: int) -> None:
    history = plyforge.load("tictactoe").history()
    history.play_text("b2")
    with pytest.raises(PlyforgeError, match=f"cannot take back {count} moves; 1 were made"):
        history.undo(count)


def test_a_text_as_a_move_has_a_hint() -> None:
    with pytest.raises(PlyforgeError, match="b2 is not a legal move here; play_text makes moves"):
        plyforge.load("tictactoe").history().play("b2")  # type: ignore[arg-type]

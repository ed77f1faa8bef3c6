"""The positional evaluation of chess: values against a twin, running sums, symmetries."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import chess
import numpy as np
import pytest

import plyforge
from plyforge.core.randomness import Stream
from plyforge.evaluate import compiled_evaluation, evaluation_of, quantise, with_evaluation
from plyforge.games import chess as ours
from plyforge.games.chess import positional
from plyforge.games.chess.position import CASTLING, EN_PASSANT, PASS_MOVE, PROMOTION, Position
from plyforge.games.chess.positional.balances import counts, turned
from plyforge.games.chess.positional.places import FORMULAS
from tests.games.chess.awkward import AWKWARD
from tests.games.evaluations import random_positions, total
from tests.reference import chess_positional as twin

MIDDLEGAMES = [
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "r4rk1/1bqnbppp/pp1pp3/8/2PNP3/1PN1BP2/P2QB1PP/2RR2K1 b - - 0 15",
    "r2q1rk1/1p2bppp/p2p1n2/3Np3/4P1b1/1P1Q1N2/P1P2PPP/R1B2RK1 b - - 0 13",
    "2kr3r/ppp2ppp/2n1bn2/2b1p1B1/4P2q/2NB1N2/PPP2PPP/R2Q1RK1 w - - 0 9",
    "r4rk1/pp3ppp/2p1N3/3pP3/3P2q1/2P3Q1/P4P1P/R4RK1 b - - 0 22",
    "5rk1/1p4pp/p3Q3/3pN3/3P1R2/q6P/5PP1/6K1 b - - 0 30",
]
ENDINGS = [
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 1",
    "8/P6k/8/2P5/1PpP4/1p6/1P3K2/8 w - - 0 1",
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1",
    "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1",
    "QQQQQQQQ/Q6k/8/8/8/8/8/RNBK1BNR b - - 0 1",
    "rnbk1bnr/8/8/8/8/8/q6K/qqqqqqqq w - - 0 1",
]

game = with_evaluation(plyforge.load("chess"), "positional")
EVALUATION = positional.EVALUATION


@pytest.fixture(autouse=True)
def _words_wrap() -> Iterator[None]:
    """Uncompiled rules run as the core calls them, with 64-bit overflow allowed."""
    with np.errstate(over="ignore"):
        yield


@cache
def every_position() -> list[Position]:
    texts = (*MIDDLEGAMES, *ENDINGS)
    return [*random_positions(game, 2, 120), *(game.parse(text) for text in texts)]


def board_of(position: Position) -> chess.Board:
    return chess.Board(ours.to_text(position))


@cache
def terms_by_name() -> list[dict[str, float]]:
    """The count of every term, in every position."""
    return [{name: count for name, count, _ in EVALUATION.terms(p)} for p in every_position()]


@pytest.mark.parametrize("name", twin.COUNTS)
def test_a_count_agrees_with_its_twin(name: str) -> None:
    found = [terms[name] for terms in terms_by_name()]
    assert found == [twin.feature(name, board_of(position)) for position in every_position()]
    assert name == "tempo" or len(set(found)) > 2


def test_every_term_has_a_twin() -> None:
    assert list(terms_by_name()[0]) == [*twin.COUNTS, "rounding"]


def test_the_value_agrees_with_its_twin_in_both_backends() -> None:
    compiled = compiled_evaluation(game)
    for position in every_position():
        expected = twin.value(board_of(position))
        assert EVALUATION.evaluate(position) == expected, ours.to_text(position)
        assert compiled(position) == expected
        assert total(EVALUATION.terms(position)) == pytest.approx(expected, abs=1e-6)


def test_colours_do_not_matter() -> None:
    for position in every_position():
        mirrored = game.parse(board_of(position).mirror().fen())
        assert mirrored.side != position.side
        assert EVALUATION.evaluate(mirrored) == EVALUATION.evaluate(position)


def test_left_and_right_do_not_matter() -> None:
    for position in every_position():
        board = board_of(position)
        board.castling_rights, board.ep_square = chess.BB_EMPTY, None
        mirrored = board.transform(chess.flip_horizontal)
        value = EVALUATION.evaluate(game.parse(mirrored.fen()))
        assert value == EVALUATION.evaluate(position)


def test_all_but_the_tempo_is_bad_for_the_other_side() -> None:
    for position in every_position():
        mine, theirs = counts(position), counts(turned(position))
        assert theirs == (1, *(-count for count in mine[1:]))


def test_values_lie_within_the_range() -> None:
    low, high = positional.EVALUATION_RANGE
    assert all(low < EVALUATION.evaluate(position) < high for position in every_position())


@cache
def game_starts() -> list[Position]:
    return [game.initial(), *(game.parse(text) for text in AWKWARD.values())]


def test_the_running_sum_is_the_one_from_scratch_at_every_node_of_random_games() -> None:
    rules, stream, kinds = game.rules, Stream(5), set()
    for position in game_starts():
        state = rules.begin_state(position)
        for _ in range(12):
            moves = game.moves(position)
            if not moves:
                break
            for move in [*moves, PASS_MOVE]:
                child = ours.play(position, move)
                after = rules.advance_state(state, position, move, child)
                assert after.tolist() == rules.begin_state(child).tolist()
                kinds.add(int(move) >> 15)
            move = stream.choice(moves)
            child = ours.play(position, move)
            state, position = rules.advance_state(state, position, move, child), child
    assert {CASTLING, EN_PASSANT, PROMOTION} <= kinds


def test_weights_as_data_have_the_same_values_and_sums_if_they_are_integers() -> None:
    stored = with_evaluation(game, quantise(EVALUATION))
    reals = with_evaluation(game, quantise(EVALUATION, "float32"))
    assert game.rules.constant("STATE") == stored.rules.constant("STATE") == ("int64", 1)
    assert reals.rules.constant("STATE") is None
    for position in every_position()[::9]:
        value = EVALUATION.evaluate(position)
        assert value == evaluation_of(stored).evaluate(position)
        assert value == evaluation_of(reals).evaluate(position)


def best_square(piece: int, stage: int) -> tuple[int, int]:
    """The rank and file where a piece is worth the most, of files a to d."""
    squares = [(rank, file) for rank in range(8) for file in range(4)]
    return max(squares, key=lambda square: FORMULAS[piece](*square)[stage])


def test_the_king_hides_in_the_opening_and_comes_out_in_the_ending() -> None:
    assert best_square(5, 0) == (0, 1)
    assert best_square(5, 1) == (4, 3)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1"),
        ("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", "4k3/pp6/8/8/8/P7/P7/4K3 w - - 0 1"),
        ("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1"),
    ],
    ids=["open file", "doubled pawns", "rank of a passed pawn", "king before its pawn"],
)
def test_what_is_known_to_be_better_is_worth_more(better: str, worse: str) -> None:
    values: list[Any] = [EVALUATION.evaluate(game.parse(text)) for text in (better, worse)]
    assert values[0] > values[1]

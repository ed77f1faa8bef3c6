"""The net of chess: both forms have the same values, and moves change the squares they name."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge.core.randomness import Stream
from plyforge.evaluate import with_evaluation
from plyforge.games.chess import net
from plyforge.rules import random_weights

chess = plyforge.load("chess", "python")
CASTLING = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
PROMOTION = "1n2k3/P7/8/8/8/8/p7/1N2K3 b - - 0 1"


@pytest.fixture(autouse=True)
def _words_wrap() -> Iterator[None]:
    with np.errstate(over="ignore"):
        yield


def line(start: str | None, plies: int, seed: int) -> Iterator[tuple[Any, int, Any]]:
    """Yield positions, moves and children of a random game."""
    stream, position = Stream(seed), chess.parse(start) if start else chess.initial()
    for _ in range(plies):
        legal = chess.legal_moves(position)
        if not legal:
            return
        move = stream.choice(legal)
        child = chess.play(position, move)
        yield position, move, child
        position = child


def contents(position: Any) -> list[int]:
    return [net.content(position, square) for square in range(64)]


def test_contents_are_those_of_the_picture() -> None:
    letters = ".PBNRKQpbnrkq"
    for position, _, _ in line(None, 30, 1):
        shown = dict(zip(squares(), picture(position), strict=True))
        for square in range(64):
            index = net.content(position, square)
            code = 0 if index == net.EMPTY else index // 64 + 1
            assert letters[code] == shown[square]
            assert index == net.EMPTY or index % 64 == square


def squares() -> list[int]:
    return [8 * rank + file for rank in range(7, -1, -1) for file in range(8)]


def picture(position: Any) -> str:
    """The board of a FEN, with dots for empty squares."""
    board = chess.text(position).split()[0].replace("/", "")
    return "".join("." * int(one) if one.isdigit() else one for one in board)


@pytest.mark.parametrize("start", [None, CASTLING, EN_PASSANT, PROMOTION])
def test_a_move_changes_the_squares_that_it_names(start: str | None) -> None:
    for seed in range(4):
        for position, move, child in line(start, 25, seed):
            before, after = contents(position), contents(child)
            changed = {square for square in range(64) if before[square] != after[square]}
            assert changed == set(net.changed_squares(position, move, child)) - {net.NO_PLACE}


@pytest.mark.parametrize("start", [CASTLING, EN_PASSANT, PROMOTION])
def test_every_first_move_changes_the_squares_that_it_names(start: str) -> None:
    position = chess.parse(start)
    for move in chess.legal_moves(position):
        before, after = contents(position), contents(chess.play(position, move))
        changed = {square for square in range(64) if before[square] != after[square]}
        assert changed == set(net.changed_squares(position, move, position)) - {net.NO_PLACE}


def test_a_pass_changes_nothing() -> None:
    position = chess.initial()
    move = chess.rules.hooks["pass_move"](position)
    assert set(net.changed_squares(position, move, position)) == {net.NO_PLACE}


def test_both_forms_have_the_same_values() -> None:
    vector = random_weights(net.SEEN, 1)
    seen = net.SEEN.with_weights(vector)
    both = net.EVALUATION.with_weights(net.from_seen(vector))
    values = []
    for position, _, _ in line(None, 30, 2):
        values.append(float(seen.evaluate(position)))
        assert float(both.evaluate(position)) == pytest.approx(values[-1], abs=1e-6)
    assert len(set(values)) > 20


def test_rounding_errors_of_empty_squares_do_not_add_up() -> None:
    vector = net.from_seen(random_weights(net.SEEN, 1))
    board = vector[: (net.EMPTY + 1) * 2 * net.UNITS].reshape(net.EMPTY + 1, -1)
    assert not board[net.EMPTY].any()


def test_swapped_colours_have_the_same_value() -> None:
    both = net.EVALUATION.with_weights(net.from_seen(random_weights(net.SEEN, 3)))
    white = chess.parse("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    black = chess.parse("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3")
    assert float(both.evaluate(white)) == pytest.approx(float(both.evaluate(black)), abs=1e-6)


@pytest.mark.parametrize("name", ["net", "tuned"])
def test_stored_weights_belong_to_the_code_and_value_material(name: str) -> None:
    game = with_evaluation(chess, name)
    ahead = game.parse("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    behind = game.parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1")
    assert game.evaluation(ahead) > 300 > -300 > game.evaluation(behind)

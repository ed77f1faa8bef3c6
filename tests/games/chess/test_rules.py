"""Chess: move counts, every rule against python-chess, and the hooks that the search uses."""

import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge.games import chess as ours
from plyforge.games.chess.position import PASS_MOVE
from plyforge.games.chess.san import legal_moves
from plyforge.rules import DRAW, LOSS
from tests.games.chess.awkward import AWKWARD
from tests.games.chess.perft import KIWIPETE, PERFT, START
from tests.games.tiers import examples


@pytest.fixture(autouse=True)
def _words_wrap() -> Iterator[None]:
    """Uncompiled rules run as the core calls them, with 64-bit overflow allowed."""
    with np.errstate(over="ignore"):
        yield


def list_noisy_moves(position: ours.Position) -> list[int]:
    out = [0] * ours.MAX_MOVES
    return out[: ours.noisy_moves(position, out)]


def count(position: ours.Position, depth: int) -> int:
    found = legal_moves(position)
    if depth == 1:
        return len(found)
    return sum(count(ours.play(position, move), depth - 1) for move in found)


def assert_same(position: ours.Position, board: chess.Board) -> None:
    """Compare everything about a position with python-chess."""
    assert ours.to_text(position) == board.fen()
    found = {ours.move_text(position, move): move for move in legal_moves(position)}
    expected = {move.uci(): move for move in board.legal_moves}
    assert sorted(found) == sorted(expected)
    assert len(found) == len(legal_moves(position)), "no move comes twice"
    assert ours.in_check(position) == board.is_check()
    assert ours.drawn(position) == board.is_insufficient_material()
    assert ours.turn(position) == int(board.turn == chess.BLACK)
    assert ours.progress(position) == board.halfmove_clock
    forcing = {text for text, move in expected.items() if board.is_capture(move) or move.promotion}
    assert sorted(ours.move_text(position, move) for move in list_noisy_moves(position)) == sorted(
        forcing
    )
    for text, move in found.items():
        assert ours.move_kind(position, move) == int(text in forcing)
        assert 0 <= ours.move_slot(position, move) < ours.MOVE_SLOTS
        assert ours.irreversible(position, move) == is_irreversible(board, expected[text])


def is_irreversible(board: chess.Board, move: chess.Move) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    return board.is_zeroing(move) or after.castling_rights != board.castling_rights


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_move_counts_match_the_published_ones(fen: str, counts: list[int]) -> None:
    depth = 3 if counts[2] < 10_000 else 2
    position = ours.from_text(fen)
    assert [count(position, d + 1) for d in range(depth)] == counts[:depth]


@pytest.mark.parametrize("fen", AWKWARD.values(), ids=AWKWARD)
def test_awkward_positions_and_all_their_children_match_python_chess(fen: str) -> None:
    board = chess.Board(fen)
    position = ours.from_text(fen)
    assert_same(position, board)
    for move in legal_moves(position)[:60]:
        after = board.copy(stack=False)
        after.push_uci(ours.move_text(position, move))
        assert_same(ours.play(position, move), after)


@pytest.mark.parametrize("fen", AWKWARD.values(), ids=AWKWARD)
def test_awkward_positions_with_colours_exchanged_match_python_chess(fen: str) -> None:
    board = chess.Board(fen).mirror()
    assert_same(ours.from_text(board.fen(en_passant="fen")), board)


@examples(8)
@given(seed=st.integers(0, 2**32), start=st.sampled_from([START, KIWIPETE, PERFT[3][0]]))
def test_random_games_match_python_chess_move_by_move(seed: int, start: str) -> None:
    source = random.Random(seed)
    board = chess.Board(start)
    position = ours.from_text(start)
    for _ in range(60):
        assert_same(position, board)
        found = legal_moves(position)
        if not found:
            assert ours.stuck(position) == (LOSS if board.is_checkmate() else DRAW)
            break
        move = source.choice(found)
        board.push_uci(ours.move_text(position, move))
        position = ours.play(position, move)


def random_placement(source: random.Random) -> chess.Board:
    """Kings and up to eight other pieces anywhere, often with pins and checks."""
    while True:
        board = chess.Board(None)
        squares = source.sample(range(64), source.randint(3, 10))
        for square, colour in zip(squares[:2], chess.COLORS, strict=True):
            board.set_piece_at(square, chess.Piece(chess.KING, colour))
        for square in squares[2:]:
            kind = source.choice([1, 1, 2, 3, 4, 5])
            if kind > 1 or 8 <= square < 56:
                board.set_piece_at(square, chess.Piece(kind, source.random() < 0.5))
        board.turn = source.random() < 0.5
        if not board.status() & ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK):
            return board


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_placements_match_python_chess(seed: int) -> None:
    board = random_placement(random.Random(seed))
    assert_same(ours.from_text(board.fen()), board)


@pytest.mark.parametrize("one", ["", "N", "B", "R", "Q", "P", "NN", "BB", "NB", "B.B", "NP"])
@pytest.mark.parametrize("other", ["", "n", "b", ".b", "r", "p", "bb", "b.b", "nb"])
def test_insufficient_material_is_that_of_python_chess(one: str, other: str) -> None:
    rows = ["4k3", "8", "8", "8", "8", "8", "8", "4K3"]
    rows[5] = one.replace(".", "1") + str(8 - len(one))
    rows[2] = other.replace(".", "1") + str(8 - len(other))
    board = chess.Board("/".join(rows) + " w - - 0 1")
    if board.was_into_check():
        board.turn = chess.BLACK
    assert ours.drawn(ours.from_text(board.fen())) == board.is_insufficient_material()


def test_checkmate_is_lost_and_stalemate_drawn() -> None:
    assert ours.stuck(ours.from_text(AWKWARD["back rank mate"])) == LOSS
    assert ours.stuck(ours.from_text(AWKWARD["stalemate"])) == DRAW


def test_no_known_position_has_more_moves_than_the_limit() -> None:
    assert len(legal_moves(ours.from_text(AWKWARD["the most moves"]))) == ours.MAX_MOVES


@pytest.mark.parametrize(
    ("fen", "move", "gain"),
    [
        (START, "e2e4", 0),
        (KIWIPETE, "e2a6", 3),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 1),
        ("1q2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 19),
        ("1q2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", 12),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", 4),
        ("r3k3/8/8/8/8/8/8/R3K3 b - - 0 1", "a8a1", 5),
    ],
)
def test_a_move_gains_what_it_takes_and_what_a_pawn_becomes(fen: str, move: str, gain: int) -> None:
    position = ours.from_text(fen)
    assert ours.move_gain(position, ours.parse_move(position, move)) == 100 * gain


def test_a_pass_gives_up_the_turn_and_the_en_passant_right() -> None:
    position = ours.from_text("4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 2")
    assert ours.pass_move(position) == PASS_MOVE
    passed = ours.play(position, PASS_MOVE)
    assert ours.to_text(passed) == "4k3/8/8/3pP3/8/8/8/R3K3 b Q - 1 2"
    assert ours.move_text(position, PASS_MOVE) == "0000"
    assert not ours.irreversible(position, PASS_MOVE)


def test_there_is_no_pass_in_check() -> None:
    assert ours.pass_move(ours.from_text("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")) == -1


@pytest.mark.parametrize(
    ("fen", "prone"),
    [
        (START, False),
        ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", True),
        ("4k2r/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", True),
        ("4k2r/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1", False),
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", False),
    ],
)
def test_only_king_and_pawns_are_prone_to_zugzwang(fen: str, prone: bool) -> None:
    assert ours.zugzwang_prone(ours.from_text(fen)) == prone


def test_moves_may_come_as_numpy_integers() -> None:
    position = ours.initial()
    out = np.zeros(ours.MAX_MOVES, dtype=np.int64)
    assert ours.moves(position, out) == 20
    texts = {ours.to_text(ours.play(position, move)) for move in out[:20]}
    assert len(texts) == 20
    assert ours.move_text(position, out[0]) in {move.uci() for move in chess.Board().legal_moves}


def test_positions_keep_their_declared_types() -> None:
    position = ours.initial()
    for text in ("e2e4", "d7d5", "e4d5", "g8f6", "g1f3", "g7g6", "f1e2", "f8g7", "e1g1"):
        position = ours.play(position, ours.parse_move(position, text))
        kinds = [type(value) for value in position]
        assert kinds == [np.uint64] * 5 + [int] * 3


def test_only_a_legal_en_passant_capture_makes_a_position_differ() -> None:
    pinned = ours.from_text("8/8/8/8/k2p3Q/8/4P3/4K3 w - - 0 1")
    after = ours.play(pinned, ours.parse_move(pinned, "e2e4"))
    assert ours.to_text(after).split()[3] == "-"
    free = ours.from_text("8/8/8/k7/3p3Q/8/4P3/4K3 w - - 0 1")
    after = ours.play(free, ours.parse_move(free, "e2e4"))
    assert ours.to_text(after).split()[3] == "e3"

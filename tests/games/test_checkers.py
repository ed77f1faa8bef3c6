"""English checkers: published counts, two independent oracles, the edges of the rules, PDN."""

from random import Random

import draughts
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import History, PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.games import checkers
from plyforge.rules import DRAW, LOSS
from tests.games.draughts_endings import count_results, count_two_piece_positions
from tests.games.tiers import examples
from tests.reference.checkers import SQUARES, place_of
from tests.reference.checkers import Game as Twin

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
PERFT = (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128, 388623673)
"""Nodes at depth 1, 2, ...: OEIS A133046.  Brazilian rules would give 7473 at depth 5."""
PERFT_13 = 1_766_623_630
DISTINCT = (7, 49, 216, 805, 2733, 9105)
"""Distinct positions after 1, 2, ... plies."""
KINGS = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
CIRCLE = "W:WK3:B7,8,15,16,23,24"
"""A capture round four pieces back to the start, in both directions."""

ROWS_OF = (range(3), range(5, 8))

game = plyforge.load("checkers")


def move_texts(fen: str) -> list[str]:
    position = game.parse(fen)
    return sorted(game.move_text(position, move) for move in game.moves(position))


@pytest.mark.parametrize("depth", range(1, 12))
def test_perft_of_the_start(depth: int) -> None:
    assert game.perft(game.initial(), depth) == PERFT[depth - 1]


@pytest.mark.long
@pytest.mark.parametrize(("depth", "nodes"), [(12, PERFT[11]), (13, PERFT_13)])
def test_deep_perft_of_the_start(depth: int, nodes: int) -> None:
    assert game.perft(game.initial(), depth) == nodes


@pytest.mark.parametrize(
    ("fen", "nodes"),
    [(KINGS, (5, 38, 178, 1378, 5836)), (CIRCLE, (6, 32, 88, 388, 997))],
    ids=["kings", "circle"],
)
def test_perft_of_positions_with_kings(fen: str, nodes: tuple[int, ...]) -> None:
    position = game.parse(fen)
    assert tuple(game.perft(position, depth) for depth in range(1, 6)) == nodes


def test_divide_sums_up_to_perft() -> None:
    parts = game.divide(game.initial(), 8)
    named = {game.move_text(game.initial(), move) for move in parts}
    assert named == {"9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"}
    assert sum(parts.values()) == PERFT[7]


def test_distinct_positions_by_ply() -> None:
    layer, counts = {game.initial()}, []
    for _ in DISTINCT:
        layer = {game.play(position, move) for position in layer for move in game.moves(position)}
        counts.append(len(layer))
    assert tuple(counts) == DISTINCT


@given(st.randoms(use_true_random=True))
@examples(8)
def test_random_play_agrees_with_the_twin_at_every_step(random: Random) -> None:
    twin, position = Twin(), game.initial()
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


@given(st.randoms(use_true_random=True))
@examples(2)
def test_random_play_agrees_with_pydraughts_at_every_step(random: Random) -> None:
    oracle, position = draughts.Board(variant="english"), game.initial()
    for _ in range(150):
        moves = {game.move_text(position, move): move for move in game.moves(position)}
        theirs = {
            ("x" if move.captures else "-").join(map(str, move.steps_move)): move
            for move in oracle.legal_moves()
        }
        assert moves.keys() == theirs.keys()
        assert game.parse(oracle.fen) == position
        if not moves:
            break
        chosen = random.choice(sorted(moves))
        position = game.play(position, moves[chosen])
        oracle.push(theirs[chosen])


@st.composite
def crowded_positions(draw: st.DrawFn) -> Twin:
    """Any position with up to twelve pieces a side, men off their king rows."""
    pieces = draw(st.dictionaries(st.integers(1, 32), st.sampled_from("bwBW"), min_size=1))
    for square, piece in pieces.items():
        if (piece == "b" and square >= 29) or (piece == "w" and square <= 4):
            pieces[square] = piece.upper()
    for colour in "bw":
        mine = [square for square, piece in pieces.items() if piece.lower() == colour]
        for square in mine[12:]:
            del pieces[square]
    return Twin(pieces, draw(st.sampled_from("bw")))


@given(crowded_positions())
@examples(80)
def test_any_position_agrees_with_the_twin(twin: Twin) -> None:
    position = game.parse(twin.text())
    assert game.text(position) == twin.text()
    moves = {game.move_text(position, move): move for move in game.moves(position)}
    assert sorted(moves) == twin.moves()
    for text, move in moves.items():
        after = Twin(twin.pieces, twin.mover)
        after.play(text)
        assert game.text(game.play(position, move)) == after.text()
        assert game.parse_move(position, text) == move


@pytest.mark.parametrize("top", [1, 2])
@pytest.mark.parametrize("square", range(1, 33))
def test_the_longest_captures_agree_with_the_twin(square: int, top: int) -> None:
    """Nine pieces on every second row and column: a king can jump over all of them."""
    rows = (top, top + 2, top + 4)
    grid = {SQUARES[r, c]: "b" for r in rows for c in range(1, 7) if (r, c) in SQUARES}
    twin = Twin({**grid, square: "W"}, "w")
    assert move_texts(twin.text()) == twin.moves()


def test_nine_pieces_can_be_captured_at_once() -> None:
    longest = [
        text for text in move_texts("W:WK5:B9,10,11,17,18,19,25,26,27") if text.count("x") == 9
    ]
    assert len(longest) == len(set(longest)) == 6


def test_squares_are_numbered_from_the_top_and_the_first_player_is_black() -> None:
    assert game.text(game.initial()) == START
    assert game.players == ("Black", "White")
    assert game.board(game.parse(KINGS)).splitlines() == [
        " 1   .   .   .   .",
        " 5 .   .   .   .",
        " 9   .   W   .   b",
        "13 .   .   W   b",
        "17   .   w   .   b",
        "21 .   B   .   w",
        "25   B   .   w   w",
        "29 B   .   .   .",
    ]


def test_a_capture_must_be_made_and_any_of_them_may_be_chosen() -> None:
    assert move_texts("B:W15:B10,12") == ["10x19"]
    assert move_texts("B:W6,14,16:B1,12") == ["12x19", "1x10x17"]


def test_a_capture_once_begun_must_be_completed() -> None:
    assert move_texts("B:W6,14:B1") == ["1x10x17"]


def test_men_neither_step_nor_jump_backwards_and_kings_do_both() -> None:
    assert move_texts("B:W32:B18") == ["18-22", "18-23"]
    assert move_texts("B:W14:B18") == ["18-22", "18-23"]
    assert move_texts("B:W32:BK18") == ["18-14", "18-15", "18-22", "18-23"]
    assert move_texts("B:W14:BK18") == ["18x9"]


def test_kings_go_one_square_at_a_time() -> None:
    assert "1-10" not in move_texts("B:W32:BK1")
    assert move_texts("B:W10:BK1") == ["1-5", "1-6"]


def test_crowning_ends_the_turn_even_where_more_could_be_captured() -> None:
    assert move_texts("B:W26,27:B22") == ["22x31"]
    after = game.play(game.parse("B:W26,27:B22"), game.moves(game.parse("B:W26,27:B22"))[0])
    assert game.text(after) == "W:W27:BK31"
    assert move_texts("B:W26,27:BK22") == ["22x31x24"]


def test_a_circular_capture_counts_once_in_each_direction() -> None:
    assert move_texts(CIRCLE) == [
        "3x10x19x12x3",
        "3x10x19x26",
        "3x10x19x28",
        "3x12x19x10x3",
        "3x12x19x26",
        "3x12x19x28",
    ]
    position = game.parse(CIRCLE)
    ends = {
        game.text(game.play(position, game.parse_move(position, text)))
        for text in ("3x10x19x12x3", "3x12x19x10x3")
    }
    assert ends == {"B:WK3:B23,24"}


def test_a_side_without_pieces_or_without_moves_has_lost() -> None:
    for fen in ("B:W32:B", "W:W:B1", "B:W9,14,32:B5"):
        assert move_texts(fen) == []
        assert game.verdict(game.parse(fen)).value == LOSS


def test_moves_are_read_with_all_squares_or_with_the_ends() -> None:
    position = game.parse("B:W6,14:BK1")
    (move,) = game.moves(position)
    for text in ("1x10x17", "1x17", " 1X17 ", "1:10:17", "1-17", "01x10x17"):
        assert game.parse_move(position, text) == move
    assert game.move_cells(position, move) == ["1", "10", "17"]


@pytest.mark.parametrize(
    ("fen", "text", "ways"),
    [
        (CIRCLE, "3x26", {"3x10x19x26", "3x12x19x26"}),
        (CIRCLE, "3x3", {"3x10x19x12x3", "3x12x19x10x3"}),
        ("B:W6,14,15,22,23:BK1", "1x10", {"1x10x17x26x19x10", "1x10x19x26x17x10"}),
    ],
)
def test_ends_that_fit_several_captures_are_refused_with_all_of_them(
    fen: str, text: str, ways: set[str]
) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        game.parse_move(game.parse(fen), text)
    message = str(refusal.value).partition(";")[0]
    assert message.startswith(f"'{text}' is ambiguous: it may be ")
    assert set(message.removeprefix(f"'{text}' is ambiguous: it may be ").split(" or ")) == ways


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (START, "11-17", "'11-17' is not a legal move; legal: "),
        (START, "", "'' is not a move; write 11-15, 15x22 or 1x10x17"),
        (START, "11", "'11' is not a move"),
        (START, "b2-c3", "'b2-c3' is not a move"),
        (START, "1²-15", "'1²-15' is not a move"),
        (START, "11--15", "'11--15' is not a move"),
        ("B:W15:B10,12", "12-16", "'12-16' is not a legal move (a capture must be made)"),
        (
            "B:W6,14:BK1",
            "1x10",
            "'1x10' is not a legal move (the capture must be completed: 1x10x17)",
        ),
    ],
)
def test_a_text_that_is_not_a_legal_move_is_refused_with_the_reason(
    fen: str, text: str, reason: str
) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        game.parse_move(game.parse(fen), text)
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("W:B1,2:W31,K5", "W:WK5,31:B1,2"),
        ("b:wk5:b1-4.", "B:WK5:B1,2,3,4"),
        (" B : W 32 : B 1, 2 ", "B:W32:B1,2"),
        ("B:W:B1", "B:W:B1"),
        ("B:WK1-3:B", "B:WK1,K2,K3:B"),
    ],
)
def test_positions_may_be_written_in_several_ways(text: str, same: str) -> None:
    assert game.text(game.parse(text)) == same


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "three parts separated by colons"),
        ("B:W1", "three parts separated by colons"),
        ("B:W21:B1:B2", "three parts separated by colons"),
        ("X:W21:B1", "side to move 'X': it must be B or W"),
        (":W21:B1", "side to move ''"),
        ("B:W21:W22", "'W22': one part must start with W, the other with B"),
        ("B:21:B1", "'21': one part must start with W"),
        ("B:W21,33:B1", "'33' among the pieces of W: squares are 1 to 32, kings K1 to K32"),
        ("B:W0:B1", "'0' among the pieces of W"),
        ("B:W21:BQ1", "'Q1' among the pieces of B"),
        ("B:W21:BK", "'K' among the pieces of B"),
        ("B:W21,,22:B1", "'' among the pieces of W"),
        ("B:W21:B5-1", "'5-1' among the pieces of B"),
        ("B:W21:B1-40", "'1-40' among the pieces of B"),
        ("B:W²:B1", "'²' among the pieces of W"),
        ("B:W21:B21", "square 21 is taken twice"),
        ("B:W21,21:B1", "square 21 is taken twice"),
        ("B:W21:B29", "a man of B on its king row, 29 to 32: it would be a king (K)"),
        ("B:W4:B9", "a man of W on its king row, 1 to 4"),
        ("B:W32:B1-13", "13 pieces of B; a side has at most 12"),
    ],
)
def test_an_invalid_position_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        game.parse(text)
    assert f"position '{text}': " in str(refusal.value)
    assert reason in str(refusal.value)


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    line = game.history(game.parse("B:WK32:BK1"))
    line.play_text("1-6 32-27 6-1 27-32")
    assert line.occurrences() == 2
    line.play_text("1-6 32-27 6-1")
    assert line.verdict().name == "ongoing"
    line.play_text("27-32")
    verdict = line.verdict()
    assert (verdict.value, verdict.reason) == (DRAW, "the position occurred 3 times")
    assert line.legal_moves() == []


def test_the_same_pieces_with_the_other_side_to_move_are_another_position() -> None:
    line = game.history(game.parse("B:WK32:BK1"))
    line.play_text("1-6 32-27 6-10 27-32 10-6 32-27 6-1 27-32")
    assert line.occurrences() == 2


def wander(line: History, plies: int) -> None:
    """Move kings about, Black's in the upper rows and White's in the lower ones.

    Each move goes where the play was least often, so that no position occurs three times.
    """
    stream = Stream(40)
    while len(line.moves) < plies:
        moves = []
        for move in line.legal_moves():
            row, _ = place_of(int(game.move_cells(line.position, move)[-1]))
            if not game.irreversible(line.position, move) and row in ROWS_OF[line.turn]:
                moves.append(move)
        stream.shuffle(moves)
        line.play(min(moves, key=lambda m: line.positions.count(game.play(line.position, m))))


def test_forty_moves_of_each_side_without_progress_are_a_draw() -> None:
    line = game.history(game.parse("B:WK30,K31,K32:BK1,K2,K3"))
    wander(line, 79)
    assert line.verdict().name == "ongoing"
    wander(line, 80)
    verdict = line.verdict()
    assert (verdict.value, verdict.reason) == (DRAW, "80 plies without progress")


def test_the_step_of_a_man_restarts_the_count() -> None:
    line = game.history(game.parse("B:WK30,K31,K32:BK1,K2,K3,12"))
    wander(line, 78)
    line.play_text("12-16")
    wander(line, 158)
    assert line.verdict().name == "ongoing"
    wander(line, 159)
    assert line.verdict().value == DRAW


def test_rotating_the_board_and_exchanging_colours_changes_no_count() -> None:
    for fen in (START, KINGS, CIRCLE):
        position, turned = checkers.symmetries(game.parse(fen))
        assert position == game.parse(fen)
        assert turned.side != position.side
        assert game.perft(turned, 5) == game.perft(position, 5)


def test_only_captures_are_noisy_and_gain_what_they_take() -> None:
    position = game.parse(CIRCLE)
    assert sorted(checkers.noisy_moves(position)) == sorted(game.moves(position))
    gains = sorted(checkers.move_gain(position, move) for move in game.moves(position))
    assert gains == [12, 12, 12, 12, 16, 16]
    assert list(checkers.noisy_moves(game.initial())) == []


def random_positions(random: Random, plies: int) -> list[checkers.Position]:
    """The positions of a random game."""
    positions = [game.initial()]
    while len(positions) < plies and (moves := game.moves(positions[-1])):
        positions.append(game.play(positions[-1], random.choice(moves)))
    return positions


def men_and_kings(position: checkers.Position, side: int) -> tuple[int, int]:
    letters = list(checkers.pieces(position).values())
    return letters.count("bw"[side]), letters.count("BW"[side])


@given(st.randoms(use_true_random=True))
@examples(15)
def test_a_side_is_in_check_when_its_moves_take_pieces(random: Random) -> None:
    for position in random_positions(random, 120):
        moves, other = game.moves(position), 1 - position.side
        men, kings = men_and_kings(position, other)
        gains = {}
        for move in moves:
            men_left, kings_left = men_and_kings(game.play(position, move), other)
            gains[move] = 4 * (men - men_left) + 6 * (kings - kings_left)
        captures = [move for move in moves if gains[move]]
        assert checkers.in_check(position) == bool(captures)
        assert sorted(checkers.noisy_moves(position)) == sorted(captures)
        assert {move: checkers.move_gain(position, move) for move in moves} == gains
        assert [move for move in moves if checkers.move_kind(position, move)] == captures


def test_positions_of_two_pieces_are_as_many_as_published() -> None:
    assert count_two_piece_positions() == 6972


def test_endings_of_two_pieces_have_the_published_results() -> None:
    assert count_results(game) == {
        "0K1M v 0K1M": (102, 47, 611),
        "0K1M v 1K0M": (53, 241, 574),
        "1K0M v 0K1M": (331, 6, 531),
        "1K0M v 1K0M": (230, 108, 654),
        "all": (2458, 2144, 2370),
    }


def test_neighbouring_squares_are_those_of_the_board() -> None:
    """A lone king steps to exactly the squares that touch its own."""
    for square in range(1, 33):
        row, column = place_of(square)
        near = {
            SQUARES[row + dr, column + dc]
            for dr in (-1, 1)
            for dc in (-1, 1)
            if (row + dr, column + dc) in SQUARES
        }
        assert move_texts(f"W:WK{square}:B") == sorted(f"{square}-{end}" for end in near)

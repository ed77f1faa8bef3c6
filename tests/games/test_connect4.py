"""Connect four: published counts, the rules against a slow twin, boards of all sizes, notation."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Game, PlyforgeError
from plyforge.games import connect4
from plyforge.rules import DRAW, LOSS, ONGOING, WIN
from tests.games.tiers import examples, with_long
from tests.reference.connect4 import Game as Twin

PERFT = (7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646, 1844590828)
"""Nodes at depth 1, 2, ...: to 10 counted by other programs, 11 published (kudchuet)."""
PERFT_4X4 = (4, 16, 64, 256, 1020, 4020)
DISTINCT = (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275)
"""Distinct positions after 0, 1, ... plies: OEIS A212693."""

game = plyforge.load("connect4")
sizes = st.sampled_from([(7, 6), (4, 4), (5, 4), (6, 5), (8, 6), (1, 62), (31, 1), (9, 6), (3, 3)])


def count_distinct(start: Game, plies: int) -> list[int]:
    """Count the positions after 0, 1, ... plies."""
    layer = {start.initial()}
    counts = [1]
    while layer and len(counts) <= plies:
        layer = {
            connect4.play(position, move)
            for position in layer
            if connect4.outcome(position) != LOSS
            for move in connect4.moves(position)
        }
        counts.append(len(layer))
    return counts


@pytest.mark.parametrize("depth", range(1, 11))
def test_perft_of_the_start(depth: int) -> None:
    assert game.perft(game.initial(), depth) == PERFT[depth - 1]


@pytest.mark.long
def test_perft_of_the_start_at_depth_11() -> None:
    assert game.perft(game.initial(), 11) == PERFT[10]


@pytest.mark.parametrize("depth", range(1, 7))
def test_perft_of_the_board_of_4x4(depth: int) -> None:
    small = plyforge.load("connect4:4x4")
    assert small.perft(small.initial(), depth) == PERFT_4X4[depth - 1]


@pytest.mark.parametrize("size", ["1x62", "2x30", "3x20", "20x2", "31x1"])
def test_both_backends_count_the_same_on_the_longest_boards(size: str) -> None:
    board = plyforge.load(f"connect4:{size}")
    for depth in range(1, 4 if board.initial().rows < 4 else 9):
        counted = board.perft(board.initial(), depth, "compiled")
        assert counted == board.perft(board.initial(), depth, "python")


@pytest.mark.parametrize("plies", with_long([7], [8]))
def test_distinct_positions_by_ply(plies: int) -> None:
    assert count_distinct(game, plies) == list(DISTINCT[: plies + 1])


@pytest.mark.parametrize(
    ("size", "count"),
    [("4x4", 161_029), ("5x4", 3_945_711)],
)
@pytest.mark.long
def test_distinct_positions_of_small_boards(size: str, count: int) -> None:
    assert sum(count_distinct(plyforge.load(f"connect4:{size}"), 99)) == count


@given(sizes, st.data())
@examples(30)
def test_random_play_agrees_with_the_twin_at_every_step(
    size: tuple[int, int], data: st.DataObject
) -> None:
    width, height = size
    board = plyforge.load(f"connect4:{width}x{height}")
    twin, position = Twin(width, height), board.initial()
    drawn = data.draw(st.randoms(use_true_random=True))
    while True:
        texts = {board.move_text(position, move): move for move in board.moves(position)}
        assert texts.keys() == twin.moves()
        assert board.verdict(position).name == twin.result()
        assert board.text(position) == twin.text()
        assert board.parse(twin.text()) == position
        if twin.result() != "ongoing":
            break
        chosen = drawn.choice(sorted(texts))
        position = board.play(position, texts[chosen])
        twin.play(chosen)


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param("1122334", id="along the bottom"),
        pytest.param("7766554", id="along the bottom, to the right edge"),
        pytest.param("1212121", id="up a column"),
        pytest.param("12234334544", id="diagonally up"),
        pytest.param("76654554344", id="diagonally down"),
    ],
)
def test_four_in_a_row_ends_the_game_at_once(columns: str) -> None:
    line = game.history()
    line.play_text(columns)
    assert line.verdict().value == LOSS
    with pytest.raises(PlyforgeError, match=rf"move {len(columns) + 1}, '3': the game is over"):
        line.play_text("3")


def test_stones_at_the_top_of_one_column_and_the_bottom_of_the_next_are_not_a_line() -> None:
    position = game.parse("X....../X....../X....../O....../X....../OX.O..O O")
    assert game.verdict(position).name == "ongoing"


def test_a_full_board_without_four_is_drawn() -> None:
    small = plyforge.load("connect4:2x2")
    assert small.verdict(small.parse("OO/XX X")).value == DRAW


def test_a_full_column_takes_no_more_stones() -> None:
    with pytest.raises(PlyforgeError, match="'1' is not a legal move; legal: 2, 3, 4, 5, 6, 7"):
        game.parse_move(game.parse("111111"), "1")


def test_columns_played_are_a_position_text() -> None:
    position = game.parse("4453")
    line = game.history()
    line.play_text("4453")
    assert line.position == position
    assert game.text(position) == "......./......./......./......./...O.../..OXX.. X"
    assert game.board(position).splitlines()[-2:] == ["1 . . O X X . .", "  1 2 3 4 5 6 7"]


def test_lines_of_moves_may_be_one_word_or_several() -> None:
    assert game.split_moves("4453") == game.split_moves("4 4 5 3") == game.split_moves("4,4, 5,3")
    assert game.split_moves("10 11") == ["10", "11"]


def test_a_move_touches_the_cell_that_its_stone_falls_into() -> None:
    position = game.parse("44")
    assert game.move_cells(position, game.parse_move(position, "4")) == ["4.3"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "at least one column"),
        ("44444444", "'44444444': no stone can be played in column 4 (move 7)"),
        ("8", "'8': no stone can be played in column 8 (move 1)"),
        ("4840", "no stone can be played in column 8 (move 2)"),
        ("11223344", "no stone can be played in column 4 (move 8)"),
        (".../.. X", "'.../..' is not rows of equal length made of X, O and ."),
        ("..?/... X", "'..?/...' is not rows"),
        ("X../... O", "a stone in column 1 hangs in the air"),
        (".../XX. O", "2 X and 0 O: X has as many stones as O or one more"),
        (".../O.. X", "0 X and 1 O"),
        (".../X.. X", "side to move 'X': with these stones it is O's turn"),
        ("...", "side to move ''"),
        (".OOOO/.XXXX X", "X has four in a row already, yet is to move"),
        ("²", "'²' is not rows"),
        ("................/....../....... X", "is not rows of equal length"),
        ("/".join(["......."] * 9) + " X", "7x9 does not fit"),
    ],
)
def test_an_invalid_position_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        game.parse(text)
    assert f"position '{text}': " in str(refusal.value)
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        ("0x4", "0x4: a board has at least one column and one row"),
        ("9x7", "9x7 does not fit: columns x (rows + 1) may be at most 63"),
        ("5x4x3", "columns must be an integer, not '5x4x3'"),
        ("5,4,3", "'3' is one value too many for a variant of connect4; it has columns=7, rows=6"),
        ("size=5", "no parameter 'size'; it has columns=7, rows=6"),
        ("x", "columns must be an integer, not 'x'"),
    ],
)
def test_impossible_boards_are_refused_with_the_reason(variant: str, reason: str) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        plyforge.load(f"connect4:{variant}")
    assert reason in str(refusal.value)


@pytest.mark.parametrize("variant", ["5x6", "5", "columns=5", "columns=5,rows=6", "rows=6,5"])
def test_a_size_may_be_written_in_several_ways(variant: str) -> None:
    assert plyforge.load(f"connect4:{variant}").initial() == connect4.initial(5, 6)


def test_symmetries_are_the_position_and_its_mirror_image() -> None:
    position = game.parse("4453")
    assert connect4.symmetries(position) == [position, game.parse("4435")]


@given(sizes, st.randoms(use_true_random=True))
@examples(30)
def test_threats_and_noisy_moves_are_those_that_complete_four_stones(
    size: tuple[int, int], random: Random
) -> None:
    position = connect4.initial(*size)
    while connect4.outcome(position) != LOSS and (moves := list(connect4.moves(position))):
        other = position._replace(mine=position.stones ^ position.mine)
        wins = [m for m in moves if connect4.outcome(connect4.play(position, m)) == LOSS]
        threats = [m for m in moves if connect4.outcome(connect4.play(other, m)) == LOSS]
        assert connect4.in_check(position) == bool(threats)
        assert list(connect4.noisy_moves(position)) == sorted({*wins, *threats})
        position = connect4.play(position, random.choice(moves))


@given(sizes, st.randoms(use_true_random=True))
@examples(30)
def test_quick_values_and_losing_moves_are_those_of_two_plies(
    size: tuple[int, int], random: Random
) -> None:
    def wins(position: connect4.Position) -> bool:
        children = [connect4.play(position, move) for move in connect4.moves(position)]
        return any(connect4.outcome(child) == LOSS for child in children)

    position = connect4.initial(*size)
    while connect4.outcome(position) != LOSS and (moves := list(connect4.moves(position))):
        children = {move: connect4.play(position, move) for move in moves}
        losing = {
            move: connect4.outcome(child) != LOSS and wins(child)
            for move, child in children.items()
        }
        expected = WIN - 1 if wins(position) else LOSS + 2 if all(losing.values()) else ONGOING
        assert connect4.quick_value(position) == expected
        assert {move: connect4.loses_at_once(position, move) for move in moves} == losing
        keys = {int(connect4.canonical_key(image)) for image in connect4.symmetries(position)}
        assert len(keys) == 1
        position = connect4.play(position, random.choice(moves))

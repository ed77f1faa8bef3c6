"""Tic-tac-toe: the whole game counted, the rules against a slow twin, the notation."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import PlyforgeError
from plyforge.games import tictactoe
from plyforge.games.tictactoe import Position
from plyforge.rules import DRAW, LOSS, ONGOING
from tests.reference.tictactoe import LINES
from tests.reference.tictactoe import Game as Twin

PERFT = (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
"""Nodes at depth 1 to 9; no game is longer."""
REACHABLE = (1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78)
"""Distinct positions after 0, 1, ... plies."""

game = plyforge.load("tictactoe")


def final_result(position: Position) -> int | None:
    """The result for the side to move, or None if the game is not over."""
    verdict = game.verdict(position)
    return int(verdict.value) if verdict.over else None


@cache
def layers() -> list[set[Position]]:
    """The positions that can be reached, by number of plies."""
    found = [{game.initial()}]
    while found[-1]:
        found.append({game.play(p, m) for p in found[-1] for m in game.legal_moves(p)})
    return found[:-1]


@cache
def reachable_positions() -> set[Position]:
    return set().union(*layers())


@cache
def value(position: Position) -> int:
    """The result for the side to move under best play."""
    result = final_result(position)
    if result is not None:
        return result
    return max(-value(game.play(position, move)) for move in game.moves(position))


@cache
def count_games(position: Position) -> Counter[tuple[int, int]]:
    """Count the games that continue from here, by total length and result for X."""
    result = final_result(position)
    if result is not None:
        length = (position.mine | position.theirs).bit_count()
        for_x = result if game.turn(position) == 0 else -result
        return Counter({(length, for_x): 1})
    total: Counter[tuple[int, int]] = Counter()
    for move in game.moves(position):
        total += count_games(game.play(position, move))
    return total


@pytest.mark.parametrize("depth", range(1, 10))
def test_perft_of_the_whole_game(depth: int) -> None:
    assert game.perft(game.initial(), depth) == PERFT[depth - 1]


def test_no_game_is_longer_than_nine_plies() -> None:
    assert game.perft(game.initial(), 10) == 0
    assert 1 + sum(PERFT) == 549_946


def test_positions_that_can_be_reached_are_5478() -> None:
    assert tuple(map(len, layers())) == REACHABLE
    assert len(reachable_positions()) == sum(REACHABLE) == 5478


def test_symmetries_leave_765_classes() -> None:
    classes = {frozenset(tictactoe.symmetries(position)) for position in reachable_positions()}
    assert len(classes) == 765
    ended = {
        frozenset(tictactoe.symmetries(p))
        for p in reachable_positions()
        if final_result(p) is not None
    }
    assert len(ended) == 138


def test_final_positions_are_626_won_by_x_316_by_o_and_16_drawn() -> None:
    results: Counter[str] = Counter()
    for position in reachable_positions():
        result = final_result(position)
        if result is not None:
            last = tictactoe.PLAYERS[1 - tictactoe.turn(position)]
            results[last if result == LOSS else "draw"] += 1
    assert results == {"X": 626, "O": 316, "draw": 16}


def test_games_are_255168_by_result_and_by_length() -> None:
    by_length: Counter[int] = Counter()
    by_result: Counter[int] = Counter()
    for (length, result), count in count_games(game.initial()).items():
        by_length[length] += count
        by_result[result] += count
    assert by_result == {-LOSS: 131_184, LOSS: 77_904, DRAW: 46_080}
    assert by_length == {5: 1440, 6: 5328, 7: 47_952, 8: 72_576, 9: 127_872}
    assert by_result.total() == 255_168


def test_values_of_all_positions_under_best_play() -> None:
    values = Counter(value(position) for position in reachable_positions())
    assert values == {-LOSS: 2836, DRAW: 1068, LOSS: 1574}
    assert value(game.initial()) == DRAW


def test_symmetries_are_eight_positions_of_equal_value_starting_with_the_position() -> None:
    for position in reachable_positions():
        images = tictactoe.symmetries(position)
        assert len(images) == 8
        assert images[0] == position
        assert {value(image) for image in images} == {value(position)}


@given(st.data())
def test_random_play_agrees_with_the_twin_at_every_step(data: st.DataObject) -> None:
    twin, position = Twin(), game.initial()
    while True:
        texts = {game.move_text(position, move): move for move in game.moves(position)}
        assert texts.keys() == twin.moves()
        assert game.verdict(position).name == twin.result()
        assert game.text(position) == twin.text()
        assert game.parse(twin.text()) == position
        if twin.result() != "ongoing":
            break
        chosen = data.draw(st.sampled_from(sorted(texts)))
        position = game.play(position, texts[chosen])
        twin.play(chosen)


def test_every_reachable_position_survives_its_text() -> None:
    for position in reachable_positions():
        assert game.parse(game.text(position)) == position


def test_cells_are_named_as_in_chess() -> None:
    line = game.history()
    line.play_text("b2 a3, c1")
    assert game.text(line.position) == "O../.X./..X O"
    assert game.board(line.position) == "3 O . .\n2 . X .\n1 . . X\n  a b c"
    assert game.parse_move(game.initial(), " B2 ") == 4
    assert game.move_cells(game.initial(), 4) == ["b2"]


def test_a_line_of_three_is_lost_for_the_side_to_move_and_ends_the_game() -> None:
    line = game.history()
    line.play_text("a1 b1 a2 b2 a3")
    assert (line.verdict().value, line.legal_moves()) == (LOSS, [])
    with pytest.raises(PlyforgeError, match=r"move 6, 'b3': the game is over"):
        line.play_text("b3")


def test_a_full_board_without_a_line_is_drawn() -> None:
    full = game.parse("XOX/XOO/OXX O")
    assert tictactoe.outcome(full) == ONGOING
    assert game.verdict(full).value == DRAW


def test_a_last_stone_that_makes_a_line_wins() -> None:
    assert game.verdict(game.parse("XXX/XOO/OXO O")).value == LOSS


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'' is not three rows of three cells X, O or ."),
        (".../.../.. X", "'.../.../..' is not three rows"),
        ("..../../... X", "'..../../...' is not three rows"),
        (".../.../.../ X", "'.../.../.../' is not three rows"),
        ("..a/.../... X", "'..a/.../...' is not three rows"),
        ("XX./.../... O", "2 X and 0 O: X has as many stones as O or one more"),
        ("O../.../... X", "0 X and 1 O"),
        ("X../.../... X", "side to move 'X': with these stones it is O's turn"),
        (".../.../...", "side to move '': with these stones it is X's turn"),
        (".../.../... Z", "side to move 'Z'"),
        ("XXX/OOO/... X", "X has a line already, yet is to move"),
        ("XX./OOO/XX. O", "O has a line already, yet is to move"),
    ],
)
def test_an_invalid_position_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        game.parse(text)
    assert f"position '{text}': " in str(refusal.value)
    assert reason in str(refusal.value)


@pytest.mark.parametrize("text", ["", "b4", "5", "b2b2", "x"])
def test_a_text_that_is_not_a_move_is_refused_with_the_legal_moves(text: str) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        game.parse_move(game.parse("X../.O./... X"), text)
    assert f"'{text}' is not a legal move; legal: b3, c3, a2" in str(refusal.value)


def test_an_occupied_cell_is_not_a_move() -> None:
    with pytest.raises(PlyforgeError, match="'a3' is not a legal move"):
        game.parse_move(game.parse("X../.O./... X"), "a3")


# Evaluation


def open_lines(position: Position, enemy: str) -> int:
    """The lines on which a side's enemy has no stone."""
    stones = tictactoe.pieces(position)
    return sum(all(stones.get(cell) != enemy for cell in line) for line in LINES)


def test_the_evaluation_counts_open_lines_and_takes_the_side_to_move() -> None:
    for position in reachable_positions():
        value = game.evaluation(position)
        mover, other = ("X", "O") if game.turn(position) == 0 else ("O", "X")
        assert value == open_lines(position, other) - open_lines(position, mover)
        assert game.evaluation(Position(position.theirs, position.mine)) == -value
        assert {game.evaluation(image) for image in tictactoe.symmetries(position)} == {value}
        assert -8 < value < 8


@pytest.mark.parametrize(("opening", "value"), [("b2", -4), ("a1", -3), ("b1", -2)])
def test_openings_are_ranked(opening: str, value: int) -> None:
    start = game.initial()
    position = game.play(start, game.parse_move(start, opening))
    assert game.evaluation(position) == value

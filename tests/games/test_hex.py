"""Hex: the rules against a slow twin and open_spiel, known values of openings, swap, notation."""

from math import perm
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Game, PlyforgeError
from plyforge.games import hex as hexgame
from plyforge.games.hex import Position
from plyforge.games.hex.rules import build
from plyforge.rules import LOSS, ONGOING, WIN
from tests.games.tiers import examples, with_long
from tests.reference.hex import Game as Twin
from tests.reference.hex import around, parse_cell

OPENINGS = {
    1: ["W"],
    2: ["LW", "WL"],
    3: ["LLW", "WWW", "WLL"],
    4: ["LLLW", "LLWL", "LWLL", "WLLL"],
    5: ["LLLLW", "LWWWW", "LWWWL", "WWWWL", "WLLLL"],
}
"""Rank by rank, whether Red wins by opening there without a swap; found by two other programs."""

game = plyforge.load("hex")
random_games = st.tuples(
    st.randoms(use_true_random=True), st.sampled_from([1, 2, 3, 4, 5, 6, 8, 11, 14]), st.booleans()
)
PERFT_3 = [9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960, 0]


def assert_same(left: Position, right: Position) -> None:
    assert np.array_equal(left.rows, right.rows)
    assert left[1:] == right[1:]


def follow(variant: str, line: str) -> tuple[Game, Position]:
    board = plyforge.load(f"hex:{variant}")
    history = board.history()
    history.play_text(line)
    return board, history.position


def red_wins(position: Position, known: dict[int, bool]) -> bool:
    """The value by trying everything, until a move is found that wins."""
    side, key = position.side, int(position.hash)
    if position.result != ONGOING:
        return side == 1
    if key not in known:
        # Cells near the short diagonal first: they win most often, which only saves time.
        diagonal = position.size + 1
        moves = sorted(hexgame.moves(position), key=lambda m: abs((m >> 5) + (m & 31) - diagonal))
        children = (hexgame.play(position, move) for move in moves)
        won = any(red_wins(child, known) == (side == 0) for child in children)
        known[key] = won == (side == 0)
    return known[key]


@pytest.mark.parametrize("size", [1, 2, 3, pytest.param(4, marks=pytest.mark.long)])
def test_openings_of_small_boards_have_the_values_of_other_programs(size: int) -> None:
    start, known = hexgame.initial(size), dict[int, bool]()
    openings = iter(hexgame.moves(start))
    ranks = [
        "".join("LW"[red_wins(hexgame.play(start, next(openings)), known)] for _ in range(size))
        for _ in range(size)
    ]
    assert ranks == OPENINGS[size]
    assert "".join(ranks) == "".join(ranks)[::-1]


@pytest.mark.parametrize("size", [2, 3])
def test_with_a_swap_the_second_player_wins(size: int) -> None:
    assert not red_wins(hexgame.initial(size, swap=True), {})
    assert red_wins(hexgame.initial(size), {})


@pytest.mark.parametrize(("size", "depth"), [(3, 5), (4, 6), (5, 5), (8, 4), (11, 3), (26, 2)])
def test_perft_is_that_of_cells_taken_in_turn_before_a_side_can_win(size: int, depth: int) -> None:
    board = plyforge.load(f"hex:{size}")
    for plies in range(1, depth + 1):
        assert board.perft(board.initial(), plies) == perm(size * size, plies)


def test_perft_of_the_whole_tree_of_3x3() -> None:
    board = plyforge.load("hex:3")
    assert [board.perft(board.initial(), depth) for depth in range(1, 11)] == PERFT_3


@pytest.mark.parametrize("depth", with_long([5], [6, 7]))
def test_perft_of_3x3_is_the_twins(depth: int) -> None:
    def count(twin: Twin, depth: int) -> int:
        if depth == 0 or twin.winner is not None:
            return depth == 0
        total = 0
        for name in twin.moves():
            child = Twin(twin.size, twin.swap)
            child.stones, child.mover, child.plies = dict(twin.stones), twin.mover, twin.plies
            child.play(name)
            total += count(child, depth - 1)
        return total

    # By symmetry and to save time: openings in the first half of the board count twice.
    halves = {"a1": 2, "b1": 2, "c1": 2, "a2": 2, "b2": 1}
    total = 0
    for name, times in halves.items():
        twin = Twin(3)
        twin.play(name)
        total += times * count(twin, depth - 1)
    assert total == PERFT_3[depth - 1]


@pytest.mark.parametrize("size", [2, 3, 5])
def test_a_swap_is_one_more_second_move(size: int) -> None:
    board, cells = plyforge.load(f"hex:{size},swap"), size * size
    counts = [board.perft(board.initial(), depth) for depth in (1, 2, 3)]
    assert counts == [cells, cells * cells, cells * (cells - 1) * (cells - 2 + 1)]


@given(random_games)
@examples(15)
def test_random_play_agrees_with_the_twin_at_every_step(choice: tuple[Random, int, bool]) -> None:
    random, size, swap = choice
    twin, position = Twin(size, swap), hexgame.initial(size, swap)
    while True:
        moves = {hexgame.move_text(position, move): move for move in hexgame.moves(position)}
        assert hexgame.to_text(position) == twin.text()
        assert hexgame.outcome(position) == (ONGOING if twin.winner is None else LOSS)
        assert hexgame.turn(position) == "RB".index(twin.mover)
        assert hexgame.key(position) == hexgame.scratch_key(position)
        if size < 8 or twin.winner:
            assert_same(hexgame.from_text(twin.text()), position)
        if twin.winner is not None:
            assert twin.winner != twin.mover
            return
        assert moves.keys() == twin.moves()
        chosen = random.choice(sorted(moves))
        if "swap" in moves and random.random() < 0.5:
            chosen = "swap"
        position = hexgame.play(position, moves[chosen])
        twin.play(chosen)


@given(st.randoms(use_true_random=True), st.integers(2, 6), st.booleans())
@settings(deadline=None, max_examples=40)
def test_random_play_agrees_with_open_spiel(random: Random, size: int, swap: bool) -> None:
    spiel = pytest.importorskip("pyspiel")
    # Its first player joins the upper and lower edge too, and its swap reflects the stone.
    state = spiel.load_game(f"hex(board_size={size},swap={swap})").new_initial_state()
    position = hexgame.initial(size, swap)
    while True:
        moves = {
            size * size if move == 0 else size * ((move >> 5) - 1) + (move & 31) - 1: move
            for move in hexgame.moves(position)
        }
        assert (position.result == LOSS) == state.is_terminal()
        if state.is_terminal():
            assert state.returns()[position.side] == -1.0
            return
        assert state.current_player() == position.side
        assert sorted(moves) == state.legal_actions()
        chosen = random.choice(sorted(moves))
        state.apply_action(chosen)
        position = hexgame.play(position, moves[chosen])


@given(random_games)
@settings(deadline=None, max_examples=20)
def test_the_order_of_moves_leaves_no_trace(choice: tuple[Random, int, bool]) -> None:
    random, size, _ = choice
    position = hexgame.initial(size)
    lines: tuple[list[int], list[int]] = ([], [])
    while position.result == ONGOING:
        move = random.choice(list(hexgame.moves(position)))
        lines[position.side].append(move)
        position = hexgame.play(position, move)
    last = lines[1 - position.side].pop()
    for line in lines:
        random.shuffle(line)
    lines[1 - position.side].append(last)
    again = hexgame.initial(size)
    while any(lines):
        again = hexgame.play(again, lines[again.side].pop(0))
    assert_same(again, position)


@given(random_games)
@settings(deadline=None, max_examples=15)
def test_a_board_rotated_by_180_degrees_has_the_same_results(
    choice: tuple[Random, int, bool],
) -> None:
    random, size, swap = choice
    position = hexgame.initial(size, swap)
    image = hexgame.symmetries(position)[1]
    while position.result == ONGOING:
        move = random.choice(list(hexgame.moves(position)))
        far = size + 1
        turned = move if move == 0 else 32 * (far - (move >> 5)) + far - (move & 31)
        position, image = hexgame.play(position, move), hexgame.play(image, turned)
        first, second = hexgame.symmetries(position)
        assert_same(first, position)
        assert_same(second, image)


@pytest.mark.parametrize(
    ("line", "winner"),
    [
        ("c1 a1 c2 b1 c3", "Red"),
        ("c1 a1 b2 b1 a3", "Red"),
        ("a1 a3 b1 b2 c3 c1", "Blue"),
        ("a1 a2 b1 b2 c1 c2", "Blue"),
    ],
)
def test_red_joins_the_ranks_and_blue_the_files_at_the_edges(line: str, winner: str) -> None:
    board, position = follow("3", line)
    assert board.verdict(position).value == LOSS
    assert board.players[1 - position.side] == winner


@pytest.mark.parametrize("line", ["a1 c1 b2 c2 c3", "a1 b1 a2 b2 c3", "a1 b1 b2 a2 c3 a3"])
def test_cells_that_meet_only_along_the_short_diagonal_are_not_neighbours(line: str) -> None:
    board, position = follow("3", line)
    assert board.verdict(position).name == "ongoing"


@pytest.mark.parametrize("side", [0, 1])
def test_a_stone_links_a_whole_winding_chain(side: int) -> None:
    snake = [(rank, file) for rank in (2, 4, 6, 8) for file in range(1, 10)]
    snake += [(3, 9), (5, 1), (7, 9), (9, 1)]
    chain = [(rank, file) if side == 0 else (file, rank) for rank, file in snake]
    red, blue = (chain, []) if side == 0 else ([], chain)
    position = build(red, blue, side, False, 9)
    assert position.result == ONGOING
    for move in hexgame.moves(position):
        touches_edge = (move >> 5 if side == 0 else move & 31) == 1
        assert (hexgame.play(position, move).result == LOSS) == touches_edge


@given(st.randoms(use_true_random=True), st.integers(2, 9), st.floats(0.3, 1.0))
@settings(deadline=None, max_examples=60)
def test_every_move_on_a_crowded_board_ends_as_the_twin_says(
    random: Random, size: int, share: float
) -> None:
    twin = Twin(size)
    cells = [(file, rank) for file in range(1, size + 1) for rank in range(1, size + 1)]
    random.shuffle(cells)
    for number, cell in enumerate(cells[: int(share * len(cells))]):
        twin.stones[cell] = "RB"[number % 2]
        if twin.joins_edges("R") or twin.joins_edges("B"):
            del twin.stones[cell]
            break
    red, blue = (
        [(rank, file) for (file, rank), stone in twin.stones.items() if stone == colour]
        for colour in "RB"
    )
    for side in (0, 1):
        position = build(red, blue, side, False, size)
        for move in hexgame.moves(position):
            after = Twin(size)
            after.stones, after.mover = dict(twin.stones), "RB"[side]
            after.play(hexgame.move_text(position, move))
            assert (hexgame.play(position, move).result == LOSS) == (after.winner is not None)


def test_a_swap_recolours_and_reflects_the_first_stone() -> None:
    board, position = follow("5,swap", "e2 swap")
    assert board.text(position) == "...../...../...../...../.B... R"
    assert board.move_cells(board.parse("...../....R/...../...../..... B swap"), 0) == ["e2", "b5"]
    assert_same(board.parse(board.text(position)), position)
    assert 0 not in board.moves(position)
    assert_same(follow("5,swap", "e2 swap-pieces")[1], position)
    assert_same(follow("5,swap", "e2 SWAP")[1], position)


@pytest.mark.parametrize("line", ["a3 swap", "c3 swap", "a1 swap", "a5 swap a5 b2 c3"])
def test_a_swapped_stone_on_any_cell_is_linked_as_in_a_position_read_from_text(line: str) -> None:
    board, position = follow("5,swap", line)
    assert_same(board.parse(board.text(position)), position)


@pytest.mark.parametrize(
    ("variant", "line"), [("3", "b2 swap"), ("3,swap", "swap"), ("3,swap", "b2 b1 swap")]
)
def test_only_the_second_move_can_be_a_swap_and_only_in_a_variant_with_swap(
    variant: str, line: str
) -> None:
    with pytest.raises(PlyforgeError, match="only the second move may be a swap"):
        follow(variant, line)


def test_a_declined_swap_leaves_an_ordinary_game() -> None:
    assert_same(follow("3,swap", "b2 a1")[1], follow("3", "b2 a1")[1])
    assert game.key(follow("3,swap", "b2")[1]) != game.key(follow("3", "b2")[1])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("...", "^'...' is not 'ranks side-to-move'"),
        (".../.../... R swap now", "is not 'ranks side-to-move'"),
        (".../..../... R", "^rank 2: '....' has 4 cells, but the board has 3"),
        ("..././... R", "^rank 2: '.' has 1 cells"),
        ("/ R", "^rank 1: '' has 0 cells"),
        (".../.X./... R", "^rank 2: 'X' is not R, B or ."),
        (".../.../... X", "^side to move: 'X' is neither R nor B"),
        (".../.../... B", "^side to move: Blue cannot be to move with 0 red and 0 blue"),
        (".R./.../... R", "^side to move: Red cannot be to move with 1 red and 0 blue"),
        ("RR./.../B.. B", None),
        ("RR./.../... B", "^side to move: Blue cannot be to move with 2 red and 0 blue"),
        ("BB./.../... R", "^side to move: Red cannot be to move with 0 red and 2 blue"),
        ("B../.../... R", None),
        ("B../R../... B", None),
        (".../.../... R sawp", "^swap: expected 'swap', not 'sawp'"),
        ("B../.../... R swap", "^swap: it is only possible before"),
        ("B../R../... R swap", "^swap: it is only possible before"),
        ("RB./RB./R.. R", "^side to move: Red cannot be to move with 3 red and 2 blue"),
        ("RB./RB./RB. R", "^side to move: Red has joined its edges already"),
        ("BBB/RR./... R", None),
        ("BBB/RRR/... R", None),
        ("BBB/RRR/... B", "^side to move: Blue has joined its edges already"),
        ("RBR./RBRB/RBRB/RBRB B", "^board: Red joined its edges before it placed its last stone"),
        ("/".join(["." * 27] * 27) + " R", "^board: 27 ranks; a board has at most 26"),
    ],
)
def test_a_text_that_no_game_leads_to_is_refused_with_the_reason(
    text: str, reason: str | None
) -> None:
    if reason is None:
        assert hexgame.to_text(hexgame.from_text(text.lower())) == text
        return
    with pytest.raises(ValueError, match=reason):
        hexgame.from_text(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("b2", "'b2' is taken"),
        ("d1", "'d1' is not a cell of the board of size 3"),
        ("b", "not a cell"),
        ("b02", "not a cell"),
    ],
)
def test_a_move_that_cannot_be_made_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PlyforgeError, match=reason):
        follow("3", f"b2 {text}")


@pytest.mark.parametrize("size", [-1, 0, 27])
def test_a_board_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"size: {size} is not between 1 and 26"):
        hexgame.initial(size)


@pytest.mark.parametrize("size", [1, 2, 7, 26])
def test_neighbours_lie_one_cell_apart_on_the_picture(size: int) -> None:
    cells = hexgame.geometry(hexgame.initial(size)).cells
    assert len(cells) == size * size
    # A step down is half a cell aside in x and one row in y; other cells are further off.
    for name, (x, y) in cells.items():
        near = {
            other
            for other, (a, b) in cells.items()
            if (b == y and abs(a - x) == 1) or (abs(b - y) == 1 and abs(a - x) == 0.5)
        }
        assert {parse_cell(other) for other in near} == {
            cell
            for cell in around(parse_cell(name))
            if 1 <= cell[0] <= size and 1 <= cell[1] <= size
        }


def test_the_board_is_a_rhombus_with_a1_at_the_upper_left() -> None:
    board, position = follow("3", "c1 b2")
    assert board.board(position).splitlines() == [
        "a1 . . R c1",
        "a2  . B . c2",
        "a3   . . . c3",
    ]
    assert board.move_cells(position, board.parse_move(position, "A3")) == ["a3"]


@given(st.randoms(use_true_random=True), st.sampled_from([(2, 0), (3, 0), (4, 6), (5, 14)]))
@examples(25)
def test_proven_results_are_those_of_trying_everything(
    random: Random, board: tuple[int, int]
) -> None:
    size, stones = board
    position = hexgame.initial(size)
    for _ in range(stones + random.randrange(size * size - stones)):
        if position.result != ONGOING:
            break
        position = hexgame.play(position, random.choice(list(hexgame.moves(position))))
    if position.result != ONGOING:
        return
    found = hexgame.proven_result(position)
    if found != ONGOING:
        won = red_wins(position, {}) == (position.side == 0)
        assert found == (WIN if won else LOSS)


@pytest.mark.parametrize(
    ("line", "result"),
    [
        # Red's stone in the centre has two cells at either edge.
        ("b2", LOSS),
        ("a1", WIN),
        # One of its four cells is gone, so that Red has to answer.
        ("b2 b1", WIN),
        # Both cells at the upper edge: Blue has two cells at the left one now.
        ("b2 b1 a3 c1", LOSS),
        ("", WIN),
    ],
)
def test_proven_results_on_a_small_board(line: str, result: int) -> None:
    _, position = follow("3", line)
    assert hexgame.proven_result(position) == result


@pytest.mark.parametrize("variant", ["8", "5,swap"])
def test_nothing_is_proved_on_large_boards_or_before_a_swap(variant: str) -> None:
    board = plyforge.load(f"hex:{variant}")
    assert hexgame.proven_result(board.initial()) == ONGOING


@given(random_games)
@settings(deadline=None, max_examples=15)
def test_canonical_keys_are_those_of_both_images(choice: tuple[Random, int, bool]) -> None:
    random, size, swap = choice
    position = hexgame.initial(size, swap)
    while position.result == ONGOING:
        position = hexgame.play(position, random.choice(list(hexgame.moves(position))))
        images = hexgame.symmetries(position)
        expected = min(int(hexgame.key(image)) for image in images)
        assert {int(hexgame.canonical_key(image)) for image in images} == {expected}

"""Andantino: the rules against a slow twin, perft, earliest wins, and the notation."""

import copy
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import plyforge
from plyforge.games import andantino
from plyforge.games.andantino import Position
from plyforge.games.andantino.rules import build
from plyforge.rules import DRAW, LOSS, ONGOING, WIN
from tests.games.tiers import examples
from tests.reference.andantino import Game, around, cells_of, has_captive, has_line, parse_cell

PERFT = [6, 12, 36, 144, 720, 4032, 24768, 163584, 1159200, 8769096, 69946248]
"""Nodes at depth 1, 2, ... from the start; the twin, run once to depth 10, agrees."""
PERFT_LINE = "i9 i10 j11"
PERFT_AFTER_LINE = [4, 20, 112, 688]

BLACK_LINE = "i10 i9 j11 k11 h9 h8 k12 l12"
WHITE_LINE = "k10 k11 j9 k9 l11 i9 i8 l12 m12"
BLACK_RING = "j11 k11 k10 k12 l11 i10 i9 j12 l12 i11"
ENTERED_TRAP = "k11 k10 j11 j9 k12 i10 i11 l12 h10 l13 k13 l14 i9 h11 i12 i8 j13 j12"
"""Black's last stone goes into a white ring around one empty cell."""

OWN_TRAP = ENTERED_TRAP.removesuffix(" j12") + " k9"
"""The same ring, with its owner to move."""
WIDE_TRAP = (
    "W/j10,k10,l10,m11,m12,m13,l13,k12,j11,h9,h10,h11,j8"
    "/i9,i10,j9,k9,l9,m10,n11,n12,n13,i11,j12,k13"
)
"""A black ring around k11, l11 and l12."""

games = st.tuples(st.randoms(use_true_random=True), st.integers(3, 10), st.booleans())


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if andantino.outcome(position) != ONGOING:
        return 0
    return sum(
        perft(andantino.play(position, move), depth - 1) for move in andantino.moves(position)
    )


def names(position: Position) -> list[str]:
    return [andantino.move_text(position, move) for move in andantino.moves(position)]


def step(position: Position, name: str) -> Position:
    moves = dict(zip(names(position), andantino.moves(position), strict=True))
    return andantino.play(position, moves[name])


def follow(line: str, position: Position | None = None) -> Position:
    """The position after a line of which only the last move may end the game."""
    position = andantino.initial() if position is None else position
    for name in line.split():
        assert andantino.outcome(position) == ONGOING
        position = step(position, name)
    return position


def choose(random: Random, position: Position, prolong: bool) -> str:
    """A random legal move, one that does not end the game if `prolong` and there is one."""
    legal = list(andantino.moves(position))
    random.shuffle(legal)
    for move in legal if prolong else []:
        if andantino.outcome(andantino.play(position, move)) == ONGOING:
            return andantino.move_text(position, move)
    return andantino.move_text(position, legal[0])


def random_position(random: Random, side: int, prolong: bool) -> Position:
    position = andantino.initial(side)
    for _ in range(random.randrange(60)):
        if andantino.outcome(position) != ONGOING or not names(position):
            break
        position = step(position, choose(random, position, prolong))
    return position


def twin_of(position: Position) -> Game:
    """The twin in an ongoing position."""
    twin = Game(position.side)
    twin.stones = {parse_cell(name): piece for name, piece in andantino.pieces(position).items()}
    twin.mover = "WB"[andantino.turn(position)]
    return twin


def twin_outcome(twin: Game) -> int:
    if twin.winner is None:
        return ONGOING
    return WIN if twin.winner == twin.mover else LOSS


def assert_same(left: Position, right: Position) -> None:
    assert left.stones.dtype == right.stones.dtype
    assert np.array_equal(left.stones, right.stones)
    assert left[1:] == right[1:]


@pytest.mark.parametrize("depth", range(1, 8))
def test_perft_from_the_start(depth: int) -> None:
    assert perft(andantino.initial(), depth) == PERFT[depth - 1]


@pytest.mark.parametrize("depth", range(1, 11))
def test_the_compiled_count_is_the_published_one(depth: int) -> None:
    game = plyforge.load("andantino")
    assert game.perft(game.initial(), depth) == PERFT[depth - 1]


@pytest.mark.long
def test_the_deep_compiled_count_is_the_published_one() -> None:
    game = plyforge.load("andantino")
    assert game.perft(game.initial(), 11) == PERFT[10]


def test_perft_after_three_moves() -> None:
    position = follow(PERFT_LINE)
    assert [perft(position, depth) for depth in range(1, 5)] == PERFT_AFTER_LINE


def test_the_order_of_moves_does_not_matter_for_the_position() -> None:
    position = follow("i9 i10 j11")
    assert_same(position, follow("j11 i10 i9"))
    assert names(position) == ["h9", "j9", "i11", "k11"]


def test_the_second_stone_touches_the_first() -> None:
    assert names(andantino.initial()) == ["i9", "j9", "i10", "k10", "j11", "k11"]


@pytest.mark.long
def test_the_earliest_wins_are_black_at_ply_8_and_white_at_ply_9_by_lines() -> None:
    # By symmetry one first move stands for six; each position counts as often as it is reached.
    layer = [(follow("i9"), 6)]
    wins: dict[tuple[int, str], int] = {}
    for ply in range(2, 10):
        reached: dict[int, tuple[Position, int]] = {}
        for parent, ways in layer:
            for move in andantino.moves(parent):
                child = andantino.play(parent, move)
                before = reached.get(int(child.hash), (child, 0))[1]
                reached[int(child.hash)] = (child, before + ways)
        over = [(p, ways) for p, ways in reached.values() if andantino.outcome(p) != ONGOING]
        layer = [(p, ways) for p, ways in reached.values() if andantino.outcome(p) == ONGOING]
        assert sum(ways for _, ways in reached.values()) == PERFT[ply - 1]
        for position, ways in over:
            winner = "BW"[andantino.turn(position)]
            assert andantino.outcome(position) == LOSS
            assert has_line(twin_of(position).stones, winner)
            wins[ply, winner] = wins.get((ply, winner), 0) + ways
    assert wins == {(8, "B"): 96, (9, "W"): 1272}


@pytest.mark.parametrize("line", [BLACK_LINE, WHITE_LINE, BLACK_RING])
def test_a_line_of_five_and_a_ring_win_for_the_mover(line: str) -> None:
    position = follow(line)
    assert andantino.outcome(position) == LOSS
    assert has_line(twin_of(position).stones, "BW"[andantino.turn(position)]) == (
        line != BLACK_RING
    )


def test_a_stone_in_an_enemys_ring_around_one_cell_wins_for_the_enemy() -> None:
    position = follow(ENTERED_TRAP)
    assert andantino.outcome(position) == WIN
    assert_same(andantino.from_text(andantino.to_text(position)), position)


@pytest.mark.parametrize("line", ["k11", "l11", "l12", "g9 l11 l12", "g9 l11 g8 k11 l12"])
def test_a_stone_in_an_enemys_wide_ring_wins_for_the_enemy(line: str) -> None:
    position = follow(line, andantino.from_text(WIDE_TRAP))
    assert andantino.outcome(position) == WIN
    assert_same(andantino.from_text(andantino.to_text(position)), position)


def test_the_owner_may_fill_its_own_closed_area() -> None:
    assert andantino.outcome(follow(OWN_TRAP + " j12")) == ONGOING


def test_the_edge_does_not_help_to_enclose() -> None:
    # White cuts the corner of the board, with Black's stone on l12, off from the rest.
    position = build([(10, 10), (11, 10), (12, 12)], [(11, 11), (11, 12)], 3, ONGOING)
    assert andantino.outcome(step(position, "k12")) == ONGOING
    # The same walls around the same stone make a ring on a larger board.
    wider = build(
        [(10, 10), (11, 10), (9, 8), (12, 12), (9, 9), (9, 10)],
        [(11, 11), (11, 12), (12, 13), (13, 13), (13, 12)],
        5,
        ONGOING,
    )
    assert andantino.outcome(step(wider, "k12")) == LOSS


@st.composite
def rings(draw: st.DrawFn) -> Position:
    """Stones around a ring of one colour that may lack a stone, without regard to their order."""
    random = draw(st.randoms(use_true_random=True))
    board = cells_of(6)
    centre = random.choice(sorted(board))
    inside = {centre, *random.sample(around(centre), random.randrange(6))}
    ring = {near for cell in inside for near in around(cell)} - inside
    encloser = random.choice("WB")
    gaps = set(random.sample(sorted(ring), random.choice([0, 1, 1, 1, 2])))
    stones = dict.fromkeys((ring - gaps) & board, encloser)
    for cell in sorted(board - set(stones) - gaps):
        # Enemies in a closed ring would have ended the game already.
        choices = encloser if cell in inside and not gaps else "WB"
        if random.random() < 0.3:
            stones[cell] = random.choice(choices)
    assume(not any(has_line(stones, c) or has_captive(stones, c, board) for c in "WB"))
    black, white = (
        [(row, column) for (column, row), c in stones.items() if c == colour] for colour in "BW"
    )
    return build(black, white, 6, ONGOING)


@examples(20)
@given(rings())
def test_every_move_near_a_ring_ends_as_the_twin_says(position: Position) -> None:
    for name in names(position):
        twin = twin_of(position)
        twin.play(name)
        assert andantino.outcome(step(position, name)) == twin_outcome(twin), name


@examples(8)
@given(games)
def test_random_games_agree_with_the_twin_at_every_step(game: tuple[Random, int, bool]) -> None:
    random, side, prolong = game
    position, twin = andantino.initial(side), Game(side)
    while twin.winner is None and (legal := names(position)):
        assert len(set(legal)) == len(legal) <= andantino.MAX_MOVES
        assert set(legal) == twin.moves()
        assert andantino.turn(position) == "WB".index(twin.mover)
        name = choose(random, position, prolong)
        before = copy.deepcopy(position)
        after = step(position, name)
        assert_same(position, before)
        position = after
        twin.play(name)
        assert andantino.outcome(position) == twin_outcome(twin)
        assert andantino.key(position) == andantino.scratch_key(position)
    if twin.winner is None:
        assert names(position) == []
        assert andantino.stuck(position) == DRAW


@examples(4)
@given(st.randoms(use_true_random=True), st.integers(3, 5))
def test_every_move_of_long_games_on_small_boards_ends_as_the_twin_says(
    random: Random, side: int
) -> None:
    position = andantino.initial(side)
    while andantino.outcome(position) == ONGOING and names(position):
        for name in names(position):
            twin = twin_of(position)
            twin.play(name)
            assert andantino.outcome(step(position, name)) == twin_outcome(twin)
        position = step(position, choose(random, position, prolong=True))


@settings(max_examples=40, deadline=None)
@given(games)
def test_a_position_reads_back_from_its_text_as_it_was(game: tuple[Random, int, bool]) -> None:
    position = random_position(*game)
    assert_same(andantino.from_text(andantino.to_text(position)), position)


@settings(max_examples=25, deadline=None)
@given(games)
def test_symmetric_images_have_equal_moves_and_outcomes(game: tuple[Random, int, bool]) -> None:
    position = random_position(*game)
    images = andantino.symmetries(position)
    ends = sorted(
        andantino.outcome(andantino.play(position, move)) for move in andantino.moves(position)
    )
    assert len(images) == 12
    assert andantino.key(images[0]) == andantino.key(position)
    for image in images:
        assert andantino.outcome(image) == andantino.outcome(position)
        assert andantino.outcome(andantino.from_text(andantino.to_text(image))) == image.result
        assert andantino.key(image) == andantino.scratch_key(image)
        moves = list(andantino.moves(image))
        assert sorted(andantino.outcome(andantino.play(image, move)) for move in moves) == ends


def test_the_twelve_images_of_a_lopsided_position_differ() -> None:
    images = andantino.symmetries(follow("i9 i10 h9"))
    assert len({andantino.to_text(image) for image in images}) == 12


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("W/j10", "^position: "),
        ("X/j10/-", "^side to move: 'X' is neither"),
        ("B/j10/-", "^side to move: Black cannot be to move with 1 black and 0 white"),
        ("W/i9,j10/-", "^side to move: White cannot be to move with 2 black"),
        ("B/j10/t10", "^white: 't10' is not a cell"),
        ("B/j10/k1", "^white: 'k1' is not a cell"),
        ("B/j10/m10/3", "^white: 'm10' is not a cell of the board with side 3"),
        ("B/j10/", "^white: '' is not a cell"),
        ("W/j10,j10/i9", "^black: j10 is given twice"),
        ("B/j10/j10", "^white: j10 is also black"),
        ("B/i9/i10", "^black: the stone that the game starts with"),
        ("W/j10,i9/k12", "^white: the first stone, next to j10"),
        ("W/j10,h9/i9", "^black: h9 cannot have had two neighbours"),
        ("B/j10/i9/11", "^board side: '11' is not between 2 and 10"),
        ("B/j10/i9/x", "^board side: 'x'"),
        # Black's line of five, with one more white stone since.
        ("B/h8,i9,j10,k11,l12/h9,i10,j11,k12,j12", "^position: the game was over before"),
        # White's two separate lines.
        (
            "B/j10,k10,l10,j9,k12,l12,j12,l9,n13,n11/i9,i10,i11,i12,i13,m11,m12,m13,m14,m15",
            "cannot have had|game was over before",
        ),
    ],
)
def test_a_text_that_no_game_leads_to_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        andantino.from_text(text)


@pytest.mark.parametrize("side", [1, 11])
def test_a_board_of_another_size_is_refused(side: int) -> None:
    with pytest.raises(ValueError, match="side"):
        andantino.initial(side)


@pytest.mark.parametrize("side", range(2, 11))
def test_the_geometry_names_exactly_the_boards_cells(side: int) -> None:
    position = andantino.initial(side)
    shape = andantino.geometry(position)
    assert {parse_cell(name) for name in shape.cells} == cells_of(side)
    assert len(shape.cells) == 3 * side * (side - 1) + 1
    move = next(andantino.moves(position))
    assert andantino.move_cells(position, move) == ["i9"]
    assert andantino.pieces(position) == {"j10": "B"}


def test_cells_of_a_row_lie_side_by_side_on_the_picture() -> None:
    cells = andantino.geometry(andantino.initial()).cells
    assert cells["k10"][0] - cells["j10"][0] == 1
    assert cells["j11"][0] - cells["j10"][0] == -0.5
    assert cells["k11"][0] - cells["j10"][0] == 0.5


def winning_moves(position: Position) -> list[int]:
    """The moves that end the game as a win for the mover, found by playing all of them."""
    return [
        move
        for move in andantino.moves(position)
        if andantino.outcome(andantino.play(position, move)) == LOSS
    ]


def assert_hints(position: Position) -> None:
    """Compare the hooks with what playing moves shows, for the side to move and for the other."""
    other = position._replace(placed=position.placed + 1)
    assert list(andantino.noisy_moves(position)) == winning_moves(position)
    if position.placed > 1:
        assert andantino.in_check(position) == bool(winning_moves(other))


@examples(8)
@given(games)
def test_noisy_moves_win_and_a_side_that_faces_one_is_in_check(
    game: tuple[Random, int, bool],
) -> None:
    random, side, prolong = game
    position = andantino.initial(side)
    while andantino.outcome(position) == ONGOING and list(andantino.moves(position)):
        assert_hints(position)
        position = step(position, choose(random, position, prolong))


@examples(20)
@given(rings())
def test_closing_a_ring_is_a_noisy_move(position: Position) -> None:
    assert_hints(position)
    assert_hints(position._replace(placed=position.placed + 1))

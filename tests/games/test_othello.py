"""Othello: three conventions of perft, solved boards, a slow twin, OpenSpiel, texts and records."""

from functools import cache
from pathlib import Path
from random import Random

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Game, History, PlyforgeError
from plyforge.games import othello
from plyforge.rules import ONGOING
from tests.reference.othello import Game as Twin
from tests.reference.othello import perft as count_slowly

START = "---------------------------OX------XO--------------------------- X"
SMALL_START = "-----OX--XO----- X"

PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800)
"""Nodes at depth 1, 2, ...; a pass is a ply, a finished game stays one leaf: Aart Bik."""
PERFT_WITHOUT_FINISHED = (*PERFT[:9], 24571056, 212258216)
"""A pass is a ply, a finished game counts nothing: OEIS A124004."""
PERFT_WITHOUT_PASSES = (*PERFT[:8], 3005320, 24571420, 212260880)
"""A pass takes no ply, a finished game stays one leaf: Egaroucid, mode 2."""
PERFT_4X4 = (4, 12, 44, 128, 424, 1256, 3624, 9116, 20044, 36540, 50704, 57436)
PERFT_4X4_WITHOUT_FINISHED = (*PERFT_4X4[:7], 9112, 20032, 36412, 50268, 55112)
PERFT_6X6 = (4, 12, 56, 244, 1364, 7604, 47740, 308716, 2114912)
PERFT_6X6_WITHOUT_FINISHED = (*PERFT_6X6, 14976684)

OPTIMAL = (
    "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8"
    "G8B3H3B2H5B7A3A4A1A2C1H2H1G2B8A8G7H8H7H6"
)
"""Perfect play by both sides: Takizawa, arXiv 2310.19387, figure 1."""
WIPE_OUT = "e6f4e3f6g5d6e7f5c5"
"""Black leaves no white disc after nine plies."""
FOUR_PASSES = (
    "e6f4e3f6c4e7f7f8f5e2d7c7d3c5b5b4c8c6b7a5f3e8g8d2b6d8c1d1b3g2h1d6g6h5g7h6h8b8g5b2"
    "a6h4f1c3a7a8a3h7h3a1e1g4b1g1g3f2{0}c2{0}a2{0}a4{0}h2"
)
"""A game with a pass in each of the four gaps."""
LATE = "OOOOOOOX-X-XX-X-XXXXXXXX-XOOOXXXOXXOXOXXOXOXOOXXOOXOOOOXOOOOOOXX O"
"""The end of that game: White places five discs, Black has nothing but passes."""

game = plyforge.load("othello")


def play_line(line: str, name: str = "othello") -> History:
    history = plyforge.load(name).history()
    history.play_text(line)
    return history


def move_texts(position: othello.Position) -> list[str]:
    return [game.move_text(position, move) for move in game.moves(position)]


# Counts


@pytest.mark.parametrize("depth", range(1, 10))
def test_perft_with_passes_as_plies_and_finished_games_as_leaves(depth: int) -> None:
    assert game.perft(game.initial(), depth) == PERFT[depth - 1]


@pytest.mark.parametrize("depth", range(1, 10))
def test_perft_without_finished_games(depth: int) -> None:
    counted = game.perft(game.initial(), depth, finished=0)
    assert counted == PERFT_WITHOUT_FINISHED[depth - 1]


@pytest.mark.long
@pytest.mark.parametrize("depth", [10, 11])
def test_deep_perft_distinguishes_the_conventions(depth: int) -> None:
    assert game.perft(game.initial(), depth) == PERFT[depth - 1]
    assert game.perft(game.initial(), depth, finished=0) == PERFT_WITHOUT_FINISHED[depth - 1]


NO_PASSES = """
from plyforge.games.othello.rules import NONE, PASS, Position, initial, moves, placements
from plyforge.games.othello.rules import play as play_one

MAX_MOVES = 60
FINISHED_LEAVES = 1


def play(position, move):
    after = play_one(position, move)
    if placements(after.mine, after.theirs, after.board) != NONE:
        return after
    if placements(after.theirs, after.mine, after.board) == NONE:
        return after
    return play_one(after, PASS)
"""


@pytest.fixture(scope="module")
def without_passes(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The game with forced passes made together with the move before them."""
    file: Path = tmp_path_factory.mktemp("rules") / "no_passes.py"
    file.write_text(NO_PASSES, encoding="utf-8")
    return plyforge.load(str(file))


def test_perft_with_passes_that_take_no_ply(without_passes: Game) -> None:
    start = without_passes.initial()
    counted = tuple(without_passes.perft(start, depth) for depth in range(1, 10))
    assert counted == PERFT_WITHOUT_PASSES[:9]


@pytest.mark.long
@pytest.mark.parametrize("depth", [10, 11])
def test_deep_perft_with_passes_that_take_no_ply(without_passes: Game, depth: int) -> None:
    counted = without_passes.perft(without_passes.initial(), depth)
    assert counted == PERFT_WITHOUT_PASSES[depth - 1]


@pytest.mark.parametrize(
    ("variant", "finished", "nodes"),
    [
        ("4", 1, PERFT_4X4),
        ("4", 0, PERFT_4X4_WITHOUT_FINISHED),
        ("6", 1, PERFT_6X6),
        ("6", 0, PERFT_6X6_WITHOUT_FINISHED),
    ],
)
def test_perft_of_smaller_boards(variant: str, finished: int, nodes: tuple[int, ...]) -> None:
    small = plyforge.load(f"othello:{variant}")
    depths = range(1, len(nodes) + 1)
    counted = tuple(small.perft(small.initial(), depth, finished=finished) for depth in depths)
    assert counted == nodes


@pytest.mark.parametrize("finished", [0, 1])
@pytest.mark.parametrize("text", [START, SMALL_START, LATE], ids=["8x8", "4x4", "late"])
def test_perft_agrees_with_the_twin(text: str, finished: int) -> None:
    position, twin = game.parse(text), twin_of(text)
    max_depth = 4 if text == START else 9 if text == LATE else 6
    for depth in range(1, max_depth + 1):
        counted = game.perft(position, depth, finished=finished)
        assert counted == count_slowly(twin, depth, finished)


def test_divide_sums_up_to_perft() -> None:
    parts = game.divide(game.initial(), 8)
    assert [game.move_text(game.initial(), move) for move in parts] == ["d3", "c4", "f5", "e6"]
    assert set(parts.values()) == {PERFT[7] // 4}


# The twin and OpenSpiel


def twin_of(text: str) -> Twin:
    cells, side = text.split()
    size = int(len(cells) ** 0.5)
    rows = [list(cells[size * row : size * (row + 1)]) for row in range(size)]
    return Twin(size, rows, side)


@pytest.mark.parametrize(
    ("variant", "size", "empties"),
    [("4", 4, False), ("4,empties", 4, True), ("6", 6, False), ("8", 8, False)],
)
@given(random=st.randoms(use_true_random=True))
@settings(deadline=None, max_examples=8)
def test_random_play_agrees_with_the_twin_at_every_step(
    variant: str, size: int, empties: bool, random: Random
) -> None:
    board = plyforge.load(f"othello:{variant}")
    twin, position = Twin(size, empties=empties), board.initial()
    while True:
        moves = {board.move_text(position, move): move for move in board.moves(position)}
        assert sorted(moves) == twin.moves()
        assert board.text(position) == twin.text()
        assert board.parse(twin.text()) == position
        score = twin.score()
        assert board.verdict(position).value == (ONGOING if score is None else score)
        if not moves:
            break
        chosen = random.choice(sorted(moves))
        position = board.play(position, moves[chosen])
        twin.play(chosen)


@st.composite
def crowded_positions(draw: st.DrawFn) -> Twin:
    """Discs anywhere on the board, among them lines that play hardly ever makes."""
    size = draw(st.sampled_from([4, 6, 8]))
    cells = st.sampled_from(draw(st.sampled_from(["XO-", "XOOOO-", "XXXXO-", "XO"])))
    rows = draw(
        st.lists(st.lists(cells, min_size=size, max_size=size), min_size=size, max_size=size)
    )
    return Twin(size, rows, draw(st.sampled_from("XO")))


@given(crowded_positions())
@settings(deadline=None, max_examples=150)
def test_any_position_agrees_with_the_twin(twin: Twin) -> None:
    position = game.parse(twin.text())
    assert game.text(position) == twin.text()
    moves = {game.move_text(position, move): move for move in game.moves(position)}
    assert sorted(moves) == twin.moves()
    for text, move in moves.items():
        after = twin.copy()
        after.play(text)
        assert game.text(game.play(position, move)) == after.text()


@pytest.mark.parametrize("column", range(8))
@pytest.mark.parametrize("row", range(8))
def test_the_longest_lines_flip_from_every_cell(row: int, column: int) -> None:
    """The rim is black, one cell is empty, all else white: every line is as long as it can be."""
    rows = [["X" if {r, c} & {0, 7} else "O" for c in range(8)] for r in range(8)]
    rows[row][column] = "-"
    twin = Twin(8, rows, "X")
    position = game.parse(twin.text())
    assert move_texts(position) == twin.moves()
    for text in twin.moves():
        after = twin.copy()
        after.play(text)
        assert game.text(game.play(position, game.parse_move(position, text))) == after.text()


def cells_of_spiel(state: pyspiel.State) -> str:
    """OpenSpiel draws the board with a frame: a line of letters, then numbered rows."""
    rows = [line.split() for line in str(state).splitlines()]
    return "".join("".join(row[1:9]) for row in rows if row and row[0] in "12345678").upper()


@given(st.randoms(use_true_random=True))
@settings(deadline=None, max_examples=15)
def test_random_play_agrees_with_openspiel_at_every_step(random: Random) -> None:
    """Its actions are our moves: 8 * row + column, and 64 for a pass."""
    state, position = pyspiel.load_game("othello").new_initial_state(), game.initial()
    while not state.is_terminal():
        assert state.current_player() == game.turn(position)
        assert game.text(position).split()[0] == cells_of_spiel(state)
        assert game.moves(position) == state.legal_actions()
        move = random.choice(state.legal_actions())
        assert game.move_text(position, move) == state.action_to_string(move).lower()
        state.apply_action(move)
        position = game.play(position, move)
    verdict = game.verdict(position)
    assert verdict.over
    for_black = verdict.value if game.turn(position) == 0 else -verdict.value
    assert state.returns()[0] == (for_black > 0) - (for_black < 0)


# Rules


def test_black_begins_and_has_four_moves() -> None:
    assert game.text(game.initial()) == START
    assert game.players == ("Black", "White")
    assert move_texts(game.initial()) == ["d3", "c4", "f5", "e6"]
    assert game.board(game.initial()).splitlines() == [
        "1 . . . . . . . .",
        "2 . . . . . . . .",
        "3 . . . . . . . .",
        "4 . . . O X . . .",
        "5 . . . X O . . .",
        "6 . . . . . . . .",
        "7 . . . . . . . .",
        "8 . . . . . . . .",
        "  a b c d e f g h",
    ]


def test_all_lines_of_a_new_disc_flip_and_flipped_discs_flip_no_others() -> None:
    """c2 comes to lie between c1, turned over, and c3; it stays white."""
    position = game.parse("XOO-OX--" + "--OO----" + "--XX----" + "-" * 40 + " X")
    after = game.play(position, game.parse_move(position, "d1"))
    assert game.text(after) == "XXXXXX--" + "--OX----" + "--XX----" + "-" * 40 + " O"


@pytest.mark.parametrize(
    ("black", "white", "beyond"),
    [(6, 7, 8), (8, 7, 6), (6, 15, 24), (17, 8, -1), (1, 8, 15), (14, 7, 0), (48, 56, -1)],
)
def test_a_line_does_not_go_over_the_edge(black: int, white: int, beyond: int) -> None:
    """Cells that follow one another in the numbering, not on the board."""
    cells = ["-"] * 64
    cells[black], cells[white] = "X", "O"
    position = game.parse("".join(cells) + " X")
    assert beyond not in game.moves(position)
    assert move_texts(position) in ([], ["pass"])


def test_a_pass_is_the_only_move_where_no_disc_can_be_placed_and_not_a_move_elsewhere() -> None:
    position = game.parse("-OX-----" + "-" * 56 + " O")
    assert move_texts(position) == ["d1"]
    assert move_texts(position._replace(mine=position.theirs, theirs=position.mine)) == ["a1"]
    stuck = game.parse("XO-" + "-" * 61 + " O")
    assert move_texts(stuck) == ["pass"]
    after = game.play(stuck, game.parse_move(stuck, "pass"))
    assert game.text(after) == "XO-" + "-" * 61 + " X"
    assert move_texts(after) == ["c1"]


def test_the_game_ends_where_neither_side_can_place_a_disc() -> None:
    line = play_line(WIPE_OUT)
    assert len(line.moves) == 9
    assert line.verdict().value == -13
    assert line.legal_moves() == []
    with pytest.raises(PlyforgeError, match="move 10, 'a1': the game is over"):
        line.play_text("a1")


def test_passes_never_follow_each_other_and_all_other_moves_are_irreversible() -> None:
    line = play_line(FOUR_PASSES.format("pass"))
    names = ["pass" if move == 64 else "disc" for move in line.moves]
    assert names.count("pass") == 4
    for position, move in zip(line.positions, line.moves, strict=False):
        assert game.irreversible(position, move) == (move != 64)
        if move == 64:
            assert game.moves(game.play(position, move)) != [64]


# Scores


@pytest.mark.parametrize(
    ("text", "plain", "with_empties"),
    [
        ("X" * 40 + "O" * 24 + " X", 16, 16),
        ("X" * 40 + "O" * 24 + " O", -16, -16),
        ("X" * 13 + "-" * 51 + " O", -13, -64),
        ("X" * 13 + "-" * 51 + " X", 13, 64),
        ("X--O" + "-" * 12 + " X", 0, 0),
        ("XXXX" * 3 + "---O O", -11, -14),
    ],
)
def test_empty_cells_count_for_the_winner_if_the_option_is_set(
    text: str, plain: int, with_empties: int
) -> None:
    assert game.verdict(game.parse(text)).value == plain
    assert game.verdict(game.parse(f"{text} empties")).value == with_empties


def test_the_option_belongs_to_the_variant_and_to_the_text_of_its_positions() -> None:
    assert play_line(WIPE_OUT, "othello:8,empties").verdict().value == -64
    wide = plyforge.load("othello:empties=true")
    assert wide.text(wide.initial()) == f"{START} empties"
    assert game.parse(f"{START} EMPTIES") == wide.initial()
    assert game.key(game.initial()) != game.key(wide.initial())


@pytest.mark.parametrize(
    ("variant", "value"), [("4", -8), pytest.param("4,empties", -10, marks=pytest.mark.long)]
)
def test_the_first_player_loses_on_4x4_by_the_published_score(variant: str, value: int) -> None:
    @cache
    def worth(position: othello.Position) -> int:
        moves = list(othello.moves(position))
        if not moves:
            return othello.stuck(position)
        return max(-worth(othello.play(position, move)) for move in moves)

    assert worth(plyforge.load(f"othello:{variant}").initial()) == value


def test_perfect_play_by_both_sides_is_a_draw() -> None:
    line = play_line(OPTIMAL)
    assert (len(line.moves), line.verdict().value) == (60, 0)
    assert list(game.pieces(line.position).values()).count("X") == 32


# Texts


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (START.lower(), START),
        (START.replace("-", ".").replace("X", "*"), START),
        (f"  {START}  ", START),
        (f"{START};", START),
        (f"{START}; F5:+0; D6:-2;", START),
        (f"{LATE}; C2:+32; % a comment", LATE),
        (f"{SMALL_START} empties; b1:-10;", f"{SMALL_START} empties"),
    ],
)
def test_positions_and_obf_lines_may_be_written_in_several_ways(text: str, same: str) -> None:
    assert game.text(game.parse(text)) == same


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a position is the cells, a space and the side to move"),
        (START[:-2], "a position is the cells, a space and the side to move"),
        (f"{START} empties 3", "a position is the cells, a space and the side to move"),
        (START[1:], "63 cells; a board has 16, 36 or 64"),
        ("-" * 25 + " X", "25 cells; a board has 16, 36 or 64"),
        ("-" * 100 + " X", "100 cells; a board has 16, 36 or 64"),
        ("?" + START[1:], "cell '?': cells are X, O and -"),
        ("b" + START[1:], "cell 'b': cells are X, O and -"),
        ("ß" + START[1:], "cell 'ß': cells are X, O and -"),
        (START[:-1] + "B", "side to move 'B': it must be X (Black) or O (White)"),
        (START[:-1] + "-", "side to move '-': it must be X (Black) or O (White)"),
        (f"{START} empty", "option 'empty': only 'empties' may follow the side to move"),
    ],
)
def test_an_invalid_position_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        game.parse(text)
    assert f"position '{text}': " in str(refusal.value)
    assert reason in str(refusal.value)


@pytest.mark.parametrize("text", ["f5", "F5", " f5 "])
def test_moves_are_read_in_either_case(text: str) -> None:
    assert game.move_text(game.initial(), game.parse_move(game.initial(), text)) == "f5"


@pytest.mark.parametrize(
    ("variant", "text", "reason"),
    [
        ("8", "i9", "'i9' is not a cell; cells are a1 to h8, or 'pass'; legal: d3, c4, f5, e6"),
        ("8", "", "'' is not a cell"),
        ("8", "f5d6", "'f5d6' is not a cell"),
        ("6", "g1", "'g1' is not a cell; cells are a1 to f6, or 'pass'"),
        ("6", "a7", "'a7' is not a cell; cells are a1 to f6, or 'pass'"),
        ("4", "e1", "'e1' is not a cell; cells are a1 to d4, or 'pass'"),
        ("8", "a1", "'a1' flips no disc; legal: d3, c4, f5, e6"),
        ("8", "d4", "'d4': this cell is taken; legal: d3, c4, f5, e6"),
        ("8", "pass", "a pass is allowed only when no disc can be placed; legal: d3"),
        ("8", "--", "a pass is allowed only when no disc can be placed"),
    ],
)
def test_a_text_that_is_not_a_move_is_refused_with_the_reason(
    variant: str, text: str, reason: str
) -> None:
    board = plyforge.load(f"othello:{variant}")
    with pytest.raises(PlyforgeError) as refusal:
        board.parse_move(board.initial(), text)
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    "line",
    [
        "f5d6c3d3",
        "F5D6C3D3",
        "f5 d6 c3 d3",
        "F5, d6,c3 D3",
        "f5d6 c3d3",
    ],
)
def test_transcripts_are_one_word_or_several(line: str) -> None:
    assert [move.lower() for move in game.split_moves(line)] == ["f5", "d6", "c3", "d3"]
    assert play_line(line).position == play_line("f5d6c3d3").position


@pytest.mark.parametrize(
    "written", ["", "pass", "PA", "--", " pass ", " PA ", " -- ", " - ", ",ps,"]
)
def test_passes_are_written_or_left_out(written: str) -> None:
    line = play_line(FOUR_PASSES.format(written))
    assert [index for index, move in enumerate(line.moves) if move == 64] == [56, 58, 60, 62]
    assert line.verdict().value == -32


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("f5f5", "move 2, 'f5': 'f5': this cell is taken; legal: f4, d6, f6"),
        ("f5d6a1", "move 3, 'a1': 'a1' flips no disc"),
        ("f5 pass", "move 2, 'pass': a pass is allowed only when no disc can be placed"),
        ("f5d", "move 1, 'f5d': 'f5d' is not a cell"),
    ],
)
def test_a_transcript_that_fails_names_the_move(line: str, reason: str) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        play_line(line)
    assert reason in str(refusal.value)


def test_a_move_touches_its_cell_and_a_pass_none() -> None:
    assert game.move_cells(game.initial(), game.parse_move(game.initial(), "f5")) == ["f5"]
    assert game.move_cells(game.parse("XO-" + "-" * 61 + " O"), 64) == []


@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        ("5", "variant 'othello:5': size 5: an Othello board is 4x4, 6x6 or 8x8"),
        ("10", "variant 'othello:10': size 10: an Othello board is 4x4, 6x6 or 8x8"),
        ("0", "size 0: an Othello board is"),
        ("big", "size must be an integer, not 'big'"),
        ("8,empties=maybe", "empties must be true or false, not 'maybe'"),
        ("8,6", "'6' is one value too many for a variant of othello; it has size=8, empties=False"),
    ],
)
def test_impossible_boards_are_refused_with_the_reason(variant: str, reason: str) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        plyforge.load(f"othello:{variant}")
    assert reason in str(refusal.value)


# Symmetries


@pytest.mark.parametrize("variant", ["4", "6", "8"])
def test_symmetries_are_eight_positions_with_the_same_count(variant: str) -> None:
    board = plyforge.load(f"othello:{variant}")
    stream, position = Random(8), board.initial()
    for _ in range(5):
        position = board.play(position, stream.choice(board.moves(position)))
    images = othello.symmetries(position)
    assert images[0] == position
    assert len(set(images)) == 8
    assert {board.perft(image, 4) for image in images} == {board.perft(position, 4)}


def test_the_start_is_its_own_image_in_four_of_eight_symmetries() -> None:
    images = othello.symmetries(game.initial())
    assert images.count(game.initial()) == 4
    assert len(set(images)) == 2

"""Kalah: the rules against a slow twin and open_spiel, corner cases, solved games, notation."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import PlyforgeError
from plyforge.games import kalah
from plyforge.games.kalah import Position
from plyforge.rules import ONGOING
from tests.reference.kalah import Game as Twin

PERFT = (6, 35, 185, 942, 4690, 23233, 114430, 563055, 2763490, 13519607, 65870758)
"""Nodes at depth 1, 2, ... of six pits with four seeds; the twin agrees to depth 9."""

SOLVED = {
    (1, 1): 0, (1, 2): -2, (1, 3): 6, (1, 4): -2, (1, 5): 2, (1, 6): 0,
    (2, 1): 2, (2, 2): -2, (2, 3): -2, (2, 4): -10, (2, 5): 6, (2, 6): 8,
    (3, 1): 0, (3, 2): 4, (3, 3): 2, (3, 4): 2,
    (4, 1): 2, (4, 2): 6,
    (5, 1): 0,
}  # fmt: skip
"""The first player's score for pits and seeds."""
LARGER = [(3, 3), (3, 4), (4, 2), (5, 1)]

game = plyforge.load("kalah")
sizes = st.sampled_from(
    [(6, 4), (6, 6), (1, 1), (1, 63), (2, 31), (3, 2), (3, 20), (4, 3), (5, 5), (9, 1), (9, 7)]
)


def twin_perft(twin: Twin, depth: int) -> int:
    moves = twin.moves()
    if depth <= 1:
        return len(moves) if depth else 1
    total = 0
    for move in moves:
        child = twin.copy()
        child.play(move)
        total += twin_perft(child, depth - 1)
    return total


def solve(position: Position, known: dict[Position, int]) -> int:
    """The final score for the side to move when both play their best."""
    if kalah.outcome(position) != ONGOING:
        return kalah.outcome(position)
    if position not in known:
        best = -1000
        for move in kalah.moves(position):
            child = kalah.play(position, move)
            value = solve(child, known)
            best = max(best, value if child.side == position.side else -value)
        known[position] = best
    return known[position]


def solve_twin(twin: Twin, known: dict[str, int]) -> int:
    """As `solve`, by the twin."""
    if twin.over:
        return twin.score()
    text = twin.text()
    if text not in known:
        values = []
        for move in twin.moves():
            child = twin.copy()
            child.play(move)
            value = solve_twin(child, known)
            values.append(value if child.mover == twin.mover else -value)
        known[text] = max(values)
    return known[text]


@pytest.mark.parametrize("depth", range(1, 12))
def test_perft_of_the_start(depth: int) -> None:
    assert game.perft(game.initial(), depth) == PERFT[depth - 1]


@pytest.mark.parametrize(
    ("variant", "depth"),
    [("6,4", 6), ("1,1", 4), ("1,63", 5), ("2,5", 9), ("3,2", 12), ("3,21", 7), ("9,7", 4)],
)
def test_perft_is_the_twins(variant: str, depth: int) -> None:
    board = plyforge.load(f"kalah:{variant}")
    pits, seeds = map(int, variant.split(","))
    for plies in range(1, depth + 1):
        assert board.perft(board.initial(), plies) == twin_perft(Twin(pits, seeds), plies)


@pytest.mark.long
def test_perft_of_the_start_is_the_twins_at_depths_8_and_9() -> None:
    assert [twin_perft(Twin(), depth) for depth in (8, 9)] == list(PERFT[7:9])


@given(sizes, st.randoms(use_true_random=True))
@settings(deadline=None)
def test_random_play_agrees_with_the_twin_at_every_step(
    size: tuple[int, int], random: Random
) -> None:
    twin, position = Twin(*size), kalah.initial(*size)
    while True:
        moves = {int(kalah.move_text(position, move)): move for move in kalah.moves(position)}
        assert list(moves) == twin.moves()
        assert kalah.to_text(position) == twin.text()
        assert kalah.from_text(twin.text()) == position
        assert kalah.turn(position) == twin.mover
        assert kalah.outcome(position) == (twin.score() if twin.over else ONGOING)
        assert sum(kalah.pieces(position).values()) == sum(twin.board)
        if twin.over:
            return
        chosen = random.choice(twin.moves())
        position = kalah.play(position, moves[chosen])
        twin.play(chosen)


@given(st.randoms(use_true_random=True))
@settings(deadline=None, max_examples=50)
def test_random_play_agrees_with_open_spiel(random: Random) -> None:
    spiel = pytest.importorskip("pyspiel")
    # Its only board is that of 6 pits and 4 seeds.  The rules are the same, but seeds that remain
    # at the end stay in their pits: they count for their side, so that results can be compared.
    state, position = spiel.load_game("mancala").new_initial_state(), kalah.initial()
    while kalah.outcome(position) == ONGOING:
        first = 1 if position.side == 0 else 8
        assert state.current_player() == position.side
        assert state.legal_actions() == [first + move for move in kalah.moves(position)]
        move = random.choice(list(kalah.moves(position)))
        state.apply_action(first + move)
        position = kalah.play(position, move)
        if not state.is_terminal():
            assert _spiel_board(str(state)) == kalah.pieces(position)
    assert state.is_terminal()
    score = kalah.outcome(position)
    assert state.returns()[position.side] == (score > 0) - (score < 0)


def _spiel_board(text: str) -> dict[str, int]:
    """North's pits from its right, both stores, South's pits from its left, a line each."""
    north, stores, south = (
        [int(word) for word in line.split("-") if word] for line in text.splitlines()[:3]
    )
    pits = {f"b{pit}": count for pit, count in enumerate(reversed(north), 1)}
    pits |= {f"a{pit}": count for pit, count in enumerate(south, 1)}
    return pits | {"B": stores[0], "A": stores[1]}


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        pytest.param(
            "4,4,4,4,4,4/0 4,4,4,4,4,4/0 S", "3", "4,4,0,5,5,5/1 4,4,4,4,4,4/0 S",
            id="the last seed in the store gives another move",
        ),
        pytest.param(
            "4,4,4,4,4,4/0 4,4,4,4,4,4/0 S", "6", "5,5,5,4,4,4/0 4,4,4,4,4,0/1 N",
            id="sowing continues in the other row",
        ),
        pytest.param(
            "1,1,0,0,0,8/7 4,4,4,4,4,4/7 S", "6", "5,5,5,5,5,5/7 2,1,0,0,0,0/8 N",
            id="the other store is skipped, and a pit that was not empty captures nothing",
        ),
        pytest.param(
            "1,0,4,4,4,4/0 4,4,4,4,7,4/4 S", "1", "4,4,4,4,0,4/4 0,0,4,4,4,4/8 N",
            id="the last seed in an empty own pit captures with it what lies across",
        ),
        pytest.param(
            "1,0,4,4,4,4/8 4,4,4,4,0,4/3 N", "1", "4,4,4,4,0,4/3 0,1,4,4,4,4/8 S",
            id="nothing across, nothing captured",
        ),
        pytest.param(
            "1,3,2/0 0,4,2/0 S", "2", "1,4,2/0 1,0,3/1 N",
            id="the last seed in an empty pit of the other side captures nothing",
        ),
        pytest.param(
            "0,13,0,0,0,0/0 4,4,4,4,4,4/11 S", "2", "5,5,5,5,0,5/11 1,0,1,1,1,1/7 N",
            id="thirteen seeds end where they began and capture",
        ),
        pytest.param(
            "0,14,0,0,0,0/0 4,4,4,4,4,4/10 S", "2", "5,5,5,5,5,5/10 1,1,2,1,1,1/1 N",
            id="fourteen seeds end in a pit that got a seed before",
        ),
        pytest.param(
            "0,26,0,0,0,0/0 0,4,4,4,4,4/2 S", "2", "2,6,6,6,6,6/2 2,2,2,2,2,2/2 N",
            id="two whole laps",
        ),
        pytest.param(
            "0,0,1/1 2,2,2/4 S", "3", "0,0,0/2 0,0,0/10 S",
            id="the last own seed in the store ends the game, though the side would move again",
        ),
        pytest.param(
            "1,0,2/3 0,3,0/3 S", "1", "0,0,0/3 0,0,0/9 N",
            id="a capture that empties the other row ends the game, and own seeds go to the store",
        ),
        pytest.param(
            "1,0,0/3 2,3,0/3 N", "1", "0,0,0/5 0,0,0/7 S",
            id="a capture that empties the own row ends the game",
        ),
    ],
)  # fmt: skip
def test_corner_cases(before: str, move: str, after: str) -> None:
    position = game.parse(before)
    assert game.text(game.play(position, game.parse_move(position, move))) == after
    pits = position.pits
    twin = Twin(pits)
    twin.mover = position.side
    counts = game.pieces(position)
    rows = [[counts[f"{row}{pit}"] for pit in range(1, pits + 1)] for row in "ab"]
    twin.board = [*rows[0], counts["A"], *rows[1], counts["B"]]
    assert twin.text() == before
    twin.play(int(move))
    assert twin.text() == after


@pytest.mark.parametrize(
    ("pits", "seeds"),
    [pytest.param(*size, marks=[pytest.mark.long] if size in LARGER else []) for size in SOLVED],
)
def test_small_games_have_the_values_that_the_twin_finds(pits: int, seeds: int) -> None:
    assert solve(kalah.initial(pits, seeds), {}) == SOLVED[pits, seeds]
    assert solve_twin(Twin(pits, seeds), {}) == SOLVED[pits, seeds]


def test_the_final_score_is_that_of_the_side_to_move() -> None:
    won, lost = game.parse("0,0,0/8 0,0,0/4 S"), game.parse("0,0,0/4 0,0,0/8 N")
    assert (game.verdict(won).value, game.verdict(won).name) == (4, "win")
    assert (game.verdict(lost).value, game.verdict(lost).name) == (-4, "loss")
    level = game.verdict(game.parse("0,0,0/6 0,0,0/6 N"))
    assert (level.name, level.reason) == ("draw", "the game ends level")
    with pytest.raises(PlyforgeError, match="move 1, '1': the game is over"):
        game.history(won).play_text("1")


def test_an_empty_pit_cannot_be_sown() -> None:
    position = game.parse("4,4,0,5,5,5/1 4,4,4,4,4,4/0 S")
    with pytest.raises(PlyforgeError, match="pit 3 is empty; legal: 1, 2, 4, 5, 6"):
        game.parse_move(position, "3")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4,4/0 4,4/0", "is not 'mover's pits/store other pits/store side to move'"),
        ("4,4/0 4,4/0 S N", "is not 'mover's pits/store"),
        ("4,4/0 4,4/0 W", "^side to move: 'W' is neither S nor N"),
        ("4,4 4,4/0 S", "^mover's pits: '4,4' is not seeds separated by commas"),
        ("4,4/0 4,x/0 S", "^other pits: '4,x/0' is not seeds"),
        ("4,-4/0 4,4/0 S", "^mover's pits: '4,-4/0' is not seeds"),
        ("4,/0 4,4/0 S", "^mover's pits: '4,/0' is not seeds"),
        ("4,4/ 4,4/0 S", "^mover's pits: '4,4/' is not seeds"),
        ("4,4/²2 4,4/0 S", "^mover's pits: '4,4/²2' is not seeds"),
        ("4,1000/0 4,4/0 S", "^mover's pits: '4,1000/0' is not seeds"),
        ("4,4/0 4,4,4/0 S", "^other pits: 3 of them, but the mover has 2"),
        ("4,4/0 4,5/0 S", "^seeds: 17 with the stores, but a game with 2 pits a side has a mult"),
        ("0,0/0 0,0/0 S", "^seeds: 0 with the stores"),
        ("64,0/0 64,0/0 S", "^seeds: 128 with the stores.* at most 127"),
        ("0,0/2 1,1/0 S", "^mover's pits: all are empty, so the game is over"),
        ("1,1/2 0,0/0 S", "^other pits: all are empty, so the game is over"),
        (",".join("1" * 10) + "/0 " + ",".join("1" * 10) + "/0 S", "^mover's pits: 10 of them"),
    ],
)
def test_an_invalid_position_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        kalah.from_text(text)


@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        ("0,4", "pits: 0 is not between 1 and 9"),
        ("10,1", "pits: 10 is not between 1 and 9"),
        ("6,0", "seeds: 0 is not between 1 and 10"),
        ("6,11", "seeds: 11 is not between 1 and 10; a game with 6 pits a side has at most 127"),
        ("1,64", "seeds: 64 is not between 1 and 63"),
    ],
)
def test_a_board_that_does_not_fit_is_refused(variant: str, reason: str) -> None:
    with pytest.raises(PlyforgeError, match=reason):
        plyforge.load(f"kalah:{variant}")


def test_variants_can_be_written_in_several_ways() -> None:
    for variant in ("3,2", "3x2", "pits=3,seeds=2", "seeds=2,3"):
        assert plyforge.load(f"kalah:{variant}").initial() == kalah.initial(3, 2)


def test_the_picture_shows_south_below_for_either_side_to_move() -> None:
    south = game.parse("4,4,0,5,5,5/1 4,4,4,4,4,4/0 S")
    north = game.play(south, 5)
    assert game.text(north) == "5,5,5,5,4,4/0 4,4,0,5,5,0/2 N"
    assert game.board(south).splitlines() == [
        "    b6 b5 b4 b3 b2 b1",
        "     4  4  4  4  4  4",
        "  0                    1",
        "     4  4  0  5  5  5",
        "    a1 a2 a3 a4 a5 a6",
    ]
    assert game.board(north).splitlines() == [
        "    b6 b5 b4 b3 b2 b1",
        "     4  4  5  5  5  5",
        "  0                    2",
        "     4  4  0  5  5  0",
        "    a1 a2 a3 a4 a5 a6",
    ]


def test_a_move_touches_the_pits_that_it_sows() -> None:
    start = game.initial()
    assert game.move_cells(start, 2) == ["a3", "a4", "a5", "a6", "A"]
    north = game.play(start, 0)
    assert game.move_cells(north, 5) == ["b6", "B", "a1", "a2", "a3"]
    lap = game.parse("0,13,0,0,0,0/0 4,4,4,4,4,4/11 S")
    assert " ".join(game.move_cells(lap, 1)) == "a2 a3 a4 a5 a6 A b1 b2 b3 b4 b5 b6 a1"


def test_moves_are_read_by_number_and_by_pit() -> None:
    position = game.initial()
    for move in game.moves(position):
        for text in (game.move_text(position, move), game.readable_move(position, move)):
            assert game.parse_move(position, text.upper()) == move
    north = game.play(position, 0)
    assert game.readable_move(north, 2) == "b3"
    for text in ("a1", "b7", "b0", "b", "", "b99999999999", "²"):
        with pytest.raises(PlyforgeError, match="is not a pit from b1 to b6"):
            game.parse_move(north, text)

"""Backgammon: known counts, whole rolls as in OpenSpiel, position IDs, ends of games, the cube."""

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Game
from plyforge.core.errors import MoveError, PositionError, VariantError
from plyforge.core.scores import ONGOING
from plyforge.games.backgammon.layout import BAR, Position
from plyforge.games.backgammon.notation import counts_of

ROLLS = {
    11: 42, 21: 15, 22: 75, 31: 16, 32: 17, 33: 73, 41: 14, 42: 18, 43: 17, 44: 52, 51: 8, 52: 8,
    53: 9, 54: 9, 55: 4, 61: 10, 62: 14, 63: 14, 64: 14, 65: 7, 66: 11,
}  # fmt: skip
"""The number of different results of each roll from the start."""


@pytest.fixture(scope="module")
def game() -> Game:
    return plyforge.load("backgammon", "python")


def board_of(position: Position) -> Any:
    return tuple(tuple(sorted(counts_of(position, side).items())) for side in (0, 1))


def test_the_rolls_from_the_start_have_as_many_results_as_counted_elsewhere(game: Game) -> None:
    start = game.parse("4HPwATDgc/ABMA White roll")
    outcomes = game.chance_outcomes(start)
    counted = {
        int(game.move_text(start, roll)): len(game.moves(game.play(start, roll)))
        for roll, _ in outcomes
    }
    assert counted == ROLLS
    assert sum(counted.values()) == 447
    assert sum(Fraction(p).limit_denominator(100) for _, p in outcomes) == 1


def test_the_first_roll_is_no_double_and_decides_who_begins(game: Game) -> None:
    outcomes = game.chance_outcomes(game.initial())
    assert len(outcomes) == 30
    for roll, probability in outcomes:
        after = game.play(game.initial(), roll)
        assert probability == 1 / 30
        assert roll >> 3 != roll & 7
        assert game.turn(after) == (0 if roll >> 3 > roll & 7 else 1)


def test_all_moves_of_a_roll_have_different_results(game: Game) -> None:
    history = game.history()
    stream = random.Random(5)
    while not history.verdict().over and len(history.moves) < 120:
        moves = history.legal_moves()
        if not history.chance_outcomes():
            results = {game.play(history.position, move) for move in moves}
            assert len(results) == len(moves)
        history.play(stream.choice(moves))


# OpenSpiel


def spiel_board(state: Any) -> Any:
    """The checkers of both players by their own points, as `board_of` has them."""
    sides = []
    for player in (0, 1):
        points = {25: state.board(player, 100)}
        for place in range(24):
            points[24 - place if player == 0 else place + 1] = state.board(player, place)
        sides.append(tuple(sorted((point, n) for point, n in points.items() if n)))
    return tuple(sides)


def spiel_results(state: Any, double: bool) -> set[Any]:
    """The boards after all ways to play a roll; OpenSpiel plays a double in two turns."""
    boards = set()
    for action in state.legal_actions():
        after = state.child(action)
        if double and not after.is_chance_node() and not after.is_terminal():
            boards |= {spiel_board(after.child(second)) for second in after.legal_actions()}
        else:
            boards.add(spiel_board(after))
    return boards


def compare_with_spiel(game: Game, seed: int) -> tuple[int, list[float]]:
    """Follow a random game of OpenSpiel; return the number of rolls and its result."""
    pyspiel = pytest.importorskip("pyspiel")
    stream = random.Random(seed)
    state = pyspiel.load_game("backgammon(scoring_type=full_scoring)").new_initial_state()
    rolls = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(stream.choice(state.chance_outcomes())[0])
            continue
        rolls += 1
        player = state.current_player()
        dice = [int(d) for d in str(state).split("Dice: ")[1].split()[0]]
        counts = spiel_board(state)
        position = place(game, counts, player, max(dice), min(dice))
        double = dice[0] == dice[1]
        ours = {board_of(game.play(position, move)) for move in game.moves(position)}
        assert ours == spiel_results(state, double), (seed, str(state))
        state.apply_action(stream.choice(state.legal_actions()))
        if double and not state.is_terminal() and not state.is_chance_node():
            state.apply_action(stream.choice(state.legal_actions()))
    end = place(game, spiel_board(state), 0, 0, 0)
    over = [game.outcome(end._replace(side=side, stage=1)) for side in (0, 1)]
    value = over[0] if over[0] != ONGOING else -over[1]
    return rolls, [value, state.returns()[0]]


def place(game: Game, counts: Any, side: int, high: int, low: int) -> Position:
    from plyforge.games.backgammon.layout import PLAY, pack_side

    white, black = (pack_side(dict(one)) for one in counts)
    return Position(*white, *black, side, PLAY, 8 * high + low, 1, 2, 1)


def test_results_of_whole_rolls_are_those_of_openspiel(game: Game) -> None:
    rolls, (ours, theirs) = compare_with_spiel(game, 1)
    assert rolls > 20
    assert ours == theirs


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 32))
def test_results_of_whole_rolls_are_those_of_openspiel_in_many_games(game: Game, seed: int) -> None:
    rolls, (ours, theirs) = compare_with_spiel(game, seed)
    assert rolls > 20
    assert ours == theirs


# Rules that are easily wrong


def results(game: Game, text: str) -> set[str]:
    position = game.parse(text)
    return {game.move_text(position, move) for move in game.moves(position)}


def position_text(game: Game, own: dict[int, int], other: dict[int, int], roll: str) -> str:
    from plyforge.games.backgammon.position_id import write_position_id

    return f"{write_position_id(own, other)} White {roll}"


def test_only_one_die_can_be_played_and_it_must_be_the_higher(game: Game) -> None:
    # From 10 either die can be played, but not both: 10 - 3 = 7 is open, 10 - 5 = 5, and 2 is not.
    text = position_text(game, {10: 1}, {23: 2}, "53")
    assert results(game, text) == {"10/5"}


def test_a_side_on_the_bar_enters_first_and_passes_if_it_cannot(game: Game) -> None:
    closed = dict.fromkeys(range(1, 7), 2)
    text = position_text(game, {BAR: 1, 6: 14}, closed, "65")
    assert results(game, text) == {"pass"}
    text = position_text(game, {BAR: 2, 6: 13}, {1: 2}, "21")  # its 24 is closed
    assert results(game, text) == {"bar/23"}


def test_a_higher_die_bears_off_from_the_highest_point_only(game: Game) -> None:
    text = position_text(game, {4: 1, 2: 1}, {20: 1}, "65")
    assert results(game, text) == {"4/off 2/off"}
    text = position_text(game, {7: 1, 2: 1}, {20: 1}, "65")
    assert results(game, text) == {"7/1 2/off", "7/2 2/off"}


@pytest.mark.parametrize(
    ("loser", "points"),
    [({3: 5}, 1), ({6: 15}, 2), ({6: 14, 20: 1}, 3), ({6: 14, BAR: 1}, 3), ({6: 14, 18: 1}, 2)],
)
def test_gammons_count_twice_and_backgammons_three_times(
    game: Game, loser: dict[int, int], points: int
) -> None:
    from plyforge.games.backgammon.layout import pack_side

    end = Position(*pack_side(loser), 0, 0, 0, 1, 0, 1, 2, 1)
    assert game.outcome(end) == -points


def test_race_of_single_checkers_has_the_known_value(game: Game) -> None:
    """6 against 1: three quarters; 5 and 2 against 1: 19/36 (all cubeless, without gammons)."""
    from plyforge.engine import expect

    engine = plyforge.Engine(game, backend="python", entries=4096)
    for own, win in (({6: 1}, Fraction(3, 4)), ({5: 1, 2: 1}, Fraction(19, 36))):
        found = expect(engine, position_text(game, own, {1: 1}, "roll"), depth=3)
        assert found.proved
        assert found.score == pytest.approx(float(2 * win - 1), abs=1e-6)


# Position IDs and texts


def test_known_position_ids(game: Game) -> None:
    assert game.text(game.initial()).startswith("4HPwATDgc/ABMA ")
    one = game.parse("AQAABAAAAAAAAA White roll")
    assert [counts_of(one, side) for side in (0, 1)] == [{1: 1}, {1: 1}]
    # As the PyPI build of gnubg writes it: the side on roll comes second.
    two = game.parse("BAAADAAQAAAAAA White roll")
    assert [counts_of(two, side) for side in (0, 1)] == [{1: 2, 17: 1}, {3: 1}]


@given(seed=st.integers(0, 2**32), plies=st.integers(0, 60))
def test_texts_of_positions_and_moves_are_read_back(seed: int, plies: int) -> None:
    game = plyforge.load("backgammon:cube=4", "python")
    history, stream = game.history(), random.Random(seed)
    while len(history.moves) < plies and not history.verdict().over:
        history.play(stream.choice(history.legal_moves()))
    position = history.position
    assert game.parse(game.text(position)) == position
    if not history.verdict().over:
        move = stream.choice(history.legal_moves())
        assert game.parse_move(position, game.move_text(position, move)) == move


def test_moves_can_be_written_in_other_ways(game: Game) -> None:
    history = game.history()
    history.play_text("31 6/5 8/5 64 24/14 ")
    assert [game.move_text(p, m) for p, m in zip(history.positions, history.moves, strict=False)][
        1::2
    ] == ["8/5 6/5", "24/18 18/14"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4HPwATDgc/ABM White roll", "13 letters"),
        ("4HPwATDgc/ABMA Green roll", "'Green' is not a side"),
        ("4HPwATDgc/ABMA White 71", "'71' is not a roll"),
        ("//////////////", "a side has"),
        ("4HPwATDgc/ABMA White doubled", "needs a cube"),
        ("", "a position is a GNU position ID"),
    ],
)
def test_bad_positions_are_explained(game: Game, text: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        game.parse(text)


def test_bad_moves_are_explained(game: Game) -> None:
    history = game.history()
    with pytest.raises(MoveError, match="'11' is not a legal move"):
        history.play_text("11")
    history.play_text("31")
    with pytest.raises(MoveError, match="8/3"):
        history.play_text("8/3")


# The cube


def test_the_cube_is_offered_taken_and_dropped() -> None:
    game = plyforge.load("backgammon:cube=4", "python")
    history = game.history()
    history.play_text("31; 8/5 6/5; double; take; 21; 24/23 13/11")
    position = history.position
    assert (position.cube, position.owner, history.turn) == (2, 0, 0)
    history.play_text("double; drop")
    # White wins the cube's value before the double, as a share of the highest value.
    assert history.verdict().value == -2 / 4
    assert history.turn == 1


def test_the_board_shows_dice_and_cube() -> None:
    game = plyforge.load("backgammon:cube=4", "python")
    history = game.history()

    def status() -> str:
        return game.board(history.position).splitlines()[-1]

    history.play_text("31; 8/5 6/5")
    assert status() == "Black to roll or double, cube 1 in the centre"
    assert game.pieces(history.position)["cube"] == "×1"
    history.play_text("double")
    assert status() == "White to take the double or drop, cube 1 in the centre"
    history.play_text("take; 21")
    assert status() == "Black to move, dice 2 and 1, cube 2 owned by White"
    shown = game.pieces(history.position)
    assert (shown["die-1"], shown["die-2"], shown["cube"]) == ("2", "1", "W×2")
    board, plain = game.geometry(history.position), plyforge.load("backgammon", "python")
    plain_board = plain.geometry(plain.initial())
    assert board is not None
    assert plain_board is not None
    assert set(board.cells) - set(plain_board.cells) == {"cube"}
    assert {"die-1", "die-2"} <= set(plain_board.cells)
    assert "die-1" not in plain.pieces(plain.initial())


def test_the_side_that_does_not_own_the_cube_cannot_double() -> None:
    game = plyforge.load("backgammon:cube=4", "python")
    history = game.history()
    history.play_text("31; 8/5 6/5; double; take; 21; 24/23 13/11; roll; 31; 24/23 24/21")
    assert history.chance_outcomes()


def test_a_cube_must_be_a_power_of_two() -> None:
    with pytest.raises(VariantError, match="power of 2"):
        plyforge.load("backgammon:cube=3", "python")

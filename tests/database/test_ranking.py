"""Games without an index get a ranking of pieces on cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.core.ranking import gather_bits, rank_bits, spread_bits, unrank_bits
from plyforge.database.ranking import with_index
from plyforge.database.slices import SliceError, find_slices, number_of, position_at, require_index
from plyforge.games import load
from tests.reference.databases import reference_values


@given(st.integers(0, 2**40 - 1))
def test_a_rank_has_one_set(bits):
    count = bits.bit_count()
    assert unrank_bits(int(rank_bits(bits)), count, 40) == bits


@given(st.integers(0, 2**50 - 1), st.integers(0, 2**50 - 1))
def test_gathered_bits_can_be_spread(bits, mask):
    assert spread_bits(gather_bits(bits & mask, mask), mask) == bits & mask


@pytest.mark.parametrize(
    ("name", "slices"),
    [
        ("checkers", ["K-0", "K-K", "KM-M", "KKM-KMM"]),
        ("chess", ["KK", "KQK", "KPK", "KRKP", "KQKQ", "KRRK"]),
        ("kalah:3,2", ["0", "5", "7"]),
        ("connect4:4x4", ["0", "3", "9", "16"]),
        ("connect4", ["41"]),
        ("tictactoe", ["empty", "X", "XXO"]),
    ],
)
def test_numbers_and_positions_correspond(name, slices):
    game = with_index(load(name, "python"))
    for text in slices:
        (one,) = find_slices(game, text)
        step = max(1, one.size // 97)
        found = 0
        for place in range(0, one.size, step):
            position = position_at(game, one.number(place))
            if position is None:
                continue
            found += 1
            assert find_slices(game, "", position) == [one]
            for other in game.rules.hooks.get("symmetries", lambda p: [])(position):
                if name != "connect4" and not name.startswith(("tic", "connect4")):
                    assert number_of(game, other) == one.number(place)
        assert found > 0


def test_positions_after_moves_have_numbers_in_slices():
    for name in ("checkers", "chess", "kalah", "connect4", "tictactoe"):
        game = with_index(load(name, "python"))
        history = game.history()
        for _ in range(4):
            history.play(history.legal_moves()[0])
            number = number_of(game, history.position)
            if name in ("chess", "checkers"):
                assert number == -1  # too many pieces
            elif number >= 0:
                (one,) = find_slices(game, "", history.position)
                assert one.code == number >> 36
                assert position_at(game, number) is not None


@pytest.mark.long
def test_tic_tac_toe_is_solved_by_its_ranking(make_database):
    database = make_database("tictactoe", "empty")
    game = database.game
    assert database.probe(game.initial()).outcome == "draw"
    expected = reference_values(game, [game.initial()])
    for position in list(expected)[::37]:
        assert database.probe(position_of(game, position)).value == expected[position]


def position_of(game, form):
    return game.position_type.cast(game.position_type.python_class(*form))


def test_a_game_without_pieces_has_no_index():
    game = with_index(load("tree", "python"))
    with pytest.raises(SliceError, match="tree has no database"):
        require_index(game)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("checkers", "KKX", "a slice is a number of pieces"),
        ("checkers", "25", "between 1 and 8 pieces"),
        ("chess", "KQQQQK", "at most 5 pieces"),
        ("chess", "1", "between 2 and 5"),
        ("kalah", "x", "a number of seeds"),
        ("kalah", "60", "between 0 and 41 seeds"),
        ("connect4", "50", "between 0 and 42 stones"),
        ("tictactoe", "XYZ", "pieces out of XO"),
    ],
)
def test_unknown_slices_are_refused(name, text, message):
    with pytest.raises(SliceError, match=message):
        find_slices(with_index(load(name, "python")), text)

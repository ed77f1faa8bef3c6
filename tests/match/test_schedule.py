"""Who plays whom."""

from collections import Counter

import pytest

from plyforge.match.schedule import Format, Pairing, meetings, pairings


def test_everyone_meets_everyone_in_a_round_robin_and_the_first_player_in_a_gauntlet():
    assert meetings(4, Format.ROUND_ROBIN) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert meetings(4, Format.GAUNTLET) == [(0, 1), (0, 2), (0, 3)]
    assert meetings(2, Format.ROUND_ROBIN) == meetings(2, Format.GAUNTLET) == [(0, 1)]


@pytest.mark.parametrize("form", list(Format))
@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_meeting_plays_every_opening_with_both_sides(players, form):
    games = list(pairings(players, form, 4))
    assert [game.number for game in games] == list(range(len(games)))
    expected = {
        (opening, *seats)
        for opening in range(4)
        for one, other in meetings(players, form)
        for seats in ((one, other), (other, one))
    }
    assert Counter((game.opening, game.first, game.second) for game in games) == Counter(expected)


@pytest.mark.parametrize("form", list(Format))
def test_a_longer_match_begins_with_the_games_of_a_shorter_one(form):
    short, long = list(pairings(4, form, 3)), list(pairings(4, form, 9))
    assert long[: len(short)] == short


def test_the_two_games_of_a_pair_have_the_same_pair_key():
    games = pairings(3, Format.ROUND_ROBIN, 2)
    assert set(Counter(game.pair for game in games).values()) == {2}
    assert Pairing(7, 3, 2, 0).pair == Pairing(6, 3, 0, 2).pair == (3, 0, 2)

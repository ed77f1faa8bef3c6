"""Who plays whom."""

from collections import Counter

import pytest

from plyforge.match.schedule import Format, Pairing, pairings


def test_a_round_robin_pairs_everyone_with_everyone_and_a_gauntlet_the_first():
    assert pairings(4, Format.ROUND_ROBIN) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert pairings(4, Format.GAUNTLET) == [(0, 1), (0, 2), (0, 3)]
    assert pairings(2, Format.ROUND_ROBIN) == pairings(2, Format.GAUNTLET) == [(0, 1)]


@pytest.mark.parametrize("form", list(Format))
@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_opening_is_played_by_each_pairing_with_both_sides(players, form):
    found = list(pairings(players, form, 4))
    assert [pairing.number for pairing in found] == list(range(len(found)))
    seen = Counter((pairing.opening, pairing.first, pairing.second) for pairing in found)
    wanted = {
        (opening, *seats)
        for opening in range(4)
        for one, other in pairings(players, form)
        for seats in ((one, other), (other, one))
    }
    assert seen == Counter(wanted)


@pytest.mark.parametrize("form", list(Format))
def test_a_longer_match_begins_with_the_games_of_a_shorter_one(form):
    short, long = list(pairings(4, form, 3)), list(pairings(4, form, 9))
    assert long[: len(short)] == short


def test_the_two_games_of_a_pair_know_each_other():
    found = list(pairings(3, Format.ROUND_ROBIN, 2))
    assert set(Counter(pairing.pair for pairing in found).values()) == {2}
    assert Pairing(7, 3, 2, 0).pair == Pairing(6, 3, 0, 2).pair == (3, 0, 2)

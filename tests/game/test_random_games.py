"""Random games give positions to find properties of a game from."""

import itertools
import random

from plyforge.game.random_games import play_random_games
from plyforge.games import load


def test_games_are_played_to_their_ends():
    game = load("tictactoe", "python")
    found = list(play_random_games(game, 100, 50, random.Random(1).choice))
    assert sum(not one.ended for one in found) >= 100
    last = max(one.game for one in found)
    assert [one.game for one in found if one.ended] == list(range(last + 1))
    for before, after in itertools.pairwise(found):
        if before.game == after.game:
            assert after.side == 1 - before.side
            children = [game.play(before.position, m) for m in game.legal_moves(before.position)]
            assert after.position in children
        else:
            assert before.ended
            assert after.position == game.initial()


def test_long_games_are_cut():
    game = load("tictactoe", "python")
    found = list(play_random_games(game, 10, 3, random.Random(1).choice))
    assert len(found) == 12
    assert not any(one.ended for one in found)

"""Games to learn from."""

from dataclasses import replace

import numpy as np
import pytest

import plyforge
from plyforge import PlyforgeError
from plyforge.evaluate import evaluation_of
from plyforge.jobs.local import local_executor
from plyforge.learn.games import RULES, GamePlan, GameQueue, PlayedGame, result_of
from tests.learn.plans import GAMES

START = evaluation_of(plyforge.load("tictactoe", "python")).vector


def play(plan: GamePlan, numbers: range, weights=(START, START)) -> list[PlayedGame]:
    with GameQueue(local_executor(0), []) as queue:
        found = list(queue.play(plan, [(number, *weights) for number in numbers]))
    return sorted(found, key=lambda game: game.number)


def test_games_follow_the_rules_and_know_their_result():
    game = plyforge.load("tictactoe", "python")
    for played in play(GAMES, range(6)):
        history = game.history()
        for move in played.moves:
            history.play(move)
        assert history.verdict().over
        assert result_of(history) == (played.result, played.score, RULES)
        assert played.searched[:2] == (None, None)
        assert None not in played.searched[2:]
        assert played.lines == ()


def test_a_game_depends_on_its_number_and_the_seed_alone():
    games = play(GAMES, range(4))
    assert play(GAMES, range(2, 4)) == games[2:]
    assert len({game.moves for game in games}) > 1
    assert play(replace(GAMES, seed=4), range(4)) != games


def test_lines_reach_the_horizon_and_their_leaf_has_the_value_of_the_search():
    game = plyforge.load("tictactoe", "python")
    for played in play(replace(GAMES, lines=True), range(3)):
        history = game.history()
        for move, line, value in zip(played.moves, played.lines, played.searched, strict=True):
            if value is not None and abs(value) < 100:
                leaf = history.copy()
                for one in line:
                    leaf.play(one)
                sign = 1 if len(line) % 2 == 0 else -1
                over = leaf.verdict().over
                assert over or len(line) == 2
                assert value == (0 if over else sign * game.evaluation(leaf.position))
            history.play(move)


def test_the_weights_of_each_side_choose_its_moves():
    """After two random moves side 0 moves as before, and side 1, with another sign, differently."""
    games = play(GAMES, range(6))
    others = play(GAMES, range(6), (START, -START))
    assert [game.moves[:3] for game in games] == [game.moves[:3] for game in others]
    assert [game.moves[3] for game in games] != [game.moves[3] for game in others]


def test_explored_moves_change_games():
    assert play(replace(GAMES, explored=2), range(4)) != play(GAMES, range(4))


def test_a_game_that_is_too_long_is_a_draw():
    (played,) = play(replace(GAMES, max_plies=3), range(1))
    assert (len(played.moves), played.result, played.ending) == (3, 0.0, "length")


def test_plain_data_and_back():
    (played,) = play(replace(GAMES, lines=True), range(1))
    assert PlayedGame.from_fields(played.fields()) == played


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"depth": 0}, "depth must be between 1"),
        ({"opening": -1}, "opening must be at least 0, not -1"),
        ({"explored": -2}, "explored must be at least 0, not -2"),
        ({"opening": 9, "max_plies": 9}, "end within the opening of 9"),
    ],
)
def test_impossible_plans_are_refused(change, message):
    with pytest.raises(PlyforgeError, match=message):
        replace(GAMES, **change)


def test_an_evaluation_without_weights_is_refused():
    plan = GamePlan("tictactoe", evaluation="none", backend="python")
    with pytest.raises(PlyforgeError, match="has no weights"):
        plan.load_game()
    assert np.isfinite(START).all()

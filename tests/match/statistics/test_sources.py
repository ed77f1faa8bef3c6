"""Random play: both backends and the slow twin play the same games."""

from pathlib import Path

import numpy as np
import pytest

import plyforge
from plyforge import Game, PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.match.statistics import RandomPlay
from plyforge.match.statistics.figures import Tally
from plyforge.match.statistics.playout import random_index
from tests.games.tiers import with_long
from tests.reference.playouts import HistoryPlay

RING = """
from typing import NamedTuple
from plyforge.rules import DRAW, LOSS, WIN

class Position(NamedTuple):
    place: int
    side: int

def initial():
    return Position(0, 0)

def moves(position):
    yield 1
    yield -1
    if position.place == 2:
        yield 2

def play(position, move):
    return Position((position.place + move) % 6, 1 - position.side)

def stuck(position):
    return DRAW

def irreversible(position, move):
    return move == 2
"""
# The side that reaches place 3 moves again, so that a side may repeat and be to move.
TWICE = """
def play(position, move):
    place = (position.place + move) % 6
    return Position(place, position.side if place == 3 else 1 - position.side)

def turn(position):
    return position.side

def stuck(position):
    return position.place - 2.5
"""
ENDS = """
def outcome(position):
    return WIN if position.place == 4 and position.side == 1 else 20_000_000

def drawn(position):
    return position.place == 5

def progress(position):
    return position.place + 2
"""
# Constants are data: the cases with the same functions share one compiled kernel.
RULES = {
    "no rule": [],
    "draw": ["REPETITION = 'draw'"],
    "loss": ["REPETITION = 'loss'", "REPETITION_COUNT = 2"],
    "illegal": ["REPETITION = 'illegal'"],
    "no progress": ["NO_PROGRESS_LIMIT = 7"],
    "loss, moving twice": ["REPETITION = 'loss'", TWICE],
    "illegal, with points": ["REPETITION = 'illegal'", TWICE],
    "outcome and drawn": [ENDS],
    "a clock in the position": ["NO_PROGRESS_LIMIT = 9", "REPETITION = 'draw'", ENDS],
}
LIMIT = 60


def ring(folder: Path, *lines: str) -> Game:
    path = folder / "ring.py"
    path.write_text(RING + "\n".join(lines), encoding="utf-8")
    return plyforge.load(str(path))


def assert_same_games(game: Game, moves: str, seed: int, games: int, limit: int) -> None:
    history = game.history()
    history.play_text(moves)
    twin = HistoryPlay(history, seed, limit).play(0, games)
    backends = ("compiled", "python") if game.position_type.compilable else ("python",)
    for backend in backends:
        batch = RandomPlay(history, seed, backend, limit).play(0, games)
        assert np.array_equal(batch.games, twin.games), backend
        assert np.array_equal(batch.plies, twin.plies), backend


@pytest.mark.parametrize("case", RULES)
def test_games_end_by_every_rule_as_in_a_history(tmp_path: Path, case: str) -> None:
    game = ring(tmp_path, *RULES[case])
    repeated = ["1 -1 1"] if case == "draw" else []
    for moves in ["", "1 1", *repeated]:
        assert_same_games(game, moves, 2**63 + 5, 12, LIMIT)


@pytest.mark.parametrize(
    "name", with_long(["tictactoe", "connect4:5x4"], ["checkers", "andantino:4"])
)
def test_games_of_built_in_rules_equal_those_of_the_slow_twin(name: str) -> None:
    assert_same_games(plyforge.load(name), "", 3, 4, 400)


def test_positions_that_are_python_objects_are_played_uncompiled(tmp_path: Path) -> None:
    path = tmp_path / "words.py"
    path.write_text(
        "def initial(): return ''\n"
        "def moves(word): yield from range(5 - len(word))\n"
        "def play(word, move): return word + 'abcde'[move]\n"
    )
    assert_same_games(plyforge.load(str(path)), "", 1, 20, 50)


def test_a_game_does_not_depend_on_the_games_before_it() -> None:
    source = RandomPlay(plyforge.load("connect4:5x4").history(), 7)
    whole = source.play(0, 50).games
    parts = [source.play(first, 10).games for first in range(0, 50, 10)]
    assert np.array_equal(np.concatenate(parts), whole)


def test_another_seed_plays_other_games() -> None:
    history = plyforge.load("connect4:5x4").history()
    one, other = (RandomPlay(history, seed).play(0, 50).games for seed in (0, 1))
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 2**62 + 1, 2**63 - 1])
def test_random_indices_equal_those_of_the_stream(bound: int) -> None:
    stream, state = Stream(99), np.uint64(99)
    with np.errstate(over="ignore"):
        for _ in range(50):
            index, state = random_index(state, bound)
            assert index == stream.below(bound)


def test_a_finished_position_is_refused() -> None:
    game = plyforge.load("tictactoe")
    history = game.history(game.parse("XX./OO./... X"))
    history.play_text("c3")
    with pytest.raises(PlyforgeError, match="the game is over"):
        RandomPlay(history)


def test_more_moves_than_declared_are_an_error_of_the_game_file(tmp_path: Path) -> None:
    for backend in ("compiled", "python"):
        game = ring(tmp_path, "MAX_MOVES = 2")
        with pytest.raises(PlyforgeError, match="has 3 moves, but MAX_MOVES is 2"):
            RandomPlay(game.history(), 0, backend, LIMIT).play(0, 20)


def test_an_error_in_rules_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(
        "def initial(): return 'x'\ndef moves(p): yield 1\ndef play(p, m):\n"
        "    return p + 'y' if len(p) < 3 else p.z\n"
    )
    with pytest.raises(PlyforgeError, match=r"bad.py, line 4.*AttributeError"):
        RandomPlay(plyforge.load(str(path)).history()).play(0, 1)


def test_an_error_in_compiled_rules_suggests_check_to_find_the_line(tmp_path: Path) -> None:
    game = ring(tmp_path, "def drawn(position): return 1 // (position.place - 2) > 5")
    with pytest.raises(PlyforgeError, match=r"ZeroDivisionError.*'plyforge check' finds the line"):
        RandomPlay(game.history(), 0, "compiled", LIMIT).play(0, 20)


def test_the_shares_of_tic_tac_toe_are_the_known_ones() -> None:
    # Exact for random play: X wins 737/1260, O 121/420, draws 8/63.
    tally = Tally()
    games = 200_000
    tally.add(RandomPlay(plyforge.load("tictactoe").history(), 20).play(0, games))
    found = tally.statistics()
    for count, share in [
        (found.wins, 737 / 1260),
        (found.losses, 121 / 420),
        (found.draws, 8 / 63),
    ]:
        deviation = (share * (1 - share) / games) ** 0.5
        assert abs(count / games - share) < 4 * deviation

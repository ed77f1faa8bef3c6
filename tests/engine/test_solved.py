"""Solved games and positions: the engine proves what exhaustive search finds."""

from functools import cache
from itertools import islice
from typing import Any

import pytest

import plyforge
from plyforge import Engine, Game
from plyforge.core.scores import LOSS, WIN
from tests.games.draughts_endings import _fen, _positions
from tests.games.test_hex import OPENINGS
from tests.games.test_kalah import SOLVED
from tests.reference.solved import distances, solve
from tests.search.kernel.games import random_position


def reachable_positions(game: Game) -> list[Any]:
    """Return all positions in which the game is not over."""
    seen: dict[int, Any] = {}
    waiting = [game.initial()]
    while waiting:
        position = waiting.pop()
        if game.key(position) not in seen and not game.verdict(position).over:
            seen[game.key(position)] = position
            waiting += [game.play(position, move) for move in game.moves(position)]
    return list(seen.values())


@pytest.mark.parametrize("driver", ["pvs", "mtdf", "mtd-bi", "sss"])
def test_positions_of_tictactoe(driver: str) -> None:
    game = plyforge.load("tictactoe")
    known: dict[int, float] = {}
    engine = Engine(game, driver=driver, entries=1 << 14)
    for seed in range(20):
        position = random_position(game, seed, 2 + seed % 6)
        result = engine.analyse(position, depth=9)
        assert (result.score, result.proved) == (solve(game, position, known), True)


@pytest.mark.long
@pytest.mark.parametrize(("driver", "one_in"), [("pvs", 1), ("mtdf", 7), ("mtd-bi", 7), ("sss", 7)])
def test_every_position_of_tictactoe(driver: str, one_in: int) -> None:
    game = plyforge.load("tictactoe")
    known: dict[int, float] = {}
    positions = reachable_positions(game)
    assert len(positions) == 4520
    engine = Engine(game, driver=driver, entries=1 << 14)
    for position in positions[::one_in]:
        result = engine.analyse(position, depth=9)
        assert (result.score, result.proved) == (solve(game, position, known), True)


@pytest.mark.parametrize(
    ("name", "stones", "count"),
    [
        ("connect4:4x4", 8, 3),
        ("othello:4", 5, 8),
        pytest.param("hex:3", 3, 4, marks=pytest.mark.long),
        ("kalah:3,2", 2, 4),
        pytest.param("connect4:4x4", 8, 20, marks=pytest.mark.long),
        pytest.param("connect4:5x4", 11, 6, marks=pytest.mark.long),
        pytest.param("connect4:3x5", 6, 6, marks=pytest.mark.long),
        pytest.param("hex:3", 1, 9, marks=pytest.mark.long),
        pytest.param("kalah:3,2", 2, 8, marks=pytest.mark.long),
        pytest.param("kalah:2,4", 3, 8, marks=pytest.mark.long),
    ],
)
def test_positions_of_small_boards(name: str, stones: int, count: int) -> None:
    game = plyforge.load(name)
    engine = Engine(game, entries=1 << 16)
    known: dict[int, float] = {}
    for seed in range(count):
        position = random_position(game, seed, stones)
        result = engine.analyse(position)
        assert (result.score, result.proved) == (solve(game, position, known), True)


@pytest.mark.long
@pytest.mark.parametrize("name", ["connect4:4x4", "othello:4"])
def test_small_boards_from_the_start(name: str) -> None:
    game = plyforge.load(name)
    result = Engine(game, entries=1 << 20).analyse()
    assert (result.score, result.proved) == (solve(game, game.initial(), {}), True)


@pytest.mark.long
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_opening_of_hex(size: int) -> None:
    """Compare the result of each opening move, rank by rank."""
    game = plyforge.load(f"hex:{size}")
    engine = Engine(game, entries=1 << 20)
    start = game.initial()
    found: dict[str, str] = {}
    for move in game.moves(start):
        result = engine.analyse(start, moves=[move])
        assert result.proved
        found[game.move_text(start, move)] = "W" if result.score > 0 else "L"
    for rank, expected in enumerate(OPENINGS[size], 1):
        files = "abcd"[:size]
        assert "".join(found[f"{file}{rank}"] for file in files) == expected


@pytest.mark.parametrize("size", SOLVED)
def test_small_kalah(size: tuple[int, int]) -> None:
    game = plyforge.load(f"kalah:{size[0]},{size[1]}")
    result = Engine(game, entries=1 << 18).analyse()
    assert (result.score, result.proved) == (SOLVED[size], True)


@cache
def endings(name: str) -> dict[Any, float]:
    """Return the values of won and lost endings of two pieces, by position."""
    game = plyforge.load(name)
    pairs = [pair for pair in _positions() if {kind.lower() for _, kind in pair} == {"b", "w"}]
    return distances(game, [game.parse(_fen(side, pair)) for pair in pairs[::5] for side in "BW"])


@pytest.mark.parametrize("name", ["checkers", pytest.param("giveaway", marks=pytest.mark.long)])
def test_endings_of_two_pieces_are_won_in_the_plies_of_the_database(name: str) -> None:
    game = plyforge.load(name)
    known = {position: value for position, value in endings(name).items() if game.moves(position)}
    engine = Engine(game, entries=1 << 18)
    searched = 0
    for position, value in islice(known.items(), 0, None, 37):
        plies = int(WIN - abs(value))
        if plies > 11:
            continue
        searched += 1
        result = engine.analyse(position, depth=plies)
        assert (result.score, result.proved) == (value, True)
        if plies > 1:
            early = engine.analyse(position, depth=plies - 1)
            assert LOSS + 300 < early.score < WIN - 300
            assert not early.proved
    assert searched > 50

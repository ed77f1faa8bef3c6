"""Othello's last plies: flips, `finish`, `max_score` and `plies_left` against plain search."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.core.contract import FINISH_WORDS
from plyforge.core.scores import ONGOING
from plyforge.games.othello import endgame
from plyforge.games.othello.flipping import flips_at
from plyforge.games.othello.rules import ONE, flips
from tests.games.tiers import examples

seeds = st.integers(0, 2**32)
windows = st.tuples(st.integers(-70, 70), st.integers(1, 40))


@pytest.fixture(autouse=True)
def _words_wrap() -> Iterator[None]:
    with np.errstate(over="ignore"):
        yield


def late_position(seed, empties, variant="8"):
    """A position of a random game with so many empty cells, or fewer if a game ended early."""
    game = plyforge.load(f"othello:{variant}")
    stream = Random(seed)
    while True:
        position = game.initial()
        while endgame.plies_left(position) > 2 * empties:
            moves = game.moves(position)
            if not moves:
                break
            position = game.play(position, stream.choice(moves))
        else:
            return game, position


def memory():
    return [0] * FINISH_WORDS


def minimax(game, position):
    """The final score of perfect play, by looking at every game."""
    moves = game.moves(position)
    if not moves:
        return game.stuck(position)
    return max(-minimax(game, game.play(position, move)) for move in moves)


@given(seeds)
@examples(150)
def test_flips_by_rays_are_those_of_the_rules(seed):
    stream = Random(seed)
    mine = np.uint64(stream.getrandbits(64))
    theirs = np.uint64(stream.getrandbits(64)) & ~mine
    cell = stream.randrange(64)
    disc = ONE << cell
    mine, theirs = mine & ~disc, theirs & ~disc
    assert flips_at(mine, theirs, cell) == flips(mine, theirs, disc)


@given(seeds, st.integers(0, 5), st.sampled_from(["8", "8,empties", "6", "6,empties"]))
@examples(30)
def test_finish_finds_the_score_of_perfect_play(seed, empties, variant):
    game, position = late_position(seed, empties, variant)
    words = memory()
    assert endgame.finish(position, -np.inf, np.inf, words) == minimax(game, position)
    assert words[0] >= (empties > 0)


@given(seeds, st.integers(1, 4), windows)
@examples(40)
def test_finish_keeps_to_its_window(seed, empties, window):
    game, position = late_position(seed, empties)
    low, high = window[0] / 2, window[0] / 2 + window[1] / 4
    value, found = minimax(game, position), endgame.finish(position, low, high, memory())
    if found <= low:
        assert value <= found
    elif found >= high:
        assert value >= found
    else:
        assert value == found


def test_finish_leaves_longer_endings_to_the_search():
    _, position = late_position(1, endgame.FINISHED + 1)
    assert endgame.finish(position, -np.inf, np.inf, memory()) == ONGOING


@given(seeds, st.integers(0, 30), st.sampled_from(["8", "8,empties", "6"]))
@examples(30)
def test_no_game_exceeds_the_plies_or_the_score_that_are_promised(seed, empties, variant):
    game, position = late_position(seed, empties, variant)
    stream = Random(seed)
    limit, left = endgame.max_score(position), endgame.plies_left(position)
    plies, side = 0, position.side
    while moves := game.moves(position):
        position = game.play(position, stream.choice(moves))
        plies += 1
    score = game.stuck(position)
    assert plies <= left
    assert (score if position.side == side else -score) <= limit


@given(seeds)
@examples(10)
def test_the_best_score_is_within_its_limit(seed):
    game, position = late_position(seed, 5)
    assert minimax(game, position) <= endgame.max_score(position)


@given(seeds, st.integers(1, 20))
@examples(30)
def test_odd_regions_are_quadrants_with_an_odd_number_of_empty_cells(seed, empties):
    game, position = late_position(seed, empties)
    taken = int(position.mine | position.theirs)
    for move in game.moves(position):
        if move == 64:
            continue
        quadrant = [
            cell
            for cell in range(64)
            if (cell % 8 < 4, cell < 32) == (move % 8 < 4, move < 32) and not taken >> cell & 1
        ]
        assert endgame.odd_region(position, move) == bool(len(quadrant) % 2)


@given(seeds)
@examples(30)
def test_mobility_counts_moves_and_corners_twice(seed):
    game, position = late_position(seed, 20)
    moves = [move for move in game.moves(position) if move != 64]
    corners = sum(move in (0, 7, 56, 63) for move in moves)
    assert endgame.mobility(position) == len(moves) + corners

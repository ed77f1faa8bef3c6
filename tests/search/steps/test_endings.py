"""Steps near the end of a game: exact, alone and together, in any game with the hooks."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.engine import Engine
from plyforge.games.othello import endgame
from plyforge.search.options import Options
from tests.games.tiers import examples

STEPS = ("finish", "score-limit", "fastest-first", "parity")
CARDS = str(Path(__file__).with_name("card_game.py"))
seeds = st.integers(0, 2**32)
chosen = st.sets(st.sampled_from(STEPS)).map(sorted)
cards = plyforge.load(CARDS, "python")
othello = plyforge.load("othello:6", "python")


def minimax(game, position):
    moves = game.moves(position)
    if not moves:
        return game.stuck(position)
    values = []
    for move in moves:
        child = game.play(position, move)
        same = game.rules.hooks["turn"](child) == game.rules.hooks["turn"](position)
        values.append(minimax(game, child) if same else -minimax(game, child))
    return max(values)


def late(game, seed, plies):
    """A position of a random game from which every game ends within some plies, but is not over."""
    stream = Random(seed)
    while True:
        position = game.initial()
        while moves := game.moves(position):
            if game.plies_left(position) <= plies:
                return position
            position = game.play(position, stream.choice(moves))


def usable(steps):
    return [step for step in steps if step != "parity" or "fastest-first" in steps]


@given(seeds, chosen, st.integers(1, 7))
@examples(25)
def test_any_game_with_the_hooks_has_its_minimax_value_with_any_steps(seed, steps, plies):
    position = late(cards, seed, plies)
    settings = {"score-limit-gate": -100, "fastest-first-plies": 1 + seed % 9}
    off = [step for step in STEPS if step not in steps]
    engine = Engine(cards, on=usable(steps), off=off, settings=settings, entries=1 << 10)
    result = engine.analyse(cards.history(position))
    assert (result.score, result.proved) == (minimax(cards, position), True)


@given(seeds, chosen)
@examples(10)
def test_othello_endings_have_their_minimax_value_with_any_steps(seed, steps):
    position = late(othello, seed, 12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(endgame, "FINISHED", 2 + seed % 3)
        off = [step for step in STEPS if step not in usable(steps)]
        settings = {"score-limit-gate": -100 if seed % 2 else 1}
        engine = Engine(othello, on=usable(steps), off=off, settings=settings, entries=1 << 10)
        result = engine.analyse(othello.history(position))
    assert (result.score, result.proved) == (minimax(othello, position), True)


@given(seeds)
@examples(5)
def test_inexact_steps_leave_games_alone_that_end_within_the_depth(seed):
    position = late(othello, seed, 10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(endgame, "FINISHED", 2)
        engine = Engine(othello, preset="play", on=["late-move-pruning"], entries=1 << 10)
        result = engine.analyse(othello.history(position))
    assert result.score == minimax(othello, position)


def test_the_last_iteration_is_the_one_to_the_end():
    position = late(othello, 3, 12)
    engine = Engine(othello, settings={"end-share": 0.3, "depth-step": 1}, entries=1 << 10)
    result = engine.analyse(othello.history(position))
    assert [step.depth for step in result.steps][-1] == 12
    assert {step.depth for step in result.steps} <= {1, 2, 3, 4, 12}


def test_a_depth_that_is_asked_for_is_not_exceeded():
    position = late(othello, 3, 12)
    result = Engine(othello, entries=1 << 10).analyse(othello.history(position), depth=5)
    assert max(step.depth for step in result.steps) == 5


def test_finish_counts_the_nodes_it_searches():
    position = late(cards, 1, 4)
    engine = Engine(cards, on=["finish"], entries=1 << 10)
    counts = engine.analyse(cards.history(position)).counts
    assert 0 < counts.steps["finished"] < counts.leaves


def test_the_steps_are_off_unless_a_game_asks_for_them():
    assert not set(STEPS) & Options.preset("exact").switches


def test_parity_says_that_it_needs_fastest_first():
    with pytest.raises(PlyforgeError, match="'parity' does nothing without 'fastest-first'"):
        Engine(othello, on=["parity"], off=["fastest-first"])


@pytest.mark.long
@given(seeds, st.integers(8, 14))
@examples(20)
def test_compiled_endings_are_those_of_the_plain_search(seed, empties):
    game = plyforge.load("othello")
    position = late(game, seed, 2 * empties)
    root = game.history(position)
    plain = Engine(game, off=[*STEPS, "etc", "pvs"]).analyse(root)
    fast = Engine(game).analyse(root)
    assert (fast.score, fast.proved) == (plain.score, True)

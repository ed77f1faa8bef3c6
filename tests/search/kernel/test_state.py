"""An evaluation with a running state equals one computed from scratch."""

from dataclasses import replace

import pytest

import plyforge
from plyforge.core.errors import CompileError
from plyforge.engine import Engine
from plyforge.game.game import Game
from plyforge.rules import ctz, popcount


def weight_of(cell):
    return (cell * 37 + 11) % 17 - 8


def begin(position):
    total = 0
    mine, theirs = position.mine, position.stones ^ position.mine
    while mine:
        total += weight_of(ctz(mine))
        mine &= mine - 1
    while theirs:
        total -= weight_of(ctz(theirs))
        theirs &= theirs - 1
    return total


def advance(state, position, move, child):
    return -(state + weight_of(move))


def evaluate(position, state):
    return state + popcount(position.stones) / 64


def from_scratch(position):
    return begin(position) + popcount(position.stones) / 64


def floating(state, position, move, child):
    return (state, 1.5)


def _game(**hooks) -> Game:
    game = plyforge.load("connect4:5x4")
    kept = {k: v for k, v in game.rules.hooks.items() if k not in ("evaluate", "terms")}
    return Game(replace(game.rules, hooks=kept | hooks), "5x4")


@pytest.mark.parametrize("backend", ["compiled", "python"])
@pytest.mark.parametrize("on", [[], ["child-eval"]])
def test_the_state_reaches_every_leaf(backend, on):
    running = Engine(_game(begin=begin, advance=advance, evaluate=evaluate), backend=backend, on=on)
    scratch = Engine(_game(evaluate=from_scratch), backend=backend, on=on)
    depth = 7 if backend == "compiled" else 4
    one, other = running.analyse(depth=depth), scratch.analyse(depth=depth)
    assert one.score == other.score
    assert one.counts == other.counts
    assert one.pv == other.pv


def test_states_of_two_types_are_a_compile_error():
    game = _game(begin=begin, advance=floating, evaluate=evaluate)
    with pytest.raises(CompileError, match=r"'advance' returns .* but 'begin' returns int64"):
        Engine(game).prepare()

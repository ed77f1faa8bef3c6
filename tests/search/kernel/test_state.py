"""An evaluation with a running state equals one computed from scratch."""

from dataclasses import replace

import pytest

import plyforge
from plyforge.core.errors import GameFileError
from plyforge.engine import Engine
from plyforge.game.game import Game
from plyforge.game.validation import check_state
from plyforge.rules import ctz, popcount


def weight_of(cell):
    return (cell * 37 + 11) % 17 - 8


def begin(position, state):
    state[:] = 0
    mine, theirs = position.mine, position.stones ^ position.mine
    while mine:
        state[0] += weight_of(ctz(mine))
        state[1] += 1
        mine &= mine - 1
    while theirs:
        state[0] -= weight_of(ctz(theirs))
        state[1] += 1
        theirs &= theirs - 1


def advance(state, position, move, child, child_state):
    child_state[0] = -(state[0] + weight_of(move))
    child_state[1] = state[1] + 1


def evaluate(position, state):
    return state[0] + state[1] / 64


def from_scratch(position):
    total = 0
    mine, theirs = position.mine, position.stones ^ position.mine
    while mine:
        total += weight_of(ctz(mine))
        mine &= mine - 1
    while theirs:
        total -= weight_of(ctz(theirs))
        theirs &= theirs - 1
    return total + popcount(position.stones) / 64


def _game(dtype: str | None = None, **hooks) -> Game:
    game = plyforge.load("connect4:5x4")
    kept = {k: v for k, v in game.rules.hooks.items() if k not in ("evaluate", "terms")}
    constants = game.rules.constants | ({"STATE": (dtype, 2)} if dtype else {})
    return Game(replace(game.rules, hooks=kept | hooks, constants=constants), "5x4")


@pytest.mark.parametrize(
    ("backend", "dtype", "on"),
    [
        ("python", "int16", []),
        ("python", "float32", ["child-eval"]),
        pytest.param("compiled", "int16", ["child-eval"], marks=pytest.mark.long),
        pytest.param("compiled", "float32", [], marks=pytest.mark.long),
    ],
)
def test_the_state_reaches_every_leaf(backend, dtype, on):
    hooks = {"begin": begin, "advance": advance, "evaluate": evaluate}
    running = Engine(_game(dtype, **hooks), backend=backend, on=on)
    scratch = Engine(_game(evaluate=from_scratch), backend=backend, on=on)
    depth = 7 if backend == "compiled" else 4
    one, other = running.analyse(depth=depth), scratch.analyse(depth=depth)
    assert one.score == other.score
    assert one.counts == other.counts
    assert one.pv == other.pv


def test_a_state_without_begin_is_refused():
    game = _game()
    with pytest.raises(GameFileError, match="'advance' needs 'begin'"):
        check_state("game.py", {"advance": advance}, None)
    with pytest.raises(GameFileError, match=r"STATE is \('int12', 4\).*int16"):
        check_state(game.rules.file, {"begin": begin, "advance": advance}, ("int12", 4))
    with pytest.raises(GameFileError, match="size between 1 and 65536"):
        check_state(game.rules.file, {"begin": begin, "advance": advance}, ("int16", 70_000))

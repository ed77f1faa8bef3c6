"""GNU Backgammon as a player of matches, by the package `gnubg` of PyPI (`pip install gnubg`).

    plyforge match backgammon engine:depth=1,evaluation=td_net python:scripts/gnubg_player.py \\
        --openings random:0 --games 1000 --jobs 1

It plays the legal move whose result GNU Backgammon values most, without cube and with gammons and
backgammons for two and three points.  GNUBG_PLIES in the environment is the number of plies at
which results are valued, by default 0.

Its own `findbestmove` cannot be used as it is.  Version 1.1.0a16 cuts a move off at the first
checker that is borne off, and `cubeinfo` has the Jacoby rule, by which gammons do not count without
the cube.  So the moves are those of Plyforge, and only positions are valued.  With 0 plies that is
what `findbestmove` does, too; `python scripts/gnubg_player.py --check 500` compares the two where
nothing is borne off, in positions of random games.
"""

import argparse
import importlib
import os
from functools import cache
from types import ModuleType
from typing import Any, Final

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.core.scores import ONGOING
from plyforge.game.game import Game, History
from plyforge.games.backgammon.layout import BAR, PLAY, Position
from plyforge.games.backgammon.notation import counts_of
from plyforge.games.backgammon.position_id import write_position_id

MAX_PLIES: Final = 3
_CUBELESS: Final = 0


def plies() -> int:
    """Return the number of plies that the environment asks for."""
    text = os.environ.get("GNUBG_PLIES", "0")
    if not text.isdecimal() or int(text) > MAX_PLIES:
        raise PlyforgeError(f"GNUBG_PLIES is '{text}'; it must be a number from 0 to {MAX_PLIES}")
    return int(text)


@cache
def engine() -> ModuleType:
    """Return the package, or explain how to install it."""
    try:
        return importlib.import_module("gnubg")
    except ImportError as error:
        raise PlyforgeError(f"no package gnubg ({error}); run 'pip install gnubg'") from None


def board_of(position: Position, side: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a position as GNU Backgammon has it: the other side's points, then those of `side`."""
    counts = (counts_of(position, 1 - side), counts_of(position, side))
    other, own = (tuple(one.get(point, 0) for point in range(1, BAR + 1)) for one in counts)
    return other, own


def without_jacoby_rule() -> dict[str, Any]:
    """Return a money game in which gammons count, although the cube stands at 1."""
    return {**engine().cubeinfo(), "jacoby": 0, "gammonprice": ((1.0, 1.0), (1.0, 1.0))}


def value_on_roll(position: Position, depth: int) -> float:
    """Return the expected points of the side that is to roll."""
    gnubg = engine()
    context = gnubg.evalcontext(_CUBELESS, depth)
    board = board_of(position, position.side)
    win, gammon, backgammon, lost_gammon, lost_backgammon, _ = gnubg.evaluate(
        board, without_jacoby_rule(), context
    )
    return float(2.0 * win - 1.0 + gammon - lost_gammon + backgammon - lost_backgammon)


def best_move(game: Game, position: Position, depth: int) -> int:
    """Return the legal move whose result is worth most."""

    def value(move: int) -> float:
        after = game.play(position, move)
        result = game.outcome(after)
        return -(result if result != ONGOING else value_on_roll(after, depth))

    return max(game.moves(position), key=value)


def choose(history: History) -> int:
    """Return the move to play; `plyforge match` calls this."""
    legal = history.legal_moves()
    return legal[0] if len(legal) == 1 else best_move(history.game, history.position, plies())


def check(count: int) -> str:
    """Compare position IDs and best moves in positions of random games; return what was found."""
    game, stream, gnubg = plyforge.load("backgammon", "python"), Stream(1), engine()
    compared = same = 0
    while compared < count:
        history = game.history()
        while not history.verdict().over and compared < count:
            position: Position = history.position
            legal = history.legal_moves()
            if position.stage == PLAY and len(legal) > 1:
                board = board_of(position, position.side)
                own, other = (counts_of(position, s) for s in (position.side, 1 - position.side))
                if gnubg.positionid(board) != write_position_id(own, other):
                    raise PlyforgeError(f"another position ID than {game.text(position)}")
                after = _after_its_move(position)
                if after is not None:
                    compared += 1
                    same += after == _after_our_move(game, position)
            history.play(legal[stream.below(len(legal))])
    return f"{same} of {compared} best moves are those of findbestmove"


Sides = list[dict[int, int]]
"""The checkers of the side to move and of the other one, by their own points."""


def _after_its_move(position: Position) -> Sides | None:
    """Return what `findbestmove` leads to; None if it bears off a checker, which is cut off."""
    gnubg = engine()
    dice = (position.roll >> 3, position.roll & 7)
    board = board_of(position, position.side)
    found = gnubg.findbestmove(board, without_jacoby_rule(), gnubg.evalcontext(), dice)
    if len(found) % 2:
        return None
    own, other = (counts_of(position, side) for side in (position.side, 1 - position.side))
    for start, end in zip(found[::2], found[1::2], strict=True):
        own[start] -= 1
        own[end] = own.get(end, 0) + 1
        if other.get(25 - end, 0) == 1:
            other[25 - end] = 0
            other[BAR] = other.get(BAR, 0) + 1
    return [{point: n for point, n in counts.items() if n} for counts in (own, other)]


def _after_our_move(game: Game, position: Position) -> Sides:
    after = game.play(position, best_move(game, position, 0))
    return [counts_of(after, side) for side in (position.side, 1 - position.side)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", type=int, default=500, help="the number of positions to compare")
    print(check(parser.parse_args().check))

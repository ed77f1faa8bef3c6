"""Levels 1 to 20: an engine that people can beat.

A level limits the nodes of a search, and up to level 15 lets the engine play any move that is near
the best: the lower the level, the further off.  How far is measured by what the position offers,
from its best move to its worst.  The same seed gives the same move.
"""

from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.hashing import mix
from plyforge.core.randomness import Stream
from plyforge.engine.engine import Engine
from plyforge.game.game import History

LEVELS: Final = 20
_FAIR_LEVEL: Final = 16
"""From here on the best move is played."""
_FIRST_NODES: Final = 30
_GROWTH: Final = 1.9
"""Every level looks at so many times the nodes of the one below."""
_FURTHEST: Final = 0.5
"""At level 1 a move may be this share of the way from the best to the worst."""
_LOOK_DEPTH: Final = 3
_LOOK_NODES: Final = 4000


@dataclass(frozen=True)
class Level:
    """What a level allows."""

    nodes: int
    margin: float
    """Which moves are near the best, as a share of the way from the best to the worst."""


def level(number: int) -> Level:
    """A level by its number."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= LEVELS:
        raise PlyforgeError(f"level {number!r} is out of range; levels go from 1 to {LEVELS}")
    nodes = int(_FIRST_NODES * _GROWTH ** (number - 1))
    margin = _FURTHEST * max(0, _FAIR_LEVEL - number) / (_FAIR_LEVEL - 1)
    return Level(nodes, margin)


def choose(
    engine: Engine, root: History, number: int, seed: int = 0, *, catch_interrupt: bool = False
) -> int:
    """Return the move that a level plays.

    Ctrl-C raises `KeyboardInterrupt`; with `catch_interrupt` the best move so far is returned.
    """
    allowed = level(number)
    result = engine.analyse(root, nodes=allowed.nodes, catch_interrupt=catch_interrupt)
    best = result.move
    legal = root.legal_moves()
    if allowed.margin == 0 or len(legal) == 1 or result.interrupted:
        return best
    stream = Stream(mix(seed, len(root.moves)))
    nodes = min(allowed.nodes, _LOOK_NODES)
    look = engine.analyse(
        root,
        depth=_LOOK_DEPTH,
        nodes=nodes,
        multipv=len(legal),
        catch_interrupt=catch_interrupt,
    )
    if look.interrupted:
        return best
    least, greatest = engine.game.rules.constant("EVALUATION_RANGE")
    scores = {line.pv[0]: min(max(line.score, least), greatest) for line in look.lines}
    if look.bound != "exact":
        # Too few nodes to tell the moves apart: any of them is as near as the others.
        return legal[stream.below(len(legal))]
    top = max(scores.values())
    nearest = top - allowed.margin * (top - min(scores.values()))
    near = [move for move in legal if scores[move] >= nearest or move == best]
    return near[stream.below(len(near))]

"""The node-count signature of a game: a number that a change of the search changes.

Positions come from random play with a fixed seed, the start among them.  Each is searched to ever
greater depths, anew each time, until a search passes some number of nodes.  The signature is the
sum of all nodes; it is the same on every machine.
"""

import time
from dataclasses import dataclass
from typing import Final

from plyforge.core.randomness import Stream
from plyforge.engine.engine import Engine
from plyforge.game.game import Game, History
from plyforge.search.enhancements import MAX_PLIES

SEED: Final = 2026
PLIES: Final = (0, 5, 10, 16)
"""How many random moves lead to each position."""
ENOUGH: Final = 10_000
"""Nodes after which a position is not searched any deeper."""
_ENTRIES: Final = 1 << 16


@dataclass(frozen=True)
class Signature:
    """What `plyforge bench` tells of a game."""

    game: str
    positions: int
    deepest: int
    nodes: int
    """The signature."""
    last_nodes: int
    """Of these, those of every position's deepest search, and what these searches took."""
    seconds: float

    @property
    def speed(self) -> float:
        """Nodes a second, in the deepest searches; shallow ones are over before they begin."""
        return self.last_nodes / self.seconds if self.seconds else 0.0


def positions(game: Game) -> list[History]:
    """The positions to search: those of the random game that are not over."""
    found = []
    for plies in PLIES:
        stream, history = Stream(SEED), game.history()
        for _ in range(plies):
            legal = history.legal_moves()
            if not legal:
                break
            history.play(legal[stream.below(len(legal))])
        if not history.verdict().over:
            found.append(history)
    return found


def signature(game: Game) -> Signature:
    """Search the positions with the preset `exact`."""
    engine = Engine(game, entries=_ENTRIES)
    roots = positions(game)
    nodes, deepest, last_nodes, seconds = 0, 0, 0, 0.0
    for root in roots:
        for depth in range(1, MAX_PLIES + 1):
            engine.clear()
            started = time.process_time()
            result = engine.analyse(root, depth=depth)
            nodes += result.nodes
            deepest = max(deepest, result.depth)
            if result.nodes > ENOUGH or result.proved:
                seconds += time.process_time() - started
                last_nodes += result.nodes
                break
    return Signature(game.name, len(roots), deepest, nodes, last_nodes, seconds)

"""The node-count signature of a game, which changes when the search changes.

The positions are the start and some from random play with a fixed seed.  Each is searched to depth
1, 2 and so on, with an empty table each time, until a search exceeds a number of nodes.  The
signature is the sum of all nodes; it is the same on every machine.
"""

import time
from dataclasses import dataclass
from typing import Final

from plyforge.core.randomness import Stream
from plyforge.engine.engine import Engine
from plyforge.game.game import Game, History
from plyforge.search.parameters import MAX_PLIES

SEED: Final = 2026
PLIES: Final = (0, 5, 10, 16)
"""The number of random moves that lead to each position."""
MIN_NODES: Final = 10_000
"""Nodes of a search after which a position is searched no deeper."""
MIN_NODES_WITH_CHANCE: Final = 1000
"""The same in a game of chance, where a ply multiplies the nodes by moves times outcomes."""
_ENTRIES: Final = 1 << 16


@dataclass(frozen=True)
class Signature:
    """The result of `plyforge bench` for a game."""

    game: str
    positions: int
    max_depth: int
    nodes: int
    """The signature."""
    last_nodes: int
    """The nodes of every position's deepest search."""
    seconds: float
    """The processor time of the deepest searches."""

    @property
    def speed(self) -> float:
        """Nodes per second of the deepest searches; shallow ones are too short to measure."""
        return self.last_nodes / self.seconds if self.seconds else 0.0


def positions(game: Game) -> list[History]:
    """Return the positions to search, without those where the game is over."""
    histories = []
    for plies in PLIES:
        stream, history = Stream(SEED), game.history()
        for _ in range(plies):
            legal = history.legal_moves()
            if not legal:
                break
            history.play(legal[stream.below(len(legal))])
        while outcomes := history.chance_outcomes():
            history.play(outcomes[0][0])
        if not history.verdict().over:
            histories.append(history)
    return histories


def signature(game: Game) -> Signature:
    """Search the positions with the preset `exact`."""
    engine = Engine(game, entries=_ENTRIES)
    engine.prepare()
    roots = positions(game)
    min_nodes = MIN_NODES_WITH_CHANCE if game.has_chance() else MIN_NODES
    nodes, max_depth, last_nodes, seconds = 0, 0, 0, 0.0
    for root in roots:
        for depth in range(1, MAX_PLIES + 1):
            engine.clear()
            started = time.process_time()
            result = engine.analyse(root, depth=depth)
            nodes += result.nodes
            max_depth = max(max_depth, result.depth)
            if result.nodes > min_nodes or result.proved:
                seconds += time.process_time() - started
                last_nodes += result.nodes
                break
    return Signature(game.name, len(roots), max_depth, nodes, last_nodes, seconds)

"""Positions of random games."""

from typing import Any

from plyforge.core.randomness import Stream
from plyforge.game.game import Game


def random_positions(game: Game, count: int, max_plies: int = 60, seed: int = 0) -> list[Any]:
    """Return positions from random games, without finished ones.

    Games follow one another until there are enough; each ends after `max_plies` moves at most.
    """
    stream = Stream(seed)
    positions: list[Any] = []
    while len(positions) < count:
        position = game.initial()
        for ply in range(max_plies):
            moves = game.legal_moves(position)
            if not moves or len(positions) == count:
                if ply == 0:  # the start position is finished
                    return positions
                break
            positions.append(position)
            position = game.play(position, stream.choice(moves))
    return positions

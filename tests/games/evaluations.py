"""Helpers for tests of evaluations: positions of random games, and sums of terms."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import plyforge
from plyforge import Game
from plyforge.core.randomness import Stream

load = cache(plyforge.load)


def random_positions(game: Game, games: int, plies: int, seed: int = 7) -> Iterator[Any]:
    """Every position of some random games."""
    stream = Stream(seed)
    for _ in range(games):
        position = game.initial()
        for _ in range(plies):
            yield position
            moves = game.moves(position)
            if not moves:
                break
            position = game.play(position, stream.choice(moves))


def total(terms: Iterable[tuple[str, float, float]]) -> float:
    return sum(value * weight for _, value, weight in terms)

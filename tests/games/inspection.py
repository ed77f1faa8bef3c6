"""A kernel that reports what a backend computes for a position, for comparison."""

from typing import Any

import numpy as np

from plyforge import Game
from plyforge.compilation.hooks_api import (
    chance,
    chance_outcomes,
    floats,
    key,
    move_limit,
    moves,
    offset,
    outcome,
    play,
    pointer,
    stuck,
)
from plyforge.compilation.kernel import Backend, Kernel, build

_WORD = (1 << 64) - 1


def inspect(position: Any, buffer: Any, shares: Any) -> int:
    """Write key, outcome and value of being stuck, then three blocks of MAX_MOVES words.

    These are the moves, or outcomes of chance, the keys of the positions they lead to, and the
    results there.
    """
    words = pointer(buffer)
    limit = move_limit()
    words[0] = key(position)
    words[1] = outcome(position)
    words[2] = stuck(position)
    legal = offset(words, 3)
    if chance(position):
        count = chance_outcomes(position, legal, floats(shares))
    else:
        count = moves(position, legal)
    keys = offset(legal, limit)
    outcomes = offset(keys, limit)
    for index in range(count):
        child = play(position, legal[index])
        keys[index] = key(child)
        outcomes[index] = outcome(child)
    return count


INSPECT = Kernel("inspect", inspect, "int64(position, address, address)")


class Inspector:
    """Reports of one backend about the positions of a game."""

    def __init__(self, game: Game, backend: Backend) -> None:
        self._game, self._backend = game, backend
        self._limit = int(game.rules.constant("MAX_MOVES"))
        self._kernel = build(INSPECT, game.rules, game.position_type, backend)

    def inspect(self, position: Any) -> dict[str, Any]:
        """Return key, outcome and value of being stuck, and each move's key and outcome."""
        limit = self._limit
        words: Any
        if self._backend == "python":
            words = {}
            count = self._kernel.call(position, words, {})
        else:
            words, shares = np.zeros(3 * limit + 4096, np.int64), np.zeros(limit + 4096)
            count = self._kernel.call(position, words.ctypes.data, shares.ctypes.data)
        numbers = [int(words[index]) for index in range(3)]
        legal, keys, outcomes = (
            [int(words[3 + block * limit + index]) for index in range(count)] for block in range(3)
        )
        return {
            "key": numbers[0] & _WORD,
            "outcome": numbers[1],
            "stuck": numbers[2],
            "moves": legal,
            "keys of children": [word & _WORD for word in keys],
            "outcomes of children": outcomes,
        }

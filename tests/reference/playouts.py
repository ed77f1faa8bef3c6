"""A slow twin of random play: `History` decides every end, `Stream` every move."""

import numpy as np

from plyforge.core.hashing import mix
from plyforge.core.randomness import Stream
from plyforge.core.scores import ONGOING
from plyforge.game.game import History
from plyforge.match.statistics.playout import PLY_WORDS
from plyforge.match.statistics.sources import Batch

ENDS = ["the side to move has no", "a draw by", "the position occurred", "without"]
"""Words for the ends after that by `outcome`, in the kernel's order."""


class HistoryPlay:
    """A source of games that knows nothing of the kernel."""

    def __init__(self, start: History, seed: int, ply_limit: int) -> None:
        self._start, self._seed, self._limit = start, seed, ply_limit

    def play(self, first: int, count: int) -> Batch:
        rows, widths = [], [[] for _ in range(self._limit)]
        for number in range(first, first + count):
            length, end, value = self._one(Stream(mix(self._seed, number)), widths)
            rows.append([length, end, int(np.float64(value).view(np.int64))])
        plies = np.zeros((self._limit, PLY_WORDS), np.int64)
        for ply, found in enumerate(widths):
            if found:
                plies[ply] = len(found), sum(found), min(found), max(found), found.count(1)
        return Batch(np.array(rows, np.int64), plies)

    def _one(self, stream: Stream, widths: list[list[int]]) -> tuple[int, int, float]:
        history = History(self._start.game, self._start.positions[0])
        for move in self._start.moves:
            history.play(move)
        before = len(history.moves)
        while True:
            length = len(history.moves) - before
            verdict = history.verdict()
            if verdict.value != ONGOING:
                end = 0
                if history.game.outcome(history.position) == ONGOING:
                    (end,) = [n for n, words in enumerate(ENDS, 1) if words in verdict.reason]
                value = verdict.value if history.turn == 0 else -verdict.value
                return length, end, value + 0.0
            if length == self._limit:
                return length, 1 + len(ENDS), 0.0
            moves = history.legal_moves()
            widths[length].append(len(moves))
            history.play(stream.choice(moves))

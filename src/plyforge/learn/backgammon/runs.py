"""Runs of TD(λ) self-play: learning, measuring and saving."""

import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyforge.compilation.interruptible import run, stopper
from plyforge.compilation.kernel import build
from plyforge.core.errors import PlyforgeError
from plyforge.core.hashing import mix
from plyforge.core.randomness import random_words
from plyforge.core.writing import write_atomically
from plyforge.games import load
from plyforge.games.backgammon.layout import Position
from plyforge.games.backgammon.td_net import SIZE
from plyforge.learn.backgammon.kernel import CHOOSE, COMPARE, LEARN, SELF_PLAY
from plyforge.learn.inputs import Reals

START_SIZE: Final = 0.1
"""Weights begin between plus and minus this."""
_Z95: Final = 1.959963984540054


@dataclass(frozen=True)
class TdRun:
    """What decides a run."""

    seed: int = 1
    rate: float = 0.1
    trace: float = 0.7

    def __post_init__(self) -> None:
        if not 0.0 < self.rate <= 1.0:
            raise PlyforgeError(f"the rate must be above 0 and at most 1, not {self.rate:g}")
        if not 0.0 <= self.trace <= 1.0:
            raise PlyforgeError(f"lambda must be between 0 and 1, not {self.trace:g}")


@dataclass(frozen=True)
class Measurement:
    """A point of the learning curve: points per game against the hand evaluation."""

    games: int
    points: float
    margin: float
    """Half the width of the 95 % interval, from pairs of games with the same dice."""
    seconds: float = 0.0


class Learner:
    """A net that learns by playing against itself."""

    def __init__(self, plan: TdRun, weights: Reals | None = None) -> None:
        self.plan = plan
        self.games = 0
        self.weights = start_weights(plan.seed) if weights is None else weights.copy()
        game = load("backgammon")
        self._start = game.initial()
        self._kernel = build(SELF_PLAY, game.rules, game.position_type, notices=game.notices)
        self._buffer = np.zeros(8192, np.int64)
        self._shares = np.zeros(8192)

    def learn(self, games: int) -> None:
        """Play so many games and learn from each; after Ctrl-C, those that have ended count."""
        self._run(LEARN, mix(self.plan.seed, self.games), games, np.zeros(1))

    def measure(self, games: int) -> Measurement:
        """Play pairs of games against the hand evaluation; the weights do not change."""
        scores = np.zeros(games + games % 2)
        self._run(COMPARE, mix(self.plan.seed, 1 << 40), len(scores), scores)
        pairs = scores.reshape(-1, 2).mean(axis=1)
        margin = _Z95 * float(pairs.std(ddof=1)) / math.sqrt(len(pairs))
        return Measurement(self.games, float(pairs.mean()), margin)

    def choose(self, position: Position) -> int:
        """Return the move that the net prefers, one ply ahead."""
        arrays = [self.weights, self._buffer, self._shares, np.zeros(1), np.zeros(8, np.int64)]
        addresses = [array.ctypes.data for array in arrays]
        return int(self._kernel.call(position, CHOOSE, 0, 1, 0.0, 0.0, *addresses))

    def _run(self, task: int, seed: int, games: int, scores: Reals) -> None:
        control = np.zeros(8, np.int64)
        arrays: list[Any] = [self.weights, self._buffer, self._shares, scores, control]
        addresses = [array.ctypes.data for array in arrays]
        rates = (self.plan.rate, self.plan.trace)
        try:
            run(
                lambda: self._kernel.call(self._start, task, seed, games, *rates, *addresses),
                stopper(control, 0),
            )
        finally:
            self.games += int(control[1])


def start_weights(seed: int) -> Reals:
    """Return small random weights."""
    words = random_words(SIZE, seed)
    return START_SIZE * ((words >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1.0)


def learn_curve(
    learner: Learner,
    games: int,
    every: int,
    measured: int,
    report: Callable[[Measurement], object],
) -> list[Measurement]:
    """Learn from `games` games, and measure before the first and after every `every` games."""
    curve = [learner.measure(measured)]
    report(curve[-1])
    while learner.games < games:
        learner.learn(min(every, games - learner.games))
        curve.append(learner.measure(measured))
        report(curve[-1])
    return curve


def save(path: Path, learner: Learner) -> None:
    """Save the weights as `games/backgammon/td_net.py` reads them."""
    buffer = io.BytesIO()
    np.save(buffer, learner.weights.astype(np.float32))
    write_atomically(path, buffer.getvalue())

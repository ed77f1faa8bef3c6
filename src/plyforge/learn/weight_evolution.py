"""Learn weights by an evolution strategy whose loss is the result of games.

All vectors of a generation play the same number of games, with the same openings, against the mean
of their distribution or against the weights of the start.  The weights of the run are the mean
after the last generation.

The deviation counts in units of the root mean square of the first weights, so that it means the
same whether a pawn is 1 or 100; if they are all 0, in units of the prediction's scale.
"""

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np

from plyforge.learn.games import GameQueue
from plyforge.learn.generations import GenerationRun, Rated, check_replay
from plyforge.learn.inputs import Reals
from plyforge.learn.methods.evolution import MAX_SEED, MatchParameters, Strategy


class EvolutionRun(GenerationRun):
    """A run of an evolution strategy."""

    def __post_init__(self) -> None:
        super().__post_init__()
        parameters = self.plan.make_parameters()
        assert isinstance(parameters, MatchParameters)
        self._parameters = parameters
        seed = (parameters.seed or self.plan.games.seed) % MAX_SEED
        square = float(np.mean(np.square(self.start)))
        self._unit = np.sqrt(square) if square > 0 else self.model.prediction.scale
        self._strategy = Strategy(
            self.start / self._unit, replace(parameters, seed=seed), noisy=True
        )
        self.generations = parameters.generations
        self.generation_games = self._strategy.size * parameters.candidate_games

    def end_reason(self) -> str:
        """Return why the strategy cannot improve, in the words of `cma`."""
        return self._strategy.end

    @property
    def _mean(self) -> Reals:
        return np.asarray(self._strategy.mean * self._unit)

    def _replay(self, extra: dict[str, Any]) -> None:
        self._strategy.set_losses(self._strategy.draw(), extra["losses"])
        if self._strategy.number == self.state.round.number:
            check_replay(self._mean, self.state.weights)

    def _rate(self, queue: GameQueue) -> Generator[int, None, Rated]:
        number, plan = self._strategy.number, self.plan
        other = self.start if self._parameters.against == "start" else self._mean
        games = replace(plan.games, seed=plan.seed_of(f"generation {number}"), explored=0)
        vectors = self._strategy.draw()
        pairs = [(vector * self._unit, other) for vector in vectors]
        count = self._parameters.candidate_games
        shares = yield from self._rate_matches(games, pairs, count, queue)
        losses = [1.0 - share for share in shares]
        loss = self._strategy.set_losses(vectors, losses)
        note = f"best of {len(losses)}: {1.0 - loss:.1%} against the {self._parameters.against}"
        return Rated(self._mean, loss, {"losses": losses}, note)

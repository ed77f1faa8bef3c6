"""Runs that learn an automatic evaluation: games, a fit to all games so far, better games.

In the first generation half of the moves are random, since all weights are 0.  Then the weights
play themselves, with a random move now and then.
"""

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from plyforge.core.randomness import Stream
from plyforge.learn.games import GamePlan, GameQueue, Pair, PlayedGame
from plyforge.learn.inputs import join_inputs
from plyforge.learn.methods.automatic import AutomaticParameters
from plyforge.learn.methods.logistic import learn_logistic
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.runs import LearningRun, Progress, score_against
from plyforge.learn.samples import Samples, mixed_targets, used_weights
from plyforge.learn.store import Round, State

_FIRST_EXPLORED: Final = 2
_FACTORS: Final = (1.0, 4.0, 0.25)
"""By what the last penalty is multiplied to find a better one."""
_EXPLORED: Final = 10
"""One move in this many is random, if the plan does not say otherwise."""


class AutomaticRun(LearningRun):
    """A run whose rounds are generations of games, each followed by a fit."""

    @property
    def _parameters(self) -> AutomaticParameters:
        parameters = self.plan.make_parameters(self.model)
        assert isinstance(parameters, AutomaticParameters)
        return parameters

    def _steps(self, games: int, queue: GameQueue) -> Iterator[Progress]:
        stored = self.store.games(self.row.id)
        yield Progress(len(stored), None)
        while self.state.round.games < games:
            began = time.monotonic()
            yield from self._play_generation(stored, games, queue)
            yield Progress(len(stored), None, "fitting")
            played = [stored[number] for number in sorted(stored)]
            samples = self._samples(played, self._parameters.positions)
            learned, penalty = self._fit_best(samples)
            number = self.state.round.number + 1
            figures = Round(number, len(played), learned.loss, learned.held_out_loss)
            if self.plan.test_rounds and number % self.plan.test_rounds == 0:
                yield Progress(len(stored), None, "testing")
                score = score_against(self.plan, learned.weights, self.start, number, queue)
                figures = replace(figures, score=score, score_games=self.plan.test_games)
            figures = replace(figures, seconds=time.monotonic() - began)
            extra = {
                "penalty": penalty,
                "positions": samples.inputs.count,
                "used weights": used_weights(samples.inputs, self.model.size),
            }
            self._add(State(figures, learned.weights, extra, (self.start,)))
            yield Progress(len(stored), figures)

    def _fit_best(self, samples: Samples) -> tuple[Learned, float]:
        """Fit the weights with several penalties; return the best one of held-out games."""
        parameters = self._parameters
        last = float(self.state.extra.get("penalty", parameters.penalty))
        factors = _FACTORS if parameters.held_out > 0 else (1.0,)
        found = []
        for factor in factors:
            # The penalty is for values as log odds, whatever their unit.
            scale = len(samples.targets) * self.model.prediction.scale**2
            chosen = replace(parameters, penalty=factor * last / scale)
            found.append((learn_logistic(self.model, self.weights, samples, chosen), factor * last))
        return min(found, key=lambda one: one[0].held_out_loss or 0.0)

    def _play_generation(
        self, stored: dict[int, PlayedGame], games: int, queue: GameQueue
    ) -> Generator[Progress, None, None]:
        """Play and store the games of the next generation that are missing."""
        first = self.state.round.games
        last = min(games, first + self._parameters.generation)
        missing = [number for number in range(first, last) if number not in stored]
        tasks: list[Pair] = [(number, self.weights, self.weights) for number in missing]
        for game in queue.play(self._game_plan(), tasks):
            self.store.add_game(self.row.id, game)
            stored[game.number] = game
            yield Progress(len(stored), None)

    def _game_plan(self) -> GamePlan:
        """Return how the next games are played."""
        games = self.plan.games
        explored = games.explored or _EXPLORED
        if self.state.round.number == 0 and not self.weights.any():
            explored = min(explored, _FIRST_EXPLORED)
        return replace(games, explored=explored)

    def _samples(self, played: Sequence[PlayedGame], positions: int) -> Samples:
        """Return some positions of each game after its opening, with results."""
        start, opening = self.game.initial(), self.plan.games.opening
        inputs, targets, numbers = [], [], []
        for game in played:
            count = len(game.moves) - opening
            if count <= 0:
                continue
            stream = Stream(self.plan.games.seed).split(f"positions {game.number}")
            rows = np.arange(opening, len(game.moves))
            if count > positions:
                order = np.argsort([stream.next_word() for _ in range(count)], kind="stable")
                rows = np.sort(rows[order[:positions]])
            read, sides = self.model.read_line(start, game.moves)
            inputs.append(read.take(rows))
            results = np.where(sides[rows] == 1, -game.result, game.result)
            searched = np.array([game.searched[row] for row in rows], np.float64)
            weight = self.plan.search_weight
            targets.append(mixed_targets(self.model.prediction, results, searched, weight))
            numbers.append(np.full(len(rows), game.number, np.int64))
        return Samples(
            join_inputs(inputs),
            np.concatenate([np.zeros(0), *targets]),
            np.concatenate([np.zeros(0, np.int64), *numbers]),
        )

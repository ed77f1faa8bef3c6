"""Learn tables of patterns from self-play, in generations of games.

The games of the first generation are played with the game's own evaluation, or with the weights
that the run starts from; those of each later one with the weights that were fitted last.  After a
generation, the tables are fitted to the final scores of all games so far, mixed with values of
searches if the plan says so.  From a given ply on both sides play perfectly, so the scores are
exact from there.
"""

import math
import tempfile
import time
from collections.abc import Generator, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import random_words
from plyforge.evaluate import quantise, save_weights
from plyforge.jobs.user_files import UserFile
from plyforge.learn.games import GameBatch, GamePlan, GameQueue, PlayedGame, play_batch
from plyforge.learn.inputs import Indices, Inputs, Reals
from plyforge.learn.methods.patterns import (
    PatternParameters,
    PatternSamples,
    StageError,
    check_form,
    fit_stages,
    mean_held_out_loss,
    mean_loss,
)
from plyforge.learn.runs import LearningRun, Progress
from plyforge.learn.samples import search_targets
from plyforge.learn.store import Round, State

BATCH: Final = 20
"""The games of a job."""


class PatternRun(LearningRun):
    """A run whose rounds are generations of games, each with a fit."""

    def __post_init__(self) -> None:
        super().__post_init__()
        parameters = self.plan.make_parameters()
        assert isinstance(parameters, PatternParameters)
        self._parameters = parameters
        self._samples = PatternSamples(check_form(self.model.evaluation.form))
        self._read = 0
        """The games that are among the samples."""

    def total_games(self, games: int | None) -> int:
        """Return the games of whole generations."""
        size = self._parameters.generation_games
        asked = 2 * size if games is None else super().total_games(games)
        return math.ceil(asked / size) * size

    def run(self, games: int | None = None) -> Generator[Progress, None, None]:
        """Play and fit until so many games have been played.

        The loop may be left at any time: games are stored as they come.
        """
        total, size = self.total_games(games), self._parameters.generation_games
        played = self.store.games(self.row.id)
        yield Progress(max(self.state.round.games, len(played)), None)
        while self.state.round.games < total:
            began, first = time.monotonic(), self.state.round.games
            yield from self._play_missing_of(range(first, first + size), played)
            yield from self._fit_all(played, first + size, began)

    # Games

    def _play_missing_of(self, numbers: range, played: dict[int, PlayedGame]) -> Iterator[Progress]:
        missing = [number for number in numbers if number not in played]
        if not missing:
            return
        plan, files = self._games_with_weights()
        batches = [missing[at : at + BATCH] for at in range(0, len(missing), BATCH)]
        with GameQueue(self.executor, files, play_batch) as queue:
            for _, games in queue.run([GameBatch(plan, tuple(batch)) for batch in batches]):
                self.store.add_games(self.row.id, games)
                played |= {game.number: game for game in games}
                yield Progress(len(played), None)

    def _games_with_weights(self) -> tuple[GamePlan, list[UserFile]]:
        """Return the plan of the next games, and the files that workers need for it."""
        parameters = self._parameters
        plan = replace(
            self.plan.games,
            longest_opening=parameters.longest_opening,
            solve_from=parameters.solve_from,
        )
        if not self.state.round.number and not self.plan.start:
            plan = replace(plan, evaluation="")
            return plan, plan.files()
        weights = self._weights_file()
        code, python, _ = plan.evaluation.partition(".py")
        name = f"{code}.py:{weights.name}" if python else weights.name
        return replace(plan, evaluation=name), [*plan.files(), weights]

    def _weights_file(self) -> UserFile:
        """Return the present weights as a file."""
        name = f"generation-{self.state.round.number}.npz"
        evaluation = quantise(self.model.with_weights(self.weights))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            save_weights(path, evaluation, self.game.name, name, "")
            return UserFile(name, name, path.read_bytes())

    # Fits

    def _fit_all(
        self, played: dict[int, PlayedGame], games: int, began: float
    ) -> Iterator[Progress]:
        """Fit the weights to the first games, and store them."""
        self._read_games([played[number] for number in range(self._read, games)])
        width, vector = self._samples.form.width, self.weights.copy()
        errors: list[StageError] = []
        for stage, weights, error in fit_stages(self._samples, vector.copy(), self._parameters):
            vector[stage * width : (stage + 1) * width] = weights
            errors.insert(0, error)
            yield Progress(games, None, f"fitted stage {stage}")
        figures = Round(
            self.state.round.number + 1,
            games,
            mean_loss(errors),
            mean_held_out_loss(errors),
            seconds=time.monotonic() - began,
        )
        extra: dict[str, Any] = {
            "errors": [asdict(error) for error in errors],
            "positions": sum(error.positions for error in errors),
            "used weights": self._samples.count_used_weights(),
        }
        self._add(State(figures, vector, extra))
        yield Progress(games, figures)

    def _read_games(self, games: list[PlayedGame]) -> None:
        """Add the positions of games to the samples."""
        seed, share = self.plan.seed_of("held out"), self._parameters.held_out
        last = max(game.number for game in games) + 1
        held = random_words(last, seed) < np.uint64(share * 2.0**64)
        for game in games:
            if (found := self._positions(game)) is not None:
                self._samples.add(*found, bool(held[game.number]))
        self._read += len(games)
        if not any(stage.targets for stage in self._samples.stages):
            raise PlyforgeError(
                "there is no position to learn from: all games ended in their random openings; use"
                " a smaller --opening and --set longest-opening"
            )

    def _positions(self, game: PlayedGame) -> tuple[Inputs, Reals, Reals] | None:
        """Return inputs, targets and scores of the positions that were searched."""
        rows: Indices = np.flatnonzero([value is not None for value in game.searched])
        if not len(rows):
            return None
        inputs, sides = self.model.read_line(self.game.initial(), game.moves)
        assert isinstance(inputs, Inputs)
        scored = self.game.rules.constant("EVALUATION_MEANING") == "score"
        score = game.score if scored else game.result * float(self.game.evaluation_limit)
        scores = np.where(sides[rows] == 0, score, -score)
        weight = self.plan.search_weight
        searched = search_targets(self.model.prediction, [game.searched[row] for row in rows])
        return inputs.take(rows), (1.0 - weight) * scores + weight * searched, scores

"""Runs that fit weights to recorded games; with more games, a run continues.

Every round fits the weights to the first games of a file, from the start of the run.  The games
that are held out are the same in all rounds, so the losses of the rounds are a learning curve.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from plyforge.core.errors import PlyforgeError, clip
from plyforge.learn.game_file import GameFile
from plyforge.learn.games import GameQueue
from plyforge.learn.losses import mean_loss
from plyforge.learn.prediction import Prediction
from plyforge.learn.recorded_samples import (
    PositionChoice,
    RecordedPositions,
    best_scale,
    read_positions,
)
from plyforge.learn.runs import LearningRun, Progress, score_against
from plyforge.learn.samples import Samples, used_weights
from plyforge.learn.store import Round, State


class RecordedRun(LearningRun):
    """A run that learns from a file of recorded games."""

    def total_games(self, games: int | None) -> int:
        """Return how many games of the file are used, by default all."""
        with GameFile.open_read_only(self.plan.data) as file:
            stored = len(file.numbers())
        if not stored:
            raise PlyforgeError(f"{clip(self.plan.data)} holds no games yet")
        total = stored if games is None else super().total_games(games)
        if total > stored:
            raise PlyforgeError(
                f"{clip(self.plan.data)} has {stored:,} games, not {total:,}; record more with"
                " 'plyforge learn record', or give a smaller --games"
            )
        return total

    def _run_samples(self, games: int, queue: GameQueue) -> Iterator[Progress]:
        plan, began = self.plan, time.monotonic()
        yield Progress(0, None, "reading games")
        if self.state.round.games == games:
            return
        positions = self._read(games)
        extra: dict[str, object] = {"points": 0.0}
        if plan.fits_scale:
            extra["scale"] = scale = best_scale(self.model, self.start, positions)
            self.model.prediction = Prediction(plan.squash, scale)
        samples = positions.samples(self.model.prediction, plan.search_weight)
        extra["held-out loss of the start"] = self._loss_of_start(samples)
        yield Progress(games, None, f"fitting {samples.inputs.count:,} positions")
        learned = yield from self._fit(samples, games)
        number = self.state.round.number + 1
        figures = Round(number, games, learned.loss, learned.held_out_loss)
        if plan.test_rounds:
            score = score_against(plan, learned.weights, self.start, number, queue)
            figures = replace(figures, score=score, score_games=plan.test_games)
        figures = replace(figures, seconds=time.monotonic() - began)
        extra |= {
            "history": learned.history,
            "positions": samples.inputs.count,
            "used weights": used_weights(samples.inputs, self.model.size),
        }
        self._add(State(figures, learned.weights, extra, (self.start,)))
        self.unfinished = None
        yield Progress(games, figures)

    def _read(self, games: int) -> RecordedPositions:
        plan = self.plan
        share = float(getattr(plan.make_parameters(), "held_out", 0.0))
        seed = plan.seed_of("held out")
        choice = PositionChoice(games, share, plan.positions, plan.quiet, seed)
        return read_positions(Path(plan.data), self.model, choice)

    def _loss_of_start(self, samples: Samples) -> float | None:
        """Return the loss of the first weights in held-out games."""
        if samples.held is None or not samples.held.any():
            return None
        _, held = samples.split(0.0, 0)
        assert held is not None
        name = getattr(self.plan.make_parameters(), "loss", "cross-entropy")
        if self.model.prediction.squash != "sigmoid":
            name = "squared"
        return mean_loss(name, self.model.predictions(self.start, held.inputs), held.targets)

"""Runs of methods that rate candidates by games: a round of such a run is a generation.

The ratings of every generation are stored, and those of the current one as they come.  A resumed
run gives the stored ratings to the method again, which then draws the same candidates as before:
it ends like an uninterrupted run.
"""

import math
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.learn.games import GamePlan, GameQueue
from plyforge.learn.inputs import Reals
from plyforge.learn.runs import LearningRun, Progress
from plyforge.learn.store import Round, State


@dataclass(frozen=True)
class Rated:
    """What a generation has brought."""

    weights: Reals
    loss: float
    """The share of points that its best candidate has not got."""
    extra: dict[str, Any]
    """What resuming needs, as plain data."""
    note: str


class GenerationRun(LearningRun):
    """A run whose rounds are generations; a subclass draws candidates and rates them."""

    generations: int
    """The number of generations, if the games do not end the run earlier."""
    generation_games: int
    """The games of each generation."""

    def total_games(self, games: int | None) -> int:
        """Return the games of the generations that will be made."""
        rounds = self.generations
        if games is not None:
            rounds = min(rounds, math.ceil(super().total_games(games) / self.generation_games))
        return rounds * self.generation_games

    def _replay(self, extra: dict[str, Any]) -> None:
        """Give the stored ratings of the next generation to the method."""
        raise NotImplementedError

    def _rate(self, queue: GameQueue) -> Generator[int, None, Rated]:
        """Rate the candidates of the next generation; yield the number of games as they end."""
        raise NotImplementedError

    def end_reason(self) -> str:
        """Return why there are no more generations, whatever the games; empty if there are."""
        return ""

    def _steps(self, games: int, queue: GameQueue) -> Iterator[Progress]:
        for extra in self.store.extras(self.row.id):
            self._replay(extra)
        yield Progress(self.state.round.games, None)
        while self.state.round.games < games and not self.end_reason():
            began, before = time.monotonic(), self.state.round
            steps, done = self._rate(queue), before.games
            while True:
                try:
                    done += next(steps)
                except StopIteration as stop:
                    rated: Rated = stop.value
                    break
                yield Progress(done, None)
            end = self.end_reason()
            note = "; ".join(filter(None, [rated.note, end and f"ends by {end}"]))
            total = before.games + self.generation_games
            figures = Round(before.number + 1, total, rated.loss, note=note)
            figures = self._test(figures, rated.weights, queue)
            figures = replace(figures, seconds=time.monotonic() - began)
            self._add(State(figures, rated.weights, rated.extra))
            yield Progress(total, figures)

    # What has been done of the next generation

    @property
    def _round(self) -> int:
        return self.state.round.number + 1

    def _parts(self) -> dict[int, bytes]:
        return self.store.parts(self.row.id, self._round)

    def _set_part(self, number: int, data: bytes) -> None:
        self.store.set_part(self.row.id, self._round, number, data)

    def _rate_matches(
        self,
        games: GamePlan,
        pairs: list[tuple[Reals, Reals]],
        count: int,
        queue: GameQueue,
        first: int = 0,
    ) -> Generator[int, None, list[float]]:
        """Play matches that are not stored as parts from number `first`; return all shares."""
        parts = self._parts()
        shares = {
            place: float(np.frombuffer(parts[first + place])[0])
            for place in range(len(pairs))
            if first + place in parts
        }
        yield count * len(shares)
        missing = [place for place in range(len(pairs)) if place not in shares]
        for place, share in queue.play_matches(games, [pairs[one] for one in missing], count):
            if share is not None:
                shares[missing[place]] = share
                self._set_part(first + missing[place], np.array([share]).tobytes())
            yield 1
        return [shares[place] for place in range(len(pairs))]


def check_replay(found: Reals, stored: Reals) -> None:
    """Raise an error if a method that was given its stored ratings has come to other weights."""
    if not np.array_equal(found, stored):
        raise PlyforgeError(
            "the run cannot be resumed: with other versions of NumPy or cma, or on another machine,"
            " it draws other candidates; begin a run with another --name, from exported weights"
        )

"""Playing many games in batches, so that an interrupt keeps what is done."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.match.statistics.figures import Tally
from plyforge.match.statistics.sources import GameSource

MAX_GAMES: Final = 10**9
MAX_SECONDS: Final = 7 * 24 * 3600
USUAL_GAMES: Final = 10_000
USUAL_SECONDS: Final = 60.0
_BATCH_SECONDS: Final = 0.1
"""Long against the cost of a batch, short for someone who waits for Ctrl-C."""
_LARGEST_BATCH: Final = 16_384


@dataclass(frozen=True)
class Budget:
    """How much is played, whichever ends first.

    Asked for neither, it is 10,000 games in at most a minute; asked for one, the other is open.
    """

    games: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.games is not None and not 1 <= self.games <= MAX_GAMES:
            raise PlyforgeError(
                f"{self.games} games are out of range; it goes from 1 to {MAX_GAMES:,}"
            )
        if self.seconds is not None and not 0 < self.seconds <= MAX_SECONDS:
            raise PlyforgeError(
                f"a time of {self.seconds:g} s is out of range; it must be more than 0 and at most"
                f" {MAX_SECONDS:,} s"
            )

    @property
    def most_games(self) -> int:
        if self.games is not None:
            return self.games
        return USUAL_GAMES if self.seconds is None else MAX_GAMES

    @property
    def most_seconds(self) -> float:
        if self.seconds is not None:
            return self.seconds
        return USUAL_SECONDS if self.games is None else float(MAX_SECONDS)


class Survey:
    """Games being played; its tally holds those that are done."""

    def __init__(self, source: GameSource, tally: Tally) -> None:
        self._source = source
        self.tally = tally
        self.seconds = 0.0
        """Spent on the games in the tally."""

    def run(self, budget: Budget, tell: Callable[[int], object] = lambda done: None) -> None:
        """Play until the budget is spent; `tell` hears after each batch how many games are done.

        At least one game is played.  An interrupt loses the batch at work, a tenth of a second.
        """
        size = 1
        while self.tally.games < budget.most_games:
            if self.tally.games and self.seconds >= budget.most_seconds:
                return
            size = min(size, budget.most_games - self.tally.games)
            started = time.perf_counter()
            batch = self._source.play(self.tally.games, size)
            spent = time.perf_counter() - started
            self.tally.add(batch)
            self.seconds += spent
            tell(self.tally.games)
            left = max(0.0, min(_BATCH_SECONDS, budget.most_seconds - self.seconds))
            size = max(1, min(_LARGEST_BATCH, 8 * size, int(size * left / max(spent, 1e-6))))

"""Comparison of a database with searches that do not use it, on positions drawn at random."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import SCORE_LIMIT, outcome_name, plies_to_end
from plyforge.database.folder import Database
from plyforge.database.slices import position_at
from plyforge.engine.engine import Engine

_TRIES = 1000
"""Numbers to draw for a position of a slice; many may stand for none."""


@dataclass(frozen=True)
class Sample:
    """A position with its value in the database and the result of a search."""

    text: str
    slice: str
    value: float
    """The database's value for the side to move."""
    search_value: float
    proved: bool
    """Whether the search found the value of perfect play, and not only an estimate."""
    depth: int

    @property
    def right(self) -> bool:
        """Whether the search does not contradict the database.

        A search finds every win and loss within its depth, so one that finds none says that there
        is none.
        """
        decided = abs(self.value) > SCORE_LIMIT
        plies = plies_to_end(self.value)
        if self.proved or abs(self.search_value) > SCORE_LIMIT:
            if decided and plies is None:
                return outcome_name(self.value) == outcome_name(self.search_value)
            return self.value == self.search_value
        return plies is None or plies > self.depth


def check_samples(
    database: Database, count: int, depth: int, seed: int, names: list[str] | None = None
) -> Iterator[Sample]:
    """Search so many positions of each slice, `depth` plies deep, and yield the results."""
    if count < 1:
        raise PlyforgeError(f"samples must be at least 1, not {count}")
    game = database.game
    engine = Engine(game)
    stream = random.Random(seed)
    for file in database.files.values():
        header = file.header
        if names and header.name not in names:
            continue
        for _ in range(count):
            drawn = (
                position_at(game, header.slice.number(stream.randrange(header.size)))
                for _ in range(_TRIES)
            )
            position = next((one for one in drawn if one is not None), None)
            if position is None or game.verdict(position).over:
                continue
            known = database.probe(position)
            assert known is not None
            result = engine.search(position, depth=depth)
            yield Sample(
                game.text(position),
                header.name,
                known.value,
                result.value,
                result.proven and result.bound == "exact",
                depth,
            )

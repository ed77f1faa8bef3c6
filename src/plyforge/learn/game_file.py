"""Files of recorded games (`.games`): moves, values of searches and results, in little space.

Such a file is an SQLite database, to which games are added as they end.  A game is a compressed
block: the number of moves, the moves as int64, the values of searches as float32, with NaN where
nothing was searched.  All games of a file are played in the same way, which the file describes.
"""

import json
import math
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import plyforge
from plyforge.core.errors import PlyforgeError, clip
from plyforge.jobs.database import Database, now
from plyforge.learn.games import LENGTH, PATH, RULES

SUFFIX: Final = ".games"
DECIDED: Final = "decided"
"""How a game ended in which one side was far ahead."""
KNOWN: Final = "known result"
"""How a game ended whose result a search knew."""
_ENDINGS: Final = (RULES, PATH, LENGTH, DECIDED, KNOWN)
_HEADER: Final = struct.Struct("<fBI")
"""The result for side 0, the ending and the number of moves."""


@dataclass(frozen=True)
class RecordedGame:
    """A game of a file."""

    number: int
    moves: tuple[int, ...]
    values: tuple[float | None, ...]
    """What the search found before each move, for the side to move; None if there was none."""
    result: float
    """The result for side 0: 1 won, 0 drawn, -1 lost."""
    ending: str

    def to_bytes(self) -> bytes:
        """Return the game as a block; `from_bytes` restores it, with values as float32."""
        values = [math.nan if value is None else value for value in self.values]
        header = _HEADER.pack(self.result, _ENDINGS.index(self.ending), len(self.moves))
        moves = np.array(self.moves, "<i8").tobytes()
        return zlib.compress(header + moves + np.array(values, "<f4").tobytes(), 1)

    @classmethod
    def from_bytes(cls, number: int, data: bytes) -> "RecordedGame":
        """Return the game in a block; raise `ValueError` if it is damaged."""
        try:
            block = zlib.decompress(data)
            result, ending, count = _HEADER.unpack_from(block)
            if len(block) != _HEADER.size + 12 * count:
                raise ValueError("the length is wrong")
            moves = np.frombuffer(block, "<i8", count, _HEADER.size)
            values = np.frombuffer(block, "<f4", count, _HEADER.size + 8 * count)
            searched = tuple(None if math.isnan(v) else v for v in values.tolist())
            return cls(number, tuple(moves.tolist()), searched, result, _ENDINGS[ending])
        except (zlib.error, struct.error, IndexError) as error:
            raise ValueError(str(error)) from None


class GameFile(Database):
    """The games of a file, and how they were played."""

    schema = """
        CREATE TABLE IF NOT EXISTS recording (
            id INTEGER PRIMARY KEY CHECK (id = 1), plan TEXT NOT NULL, created TEXT NOT NULL
        );
        CREATE TABLE IF NOT EXISTS recorded_game (number INTEGER PRIMARY KEY, data BLOB NOT NULL);
    """
    contents = "games of 'plyforge learn record'"
    create_command = "plyforge learn record GAME FILE"
    busy_message = "another process is recording games to this file"
    resume_hint = "recorded games are kept; run the same command again to resume"

    def begin(self, plan: dict[str, Any]) -> None:
        """Write how games are played; raise an error if the games so far were played otherwise."""
        asked = {**plan, "program": plyforge.__version__}
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO recording VALUES (1, ?, ?)", (json.dumps(asked), now())
            )
        stored = self.plan()
        for name in sorted({*stored, *asked}):
            if stored.get(name) != asked.get(name):
                raise PlyforgeError(
                    f"{clip(str(self.file))} has games with {name.replace('_', ' ')}"
                    f" {clip(str(stored.get(name)))}, not {clip(str(asked.get(name)))}; repeat its"
                    " options to add games, or name another file"
                )

    def plan(self) -> dict[str, Any]:
        """Return how the games were played."""
        with self.explain_errors():
            row = self.connection.execute("SELECT plan FROM recording").fetchone()
        if row is None:
            raise PlyforgeError(f"{clip(str(self.file))} holds no games yet")
        plan: dict[str, Any] = json.loads(row[0])
        return plan

    def add(self, games: Sequence[RecordedGame]) -> None:
        """Store games, in one transaction."""
        rows = [(game.number, game.to_bytes()) for game in games]
        with self.explain_errors(), self.connection:
            self.connection.executemany("INSERT INTO recorded_game VALUES (?, ?)", rows)

    def numbers(self) -> set[int]:
        """Return the numbers of the stored games."""
        with self.explain_errors():
            rows = self.connection.execute("SELECT number FROM recorded_game").fetchall()
        return {number for (number,) in rows}

    def games(self, limit: int | None = None) -> Iterator[RecordedGame]:
        """Yield the games in the order of their numbers, those below `limit` if it is given."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT number, data FROM recorded_game WHERE number < ? ORDER BY number",
                (2**62 if limit is None else limit,),
            )
            for number, data in rows:
                try:
                    yield RecordedGame.from_bytes(number, data)
                except ValueError as error:
                    raise PlyforgeError(
                        f"{clip(str(self.file))}: game {number + 1} is damaged: {error}; record"
                        " the games again"
                    ) from None


def is_game_file(path: str | Path) -> bool:
    """Whether a data set is a file of recorded games, by its name."""
    return Path(path).suffix == SUFFIX

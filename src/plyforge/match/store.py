"""Matches in an SQLite file: every game as soon as it has ended.

A match is known by what decides its games (`Plan.identity`), not by how many are played, so that
the same match is continued or extended, and another one in the same file stays apart.
"""

import json
from dataclasses import dataclass
from typing import Any, Final

from plyforge.core.database import Database, now
from plyforge.match.openings import Opening
from plyforge.match.referee import Played
from plyforge.match.schedule import Fixture

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS match (
    id INTEGER PRIMARY KEY, identity TEXT UNIQUE NOT NULL, plan TEXT NOT NULL, created TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS opening (
    match INTEGER NOT NULL REFERENCES match, number INTEGER NOT NULL,
    start TEXT, moves TEXT NOT NULL, PRIMARY KEY (match, number)
);
CREATE TABLE IF NOT EXISTS game (
    match INTEGER NOT NULL REFERENCES match, number INTEGER NOT NULL,
    opening INTEGER NOT NULL, first INTEGER NOT NULL, second INTEGER NOT NULL,
    points REAL NOT NULL, ending TEXT NOT NULL, reason TEXT NOT NULL, loop INTEGER NOT NULL,
    score REAL, moves TEXT NOT NULL,
    first_seconds REAL NOT NULL, second_seconds REAL NOT NULL,
    first_nodes INTEGER NOT NULL, second_nodes INTEGER NOT NULL,
    ended TEXT NOT NULL, PRIMARY KEY (match, number)
);
"""


@dataclass(frozen=True)
class StoredGame:
    """A game of a match, as it was played."""

    fixture: Fixture
    played: Played


class Store(Database):
    """The matches of one file."""

    schema = _SCHEMA
    busy = "another process is playing a match of this file"
    kept = "the games stored so far are kept, and the same command goes on with the others"

    def match(self, identity: str, plan: dict[str, Any]) -> int:
        """The number of a match, which is entered if it is new."""
        with self.told(), self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO match (identity, plan, created) VALUES (?, ?, ?)",
                (identity, json.dumps(plan, sort_keys=True), now()),
            )
            found = self.connection.execute(
                "SELECT id FROM match WHERE identity = ?", (identity,)
            ).fetchone()
        return int(found[0])

    def matches(self) -> list[tuple[int, dict[str, Any]]]:
        """All matches of the file, with their plans."""
        with self.told():
            found = self.connection.execute("SELECT id, plan FROM match ORDER BY id")
            return [(number, json.loads(plan)) for number, plan in found]

    def openings(self, match: int) -> list[Opening]:
        """The openings found so far."""
        with self.told():
            rows = self.connection.execute(
                "SELECT start, moves FROM opening WHERE match = ? ORDER BY number", (match,)
            )
            return [Opening(tuple(json.loads(moves)), start) for start, moves in rows]

    def add_opening(self, match: int, number: int, opening: Opening) -> None:
        with self.told(), self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO opening VALUES (?, ?, ?, ?)",
                (match, number, opening.start, json.dumps(opening.moves)),
            )

    def add(self, match: int, fixture: Fixture, played: Played) -> None:
        """Keep a game that has ended."""
        row = (
            *(match, fixture.number, fixture.opening, fixture.first, fixture.second),
            *(played.points, played.ending, played.reason, int(played.loop), played.score),
            *(json.dumps(played.moves), *played.seconds, *played.nodes, now()),
        )
        with self.told(), self.connection:
            marks = ", ".join("?" * len(row))
            self.connection.execute(f"INSERT INTO game VALUES ({marks})", row)

    def games(self, match: int) -> list[StoredGame]:
        """The games of a match in the order of their numbers."""
        with self.told():
            rows = self.connection.execute(
                "SELECT number, opening, first, second, points, ending, reason, loop, score, moves,"
                " first_seconds, second_seconds, first_nodes, second_nodes"
                " FROM game WHERE match = ? ORDER BY number",
                (match,),
            )
            return [_stored(row) for row in rows]


def _stored(row: tuple[Any, ...]) -> StoredGame:
    number, opening, first, second, points, ending, reason, loop, score, moves = row[:10]
    return StoredGame(
        Fixture(number, opening, first, second),
        Played(
            tuple(json.loads(moves)),
            points,
            reason,
            ending,
            bool(loop),
            score,
            (row[10], row[11]),
            (row[12], row[13]),
        ),
    )

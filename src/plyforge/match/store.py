"""Matches in an SQLite file: every game as soon as it has ended.

A match is known by what decides its games (`Plan.identity`), not by how many are played, so that
the same match is continued or extended, and another one in the same file stays apart.
"""

import json
from dataclasses import dataclass
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.database import Database, now
from plyforge.match.openings import Opening
from plyforge.match.referee import GameResult
from plyforge.match.schedule import Pairing

EVERY: Final = -1
"""As a number of rows: all that there are, as SQLite has it."""
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

    pairing: Pairing
    played: GameResult


@dataclass(frozen=True)
class StoredMatch:
    """A match as a list of them tells it."""

    id: int
    plan: dict[str, Any]
    created: str
    games: int
    """How many are stored."""


class Store(Database):
    """The matches of one file."""

    schema = _SCHEMA
    contents = "matches"
    create_command = "plyforge match GAME A B"
    busy_message = "another process is playing a match of this file"
    resume_hint = "stored games are kept; run the same command again to resume"

    def match(self, identity: str, plan: dict[str, Any]) -> int:
        """The number of a match, which is entered if it is new."""
        with self.explain_errors(), self.connection:
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
        with self.explain_errors():
            found = self.connection.execute("SELECT id, plan FROM match ORDER BY id")
            return [(number, json.loads(plan)) for number, plan in found]

    def count(self) -> int:
        """How many matches the file has."""
        with self.explain_errors():
            return int(self.connection.execute("SELECT COUNT(*) FROM match").fetchone()[0])

    def listed(self, begin: int, most: int) -> list[StoredMatch]:
        """Some of the matches, the newest first."""
        return self._told_of("ORDER BY id DESC LIMIT ? OFFSET ?", (most, begin))

    def numbered(self, match: int) -> StoredMatch:
        """A match by its number."""
        found = self._told_of("WHERE id = ?", (match,))
        if not found:
            raise PlyforgeError(f"{self.file} has no match {match}; it has {self.count()} of them")
        return found[0]

    def _told_of(self, which: str, values: tuple[int, ...]) -> list[StoredMatch]:
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT id, plan, created, (SELECT COUNT(*) FROM game WHERE match = match.id)"
                f" FROM match {which}",
                values,
            )
            return [StoredMatch(row[0], json.loads(row[1]), *row[2:]) for row in rows]

    def openings(self, match: int) -> list[Opening]:
        """The openings found so far."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT start, moves FROM opening WHERE match = ? ORDER BY number", (match,)
            )
            return [Opening(tuple(json.loads(moves)), start) for start, moves in rows]

    def add_opening(self, match: int, number: int, opening: Opening) -> None:
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO opening VALUES (?, ?, ?, ?)",
                (match, number, opening.start, json.dumps(opening.moves)),
            )

    def add(self, match: int, pairing: Pairing, played: GameResult) -> None:
        """Keep a game that has ended."""
        row = (
            *(match, pairing.number, pairing.opening, pairing.first, pairing.second),
            *(played.points, played.ending, played.reason, int(played.loop), played.score),
            *(json.dumps(played.moves), *played.seconds, *played.nodes, now()),
        )
        with self.explain_errors(), self.connection:
            marks = ", ".join("?" * len(row))
            self.connection.execute(f"INSERT INTO game VALUES ({marks})", row)

    def games(
        self, match: int, begin: int = 0, most: int = EVERY, moves: bool = True
    ) -> list[StoredGame]:
        """The games of a match in the order of their numbers: all, or some of them.

        Without `moves` they come without them, for whoever only counts results.
        """
        column = "moves" if moves else "'[]'"
        with self.explain_errors():
            rows = self.connection.execute(
                f"SELECT number, opening, first, second, points, ending, reason, loop, score,"
                f" {column}, first_seconds, second_seconds, first_nodes, second_nodes"
                " FROM game WHERE match = ? ORDER BY number LIMIT ? OFFSET ?",
                (match, most, begin),
            )
            return [_stored(row) for row in rows]

    def game(self, match: int, number: int) -> tuple[StoredGame, Opening]:
        """A game by its number, with its opening."""
        with self.explain_errors():
            before = self.connection.execute(
                "SELECT COUNT(*) FROM game WHERE match = ? AND number < ?", (match, number)
            ).fetchone()[0]
            found = self.games(match, before, 1)
            if not found or found[0].pairing.number != number:
                raise PlyforgeError(f"match {match} of {self.file} has no game {number + 1}")
            row = self.connection.execute(
                "SELECT start, moves FROM opening WHERE match = ? AND number = ?",
                (match, found[0].pairing.opening),
            ).fetchone()
        opening = Opening() if row is None else Opening(tuple(json.loads(row[1])), row[0])
        return found[0], opening


def _stored(row: tuple[Any, ...]) -> StoredGame:
    number, opening, first, second, points, ending, reason, loop, score, moves = row[:10]
    return StoredGame(
        Pairing(number, opening, first, second),
        GameResult(
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

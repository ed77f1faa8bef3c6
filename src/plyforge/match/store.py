"""Matches in an SQLite file, to which each game is written when it ends.

A match is identified by what determines its games (`plan.identify`), not by how many are played: it
can be resumed and extended, and a file can hold several matches.
"""

import json
from dataclasses import dataclass
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.database import Database, now
from plyforge.match.openings import Opening
from plyforge.match.referee import GameResult
from plyforge.match.schedule import Pairing

NO_LIMIT: Final = -1
"""The LIMIT of SQLite that selects all rows."""
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
    """A finished game of a match."""

    pairing: Pairing
    result: GameResult


@dataclass(frozen=True)
class StoredMatch:
    """One match, as shown in the list of matches."""

    id: int
    plan: dict[str, Any]
    created: str
    games: int
    """The number of stored games."""


class Store(Database):
    """The matches of one file."""

    schema = _SCHEMA
    contents = "matches"
    create_command = "plyforge match GAME A B"
    busy_message = "another process is playing a match of this file"
    resume_hint = "stored games are kept; run the same command again to resume"

    def match(self, identity: str, plan: dict[str, Any]) -> int:
        """Return the number of a match, adding it if it is new."""
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO match (identity, plan, created) VALUES (?, ?, ?)",
                (identity, json.dumps(plan, sort_keys=True), now()),
            )
            row = self.connection.execute(
                "SELECT id FROM match WHERE identity = ?", (identity,)
            ).fetchone()
        return int(row[0])

    def count(self) -> int:
        """Return the number of matches in the file."""
        with self.explain_errors():
            return int(self.connection.execute("SELECT COUNT(*) FROM match").fetchone()[0])

    def list_matches(self, begin: int = 0, limit: int = NO_LIMIT) -> list[StoredMatch]:
        """Return the matches, newest first: all, or `limit` of them from `begin`."""
        return self._select("ORDER BY id DESC LIMIT ? OFFSET ?", (limit, begin))

    def find_match(self, match: int) -> StoredMatch:
        """Return the match with this number."""
        rows = self._select("WHERE id = ?", (match,))
        if not rows:
            raise PlyforgeError(f"{self.file} has no match {match}; it holds {self.count()}")
        return rows[0]

    def _select(self, which: str, values: tuple[int, ...]) -> list[StoredMatch]:
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT id, plan, created, (SELECT COUNT(*) FROM game WHERE match = match.id)"
                f" FROM match {which}",
                values,
            )
            return [StoredMatch(row[0], json.loads(row[1]), *row[2:]) for row in rows]

    def openings(self, match: int) -> list[Opening]:
        """Return the openings found so far."""
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

    def add(self, match: int, pairing: Pairing, result: GameResult) -> None:
        """Store a finished game."""
        row = (
            *(match, pairing.number, pairing.opening, pairing.first, pairing.second),
            *(result.points, result.ending, result.reason, int(result.loop), result.score),
            *(json.dumps(result.moves), *result.seconds, *result.nodes, now()),
        )
        with self.explain_errors(), self.connection:
            marks = ", ".join("?" * len(row))
            self.connection.execute(f"INSERT INTO game VALUES ({marks})", row)

    def games(
        self, match: int, begin: int = 0, limit: int = NO_LIMIT, moves: bool = True
    ) -> list[StoredGame]:
        """Return the games of a match in the order of their numbers: all, or `limit` of them.

        Without `moves`, which saves time where only results count, their moves are empty.
        """
        column = "moves" if moves else "'[]'"
        with self.explain_errors():
            rows = self.connection.execute(
                f"SELECT number, opening, first, second, points, ending, reason, loop, score,"
                f" {column}, first_seconds, second_seconds, first_nodes, second_nodes"
                " FROM game WHERE match = ? ORDER BY number LIMIT ? OFFSET ?",
                (match, limit, begin),
            )
            return [_read_game(row) for row in rows]

    def game(self, match: int, number: int) -> tuple[StoredGame, Opening]:
        """Return the game with this number, and its opening."""
        with self.explain_errors():
            before = self.connection.execute(
                "SELECT COUNT(*) FROM game WHERE match = ? AND number < ?", (match, number)
            ).fetchone()[0]
            games = self.games(match, before, 1)
            if not games or games[0].pairing.number != number:
                raise PlyforgeError(f"match {match} of {self.file} has no game {number + 1}")
            row = self.connection.execute(
                "SELECT start, moves FROM opening WHERE match = ? AND number = ?",
                (match, games[0].pairing.opening),
            ).fetchone()
        opening = Opening() if row is None else Opening(tuple(json.loads(row[1])), row[0])
        return games[0], opening


def _read_game(row: tuple[Any, ...]) -> StoredGame:
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

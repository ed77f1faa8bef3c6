"""A tuning in an SQLite file, to which each game is written when it ends.

A file holds one tuning.  Its values are not stored: they follow from the results of the games.
"""

import json
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.jobs.database import Database, now
from plyforge.match.openings import Opening
from plyforge.match.referee import GameResult

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tuning (
    id INTEGER PRIMARY KEY CHECK (id = 1), plan TEXT NOT NULL, created TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS tuning_opening (
    number INTEGER PRIMARY KEY, start TEXT, moves TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS tuning_game (
    number INTEGER PRIMARY KEY, first TEXT NOT NULL, second TEXT NOT NULL,
    points REAL NOT NULL, ending TEXT NOT NULL, reason TEXT NOT NULL, moves TEXT NOT NULL,
    first_seconds REAL NOT NULL, second_seconds REAL NOT NULL,
    first_nodes INTEGER NOT NULL, second_nodes INTEGER NOT NULL, ended TEXT NOT NULL
);
"""


class TuningStore(Database):
    """The tuning of one file."""

    schema = _SCHEMA
    contents = "tuning"
    create_command = "plyforge tune GAME PARAMETER"
    busy_message = "another process is playing games of this file"
    resume_hint = "stored games are kept; run the same command again to resume"

    def settings(self) -> dict[str, Any] | None:
        """Return the plan of the tuning as plain data; None if there is none yet."""
        with self.explain_errors():
            row = self.connection.execute("SELECT plan FROM tuning").fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def begin(self, settings: dict[str, Any]) -> None:
        """Store the plan; raise an error if the file holds games of another one."""
        text = json.dumps(settings, sort_keys=True)
        stored, asked = self.settings(), json.loads(text)
        if stored is None or (stored != asked and not self.results()):
            with self.explain_errors(), self.connection:
                self.connection.execute("DELETE FROM tuning_opening")
                self.connection.execute(
                    "INSERT OR REPLACE INTO tuning VALUES (1, ?, ?)", (text, now())
                )
            return
        for name in settings:
            if stored.get(name) != asked[name]:
                difference = _describe_difference(name, stored.get(name), asked[name])
                raise PlyforgeError(
                    f"{clip(str(self.file))} holds a tuning {difference}; give another file, or"
                    f" resume that one with 'plyforge tune --resume --db {clip(str(self.file))}'"
                )

    def openings(self) -> list[Opening]:
        """Return the openings."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT start, moves FROM tuning_opening ORDER BY number"
            )
            return [Opening(tuple(json.loads(moves)), start) for start, moves in rows]

    def add_openings(self, openings: list[Opening]) -> None:
        """Store all openings at once: the number of them determines which game gets which."""
        rows = [(n, one.start, json.dumps(one.moves)) for n, one in enumerate(openings)]
        with self.explain_errors(), self.connection:
            self.connection.executemany("INSERT INTO tuning_opening VALUES (?, ?, ?)", rows)

    def add(self, number: int, players: tuple[str, str], result: GameResult) -> None:
        """Store a finished game."""
        row = (
            *(number, *players, result.points, result.ending, result.reason),
            *(json.dumps(result.moves), *result.seconds, *result.nodes, now()),
        )
        with self.explain_errors(), self.connection:
            marks = ", ".join("?" * len(row))
            self.connection.execute(f"INSERT INTO tuning_game VALUES ({marks})", row)

    def results(self) -> dict[int, tuple[float, str]]:
        """Return the first side's points and the kind of ending of every game, by number."""
        with self.explain_errors():
            rows = self.connection.execute("SELECT number, points, ending FROM tuning_game")
            return {number: (points, ending) for number, points, ending in rows}


def _describe_difference(name: str, stored: Any, asked: Any) -> str:
    """Describe a setting of the stored tuning that differs from the one that is asked for."""
    if name == "game":
        return f"of {stored}, not of {asked}"
    if name == "parameters":
        stored, asked = (", ".join(map(_parameter_text, one or ())) for one in (stored, asked))
    elif name == "files":
        changed = [path for path in asked if (stored or {}).get(path) != asked[path]]
        return f"with another version of {', '.join(changed) or 'its files'}"
    elif name in ("limits", "rules"):
        stored, asked = (_nonempty(one) for one in (stored, asked))
    return f"with {name} {stored}, not {asked}"


def _parameter_text(one: dict[str, Any]) -> str:
    """Return a parameter as the command line has it."""
    numbers = (one["start"], one["minimum"], one["maximum"], one["step"])
    return f"{one['name']}={':'.join(f'{number:g}' for number in numbers)}"


def _nonempty(settings: dict[str, Any] | None) -> str:
    given = {name: value for name, value in (settings or {}).items() if value is not None}
    return ", ".join(f"{name}={value}" for name, value in given.items()) or "none"

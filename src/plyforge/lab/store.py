"""Measurements in an SQLite file, each as soon as it is made.

A run is known by its experiment (the text of its file, too), its seed and the version of Plyforge:
with more positions or depths it grows, and two runs never mix.
"""

import json
import platform
from dataclasses import dataclass
from typing import Any, Final

from plyforge import __version__
from plyforge.core.errors import PlyforgeError
from plyforge.jobs.database import Database, now
from plyforge.lab.data import Measurement
from plyforge.lab.experiment import Experiment

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, identity TEXT UNIQUE NOT NULL,
    about TEXT NOT NULL, created TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS measurement (
    run INTEGER NOT NULL REFERENCES run, number INTEGER NOT NULL, variation TEXT NOT NULL,
    depth INTEGER NOT NULL, repeat INTEGER NOT NULL, vals TEXT NOT NULL, made TEXT NOT NULL,
    PRIMARY KEY (run, number, variation, depth, repeat)
);
"""


@dataclass(frozen=True)
class Run:
    """A run of an experiment."""

    id: int
    experiment: str
    about: dict[str, Any]
    created: str


class LabStore(Database):
    """The runs of one file."""

    schema = _SCHEMA
    contents = "measurements"
    create_command = "plyforge lab run NAME"

    def run(self, experiment: Experiment, seed: int) -> Run:
        """The run of an experiment from a seed, which is entered if it is new."""
        identity = f"{experiment.name} {experiment.digest} seed={seed} {__version__}"
        about = {
            "seed": seed,
            "version": __version__,
            "digest": experiment.digest,
            "machine": f"{platform.machine()}, {platform.system()}, Python"
            f" {platform.python_version()}",
            "variations": [variation.told for variation in experiment.variations],
        }
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO run (experiment, identity, about, created)"
                " VALUES (?, ?, ?, ?)",
                (experiment.name, identity, json.dumps(about, default=str), now()),
            )
            number = self.connection.execute(
                "SELECT id FROM run WHERE identity = ?", (identity,)
            ).fetchone()[0]
        return self.numbered(int(number))

    def runs(self, experiment: str | None = None) -> list[Run]:
        """All runs, or those of an experiment, the oldest first."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT id, experiment, about, created FROM run"
                " WHERE ? IS NULL OR experiment = ? ORDER BY id",
                (experiment, experiment),
            )
            return [
                Run(number, name, json.loads(about), made) for number, name, about, made in rows
            ]

    def numbered(self, number: int) -> Run:
        """A run by its number."""
        for run in self.runs():
            if run.id == number:
                return run
        known = ", ".join(str(run.id) for run in self.runs()) or "none"
        raise PlyforgeError(f"{self.file} has no run {number}; it has {known}")

    def count_runs(self) -> int:
        """How many runs the file has."""
        with self.explain_errors():
            return int(self.connection.execute("SELECT COUNT(*) FROM run").fetchone()[0])

    def listed(self, begin: int, most: int) -> list[tuple[Run, int]]:
        """Some of the runs, the newest first, each with its number of measurements."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT id, experiment, about, created,"
                " (SELECT COUNT(*) FROM measurement WHERE run = run.id)"
                " FROM run ORDER BY id DESC LIMIT ? OFFSET ?",
                (most, begin),
            )
            return [(Run(row[0], row[1], json.loads(row[2]), row[3]), row[4]) for row in rows]

    def add(self, run: Run, made: Measurement) -> None:
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT INTO measurement VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    *(run.id, made.case, made.variation, made.depth, made.repeat),
                    *(json.dumps(made.values), now()),
                ),
            )

    def count(self, run: Run) -> int:
        """How many measurements a run has."""
        with self.explain_errors():
            found = self.connection.execute(
                "SELECT COUNT(*) FROM measurement WHERE run = ?", (run.id,)
            )
            return int(found.fetchone()[0])

    def measurements(self, run: Run) -> list[Measurement]:
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT number, variation, depth, repeat, vals FROM measurement"
                " WHERE run = ? ORDER BY depth, number, variation, repeat",
                (run.id,),
            )
            return [
                Measurement(case, variation, depth, repeat, json.loads(values))
                for case, variation, depth, repeat, values in rows
            ]

"""Measurements in an SQLite file, each written as soon as it is made.

A run is identified by its experiment (including the code that measures), its seed and the version
of Plyforge. More positions or depths extend a run; two runs never mix.
"""

import json
import platform
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from plyforge import __version__
from plyforge.core.errors import PlyforgeError
from plyforge.jobs.database import Database, now
from plyforge.lab.data import Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.origin import origin

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
_PAUSE: Final = 300.0
"""A longer time between two measurements, in seconds, is a pause of the run."""


@dataclass(frozen=True)
class Run:
    """A run of an experiment."""

    id: int
    experiment: str
    about: dict[str, Any]
    created: str


class LabStore(Database):
    """The runs in one file."""

    schema = _SCHEMA
    contents = "measurements"
    create_command = "plyforge lab run NAME"

    def run(self, experiment: Experiment, seed: int) -> Run:
        """Return the run of an experiment with a seed; create it if it is new."""
        identity = f"{experiment.name} {experiment.digest} seed={seed} {__version__}"
        about = {
            "seed": seed,
            "version": __version__,
            "digest": experiment.digest,
            "machine": f"{platform.machine()}, {platform.system()}, Python"
            f" {platform.python_version()}",
            "variations": [variation.to_dict() for variation in experiment.variations],
            "claims": [claim.registered for claim in experiment.claims],
            **origin(),
        }
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO run (experiment, identity, about, created)"
                " VALUES (?, ?, ?, ?)",
                (experiment.name, identity, json.dumps(about, default=str), now()),
            )
            run_id = self.connection.execute(
                "SELECT id FROM run WHERE identity = ?", (identity,)
            ).fetchone()[0]
        return self.find_run(int(run_id))

    def runs(self, experiment: str | None = None) -> list[Run]:
        """Return all runs, or those of an experiment, oldest first."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT id, experiment, about, created FROM run"
                " WHERE ? IS NULL OR experiment = ? ORDER BY id",
                (experiment, experiment),
            )
            return [
                Run(number, name, json.loads(about), made) for number, name, about, made in rows
            ]

    def find_run(self, number: int) -> Run:
        """Return a run by its number."""
        for run in self.runs():
            if run.id == number:
                return run
        numbers = ", ".join(str(run.id) for run in self.runs()) or "none"
        raise PlyforgeError(f"{self.file} has no run {number}; it has {numbers}")

    def add_times(self, run: Run) -> Run:
        """Return the run with its begin, its end, and how long it took without long pauses."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT made FROM measurement WHERE run = ? ORDER BY made", (run.id,)
            )
            moments = [
                datetime.fromisoformat(text) for text in (run.created, *(row[0] for row in rows))
            ]
        gaps = [(b - a).total_seconds() for a, b in pairwise(sorted(moments))]
        seconds = sum(gap for gap in gaps if gap <= _PAUSE)
        times = {
            "begun": f"{moments[0]:%Y-%m-%d %H:%M}",
            "ended": f"{moments[-1]:%Y-%m-%d %H:%M}",
            "running_time": f"{seconds / 60:.1f} min",
        }
        return replace(run, about={**run.about, **times})

    def count_runs(self) -> int:
        """Return the number of runs in the file."""
        with self.explain_errors():
            return int(self.connection.execute("SELECT COUNT(*) FROM run").fetchone()[0])

    def list_runs(self, begin: int, limit: int) -> list[tuple[Run, int]]:
        """Return some of the runs, newest first, each with its number of measurements."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT id, experiment, about, created,"
                " (SELECT COUNT(*) FROM measurement WHERE run = run.id)"
                " FROM run ORDER BY id DESC LIMIT ? OFFSET ?",
                (limit, begin),
            )
            return [(Run(row[0], row[1], json.loads(row[2]), row[3]), row[4]) for row in rows]

    def add(self, run: Run, measurement: Measurement) -> None:
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT INTO measurement VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    *(
                        run.id,
                        measurement.case,
                        measurement.variation,
                        measurement.depth,
                        measurement.repeat,
                    ),
                    *(json.dumps(measurement.values), now()),
                ),
            )

    def count(self, run: Run) -> int:
        """Return the number of measurements of a run."""
        with self.explain_errors():
            row = self.connection.execute(
                "SELECT COUNT(*) FROM measurement WHERE run = ?", (run.id,)
            )
            return int(row.fetchone()[0])

    def measurements(self, run: Run) -> list[Measurement]:
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT number, variation, depth, repeat, vals FROM measurement"
                " WHERE run = ? ORDER BY depth, number, variation, repeat",
                (run.id,),
            )
            return [
                Measurement(case, variation, depth, repeat, dict(json.loads(values)))
                for case, variation, depth, repeat, values in rows
            ]

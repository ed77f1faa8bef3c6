"""Learning in an SQLite file, to which every state is written when it is reached.

A file holds any number of runs, each with a name.  A run is a sequence of rounds; the state after a
round is all that the next one depends on, so a run that was killed resumes with the last of them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.jobs.database import Database, now
from plyforge.learn.games import PlayedGame
from plyforge.learn.inputs import Reals

KEPT_WEIGHTS: Final = 4096
"""Of longer vectors only the last one is kept: each round would add megabytes."""


@dataclass(frozen=True)
class Round:
    """The figures after a round."""

    number: int
    games: int
    """The games played so far."""
    loss: float | None = None
    held_out_loss: float | None = None
    """The loss in games that are not learned from."""
    score: float | None = None
    """The share of points against the weights of the start, if it was measured then."""
    score_games: int = 0
    seconds: float = 0.0
    """The time that the round took."""
    note: str = ""
    """What happened, in words."""


@dataclass(frozen=True)
class State:
    """What the next round depends on."""

    round: Round
    weights: Reals
    extra: dict[str, Any]
    """What a method keeps besides the weights, as plain data."""
    others: tuple[Reals, ...] = ()
    """Vectors of the same length that it keeps, such as the weights of the clone."""


@dataclass(frozen=True)
class RunRow:
    """A run of the file."""

    id: int
    name: str
    plan: dict[str, Any]
    created: str


@dataclass(frozen=True)
class RunSummary:
    """How far a run is."""

    last: Round
    """The last round that has ended."""
    ended: str
    """When it ended."""
    tested: Round | None
    """The last round with a test against the start."""


class LearningStore(Database):
    """The runs of a file."""

    schema = """
        CREATE TABLE IF NOT EXISTS learning (
            id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, plan TEXT NOT NULL,
            created TEXT NOT NULL
        );
        CREATE TABLE IF NOT EXISTS learning_round (
            run INTEGER, number INTEGER, games INTEGER NOT NULL, loss REAL, held_out_loss REAL,
            score REAL, score_games INTEGER NOT NULL, seconds REAL NOT NULL, note TEXT NOT NULL,
            ended TEXT NOT NULL, weights BLOB, others BLOB, extra TEXT NOT NULL,
            PRIMARY KEY (run, number)
        );
        CREATE TABLE IF NOT EXISTS learning_game (
            run INTEGER, number INTEGER, data TEXT NOT NULL, PRIMARY KEY (run, number)
        );
        CREATE TABLE IF NOT EXISTS learning_part (
            run INTEGER, round INTEGER, number INTEGER, data BLOB NOT NULL,
            PRIMARY KEY (run, round, number)
        );
    """
    optional_tables = frozenset({"learning_part"})
    contents = "runs of 'plyforge learn'"
    create_command = "plyforge learn GAME METHOD"
    busy_message = "another process is learning with this file"
    resume_hint = "what was learned is kept; run the same command again to resume"

    def runs(self) -> list[RunRow]:
        """Return all runs, the oldest first."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT id, name, plan, created FROM learning ORDER BY id"
            ).fetchall()
        return [RunRow(number, name, json.loads(plan), made) for number, name, plan, made in rows]

    def find(self, name: str) -> RunRow:
        """Return a run by its name."""
        runs = {run.name: run for run in self.runs()}
        if not runs:
            raise PlyforgeError(
                f"{clip(str(self.file))} holds no runs yet; '{self.create_command}' begins one"
            )
        if name not in runs:
            raise UnknownName("run", name, runs)
        return runs[name]

    def begin(self, name: str, plan: dict[str, Any]) -> RunRow:
        """Return the run with this name, new or stored; raise an error if its plan is another."""
        text = json.dumps(plan, sort_keys=True)
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO learning (name, plan, created) VALUES (?, ?, ?)",
                (name, text, now()),
            )
        run, asked = self.find(name), json.loads(text)
        difference = _find_difference(run.plan, asked)
        if difference is None:
            return run
        if not self._is_empty(run.id):
            raise PlyforgeError(
                f"{clip(str(self.file))} holds a run '{name}' with {difference}; repeat its options"
                " to resume it, or choose another --name"
            )
        # It has failed before anything was learned, so its options may be corrected.
        with self.explain_errors(), self.connection:
            self.connection.execute("UPDATE learning SET plan = ? WHERE id = ?", (text, run.id))
        return self.find(name)

    def _is_empty(self, run: int) -> bool:
        """Whether nothing has been stored of a run."""
        tables = ("learning_round", "learning_game", "learning_part")
        with self.explain_errors():
            return not any(
                self.connection.execute(
                    f"SELECT 1 FROM {table} WHERE run = ? LIMIT 1", (run,)
                ).fetchone()
                for table in tables
            )

    def add_state(self, run: int, state: State) -> None:
        """Store the state after a round, in one transaction."""
        figures = state.round
        others = np.concatenate(state.others) if state.others else np.zeros(0)
        row = (
            *(run, figures.number, figures.games, figures.loss, figures.held_out_loss),
            *(figures.score, figures.score_games, figures.seconds, figures.note, now()),
            *(state.weights.tobytes(), others.tobytes(), json.dumps(state.extra)),
        )
        with self.explain_errors(), self.connection:
            if len(state.weights) > KEPT_WEIGHTS:
                self.connection.execute(
                    "UPDATE learning_round SET weights = NULL WHERE run = ?", (run,)
                )
            self.connection.execute("UPDATE learning_round SET others = NULL WHERE run = ?", (run,))
            marks = ", ".join("?" * len(row))
            self.connection.execute(f"INSERT INTO learning_round VALUES ({marks})", row)
            self.connection.execute("DELETE FROM learning_part WHERE run = ?", (run,))

    def last_state(self, run: int) -> State | None:
        """Return the last state of a run, None if it has none."""
        with self.explain_errors():
            row = self.connection.execute(
                f"SELECT {_FIGURES}, weights, others, extra FROM learning_round WHERE run = ?"
                " ORDER BY number DESC LIMIT 1",
                (run,),
            ).fetchone()
        if row is None:
            return None
        *figures, weights, others, extra = row
        vector = np.frombuffer(weights).copy()
        count = len(others) // max(len(weights), 1) if others else 0
        kept = np.frombuffer(others).reshape(count, -1) if count else np.zeros((0, 0))
        return State(Round(*figures), vector, json.loads(extra), tuple(one.copy() for one in kept))

    def extras(self, run: int) -> list[dict[str, Any]]:
        """Return what the method kept after each round, besides the weights."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT extra FROM learning_round WHERE run = ? ORDER BY number", (run,)
            ).fetchall()
        return [json.loads(extra) for (extra,) in rows]

    def set_part(self, run: int, round_number: int, number: int, data: bytes) -> None:
        """Store a part of a round that has not ended; the end of the round drops it."""
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT OR REPLACE INTO learning_part VALUES (?, ?, ?, ?)",
                (run, round_number, number, data),
            )

    def parts(self, run: int, round_number: int) -> dict[int, bytes]:
        """Return the stored parts of a round that has not ended, by number."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT number, data FROM learning_part WHERE run = ? AND round = ?",
                (run, round_number),
            ).fetchall()
        return dict(rows)

    def rounds(self, run: int) -> list[Round]:
        """Return the figures of all rounds of a run."""
        with self.explain_errors():
            rows = self.connection.execute(
                f"SELECT {_FIGURES} FROM learning_round WHERE run = ? ORDER BY number", (run,)
            ).fetchall()
        return [Round(*row) for row in rows]

    def summary(self, run: int) -> RunSummary | None:
        """Return how far a run is, None if no round has ended; this is fast for long runs too."""
        select = f"SELECT ended, {_FIGURES} FROM learning_round WHERE run = ?"
        order = "ORDER BY number DESC LIMIT 1"
        with self.explain_errors():
            last = self.connection.execute(f"{select} {order}", (run,)).fetchone()
            tested = self.connection.execute(
                f"{select} AND score IS NOT NULL {order}", (run,)
            ).fetchone()
        if last is None:
            return None
        return RunSummary(Round(*last[1:]), last[0], Round(*tested[1:]) if tested else None)

    def weights(self, run: int, max_rounds: int | None = None) -> list[tuple[int, Reals]]:
        """Return the weights that are kept, with the number of games after which they were.

        With `max_rounds`, of more rounds some are left out, but not the first and the last.
        """
        with self.explain_errors():
            kept = self.connection.execute(
                "SELECT number FROM learning_round WHERE run = ? AND weights IS NOT NULL"
                " ORDER BY number",
                (run,),
            ).fetchall()
            numbers = [number for (number,) in kept]
            if max_rounds is not None and len(numbers) > max_rounds:
                places = np.linspace(0, len(numbers) - 1, max_rounds).round().astype(int)
                numbers = [numbers[place] for place in places]
            select = "SELECT games, weights FROM learning_round WHERE run = ? AND number = ?"
            rows = [self.connection.execute(select, (run, one)).fetchone() for one in numbers]
        # Meanwhile a running job may have dropped some.
        return [(games, np.frombuffer(blob).copy()) for games, blob in rows if blob is not None]

    def add_game(self, run: int, game: PlayedGame) -> None:
        """Store a game."""
        self.add_games(run, [game])

    def add_games(self, run: int, games: Sequence[PlayedGame]) -> None:
        """Store games, in one transaction."""
        rows = [(run, game.number, json.dumps(game.fields())) for game in games]
        with self.explain_errors(), self.connection:
            self.connection.executemany("INSERT INTO learning_game VALUES (?, ?, ?)", rows)

    def games(self, run: int) -> dict[int, PlayedGame]:
        """Return the stored games of a run, by number."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT number, data FROM learning_game WHERE run = ? ORDER BY number", (run,)
            ).fetchall()
        return {number: PlayedGame.from_fields(json.loads(data)) for number, data in rows}


_FIGURES: Final = "number, games, loss, held_out_loss, score, score_games, seconds, note"


_FIRST_SETTINGS: Final = ("game", "evaluation", "method")
"""Settings on which others depend."""


def _find_difference(before: dict[str, Any], after: dict[str, Any]) -> str | None:
    """Return the first setting that differs, in words; None if all are the same."""
    for key in [*_FIRST_SETTINGS, *sorted({*before, *after} - {*_FIRST_SETTINGS})]:
        one, other = before.get(key), after.get(key)
        if one == other:
            continue
        if isinstance(one, dict) and isinstance(other, dict):
            if key == "files":
                changed = next(n for n in sorted({*one, *other}) if one.get(n) != other.get(n))
                return f"another content of the file {clip(changed)}"
            return _find_difference(one, other)
        return f"{key.replace('_', ' ')} {_short(one)}, not {_short(other)}"
    return None


def _short(value: Any) -> str:
    return clip("none" if value in (None, "", {}) else str(value))

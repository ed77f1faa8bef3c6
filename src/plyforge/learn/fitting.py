"""`plyforge fit`: collect samples from games, and fit the numbers of a step to them."""

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import plyforge
from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.game.game import Game
from plyforge.jobs.database import Database, now
from plyforge.jobs.executor import Executor
from plyforge.learn import probcut, realization
from plyforge.learn.selfplay import Observe, SelfPlay, play_games
from plyforge.search.fits import Fit, Row, fingerprint_of, start_of

MAX_GAMES: Final = 1_000_000


@dataclass(frozen=True)
class Method:
    """A way to fit numbers: what is kept of each position, and how rows come from it."""

    observe: Observe
    rows: Callable[[Sequence[Any], Game, int], list[Row]]
    """Takes the samples of all games, the game and the depth of the searches."""
    games: int
    """How many games are played by default."""
    depth: int
    min_depth: int = 1
    read: Callable[[Game, Path], list[Any]] | None = None
    """Takes samples from a file of games, if it can."""


METHODS: Final[dict[str, Method]] = {
    "probcut": Method(
        probcut.observe,
        lambda games, game, depth: probcut.fit_rows(
            games, int(game.rules.constant("PHASES")), depth
        ),
        games=100,
        depth=8,
        min_depth=3,
    ),
    "realization": Method(
        realization.observe,
        lambda games, game, depth: realization.fit_rows(games),
        games=200,
        depth=5,
        read=realization.read_samples,
    ),
}


def find_method(name: str) -> Method:
    """Return a method by its name."""
    if name not in METHODS:
        raise UnknownName("method", name, METHODS)
    return METHODS[name]


class SampleStore(Database):
    """Samples of games, stored as they come."""

    schema = """
        CREATE TABLE IF NOT EXISTS fits (id INTEGER PRIMARY KEY, plan TEXT UNIQUE, started TEXT);
        CREATE TABLE IF NOT EXISTS samples (
            fit INTEGER, game INTEGER, data TEXT, PRIMARY KEY (fit, game));
    """
    contents = "samples of a fit"
    create_command = "plyforge fit"

    def open_fit(self, method: str, plan: SelfPlay, fingerprint: str) -> int:
        """Return the number of the fit with this plan, new or stored."""
        program = plyforge.__version__
        digests = [file.digests() for file in plan.files()]
        text = json.dumps([program, method, asdict(plan), fingerprint, digests], sort_keys=True)
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO fits (plan, started) VALUES (?, ?)", (text, now())
            )
            found = self.connection.execute("SELECT id FROM fits WHERE plan = ?", (text,))
            return int(found.fetchone()[0])

    def add(self, fit: int, number: int, data: Any) -> None:
        """Store the samples of a game."""
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT INTO samples VALUES (?, ?, ?)", (fit, number, json.dumps(data))
            )

    def samples(self, fit: int) -> dict[int, Any]:
        """Return the samples by the number of their game."""
        with self.explain_errors():
            rows = self.connection.execute(
                "SELECT game, data FROM samples WHERE fit = ? ORDER BY game", (fit,)
            ).fetchall()
        return {number: json.loads(data) for number, data in rows}


def collect(
    method: Method, plan: SelfPlay, games: int, store: SampleStore, fit: int, executor: Executor
) -> Generator[int, None, None]:
    """Play the missing games; yield the number of stored games, at first and after each one."""
    if not 1 <= games <= MAX_GAMES:
        raise PlyforgeError(f"the number of games must be between 1 and {MAX_GAMES}, not {games}")
    store.claim()
    known = store.samples(fit)
    missing = [number for number in range(games) if number not in known]
    done = games - len(missing)
    yield done
    for number, found in play_games(plan, method.observe, missing, executor):
        store.add(fit, number, found)
        done += 1
        yield done


def make_fit(
    name: str, game: Game, samples: Sequence[Any], depth: int, made: dict[str, Any]
) -> Fit:
    """Fit the numbers of a method to samples; `made` says where these come from."""
    rows = find_method(name).rows(samples, game, depth)
    positions = sum(map(len, samples))
    return Fit(
        name,
        game.name,
        start_of(game),
        str(made.get("evaluation") or "own"),
        fingerprint_of(game),
        {**made, "program": plyforge.__version__, "games": len(samples), "positions": positions},
        tuple(rows),
    )

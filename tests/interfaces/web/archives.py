"""Small files of results, and files with other contents."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.testclient import TestClient

from plyforge.games import load
from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.state import Databases, ServerState
from plyforge.lab.catalog import load_experiment
from plyforge.lab.data import Measurement
from plyforge.lab.store import LabStore, Run
from plyforge.match.openings import Opening
from plyforge.match.plan import Plan, identify
from plyforge.match.players import RandomPlayer
from plyforge.match.referee import MatchRules, Referee
from plyforge.match.store import Store
from tests.interfaces.web.pages import HOST

PLAYERS = ("random", "random:name=<b>other</b>", "random:name=third")
EXPERIMENT = "fail-soft"


@contextmanager
def serve_files(
    matches: Path | None = None, lab: Path | None = None, *games: str
) -> Iterator[TestClient]:
    """Serve these files."""
    app = application(ServerState(games, databases=Databases(matches, lab)))
    with TestClient(app, base_url=HOST) as client:
        yield client


def play_match(file: Path, game: str, players: int, games: int, seed: int = 0) -> None:
    """Store games between random players, as a match does."""
    rules = load(game)
    plan = Plan(game, PLAYERS[:players], max(2, games + games % 2), seed=seed)
    with Store(file) as store:
        match = store.match(identify(plan.settings()), plan.settings())
        for pairing, _ in zip(plan.pairings(), range(games), strict=False):
            seats = RandomPlayer(), RandomPlayer()
            for number, seat in enumerate(seats):
                seat.begin(100 * seed + 2 * pairing.number + number)
            store.add_opening(match, pairing.opening, Opening())
            store.add(match, pairing, Referee(rules, MatchRules()).play(seats, rules.history()))


def store_run(file: Path, name: str = EXPERIMENT, seed: int = 0) -> Run:
    """Store a run with invented figures."""
    chosen = load_experiment(name)
    with LabStore(file) as store:
        run = store.run(chosen, seed)
        for depth in chosen.depths[:2]:
            for case in range(4):
                for place, variation in enumerate(chosen.variations):
                    values = {
                        "wrong": 0.0,
                        "error": 0.0,
                        "nodes": 100.0 * depth + 10 * place + case,
                    }
                    store.add(run, Measurement(case, variation.name, depth, 0, values))
    return run


def make_database(file: Path, schema: str) -> Path:
    """Make a database with another schema."""
    connection = sqlite3.connect(file)
    connection.executescript(schema)
    connection.close()
    return file

"""Small files of results, and files with other contents."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from starlette.testclient import TestClient

from plyforge.games import load
from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.state import Databases, ServerState
from plyforge.lab.catalog import load_experiment
from plyforge.lab.data import Measurement
from plyforge.lab.store import LabStore, Run
from plyforge.learn.games import GamePlan
from plyforge.learn.plan import LearningPlan
from plyforge.learn.store import LearningStore, Round, State
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
    matches: Path | None = None,
    lab: Path | None = None,
    *games: str,
    learning: Path | None = None,
) -> Iterator[TestClient]:
    """Serve these files."""
    app = application(ServerState(games, databases=Databases(matches, lab, learning)))
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


def store_learning(
    file: Path,
    name: str,
    rounds: int,
    weights: int = 6,
    game: str = "connect4",
    **settings: Any,
) -> None:
    """Store a run of learning with invented figures; later calls add rounds to it.

    A weight changes by its place in the vector from round to round.
    """
    plan = LearningPlan(GamePlan(game), "td")
    with LearningStore(file) as store:
        run = store.begin(name, {**plan.settings(load(game)), **settings})
        last = store.summary(run.id)
        for number in range(1 if last is None else last.last.number + 1, rounds + 1):
            tested = number % 3 == 0
            figures = Round(
                number,
                10 * number,
                1 / number,
                2 / number,
                0.5 + 0.25 * tested if tested else None,
                20 * tested,
            )
            store.add_state(run.id, State(figures, 1.0 * number * np.arange(weights), {}))


def make_database(file: Path, schema: str) -> Path:
    """Make a database with another schema."""
    connection = sqlite3.connect(file)
    connection.executescript(schema)
    connection.close()
    return file

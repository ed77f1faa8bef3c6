"""Choose features by a genetic algorithm whose fitness is a tournament of trained evaluations.

    H. Neto, R. Julia, LS-Draughts: a draughts learning system based on genetic algorithms, neural
    network and temporal differences, IEEE Congress on Evolutionary Computation, 2007.

Every individual of a generation is a set of features.  An evaluation that uses these only learns
from games against itself; then all of a generation play each other, and the share of points is the
fitness.  Survivors are trained and judged anew.  Training is that of `plyforge learn` with any
method that learns while it plays, for any game whose evaluation has named features.

The fitness of a generation is stored when its tournament ends, and a training after each of its
rounds: a selection that was interrupted resumes there, and ends like an uninterrupted one.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.jobs.executor import Executor
from plyforge.jobs.local import local_executor
from plyforge.learn.games import GamePlan, GameQueue, match_score
from plyforge.learn.inputs import Reals
from plyforge.learn.masking import feature_names
from plyforge.learn.methods.genetic import (
    Bits,
    Evolved,
    Generation,
    GeneticParameters,
    evolve_features,
)
from plyforge.learn.plan import LearningPlan
from plyforge.learn.runs import LearningRun
from plyforge.learn.store import LearningStore


class SelectionStore(LearningStore):
    """Runs of learning, and the fitness of generations."""

    schema = (
        LearningStore.schema
        + """
        CREATE TABLE IF NOT EXISTS selection_fitness (
            settings TEXT, generation INTEGER, fitness TEXT NOT NULL,
            PRIMARY KEY (settings, generation)
        );
    """
    )
    contents = "selections of features"

    def fitness(self, settings: str, generation: int) -> list[float] | None:
        """Return the stored fitness of a generation, None if there is none."""
        with self.explain_errors():
            row = self.connection.execute(
                "SELECT fitness FROM selection_fitness WHERE settings = ? AND generation = ?",
                (settings, generation),
            ).fetchone()
        return None if row is None else [float(value) for value in json.loads(row[0])]

    def add_fitness(self, settings: str, generation: int, fitness: Sequence[float]) -> None:
        """Store the fitness of a generation, and drop its trainings, which are not needed now."""
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT INTO selection_fitness VALUES (?, ?, ?)",
                (settings, generation, json.dumps(list(fitness))),
            )
            for table in ("learning_round", "learning_game", "learning"):
                self.connection.execute(f"DELETE FROM {table}")


@dataclass
class FeatureSelection:
    """A search for the features with which an evaluation learns best."""

    plan: LearningPlan
    """How evaluations learn.  Its seed decides all trainings; each has a seed of its own."""
    genetic: GeneticParameters = field(default_factory=GeneticParameters)
    training_games: int = 200
    pair_games: int = 4
    """Games between each two of a generation, half of them with either side."""
    store: SelectionStore = field(default_factory=lambda: SelectionStore(":memory:"))
    executor: Executor = field(default_factory=local_executor)
    names: tuple[str, ...] = field(init=False)
    """All features."""

    def __post_init__(self) -> None:
        if self.pair_games < 2 or self.pair_games % 2:
            raise PlyforgeError(
                "the games of a pair must be an even number of at least 2, so that both begin"
                f" equally often, not {self.pair_games}"
            )
        game = self.plan.games.load_game()
        self.names = feature_names(self.plan.make_model(game).evaluation.form)
        settings: dict[str, Any] = {
            "plan": self.plan.settings(game),
            "genetic": asdict(replace(self.genetic, generations=1)),
            "games": [self.training_games, self.pair_games],
        }
        del settings["genetic"]["generations"]
        self._settings = json.dumps(settings, sort_keys=True)
        self.store.claim()

    def choose(self, report: Callable[[Generation], object] = lambda generation: None) -> Evolved:
        """Return the fittest subset of all generations; `report` is called after each of them."""
        return evolve_features(len(self.names), self._fitness, self.genetic, report)

    def chosen_names(self, bits: Bits) -> tuple[str, ...]:
        """Return the names of a subset of features."""
        return tuple(name for name, bit in zip(self.names, bits, strict=True) if bit)

    def train(self, names: Sequence[str], label: str) -> Reals:
        """Return the weights that are learned with these features; `label` decides the seed."""
        seed = Stream(self.plan.games.seed).split(f"training {label}").below(1 << 62)
        plan = replace(self.plan, games=replace(self.plan.games, seed=seed), features=tuple(names))
        run = LearningRun(plan, self.store, label, self.executor)
        for _ in run.run(self.training_games):
            pass
        return run.weights

    def _fitness(self, individuals: Sequence[Bits], number: int) -> Sequence[float]:
        stored = self.store.fitness(self._settings, number)
        if stored is not None:
            return stored
        players = [
            self.train(self.chosen_names(bits), f"generation {number}, individual {place}")
            for place, bits in enumerate(individuals)
        ]
        games = replace(
            self.plan.games,
            seed=Stream(self.plan.games.seed).split(f"tournament {number}").below(1 << 62),
            explored=0,
            lines=False,
        )
        with GameQueue(self.executor, self.plan.files()) as queue:
            fitness = play_tournament(games, players, self.pair_games, queue)
        self.store.add_fitness(self._settings, number, fitness)
        return fitness


def play_tournament(
    games: GamePlan, players: Sequence[Reals], pair_games: int, queue: GameQueue
) -> list[float]:
    """Return the share of points of each vector of weights, when all play each other."""
    points = np.zeros(len(players))
    for one, other in combinations(range(len(players)), 2):
        score = match_score(games, players[one], players[other], pair_games, queue)
        points[one] += score
        points[other] += 1.0 - score
    return [float(value) for value in points / max(1, len(players) - 1)]

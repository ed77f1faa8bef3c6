"""Choose features by a genetic algorithm whose fitness is a tournament of trained evaluations.

    H. Neto, R. Julia, LS-Draughts: a draughts learning system based on genetic algorithms, neural
    network and temporal differences, IEEE Congress on Evolutionary Computation, 2007.

Every individual of a generation is a set of features.  An evaluation that uses these only learns
from games against itself; then all of a generation play each other, and the share of points is the
fitness.  Survivors are trained and judged anew, and the fittest of the last generation is chosen.
Training is that of `plyforge learn` with any method that learns while it plays, for any game whose
evaluation has named features.

A training is one job, so individuals are trained at the same time.  Every training and every match
of a tournament is stored when it ends: a selection that was interrupted resumes there, and ends
like an uninterrupted one.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.core.randomness import Stream
from plyforge.jobs.database import IN_MEMORY
from plyforge.jobs.executor import Executor, Report, Work
from plyforge.jobs.local import local_executor
from plyforge.learn.games import GameQueue, GameTask, play_task
from plyforge.learn.generations import GenerationRun, Rated
from plyforge.learn.inputs import Reals
from plyforge.learn.masking import feature_names
from plyforge.learn.methods import LEAVES, find_method
from plyforge.learn.methods.genetic import (
    TRAININGS,
    Bits,
    Evolved,
    Generation,
    GeneticParameters,
    Population,
    SelectionParameters,
    fittest_at_the_end,
)
from plyforge.learn.plan import GENETIC, LearningPlan
from plyforge.learn.runs import LearningRun
from plyforge.learn.store import LearningStore

_TRAINING_PARAMETERS: Final = ("rate", "trace")
"""Parameters of trainings that are those of the genetic algorithm, too."""


@dataclass(frozen=True)
class TrainingTask:
    """A training: the job of a worker."""

    plan: LearningPlan
    games: int


def train_or_play(task: TrainingTask | GameTask, report: Report) -> Any:
    """Do the job of a worker: return the weights after a training, or a game."""
    if isinstance(task, GameTask):
        return play_task(task, report)
    with LearningStore(IN_MEMORY) as store:
        run = LearningRun(task.plan, store, "training", local_executor(0))
        for _ in run.run(task.games):
            pass
        return run.weights


class GeneticRun(GenerationRun):
    """A run of the genetic algorithm; its weights are those of the fittest of a generation."""

    def __post_init__(self) -> None:
        super().__post_init__()
        parameters = self.plan.make_parameters()
        assert isinstance(parameters, SelectionParameters)
        self.parameters = replace(parameters, seed=parameters.seed or self.plan.games.seed)
        self.names = feature_names(self.model.evaluation.form)
        """All features."""
        self.history: list[Generation] = []
        """The generations that have been rated."""
        self._population = Population(len(self.names), self.parameters)
        rounds = -(-parameters.training_games // self.plan.round_games)
        self._training_games = rounds * self.plan.round_games
        self._pairs = list(combinations(range(parameters.population), 2))
        self.generations = parameters.generations
        self.generation_games = (
            parameters.population * self._training_games + len(self._pairs) * parameters.pair_games
        )

    @property
    def _work(self) -> Work:
        return train_or_play

    def chosen_names(self, bits: Bits) -> tuple[str, ...]:
        """Return the names of a subset of features."""
        return tuple(name for name, bit in zip(self.names, bits, strict=True) if bit)

    def training_plan(self, names: Sequence[str], label: str) -> LearningPlan:
        """Return how these features are trained; `label` decides the seed."""
        parameters = self.parameters
        method = find_method(parameters.training)
        known = method.ranges()
        games = replace(
            self.plan.games,
            seed=Stream(self.plan.games.seed).split(f"training {label}").below(1 << 62),
            lines=method.data == LEAVES,
        )
        return replace(
            self.plan,
            games=games,
            method=method.name,
            parameters={n: getattr(parameters, n) for n in _TRAINING_PARAMETERS if n in known},
            test_rounds=0,
            features=tuple(names),
        )

    def _replay(self, extra: dict[str, Any]) -> None:
        self.history.append(self._population.set_fitness(extra["fitness"]))

    def _rate(self, queue: GameQueue) -> Generator[int, None, Rated]:
        number = self._population.number
        players = yield from self._train(queue)
        games = replace(
            self.plan.games,
            seed=Stream(self.plan.games.seed).split(f"tournament {number}").below(1 << 62),
            explored=0,
        )
        pairs = [(players[one], players[other]) for one, other in self._pairs]
        shares = yield from self._rate_matches(
            games, pairs, self.parameters.pair_games, queue, first=len(players)
        )
        fitness = tournament_scores(len(players), self._pairs, shares)
        generation = self._population.set_fitness(fitness)
        self.history.append(generation)
        best, share = generation.best, generation.fitness[generation.best]
        names = self.chosen_names(generation.individuals[best])
        bits = ["".join("01"[bit] for bit in one.astype(int)) for one in generation.individuals]
        extra = {"fitness": fitness, "individuals": bits, "features": list(names)}
        note = f"best of {len(players)}: {share:.1%}, {len(names)} of {len(self.names)} features"
        return Rated(players[best], 1.0 - share, extra, note)

    def _train(self, queue: GameQueue) -> Generator[int, None, list[Reals]]:
        """Return the weights of all individuals, trained now or before."""
        number, individuals = self._population.number, self._population.individuals
        parts = self._parts()
        trained = {
            place: np.frombuffer(parts[place]).copy()
            for place in range(len(individuals))
            if place in parts
        }
        yield self._training_games * len(trained)
        missing = [place for place in range(len(individuals)) if place not in trained]
        tasks = [
            TrainingTask(
                self.training_plan(
                    self.chosen_names(individuals[place]),
                    f"generation {number}, individual {place}",
                ),
                self.parameters.training_games,
            )
            for place in missing
        ]
        for place, weights in queue.run(tasks):
            trained[missing[place]] = weights
            self._set_part(missing[place], weights.tobytes())
            yield self._training_games
        return [trained[place] for place in range(len(individuals))]


def tournament_scores(
    players: int, pairs: Sequence[tuple[int, int]], shares: Sequence[float]
) -> list[float]:
    """Return the share of points of each player, from those of the first player of each pair."""
    points = np.zeros(players)
    for (one, other), share in zip(pairs, shares, strict=True):
        points[one] += share
        points[other] += 1.0 - share
    return [float(value) for value in points / max(1, players - 1)]


class SelectionStore(LearningStore):
    """Selections of features, and trainings of chosen ones."""

    contents = "selections of features"


@dataclass
class FeatureSelection:
    """A search for the features with which an evaluation learns best, as one call."""

    plan: LearningPlan
    """How evaluations learn.  Its seed decides all trainings; each has a seed of its own."""
    genetic: GeneticParameters = field(default_factory=GeneticParameters)
    training_games: int = 200
    pair_games: int = 4
    """Games between each two of a generation, half of them with either side."""
    store: LearningStore = field(default_factory=lambda: SelectionStore(IN_MEMORY))
    executor: Executor = field(default_factory=local_executor)
    run: GeneticRun = field(init=False)
    names: tuple[str, ...] = field(init=False)
    """All features."""

    def __post_init__(self) -> None:
        if self.plan.method not in TRAININGS:
            raise PlyforgeError(
                f"features are trained by a method that learns while it plays"
                f" ({', '.join(TRAININGS)}), not by '{self.plan.method}'"
            )
        for name in self.plan.parameters:
            if name not in _TRAINING_PARAMETERS:
                raise UnknownName("parameter of trainings", name, _TRAINING_PARAMETERS)
        given = self.plan.make_parameters()
        shared = {n: getattr(given, n) for n in _TRAINING_PARAMETERS if hasattr(given, n)}
        plan = replace(
            self.plan,
            games=replace(self.plan.games, lines=False),
            method=GENETIC,
            parameters={
                **{name: getattr(self.genetic, name) for name in GeneticParameters.__match_args__},
                **shared,
                "training": self.plan.method,
                "training_games": self.training_games,
                "pair_games": self.pair_games,
            },
        )
        settings = json.dumps(plan.settings(plan.games.load_game()), sort_keys=True)
        digest = hashlib.blake2b(settings.encode(), digest_size=8).hexdigest()
        self.run = GeneticRun(plan, self.store, f"selection {digest}", self.executor)
        self.names = self.run.names

    def choose(self, report: Callable[[Generation], object] = lambda generation: None) -> Evolved:
        """Return the fittest subset of the last generation; `report` is called after each."""
        reported = 0
        for step in self.run.run():
            if step.round is not None or not reported:
                for generation in self.run.history[reported:]:
                    report(generation)
                reported = len(self.run.history)
        return fittest_at_the_end(self.run.history[: self.genetic.generations])

    def chosen_names(self, bits: Bits) -> tuple[str, ...]:
        """Return the names of a subset of features."""
        return self.run.chosen_names(bits)

    def train(self, names: Sequence[str], label: str) -> Reals:
        """Return the weights that are learned with these features; `label` decides the seed."""
        plan = self.run.training_plan(names, label)
        run = LearningRun(plan, self.store, f"{self.run.name}: {label}", self.executor)
        for _ in run.run(self.training_games):
            pass
        return run.weights

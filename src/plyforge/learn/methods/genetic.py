"""A genetic algorithm over subsets of features.

    J. Holland, Adaptation in Natural and Artificial Systems, 1975; D. Goldberg, Genetic Algorithms
    in Search, Optimization and Machine Learning, 1989.

An individual is a string of bits, one for each feature.  The caller gives the fitness: it can be a
tournament of trained nets, so all individuals of a generation are judged together.  The next
generation has the best individuals unchanged (elitism), and children.  The parents of a child are
the fittest of some individuals drawn at random (tournament selection); each bit comes from either
parent (uniform crossover), and is then flipped with a small probability (mutation).  No child is
empty: one without a feature gets one at random.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.learn.methods.parameters import MAX_RATE, RATE, Parameters, choice, integer, real

Bits = NDArray[np.bool_]
Fitness = Callable[[Sequence[Bits], int], Sequence[float]]
"""Returns the fitness of each individual of a generation, whose number is given; more is better."""
TRAININGS: Final = ("td", "td-forward", "tdleaf", "td-root")
"""Methods by which an individual of a run can learn: those that learn while they play."""
_RESOLUTION = 1 << 32


@dataclass(frozen=True)
class GeneticParameters(Parameters):
    """The parameters of the genetic algorithm."""

    population: int = integer(12, "individuals of a generation", 2, 100_000)
    generations: int = integer(8, "generations, with the first one", 1, 1_000_000)
    tournament: int = integer(3, "individuals from which a parent is chosen", 1, 100_000)
    crossover: float = real(0.9, "the probability that a child has two parents", 0.0, 1.0)
    mutation: float = real(0.03, "the probability that a bit flips", 0.0, 1.0)
    elite: int = integer(1, "individuals that survive unchanged", 0, 100_000)
    density: float = real(0.5, "the share of features in the first generation", 0.0, 1.0)
    seed: int = integer(
        0, "the seed of all chance; in a run, 0 takes that of the run", 0, 2**63 - 1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.elite >= self.population:
            raise PlyforgeError(
                f"elite must be less than the population of {self.population}, not {self.elite}"
            )


@dataclass(frozen=True)
class SelectionParameters(GeneticParameters):
    """The same, and how fitness is measured: by trainings, then a tournament."""

    training: str = choice("td", "the method of the trainings", TRAININGS)
    training_games: int = integer(200, "games of each training", 1, 10_000_000)
    rate: float = real(0.1, f"{RATE}, in trainings", 0.0, MAX_RATE, above=True)
    trace: float = real(0.7, "λ of the trainings, not for td-root", 0.0, 1.0)
    pair_games: int = integer(
        4, "games between each two of a generation, an even number", 2, 10_000
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pair_games % 2:
            raise PlyforgeError(
                "the games of a pair must be an even number of at least 2, so that both begin"
                f" equally often, not {self.pair_games}"
            )


@dataclass(frozen=True, eq=False)
class Generation:
    """The individuals of a generation and their fitness, in order of their birth."""

    number: int
    individuals: tuple[Bits, ...]
    fitness: tuple[float, ...]

    @property
    def best(self) -> int:
        """The index of the fittest individual; the first one of equals."""
        return int(np.argmax(self.fitness))


@dataclass(frozen=True, eq=False)
class Evolved:
    """The fittest individual that was found, and all generations."""

    bits: Bits
    fitness: float
    generations: tuple[Generation, ...]


class Population:
    """The individuals of the current generation, and how the next one comes from their fitness."""

    def __init__(self, features: int, parameters: GeneticParameters) -> None:
        if features < 1:
            raise PlyforgeError(f"there must be at least one feature, not {features}")
        self._parameters = parameters
        self._stream = Stream(parameters.seed)
        self.number = 0
        """The number of the generation."""
        self.individuals = [
            _not_empty(_coins(self._stream, features, parameters.density), self._stream)
            for _ in range(parameters.population)
        ]

    def set_fitness(self, fitness: Sequence[float]) -> Generation:
        """Return the generation with the fitness of its individuals, and make the next one."""
        values = [float(value) for value in fitness]
        if len(values) != len(self.individuals) or not np.isfinite(values).all():
            raise PlyforgeError(
                f"the fitness of generation {self.number} must be {len(self.individuals)} finite"
                f" numbers, not {values}"
            )
        generation = Generation(self.number, tuple(self.individuals), tuple(values))
        self.number += 1
        self.individuals = _next(generation, self._parameters, self._stream)
        return generation


def evolve_features(
    features: int,
    fitness: Fitness,
    parameters: GeneticParameters,
    report: Callable[[Generation], object] = lambda generation: None,
) -> Evolved:
    """Search for the subset of features with the best fitness."""
    population = Population(features, parameters)
    generations: list[Generation] = []
    for number in range(parameters.generations):
        generations.append(population.set_fitness(fitness(population.individuals, number)))
        report(generations[-1])
    return fittest(generations)


def fittest(generations: Sequence[Generation]) -> Evolved:
    """Return the fittest individual of all generations; the first one of equals."""
    best = max(generations, key=lambda one: one.fitness[one.best])
    return Evolved(best.individuals[best.best], best.fitness[best.best], tuple(generations))


def fittest_at_the_end(generations: Sequence[Generation]) -> Evolved:
    """Return the fittest individual of the last generation.

    It is the choice if fitness compares the individuals of one generation only, as the points of a
    tournament do: against weaker opponents a weak individual would have more of them.
    """
    return replace(fittest(generations[-1:]), generations=tuple(generations))


def _next(generation: Generation, parameters: GeneticParameters, stream: Stream) -> list[Bits]:
    """Return the individuals of the next generation."""
    ranked = np.argsort([-value for value in generation.fitness], kind="stable")
    children = [generation.individuals[index] for index in ranked[: parameters.elite]]
    while len(children) < parameters.population:
        child = _parent(generation, parameters.tournament, stream)
        if _chance(stream, parameters.crossover):
            other = _parent(generation, parameters.tournament, stream)
            child = np.where(_coins(stream, len(child), 0.5), child, other)
        child = child ^ _coins(stream, len(child), parameters.mutation)
        children.append(_not_empty(child, stream))
    return children


def _parent(generation: Generation, size: int, stream: Stream) -> Bits:
    drawn = [stream.below(len(generation.individuals)) for _ in range(size)]
    return generation.individuals[max(drawn, key=lambda index: generation.fitness[index])]


def _coins(stream: Stream, count: int, probability: float) -> Bits:
    return np.array([_chance(stream, probability) for _ in range(count)], np.bool_)


def _chance(stream: Stream, probability: float) -> bool:
    return stream.below(_RESOLUTION) < probability * _RESOLUTION


def _not_empty(bits: Bits, stream: Stream) -> Bits:
    if bits.any():
        return bits
    filled = bits.copy()
    filled[stream.below(len(bits))] = True
    return filled

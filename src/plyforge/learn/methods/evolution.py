"""Evolution strategies: covariance matrix adaptation, by the package `cma`.

    N. Hansen, A. Ostermeier, Completely derandomized self-adaptation in evolution strategies,
    Evolutionary Computation 9, 2001.

Vectors of weights are drawn from a normal distribution around a mean; the better half moves the
mean, and shapes the covariances of the next draw.  It needs no gradient: the objective may be the
result of games, which is noisy.  All vectors of a generation are judged together.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.learn.inputs import Reals
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.parameters import Parameters, choice, integer, real

Objective = Callable[[Sequence[Reals], int], Sequence[float]]
"""Returns the loss of each vector of a generation, whose number is given; less is better."""
MAX_SEED: Final = 2**32 - 1
OPPONENTS: Final = ("mean", "start")
_NOISY: Final = {
    "tolfun": 0.0,
    "tolfunhist": 0.0,
    "tolfunrel": 0.0,
    "tolflatfitness": np.inf,
    "tolstagnation": np.inf,
}
"""Options of `cma` by which losses never end a search."""


@dataclass(frozen=True)
class EvolutionParameters(Parameters):
    """The parameters of evolution strategies."""

    deviation: float = real(
        0.3, "the first standard deviation of the weights", 0.0, 1e12, above=True
    )
    generations: int = integer(100, "the number of generations", 1, 10_000_000)
    population: int = integer(0, "vectors of a generation; 0 chooses by their length", 0, 1_000_000)
    seed: int = integer(
        0, "the seed of all chance; in a run, 0 takes that of the run", 0, MAX_SEED - 1
    )


@dataclass(frozen=True)
class MatchParameters(EvolutionParameters):
    """The same, and how the loss is measured: by games."""

    candidate_games: int = integer(20, "games of each vector, an even number", 2, 1_000_000)
    against: str = choice("mean", "whom the vectors play: their mean, or the start", OPPONENTS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.candidate_games % 2:
            raise PlyforgeError(
                "the games of a vector must be an even number, so that both sides begin equally"
                f" often, not {self.candidate_games}"
            )


class Strategy:
    """The normal distribution from which the vectors of a generation are drawn.

    Equal losses end a search; not so if they are noisy, as results of a few games are.
    """

    def __init__(
        self, weights: Reals, parameters: EvolutionParameters, noisy: bool = False
    ) -> None:
        cma = _import_cma()
        start = np.array(weights, np.float64)
        if len(start) < 2:
            raise PlyforgeError("evolution strategies need at least two weights")
        options: dict[str, Any] = {
            "seed": np.nan,  # or it would set and use the seed of the whole process
            "randn": np.random.RandomState(parameters.seed + 1).randn,
            "verbose": -9,
            "maxiter": np.inf,
            **(_NOISY if noisy else {}),
        }
        if parameters.population:
            if parameters.population < 2:
                raise PlyforgeError("population must be 0 or at least 2, not 1")
            options["popsize"] = parameters.population
        self._strategy = cma.CMAEvolutionStrategy(start, parameters.deviation, options)
        self.number = 0
        """The number of the generation."""

    @property
    def size(self) -> int:
        """The number of vectors of a generation."""
        return int(self._strategy.popsize)

    @property
    def mean(self) -> Reals:
        """The mean of the distribution."""
        return np.array(self._strategy.mean, np.float64)

    @property
    def end(self) -> str:
        """Why no further generation makes sense, in the words of `cma`; empty if one does."""
        return ", ".join(self._strategy.stop()) if self.number else ""

    def draw(self) -> list[Reals]:
        """Return the vectors of the generation."""
        return [np.array(vector, np.float64) for vector in self._strategy.ask()]

    def set_losses(self, vectors: Sequence[Reals], losses: Sequence[float]) -> float:
        """Move the distribution to the better vectors; return the smallest loss."""
        values = [float(loss) for loss in losses]
        if len(values) != len(vectors) or any(map(math.isnan, values)):
            raise PlyforgeError(
                f"the objective of generation {self.number} must be {len(vectors)} numbers, not"
                f" {values}"
            )
        self._strategy.tell(list(vectors), values)
        self.number += 1
        return min(values)


def learn_evolution(
    weights: Reals,
    objective: Objective,
    parameters: EvolutionParameters,
    report: Callable[[int, float], object] = lambda generation, loss: None,
) -> Learned:
    """Minimise an objective from the given weights; return the mean of the last generation.

    The loss is the smallest one of the last generation.
    """
    strategy = Strategy(weights, parameters)
    history: list[tuple[float, float | None]] = []
    while strategy.number < parameters.generations and not strategy.end:
        vectors = strategy.draw()
        loss = strategy.set_losses(vectors, objective(vectors, strategy.number))
        history.append((loss, None))
        report(len(history), loss)
    return Learned(strategy.mean, history[-1][0], None, tuple(history))


def _import_cma() -> Any:
    try:
        import cma
    except ImportError as error:
        raise PlyforgeError(
            "evolution strategies need the package 'cma'; install it: pip install plyforge[learn]"
        ) from error
    return cma

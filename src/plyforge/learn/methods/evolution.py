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
from typing import Any

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.learn.inputs import Reals
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.parameters import Parameters, integer, real

Objective = Callable[[Sequence[Reals], int], Sequence[float]]
"""Returns the loss of each vector of a generation, whose number is given; less is better."""
MAX_SEED = 2**32 - 1


@dataclass(frozen=True)
class EvolutionParameters(Parameters):
    """The parameters of evolution strategies."""

    deviation: float = real(
        0.3, "the first standard deviation of the weights", 0.0, 1e12, above=True
    )
    generations: int = integer(100, "the number of generations", 1, 10_000_000)
    population: int = integer(0, "vectors of a generation; 0 chooses by their length", 0, 1_000_000)
    seed: int = integer(0, "the seed of all chance", 0, MAX_SEED - 1)


def learn_evolution(
    weights: Reals,
    objective: Objective,
    parameters: EvolutionParameters,
    report: Callable[[int, float], object] = lambda generation, loss: None,
) -> Learned:
    """Minimise an objective from the given weights; return the mean of the last generation.

    The loss is the smallest one of the last generation.
    """
    cma = _import_cma()
    options: dict[str, Any] = {
        "seed": parameters.seed + 1,  # 0 would take the clock
        "verbose": -9,
        "maxiter": parameters.generations,
    }
    if parameters.population:
        if parameters.population < 2:
            raise PlyforgeError("population must be 0 or at least 2, not 1")
        options["popsize"] = parameters.population
    start = np.array(weights, np.float64)
    if len(start) < 2:
        raise PlyforgeError("evolution strategies need at least two weights")
    strategy = cma.CMAEvolutionStrategy(start, parameters.deviation, options)
    history: list[tuple[float, float | None]] = []
    while not strategy.stop() or not history:
        vectors = [np.array(vector, np.float64) for vector in strategy.ask()]
        losses = [float(loss) for loss in objective(vectors, len(history))]
        if len(losses) != len(vectors) or any(map(math.isnan, losses)):
            raise PlyforgeError(
                f"the objective of generation {len(history)} must be {len(vectors)} numbers, not"
                f" {losses}"
            )
        strategy.tell(vectors, losses)
        history.append((min(losses), None))
        report(len(history), min(losses))
    return Learned(np.array(strategy.mean, np.float64), history[-1][0], None, tuple(history))


def _import_cma() -> Any:
    try:
        import cma
    except ImportError as error:
        raise PlyforgeError(
            "evolution strategies need the package 'cma'; install it: pip install plyforge[learn]"
        ) from error
    return cma

"""Minimax tree optimisation (MMTO): weights under which a search chooses a teacher's moves.

    K. Hoki, T. Kaneko, Large-scale optimization for evaluation functions with minimax search,
    Journal of Artificial Intelligence Research 49, 2014.  The earlier form, known as the Bonanza
    method: K. Hoki, Optimal control of minimax search results to learn positional evaluation, Game
    Programming Workshop, 2006.

For positions p, the teacher's move d_p and every other legal move m, with s(p, m) the minimax value
of a move, which is the evaluation of the leaf of its principal variation,

    J(w) = Σ_p Σ_m T(s(p, d_p) - s(p, m)) / n + J_C(w) + J_R(w),   T(x) = 1 / (1 + e^(x / σ))

is minimised; n is the number of positions.  T counts the moves that the search prefers to the
teacher's.  Leaves are quiet: beyond the depth of the search, noisy moves such as captures are
searched on, in games that have the hook.  The constraint J_C = c (|w| / |w0| - 1)² keeps the sum
|w| of absolute weights near that of the first weights w0: else all values could grow together,
which makes T smaller and no move better.  J_R = ρ |w| / |w0| moves weights that do not matter to 0.
The update is grid-adjacent:

    w_i ← w_i - h sgn(∂J / ∂w_i)

All weights change by the same small step, whatever the size of the derivative.  In the form `mmto`,
the principal variations are searched anew before each update; in the form `bonanza` they are kept
for several updates, and there is no constraint.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from plyforge.learn.inputs import AnyInputs, Indices, Reals
from plyforge.learn.methods.parameters import Parameters, choice, integer, real
from plyforge.learn.model import Model

MMTO: Final = "mmto"
BONANZA: Final = "bonanza"
YES, NO = "yes", "no"
_MAX_EXPONENT: Final = 500.0


@dataclass(frozen=True)
class MmtoParameters(Parameters):
    """The parameters of minimax tree optimisation."""

    form: str = choice(MMTO, "mmto, or bonanza: the earlier form", (MMTO, BONANZA))
    step: float = real(
        0.02, "h, in units of the root mean square of the first weights", 0.0, 1e6, above=True
    )
    slope: float = real(0.3, "σ, in units of the scale of predictions", 0.0, 1e6, above=True)
    margin: float = real(
        8.0, "moves whose value differs by more than this many σ have no derivative", 0.0, 1e6
    )
    constraint: float = real(1.0, "c: how much the sum of weights is kept; mmto only", 0.0, 1e12)
    sparsity: float = real(0.0, "ρ: how much the sum of absolute weights costs", 0.0, 1e12)
    updates: int = integer(16, "updates with the same principal variations; bonanza only", 1, 10**6)
    quiescence: str = choice(
        YES, "whether noisy moves are searched on at the horizon, if the game has them", (YES, NO)
    )
    held_out: float = real(0.1, "the share of games that are not learned from", 0.0, 0.9)


@dataclass(frozen=True, eq=False)
class Comparisons:
    """The leaves of the moves of positions, and which of them are compared."""

    leaves: AnyInputs
    signs: Reals
    """1 if the mover of the position is to move at the leaf as well, else -1."""
    known: Reals
    """The value for the mover where the game is over at the leaf; NaN elsewhere."""
    pairs: Indices
    """Rows of (leaf of the teacher's move, leaf of another one)."""
    positions: int
    beyond: float = 0.0
    """The sum of T for moves beyond the margin."""


def objective(
    model: Model, weights: Reals, comparisons: Comparisons, scale: float
) -> tuple[float, Reals]:
    """Return the sum of T over all comparisons by position, and its gradient.

    The predictions of the model must be its values.
    """
    decided = ~np.isnan(comparisons.known)
    values = comparisons.signs * model.predictions(weights, comparisons.leaves)
    values = np.where(decided, comparisons.known, values)
    teacher, other = comparisons.pairs.T
    exponents = np.clip((values[teacher] - values[other]) / scale, -_MAX_EXPONENT, _MAX_EXPONENT)
    shares = 1.0 / (1.0 + np.exp(exponents))
    slopes = -shares * (1.0 - shares) / scale
    outer = np.zeros(len(values))
    np.add.at(outer, teacher, slopes)
    np.add.at(outer, other, -slopes)
    outer = np.where(decided, 0.0, outer * comparisons.signs) / comparisons.positions
    total = (float(shares.sum()) + comparisons.beyond) / comparisons.positions
    return total, model.gradient(weights, comparisons.leaves, outer)


def penalties(weights: Reals, start: Reals, parameters: MmtoParameters) -> tuple[float, Reals]:
    """Return the sum of J_C and J_R, and its gradient."""
    first = float(np.abs(start).sum()) or 1.0
    share = float(np.abs(weights).sum()) / first
    keep = parameters.constraint if parameters.form == MMTO and start.any() else 0.0
    value = keep * (share - 1.0) ** 2 + parameters.sparsity * share
    slope = (2.0 * keep * (share - 1.0) + parameters.sparsity) / first
    return value, slope * np.sign(weights)


def step_size(start: Reals, parameters: MmtoParameters, scale: float) -> float:
    """Return h; weights that are all 0 count in units of the scale of predictions."""
    square = float(np.mean(np.square(start)))
    return parameters.step * (float(np.sqrt(square)) if square > 0 else scale)


def update(
    model: Model,
    weights: Reals,
    start: Reals,
    comparisons: Comparisons,
    parameters: MmtoParameters,
    scale: float,
) -> tuple[Reals, float]:
    """Return the weights after an update, or several in the form `bonanza`, and J before it."""
    step, first = step_size(start, parameters, scale), 0.0
    times = parameters.updates if parameters.form == BONANZA else 1
    for number in range(times):
        total, gradient = objective(model, weights, comparisons, parameters.slope * scale)
        extra, more = penalties(weights, start, parameters)
        first = total + extra if number == 0 else first
        weights = weights - step * np.sign(gradient + more)
    return weights, first

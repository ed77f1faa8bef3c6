"""Regression for tables of patterns: least squares for each stage, by conjugate gradients.

    M. Hestenes, E. Stiefel, Methods of conjugate gradients for solving linear systems, 1952.

For the positions of a stage, with inputs X (a row for each) and targets t, the weights w solve

    (XᵀX + ρI) w = Xᵀt

The number ρ guards rare indices: an entry that was seen in c positions keeps about c / (c + ρ) of
what they say alone.  Each step costs one product with X and one with Xᵀ; dividing by the diagonal
of the matrix makes entries that are seen often and seldom converge together.  Entries that must be
equal, such as mirror images, are one unknown.

Positions of `neighbours` stages before and after count, too: with few games this is less noisy.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError
from plyforge.game.forms import Blend, Sum, Table
from plyforge.learn.inputs import Inputs, Reals
from plyforge.learn.losses import QUIETLY, check_finite
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.parameters import Parameters, integer, real
from plyforge.learn.model import GameModel, Model
from plyforge.learn.prediction import Prediction
from plyforge.learn.samples import Samples

_REMEDY = "set a larger ridge"


@dataclass(frozen=True)
class PatternParameters(Parameters):
    """The parameters of a run, and of its regression."""

    generation_games: int = integer(
        10_000, "games between two fits; the next ones are played with the new weights", 2, 10**7
    )
    longest_opening: int = integer(
        20, "games begin with a random number of random moves up to this", 0, 1000
    )
    solve_from: int = integer(
        48, "from this ply on, games are played perfectly; 0 for never", 0, 1000
    )
    ridge: float = real(10.0, "ρ: in how many positions an entry counts half", 0.0, 1e12)
    neighbours: int = integer(1, "stages before and after whose positions count", 0, 1000)
    iterations: int = integer(30, "the maximum number of steps for a stage", 1, 100_000)
    tolerance: float = real(
        1e-3, "stop when what is left of the equations is this small compared with Xᵀt", 0.0, 1.0
    )
    held_out: float = real(0.05, "the share of games on which errors are measured", 0.0, 0.9)


@dataclass
class StageSamples:
    """The positions of one stage, in little memory; columns count within the stage."""

    counts: list[NDArray[np.int16]] = field(default_factory=list)
    """The inputs of each position."""
    columns: list[NDArray[np.int32]] = field(default_factory=list)
    factors: list[NDArray[np.float32]] = field(default_factory=list)
    targets: list[NDArray[np.float32]] = field(default_factory=list)
    """What is learned: final scores, perhaps mixed with values of searches."""
    scores: list[NDArray[np.float32]] = field(default_factory=list)
    """What errors are measured against."""
    held: list[NDArray[np.bool_]] = field(default_factory=list)

    def add(
        self, inputs: Inputs, first_column: int, targets: Reals, scores: Reals, held: bool
    ) -> None:
        """Add positions, the columns of which begin at `first_column`."""
        self.counts.append(np.diff(inputs.starts).astype(np.int16))
        self.columns.append((inputs.columns - first_column).astype(np.int32))
        self.factors.append(inputs.factors.astype(np.float32))
        self.targets.append(targets.astype(np.float32))
        self.scores.append(scores.astype(np.float32))
        self.held.append(np.full(len(targets), held))


@dataclass(frozen=True)
class Selection:
    """Positions of some stages."""

    inputs: Inputs
    targets: Reals
    scores: Reals


@dataclass
class PatternSamples:
    """The positions of all stages of a form."""

    form: Sum
    stages: list[StageSamples] = field(init=False)

    def __post_init__(self) -> None:
        self.stages = [StageSamples() for _ in range(self.form.set_count)]

    def add(self, inputs: Inputs, targets: Reals, scores: Reals, held: bool) -> None:
        """Add positions of one game; `held` says that its errors are measured only."""
        numbers = inputs.columns[inputs.starts[:-1]] // self.form.width
        for stage in np.unique(numbers):
            rows = np.flatnonzero(numbers == stage)
            first = int(stage) * self.form.width
            self.stages[stage].add(inputs.take(rows), first, targets[rows], scores[rows], held)

    def count_used_weights(self) -> int:
        """Return how many weights the positions depend on: most entries never occur."""
        return sum(
            len(np.unique(np.concatenate(stage.columns))) for stage in self.stages if stage.columns
        )

    def select(self, stages: Sequence[int], held: bool) -> Selection:
        """Return the positions of some stages: of held-out games, or of the others."""
        found = [self.stages[stage] for stage in stages if 0 <= stage < len(self.stages)]

        def joined(name: str, kind: Any) -> Any:
            parts = [part for one in found for part in getattr(one, name)]
            return np.concatenate([np.zeros(0, kind), *parts]).astype(kind)

        starts = np.cumsum(np.concatenate([[0], joined("counts", np.int64)]))
        inputs = Inputs(starts, joined("columns", np.int64), joined("factors", np.float64))
        rows = np.flatnonzero(joined("held", np.bool_) == held)
        targets, scores = joined("targets", np.float64), joined("scores", np.float64)
        return Selection(inputs.take(rows), targets[rows], scores[rows])


@dataclass(frozen=True)
class StageError:
    """How far the values of a stage are from the final scores, on average and without sign."""

    stage: int
    positions: int
    """The positions that the stage was fitted to, without those of its neighbours."""
    error: float
    held_out_positions: int
    held_out_error: float | None
    loss: float
    """The sum of squared errors."""
    held_out_loss: float


def check_form(form: Any) -> Sum:
    """Return a form that the regression can fit; refuse others."""
    indexed = isinstance(form, Sum) and any(isinstance(r, Table) and r.count for r in form.rows)
    if not isinstance(form, Sum) or not indexed or isinstance(form.stages, Blend):
        raise PlyforgeError(
            "the method 'patterns' needs an evaluation with a table whose function returns indices,"
            " by stages or without; see docs/evaluate.md"
        )
    return form


def learn_patterns(
    model: Model, weights: Reals, samples: Samples, parameters: PatternParameters
) -> Learned:
    """Fit the weights of all stages to samples; start from the given weights."""
    if not isinstance(model, GameModel) or not isinstance(samples.inputs, Inputs):
        raise PlyforgeError("the method 'patterns' needs the evaluation of a game")
    found = PatternSamples(check_form(model.evaluation.form))
    train, held = samples.split(parameters.held_out, 0)
    for part, outside in ((train, False), (held, True)):
        if part is not None and isinstance(part.inputs, Inputs):
            found.add(part.inputs, part.targets, part.targets, outside)
    vector, errors = np.array(weights, np.float64), []
    for stage, part_weights, error in fit_stages(found, vector, parameters):
        vector[stage * found.form.width :][: found.form.width] = part_weights
        errors.append(error)
    return Learned(vector, mean_loss(errors), mean_held_out_loss(errors))


def mean_loss(errors: Sequence[StageError]) -> float:
    """Return the mean squared error over all stages."""
    return sum(one.loss for one in errors) / max(1, sum(one.positions for one in errors))


def mean_held_out_loss(errors: Sequence[StageError]) -> float | None:
    """Return the mean squared error in held-out games, None if there are none."""
    count = sum(one.held_out_positions for one in errors)
    return sum(one.held_out_loss for one in errors) / count if count else None


def fit_stages(
    samples: PatternSamples, weights: Reals, parameters: PatternParameters
) -> Iterator[tuple[int, Reals, StageError]]:
    """Fit one stage after the other, from the last one on; yield its weights and its errors.

    A stage without positions keeps its weights.
    """
    form = samples.form
    shared, reach = form.shared_columns(), parameters.neighbours
    model = Model.linear(form.width, Prediction("identity"))
    by_stage = weights.reshape(form.set_count, form.width)
    before = None
    for stage in reversed(range(form.set_count)):
        found = samples.select(range(stage - reach, stage + reach + 1), held=False)
        start = by_stage[stage] if before is None else before
        if found.inputs.count:
            tied = replace(found.inputs, columns=shared[found.inputs.columns])
            unit = float(form.finish.unit)
            before = solve(model, tied, found.targets * unit, start, parameters)[shared]
            before = np.rint(before) if unit != 1 else before  # such weights are integers
        fitted = start if before is None else before
        yield stage, fitted, _measure(samples, model, stage, fitted)


@QUIETLY
def solve(
    model: Model, inputs: Inputs, targets: Reals, start: Reals, parameters: PatternParameters
) -> Reals:
    """Solve the equations of one stage; weights of columns that do not occur are 0."""
    squares = np.bincount(inputs.columns, inputs.factors**2, model.size)
    diagonal = squares + max(parameters.ridge, 1e-9)
    vector = np.where(squares > 0, start, 0.0)

    def product(direction: Reals) -> Reals:
        values = model.values(direction, inputs)
        return model.gradient(direction, inputs, values) + parameters.ridge * direction

    right = model.gradient(vector, inputs, targets)
    rest = right - product(vector)
    scaled = rest / diagonal
    direction, length = scaled, float(rest @ scaled)
    enough = parameters.tolerance**2 * float(right @ (right / diagonal))
    for iteration in range(parameters.iterations):
        if length <= enough:
            break
        image = product(direction)
        curvature = float(direction @ image)
        if curvature <= 0.0:  # nothing is left: the product of tiny numbers is 0
            break
        step = length / curvature
        vector, rest = vector + step * direction, rest - step * image
        scaled = rest / diagonal
        before, length = length, float(rest @ scaled)
        direction = scaled + length / before * direction
        check_finite(length, vector, "patterns", f"after {iteration + 1} steps", _REMEDY)
    return vector


def _measure(samples: PatternSamples, model: Model, stage: int, weights: Reals) -> StageError:
    figures: list[tuple[int, float, float]] = []
    for held in (False, True):
        found = samples.select([stage], held)
        errors = samples.form.finish.values(model.values(weights, found.inputs)) - found.scores
        figures.append((found.inputs.count, float(np.abs(errors).sum()), float(errors @ errors)))
    (count, total, loss), (held_count, held_total, held_loss) = figures
    return StageError(
        stage,
        count,
        total / max(1, count),
        held_count,
        held_total / held_count if held_count else None,
        loss,
        held_loss,
    )

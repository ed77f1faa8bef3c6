"""Linear and logistic regression on positions of games: one minimum, found in several ways."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.game.forms.rows import labels
from plyforge.jobs.local import local_executor
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    LessThan,
    MoreThan,
    Series,
    Variation,
    format_estimate,
)
from plyforge.lab.cases import tree_seed
from plyforge.learn.datasets import make_samples, rows_of_games
from plyforge.learn.games import GamePlan, GameQueue
from plyforge.learn.inputs import Inputs, Reals
from plyforge.learn.methods.logistic import LogisticParameters, learn_logistic
from plyforge.learn.methods.regression import (
    GradientParameters,
    NormalParameters,
    learn_gradient,
    learn_normal,
)
from plyforge.learn.model import GameModel, Model
from plyforge.learn.prediction import Prediction
from plyforge.learn.samples import Samples
from plyforge.match.tables import Table

TITLE = "Weights by normal equations, by gradient and by logistic regression"
SOURCE = "Buro and Tuero 2024, lecture notes"
QUESTION = (
    "Do the normal equations, gradient descent and other solvers find the same weights for one data"
    " set, and does logistic regression predict results better?"
)
DEFAULTS = "2026"
POSITIONS = 8
DEPTHS = (2,)
"""The depth of the searches that chose the moves of the games."""
QUICK = (2, (1,))

GAMES: Final = 20
OPENING: Final = 6
EXPLORED: Final = 10
MIN_ROWS: Final = 20
"""Features that are not 0 in fewer positions, of either half of the games, are left out."""
STEPS: Final = 100_000
TOLERANCE: Final = 1e-12
PENALTY: Final = 0.001
"""Of logistic regression: without one, a feature that only winners have gets an endless weight."""
EQUAL: Final = 1e-6
"""Weights that differ by less than this count as equal; a win is worth 1."""

NORMAL = "normal equations"
INVERSE = "inverted matrix, as printed"
GRADIENT = "gradient descent"
SCIPY = "SciPy, least squares"
LOGISTIC = "logistic regression"
SCIPY_LOGISTIC = "SciPy, logistic regression"
LINEAR: Final = (NORMAL, INVERSE, GRADIENT, SCIPY)


def variations() -> list[Variation]:
    return [Variation(name) for name in (*LINEAR, LOGISTIC, SCIPY_LOGISTIC)]


def cases(seed: int, count: int) -> list[Case]:
    return [
        Case("checkers", start=f"seed={tree_seed(seed, number)}", label=f"data set {number + 1}")
        for number in range(count)
    ]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    assert case.start is not None
    names, matrix, results, games = data_set(int(case.start.removeprefix("seed=")), depth)
    held = games % 2 == 1
    fit = FITS[variation.name]
    weights = fit(matrix, results)
    halves = fit(matrix[~held], results[~held])
    scores = (results[held] + 1.0) / 2.0
    error = float(np.mean((probabilities(variation.name, matrix[held], halves) - scores) ** 2))
    return {
        "positions": len(matrix),
        "held_out_error": error,
        **{f"weight of {name}": float(w) for name, w in zip(names, weights, strict=True)},
    }


@lru_cache(maxsize=4)
def data_set(seed: int, depth: int) -> tuple[tuple[str, ...], Reals, Reals, Any]:
    """Play games; return the names of features, a row for each position, results and games.

    Each feature is divided by the root of its mean square.
    """
    plan = GamePlan("checkers", depth=depth, seed=seed, opening=OPENING, explored=EXPLORED)
    game = plan.load_game()
    model = GameModel(game, prediction=Prediction("identity", minimum=-1.0))
    with GameQueue(local_executor(0), ()) as queue:
        played = list(queue.play(plan, [(n, model.start, model.start) for n in range(GAMES)]))
    played.sort(key=lambda one: one.number)
    samples = make_samples(model, list(rows_of_games(game, played, OPENING)))
    assert isinstance(samples.inputs, Inputs)
    matrix = samples.inputs.dense(model.size)
    form: Any = model.evaluation.form
    names = [name for row in form.rows for name in labels(row)]
    odd = samples.games % 2 == 1
    halves = [np.count_nonzero(matrix[half], axis=0) for half in (odd, ~odd)]
    kept = np.flatnonzero(np.minimum(*halves) >= MIN_ROWS)
    matrix = matrix[:, kept]
    scaled = matrix / np.sqrt(np.mean(matrix**2, axis=0))
    return tuple(names[k] for k in kept), scaled, samples.targets, samples.games


def probabilities(name: str, matrix: Reals, weights: Reals) -> Reals:
    """Return the expected score of each position, from 0 to 1."""
    values = matrix @ weights
    if name in LINEAR:
        return np.clip((values + 1.0) / 2.0, 0.0, 1.0)
    return Prediction("sigmoid").of(values)


def _samples(matrix: Reals, targets: Reals) -> Samples:
    return Samples(Inputs.from_rows(matrix), targets, np.zeros(len(matrix), np.int64))


def fit_normal(matrix: Reals, results: Reals) -> Reals:
    model = Model.linear(matrix.shape[1], Prediction("identity", minimum=-1.0))
    zeros, samples = np.zeros(model.size), _samples(matrix, results)
    return learn_normal(model, zeros, samples, NormalParameters()).weights


def fit_inverse(matrix: Reals, results: Reals) -> Reals:
    """Return (XᵀX)⁻¹ Xᵀ y, as it is printed."""
    weights: Reals = np.linalg.inv(matrix.T @ matrix) @ matrix.T @ results
    return weights


def fit_gradient(matrix: Reals, results: Reals) -> Reals:
    model = Model.linear(matrix.shape[1], Prediction("identity", minimum=-1.0))
    parameters = GradientParameters(iterations=STEPS, tolerance=TOLERANCE)
    zeros, samples = np.zeros(model.size), _samples(matrix, results)
    return learn_gradient(model, zeros, samples, parameters).weights


def fit_scipy(matrix: Reals, results: Reals) -> Reals:
    weights: Reals = _scipy().linalg.lstsq(matrix, results)[0]
    return weights


def fit_logistic(matrix: Reals, results: Reals) -> Reals:
    model = Model.linear(matrix.shape[1], Prediction("sigmoid"))
    parameters = LogisticParameters(penalty=PENALTY, tolerance=1e-10)
    zeros, samples = np.zeros(model.size), _samples(matrix, (results + 1.0) / 2.0)
    return learn_logistic(model, zeros, samples, parameters).weights


def fit_scipy_logistic(matrix: Reals, results: Reals) -> Reals:
    """Minimise the cross-entropy with its gradient and its second derivatives."""
    targets = (results + 1.0) / 2.0

    def loss(w: Reals) -> float:
        values = matrix @ w
        entropy = float(np.mean(np.logaddexp(0.0, values) - targets * values))
        return entropy + 0.5 * PENALTY * float(w @ w)

    def gradient(w: Reals) -> Reals:
        slopes: Reals = matrix.T @ (Prediction("sigmoid").of(matrix @ w) - targets) / len(targets)
        return slopes + PENALTY * w

    def curvature(w: Reals) -> Reals:
        p = Prediction("sigmoid").of(matrix @ w)
        second: Reals = (matrix.T * (p * (1.0 - p))) @ matrix / len(targets)
        return second + PENALTY * np.eye(len(w))

    found = _scipy().optimize.minimize(
        loss,
        np.zeros(matrix.shape[1]),
        jac=gradient,
        hess=curvature,
        method="trust-exact",
        options={"gtol": 1e-10, "maxiter": 200},
    )
    weights: Reals = found.x
    return weights


def _scipy() -> Any:
    try:
        import scipy.linalg
        import scipy.optimize
    except ImportError:
        raise PlyforgeError(
            "this experiment compares with the package 'scipy'; install it: pip install scipy"
        ) from None
    return scipy


FITS: Final[dict[str, Callable[[Reals, Reals], Reals]]] = {
    NORMAL: fit_normal,
    INVERSE: fit_inverse,
    GRADIENT: fit_gradient,
    SCIPY: fit_scipy,
    LOGISTIC: fit_logistic,
    SCIPY_LOGISTIC: fit_scipy_logistic,
}


def difference(data: Data, name: str, other: str, depth: int) -> Estimate | None:
    """Return the mean over data sets of the largest difference between two fits' weights."""
    differences = {}
    for case in data.cases(depth, (name, other)):
        one, two = data.row(name, depth, case), data.row(other, depth, case)
        weights = [key for key in one if key.startswith("weight of ")]
        differences[case] = max(abs(one[key] - two[key]) for key in weights)
    return data.difference_of(differences)


def claims() -> list[Claim]:
    place = "Determining Weights"
    metric = f"largest difference of a weight, mean over data sets, depth {DEPTHS[0]}"

    def equal(name: str, other: str) -> Callable[[Data], Estimate | None]:
        return lambda data: difference(data, name, other, DEPTHS[0])

    def better(data: Data) -> Estimate | None:
        return data.ratio(NORMAL, LOGISTIC, DEPTHS[0], "held_out_error")

    return [
        Claim(
            "the normal equations have the weights of the inverted matrix",
            "(XᵀX)⁻¹ Xᵀ y",
            metric,
            LessThan(EQUAL),
            equal(NORMAL, INVERSE),
            place=place,
        ),
        Claim(
            "the normal equations minimise the squared error",
            "optimal vectors can be found directly",
            f"{metric}, from least squares by SciPy",
            LessThan(EQUAL),
            equal(NORMAL, SCIPY),
            place=place,
        ),
        Claim(
            "gradient descent finds the same weights",
            "or using iterative numerical optimization",
            f"{metric}, from the normal equations",
            LessThan(EQUAL),
            equal(GRADIENT, NORMAL),
            place=place,
        ),
        Claim(
            "logistic regression has one minimum",
            "a generalized linear model",
            f"{metric}, L-BFGS and Newton's method of SciPy",
            LessThan(EQUAL),
            equal(LOGISTIC, SCIPY_LOGISTIC),
            place="Generalizing Linear Regression",
        ),
        Claim(
            "logistic regression models probabilities better than a line",
            "modelling class membership probabilities",
            f"squared error of linear over logistic regression in games that were held out, depth"
            f" {DEPTHS[0]}",
            MoreThan(1),
            better,
            place="Generalizing Linear Regression",
            note="the line is cut off at 0 and 1",
        ),
    ]


def tables(data: Data) -> list[Table]:
    found = []
    for depth in data.depths:
        pairs = [(name, NORMAL) for name in LINEAR[1:]] + [(LOGISTIC, SCIPY_LOGISTIC)]
        rows = [
            (f"{name} - {other}", format_estimate(difference(data, name, other, depth)))
            for name, other in pairs
        ]
        found.append(
            Table(("fits", "largest difference of a weight"), tuple(rows), f"Depth {depth}")
        )
        names = [name for name in data.metrics if name.startswith("weight of ")]
        weights = [
            (
                metric.removeprefix("weight of "),
                *(format_estimate(_signed(data, fit, depth, metric)) for fit in (NORMAL, LOGISTIC)),
            )
            for metric in names
        ]
        weights.append(
            (
                "squared error, held out",
                *(
                    format_estimate(data.mean(fit, depth, "held_out_error"))
                    for fit in (NORMAL, LOGISTIC)
                ),
            )
        )
        found.append(
            Table(("feature", "linear", "logistic"), tuple(weights), f"Weights, depth {depth}")
        )
    return found


def _signed(data: Data, name: str, depth: int, metric: str) -> Estimate | None:
    cases = data.cases(depth, (name,), (metric,))
    return data.difference_of({case: data.row(name, depth, case)[metric] for case in cases})


def charts(data: Data) -> list[Chart]:
    names = [name for name in data.metrics if name.startswith("weight of ")]
    depth = DEPTHS[0]
    if not names or depth not in data.depths:
        return []
    series = tuple(
        Series.of(fit, [(i, _signed(data, fit, depth, name)) for i, name in enumerate(names)])
        for fit in (NORMAL, LOGISTIC)
    )
    titles = tuple(name.removeprefix("weight of ") for name in names)
    return [
        Chart("weights", "Weights of features with a mean square of 1", "feature", "weight",
              series, x_names=titles, origin=0.0)
    ]  # fmt: skip


METHOD = f"""
A data set is {GAMES} games of checkers, played with the hand evaluation at the given depth after
{OPENING} random moves; later one move in {EXPLORED} is random. Its rows are the features of the
hand evaluation in every position after the opening, each divided by the root of its mean square.
Features that occur in fewer than {MIN_ROWS} positions of half of the games are left out, because a
column of zeros has no inverted matrix. What is to be predicted is the result of the game for the
side to move: 1, 0 or -1, and as a probability 1, ½ or 0. There is no constant feature, because both
sides are alike. Gradient descent starts at 0 with a step that power iteration finds, and ends when
the gradient is {TOLERANCE:g} of the first one, or after {STEPS:,} steps. Logistic regression has a
penalty of {PENALTY:g} / 2 times the squared length of the weights, since a feature that only
winners of few games have would get an endless weight. For the error in held-out games, every other
game is left out of the fit.
"""

THREATS = """
Positions of one game have one result and resemble each other; a data set counts as one, and held
out are whole games. That all solvers find one minimum says nothing about how well its weights play.
"""

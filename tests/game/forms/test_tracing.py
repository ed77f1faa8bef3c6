"""Derivatives of plain code: every operation against finite differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plyforge.game.forms.tracing import trace

STEP = 1e-6
WEIGHTS = (0.7, -1.3, 2.1)

CODE: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda p, w: 3 + w[0] + w[1] + 2.0 + w[0],
    "difference": lambda p, w: 5 - w[0] - 3 - (w[1] - w[2]),
    "product": lambda p, w: 2 * w[0] * w[1] * 3 * w[0],
    "quotient": lambda p, w: 7 / w[0] + w[1] / 3 + w[2] / w[0],
    "power": lambda p, w: w[0] ** 3 + w[2] ** 0.5,
    "sign": lambda p, w: -w[0] + abs(w[1]) + +w[2],
    "choice": lambda p, w: max(w[0], w[1], 0.1) * min(w[1], w[2]) if w[0] < 1 else 0,
    "numpy": lambda p, w: np.tanh(w[0]) + np.exp(w[1]) * np.log(w[2]) + np.sqrt(w[2]),
    "numpy numbers": lambda p, w: np.float64(3) * w[0] - np.float64(2) / w[2] + np.int64(4) * w[1],
    "numpy left": lambda p, w: (np.float64(1) - w[0]) * (np.int64(2) + w[1]),
    "numpy choice": lambda p, w: np.maximum(w[0], 0.0) + np.minimum(w[1], w[2]) + np.abs(w[1]),
    "loop": lambda p, w: sum(one * one for one in w) + len(w) + w[-1] + sum(w[0:2]),
    "nothing": lambda p, w: 4,
}


@pytest.mark.parametrize("name", CODE)
def test_derivatives_are_those_of_finite_differences(name: str) -> None:
    value, slopes = trace(CODE[name], None, WEIGHTS)
    assert value == pytest.approx(float(CODE[name](None, list(WEIGHTS))))
    for index in range(len(WEIGHTS)):
        above, below = list(WEIGHTS), list(WEIGHTS)
        above[index] += STEP
        below[index] -= STEP
        change = (CODE[name](None, above) - CODE[name](None, below)) / (2 * STEP)
        assert slopes.get(index, 0.0) == pytest.approx(change, abs=1e-6)


def test_rounding_counts_as_if_it_did_not_happen() -> None:
    value, slopes = trace(
        lambda p, w: round(10 * w[0]) + w[2] // 0.5 + np.floor(w[1]), None, WEIGHTS
    )
    assert (value, slopes) == (7 + 4 - 2, {0: 10.0, 2: 2.0, 1: 1.0})


def test_only_weights_that_are_read_have_derivatives() -> None:
    _, slopes = trace(lambda p, w: w[1] * p, 5.0, WEIGHTS)
    assert slopes == {1: 5.0}


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (lambda p, w: float(w[0]), "use those of NumPy"),
        (lambda p, w: int(w[0]), "use those of NumPy"),
        (lambda p, w: 2 ** w[0], "unsupported"),
        (lambda p, w: w[0] ** w[1], "cannot be an exponent"),
        (lambda p, w: np.sin(w[0]), "np.sin of a weight"),
    ],
)
def test_what_has_no_derivative_is_refused(code: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        trace(code, None, WEIGHTS)

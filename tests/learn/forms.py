"""Models of tic-tac-toe forms, and finite differences."""

from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.learn.inputs import Inputs


def numerical_gradient(function: Callable[[Any], float], point: Any, step: float = 1e-6) -> Any:
    """Return the gradient of a function by central differences."""
    result = np.zeros(len(point))
    for index in range(len(point)):
        shift = np.zeros(len(point))
        shift[index] = step
        result[index] = (function(point + shift) - function(point - shift)) / (2 * step)
    return result


def random_inputs(stream: Any, rows: int, columns: int, share: float = 0.6) -> Inputs:
    """Return random inputs, of which a share is not 0."""
    matrix = stream.normal(size=(rows, columns)) * (stream.random((rows, columns)) < share)
    return Inputs.from_rows(matrix)

"""The inputs of models: what a form reads in positions, as a sparse matrix with a row for each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError

Reals = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Inputs:
    """The inputs that are not 0, row by row.

    Those of row i are at `starts[i]` to `starts[i + 1]`: the column of each, and its value.

    >>> inputs = Inputs.from_rows([[0, 2], [1, 0]])
    >>> inputs.columns.tolist(), inputs.factors.tolist()
    ([1, 0], [2.0, 1.0])
    """

    starts: Indices
    columns: Indices
    factors: Reals

    @property
    def count(self) -> int:
        """The number of positions."""
        return len(self.starts) - 1

    @classmethod
    def from_rows(cls, rows: Any) -> "Inputs":
        """Return the inputs of a dense matrix."""
        matrix = np.atleast_2d(np.asarray(rows, np.float64))
        places, columns = np.nonzero(matrix)
        starts = np.concatenate([[0], np.cumsum(np.bincount(places, minlength=len(matrix)))])
        return cls(starts.astype(np.int64), columns.astype(np.int64), matrix[places, columns])

    @classmethod
    def join(cls, parts: Iterable["Inputs"]) -> "Inputs":
        """Return the rows of several inputs, in order."""
        found = list(parts)
        counts = [np.zeros(1, np.int64), *(np.diff(part.starts) for part in found)]
        return cls(
            np.cumsum(np.concatenate(counts)),
            np.concatenate([np.zeros(0, np.int64), *(part.columns for part in found)]),
            np.concatenate([np.zeros(0), *(part.factors for part in found)]),
        )

    def take(self, rows: Sequence[int] | Indices) -> "Inputs":
        """Return some of the rows, in the given order."""
        chosen = np.asarray(rows, np.int64)
        counts = np.diff(self.starts)[chosen]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        places = np.arange(starts[-1]) + np.repeat(self.starts[chosen] - starts[:-1], counts)
        return Inputs(starts, self.columns[places], self.factors[places])

    def dense(self, width: int) -> Reals:
        """Return the matrix; equal columns of a row are added up."""
        matrix = np.zeros((self.count, width))
        rows = np.repeat(np.arange(self.count), np.diff(self.starts))
        np.add.at(matrix, (rows, self.columns), self.factors)
        return matrix

    @cached_property
    def _width(self) -> int:
        """The number of columns up to the last one in use; -1 if a column or a value is invalid."""
        if not len(self.columns):
            return 0
        if self.columns.min() < 0 or not np.isfinite(self.factors).all():
            return -1
        return int(self.columns.max()) + 1

    def check(self, width: int) -> None:
        """Refuse columns that a model with so many inputs does not have, and values like NaN."""
        if self._width < 0:
            raise PlyforgeError("a position has an input that is not a finite number")
        if self._width > width:
            raise PlyforgeError(
                f"the inputs have {self._width} columns, the model has {width}: they were read for"
                " another model"
            )


@dataclass(frozen=True, eq=False)
class PositionInputs:
    """Positions as they are, for an author's own function."""

    positions: tuple[Any, ...]

    @property
    def count(self) -> int:
        """The number of positions."""
        return len(self.positions)

    def take(self, rows: Sequence[int] | Indices) -> "PositionInputs":
        """Return some of the rows, in the given order."""
        return PositionInputs(tuple(self.positions[row] for row in rows))


AnyInputs = Inputs | PositionInputs


def join_inputs(parts: Sequence[AnyInputs]) -> AnyInputs:
    """Return the rows of several inputs, in order."""
    if parts and isinstance(parts[0], PositionInputs):
        own = [part for part in parts if isinstance(part, PositionInputs)]
        return PositionInputs(tuple(one for part in own for one in part.positions))
    return Inputs.join(part for part in parts if isinstance(part, Inputs))

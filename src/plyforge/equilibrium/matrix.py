"""Matrix games: each of two players chooses once, without knowing the other's choice."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError, clip

Reals = NDArray[np.float64]

MAX_PAYOFF: Final = 1e12
"""The largest payoff; beyond it floats no longer hold the differences between payoffs."""
SUM_TOLERANCE: Final = 1e-6
"""How far from 1 the sum of a mix may be, as numbers with few decimals are."""
ROW, COLUMN = 0, 1
"""The players."""


@dataclass(frozen=True)
class MatrixGame:
    """A game of two players in normal form; `row` and `column` are their payoffs."""

    row: Reals
    column: Reals
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    title: str = ""

    @classmethod
    def zero_sum(
        cls,
        payoffs: Any,
        row_names: Iterable[str] = (),
        column_names: Iterable[str] = (),
        title: str = "",
    ) -> "MatrixGame":
        """Return the game in which the row player wins `payoffs` and the column player loses them.

        Strategies without names are numbered from 1.
        """
        matrix = _read_payoffs(payoffs, "payoffs")
        return cls.bimatrix(matrix, 0.0 - matrix, row_names, column_names, title)

    @classmethod
    def bimatrix(
        cls,
        row: Any,
        column: Any,
        row_names: Iterable[str] = (),
        column_names: Iterable[str] = (),
        title: str = "",
    ) -> "MatrixGame":
        """Return the game with the payoffs of both players."""
        row, column = _read_payoffs(row, "row payoffs"), _read_payoffs(column, "column payoffs")
        if row.shape != column.shape:
            raise PlyforgeError(
                f"the row player's payoffs have {_size(row)}, the column player's {_size(column)};"
                " both need the same size"
            )
        rows = _read_names(row_names, row.shape[0], "row")
        columns = _read_names(column_names, row.shape[1], "column")
        return cls(row, column, rows, columns, title)

    @property
    def is_zero_sum(self) -> bool:
        """Whether one player always wins what the other loses."""
        return bool(np.all(self.row + self.column == 0.0))

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of the strategies of both players."""
        return self.row_names, self.column_names

    def restrict(self, rows: Sequence[int], columns: Sequence[int]) -> "MatrixGame":
        """Return the game with some of the rows and columns only."""
        cells = np.ix_(rows, columns)
        return MatrixGame(
            self.row[cells],
            self.column[cells],
            tuple(self.row_names[i] for i in rows),
            tuple(self.column_names[j] for j in columns),
            self.title,
        )

    def pure_equilibria(self) -> list[tuple[int, int]]:
        """Return the cells in which neither player gains by another pure strategy.

        In a zero-sum game these are the saddle points.
        """
        best_rows = self.row == self.row.max(axis=0, keepdims=True)
        best_columns = self.column == self.column.max(axis=1, keepdims=True)
        return [(int(i), int(j)) for i, j in np.argwhere(best_rows & best_columns)]

    def mix(self, player: int, shares: Iterable[float]) -> Reals:
        """Check the probabilities of a player's strategies, and return them."""
        names = self.names[player]
        return read_mix(list(shares), names, ("row", "column")[player])


def read_mix(shares: Sequence[float], names: Sequence[str], player: str) -> Reals:
    """Return probabilities as an array; raise an error unless they are a mix of these strategies.

    >>> read_mix([0.25, 0.75], ["a", "b"], "row").tolist()
    [0.25, 0.75]
    """
    if len(shares) != len(names):
        raise PlyforgeError(
            f"the {player} player has {len(names)} strategies ({clip(', '.join(names))}), but the"
            f" mix has {len(shares)} probabilities"
        )
    for name, share in zip(names, shares, strict=True):
        if not math.isfinite(share) or share < 0.0:
            raise PlyforgeError(
                f"the probability of '{name}' is {share:g}; probabilities lie between 0 and 1"
            )
    total = math.fsum(shares)
    if abs(total - 1.0) > SUM_TOLERANCE:
        raise PlyforgeError(
            f"the probabilities of the {player} player's mix add up to {total:g}, not to 1"
        )
    return np.array(shares, np.float64) / total


def payoffs_of(game: MatrixGame, row: Reals, column: Reals) -> tuple[float, float]:
    """Return the expected payoffs of both players if they use these mixes."""
    return float(row @ game.row @ column), float(row @ game.column @ column)


def best_replies(game: MatrixGame, player: int, mix: Iterable[float]) -> tuple[list[int], float]:
    """Return the pure strategies with which the other player replies best to a player's mix.

    The second value is what the other player then wins.
    """
    shares = game.mix(player, mix)
    values = shares @ game.column if player == ROW else game.row @ shares
    best = float(values.max())
    slack = 1e-9 * max(1.0, float(np.abs(values).max()))
    return [int(i) for i in np.flatnonzero(values >= best - slack)], best


def scale_payoffs(payoffs: Reals) -> Reals:
    """Return payoffs in the range from 0 to 1, so that tolerances mean the same in all games."""
    spread = float(payoffs.max() - payoffs.min()) or 1.0
    scaled: Reals = (payoffs - payoffs.min()) / spread
    return scaled


def _read_payoffs(payoffs: Any, what: str) -> Reals:
    rows = [list(row) for row in payoffs] if not isinstance(payoffs, np.ndarray) else payoffs
    if len(rows) == 0 or len(rows[0]) == 0:
        raise PlyforgeError(f"the {what} are empty; a game needs at least one row and one column")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise PlyforgeError(
                f"row {number} of the {what} has {len(row)} numbers, row 1 has {len(rows[0])};"
                " all rows need the same length"
            )
    try:
        matrix = np.array(rows, np.float64)
    except (TypeError, ValueError):
        raise PlyforgeError(f"the {what} are {clip(repr(payoffs))}, not numbers") from None
    if not np.all(np.abs(matrix) <= MAX_PAYOFF):  # NaN is not, either
        i, j = np.argwhere(~(np.abs(matrix) <= MAX_PAYOFF))[0]
        raise PlyforgeError(
            f"the payoff in row {i + 1}, column {j + 1} is {matrix[i, j]}; payoffs must be finite"
            f" and within ±{MAX_PAYOFF:g}"
        )
    return matrix + 0.0


def _read_names(names: Iterable[str], count: int, kind: str) -> tuple[str, ...]:
    given = tuple(str(name) for name in names)
    if not given:
        return tuple(str(number) for number in range(1, count + 1))
    if len(given) != count:
        raise PlyforgeError(f"there are {count} {kind}s, but {len(given)} names of {kind}s")
    for name in given:
        if given.count(name) > 1:
            raise PlyforgeError(f"two {kind}s are called '{clip(name)}'; rename one of them")
    return given


def _size(matrix: Reals) -> str:
    return f"{matrix.shape[0]} rows and {matrix.shape[1]} columns"

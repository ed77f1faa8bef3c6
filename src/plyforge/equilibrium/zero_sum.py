"""Zero-sum matrix games by linear programming (von Neumann 1928; Dantzig 1951)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium.matrix import MatrixGame, Reals
from plyforge.equilibrium.optimization import minimize_linear


@dataclass(frozen=True)
class ZeroSumSolution:
    """The value of a zero-sum game for the row player, and one optimal mix of each player."""

    value: float
    row: Reals
    column: Reals
    saddle_points: list[tuple[int, int]]
    """Cells that are optimal for both players: pure equilibria."""


def solve_zero_sum(game: MatrixGame) -> ZeroSumSolution:
    """Return the value and optimal mixes; raise an error if the game is not zero-sum.

    The mixes are found by one linear program each, so each is optimal by itself.
    """
    if not game.is_zero_sum:
        i, j = np.argwhere(game.row + game.column != 0.0)[0]
        raise PlyforgeError(
            f"the game is not zero-sum: the payoffs of {game.row_names[i]}, {game.column_names[j]}"
            f" are {game.row[i, j]:g} and {game.column[i, j]:g}; use find_equilibria"
        )
    # Small payoffs and large ones are equally well solved if they are scaled.
    low, high = float(game.row.min()), float(game.row.max())
    scale = (high - low) or 1.0
    scaled = (game.row - low) / scale
    value, row = _best_mix(scaled)
    _, column = _best_mix(-scaled.T)
    return ZeroSumSolution(value * scale + low + 0.0, row, column, game.pure_equilibria())


def _best_mix(payoffs: Reals) -> tuple[float, Reals]:
    """Return the largest amount that a mix of rows wins against every column, and the mix."""
    rows, columns = payoffs.shape
    objective = np.zeros(rows + 1)
    objective[rows] = -1.0
    bounds: list[Any] = [(0.0, None)] * rows + [(None, None)]
    found = minimize_linear(
        objective,
        upper=(np.hstack([-payoffs.T, np.ones((columns, 1))]), np.zeros(columns)),
        equal=(np.append(np.ones(rows), 0.0).reshape(1, -1), np.ones(1)),
        bounds=bounds,
    )
    mix = np.maximum(found.x[:rows], 0.0)
    mix /= mix.sum()
    return float((mix @ payoffs).min()), mix

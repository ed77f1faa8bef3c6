"""Iterated elimination of dominated strategies.

A strategy is strictly dominated if another one, pure or mixed, is better against everything the
opponent can do; weakly, if it is never worse and sometimes better.  The result of eliminating
strictly dominated strategies does not depend on the order, and no equilibrium is lost.  Eliminating
weakly dominated ones may lose equilibria, and the result may depend on the order.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.equilibrium.matrix import COLUMN, ROW, MatrixGame, Reals, scale_payoffs
from plyforge.equilibrium.optimization import minimize_linear

TOLERANCE: Final = 1e-9
"""Differences of payoffs up to it, as a share of their range, are rounding."""
_MIN_SHARE: Final = 1e-9


@dataclass(frozen=True)
class Dominated:
    """A strategy that was eliminated, and what dominates it."""

    player: int
    strategy: int
    by: tuple[tuple[int, float], ...]
    """The strategies of the dominating mix and their shares; one, if it is pure."""
    strict: bool


@dataclass(frozen=True)
class Elimination:
    """What is left of a game, by original numbers, and what was eliminated, in order."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    steps: tuple[Dominated, ...]


def eliminate(game: MatrixGame, weak: bool = False) -> Elimination:
    """Eliminate dominated strategies until there are none; with `weak`, weakly dominated ones, too.

    In each round, all strategies that are strictly dominated go first.  Weakly dominated ones are
    eliminated one at a time, those of the row player first.
    """
    left: list[list[int]] = [list(range(size)) for size in game.row.shape]
    steps: list[Dominated] = []
    payoffs = (scale_payoffs(game.row), scale_payoffs(game.column.T))
    while True:
        found = _find_strict(payoffs, left)
        if not found and weak:
            found = _find_weak(payoffs, left)
        if not found:
            return Elimination(tuple(left[ROW]), tuple(left[COLUMN]), tuple(steps))
        for step in found:
            left[step.player].remove(step.strategy)
        steps += found


def _find_strict(payoffs: tuple[Reals, Reals], left: list[list[int]]) -> list[Dominated]:
    """Return the strategies of one player that are strictly dominated.

    What dominates a strategy may be dominated itself; the mix that dominates that one then
    dominates both, so all of them can be eliminated at once.
    """
    for player in (ROW, COLUMN):
        mine, theirs = left[player], left[1 - player]
        matrix = payoffs[player][np.ix_(mine, theirs)]
        found = [
            Dominated(player, mine[i], tuple((mine[k], share) for k, share in by), strict=True)
            for i in range(len(mine))
            if (by := _strict_mix(matrix, i)) is not None
        ]
        if found:
            return found
    return []


def _find_weak(payoffs: tuple[Reals, Reals], left: list[list[int]]) -> list[Dominated]:
    for player in (ROW, COLUMN):
        mine, theirs = left[player], left[1 - player]
        matrix = payoffs[player][np.ix_(mine, theirs)]
        for i in range(len(mine)):
            by = _weak_mix(matrix, i)
            if by is not None:
                named = tuple((mine[k], share) for k, share in by)
                return [Dominated(player, mine[i], named, strict=False)]
    return []


def _strict_mix(matrix: Reals, i: int) -> list[tuple[int, float]] | None:
    """Return a mix of other rows that is better than row i in every column."""
    better = np.all(matrix > matrix[i] + TOLERANCE, axis=1)
    if better.any():
        return [(int(np.argmax(better)), 1.0)]
    if len(matrix) < 3 or not np.all(matrix.max(axis=0) > matrix[i] + TOLERANCE):
        return None
    # Maximise the smallest advantage of a mix of the others.
    others = [k for k in range(len(matrix)) if k != i]
    columns = matrix.shape[1]
    found = minimize_linear(
        np.append(np.zeros(len(others)), -1.0),
        upper=(np.hstack([-matrix[others].T, np.ones((columns, 1))]), -matrix[i]),
        equal=(np.append(np.ones(len(others)), 0.0).reshape(1, -1), np.ones(1)),
        bounds=[(0.0, None)] * len(others) + [(None, None)],
    )
    return _shares(found, others) if -found.fun > TOLERANCE else None


def _weak_mix(matrix: Reals, i: int) -> list[tuple[int, float]] | None:
    """Return a mix of other rows that is nowhere worse than row i, and somewhere better."""
    if len(matrix) < 2:
        return None
    never_worse = np.all(matrix >= matrix[i] - TOLERANCE, axis=1)
    better = never_worse & np.any(matrix > matrix[i] + TOLERANCE, axis=1)
    if better.any():
        return [(int(np.argmax(better)), 1.0)]
    # Row i may be part of the mix, so that there always is one; its share is then left out.
    found = minimize_linear(
        -matrix.sum(axis=1),
        upper=(-matrix.T, -matrix[i]),
        equal=(np.ones((1, len(matrix))), np.ones(1)),
        bounds=[(0.0, None)] * len(matrix),
    )
    if -found.fun <= matrix[i].sum() + TOLERANCE * matrix.shape[1] or found.x[i] > 1.0 - _MIN_SHARE:
        return None
    shares = found.x / (1.0 - found.x[i])
    return [(k, float(shares[k])) for k in range(len(matrix)) if k != i and shares[k] > _MIN_SHARE]


def _shares(found: Any, others: list[int]) -> list[tuple[int, float]]:
    pairs = zip(others, found.x, strict=False)
    return [(k, float(share)) for k, share in pairs if share > _MIN_SHARE]

"""All equilibria of a game of two players, by enumeration of supports.

A mix is extreme if it is the only one on its strategies that makes as many strategies of the other
player equally good.  All supports are tried with equally many best replies; each gives a system of
linear equations (Porter, Nudelman and Shoham 2008; von Stengel 2002 for degenerate games).  An
equilibrium is a pair of extreme mixes in which each player uses best replies only.

In a game that is not degenerate these are all equilibria, an odd number.  A game is degenerate if
some mix has more best replies than strategies.  Then equilibria may form continuous sets, of which
these pairs are the corners: mixtures of corners with a common mix of one player are equilibria,
too.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium.matrix import MatrixGame, Reals, payoffs_of, scale_payoffs

MAX_SYSTEMS: Final = 1_000_000
"""The largest number of systems of equations: one for each pair of supports of equal size."""
TOLERANCE: Final = 1e-9
"""Differences of payoffs up to it, as a share of their range, are rounding."""
_BATCH: Final = 4096
_SINGULAR: Final = 1e-11


@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium: a mix and a payoff for each player."""

    row: Reals
    column: Reals
    payoffs: tuple[float, float]
    component: int
    """Equilibria with the same number, from 1, belong to one connected set."""

    @property
    def is_pure(self) -> bool:
        """Whether both players use one strategy."""
        return bool(self.row.max() == 1.0 and self.column.max() == 1.0)


@dataclass(frozen=True)
class Equilibria:
    """All extreme equilibria of a game, and whether there may be others between them."""

    extreme: list[Equilibrium]
    degenerate: bool


@dataclass(frozen=True)
class _Extreme:
    """An extreme mix, its strategies, and the best replies to it."""

    mix: Reals
    support: frozenset[int]
    replies: frozenset[int]


def find_equilibria(game: MatrixGame) -> Equilibria:
    """Return all extreme equilibria, pure ones first.

    >>> from plyforge.equilibrium import MatrixGame
    >>> dilemma = MatrixGame.bimatrix([[-1, -3], [0, -2]], [[-1, 0], [-3, -2]])
    >>> [(e.row.tolist(), e.column.tolist(), e.payoffs) for e in find_equilibria(dilemma).extreme]
    [([0.0, 1.0], [0.0, 1.0], (-2.0, -2.0))]
    """
    rows, columns = game.row.shape
    systems = math.comb(rows + columns, rows) - 1
    if systems > MAX_SYSTEMS:
        raise PlyforgeError(
            f"a game of {rows} x {columns} has {systems:,} pairs of supports of equal size, more"
            f" than {MAX_SYSTEMS:,}; eliminate dominated strategies first"
            + ("" if not game.is_zero_sum else ", or solve it as a zero-sum game")
        )
    column_mixes = _extreme_mixes(scale_payoffs(game.row))
    row_mixes = _extreme_mixes(scale_payoffs(game.column.T))
    pairs = [
        (i, j)
        for i, x in enumerate(row_mixes)
        for j, y in enumerate(column_mixes)
        if x.support <= y.replies and y.support <= x.replies
    ]
    components = _components(pairs)
    found = [
        Equilibrium(
            row_mixes[i].mix,
            column_mixes[j].mix,
            payoffs_of(game, row_mixes[i].mix, column_mixes[j].mix),
            components[i, j],
        )
        for i, j in pairs
    ]
    found.sort(key=lambda one: (not one.is_pure, one.component))
    degenerate = any(len(m.replies) > len(m.support) for m in (*row_mixes, *column_mixes))
    return Equilibria(_renumber(found), degenerate)


def _extreme_mixes(payoffs: Reals) -> list[_Extreme]:
    """Return the extreme mixes of columns; `payoffs` are those of the player who replies."""
    rows, columns = payoffs.shape
    found: dict[tuple[int, ...], _Extreme] = {}
    for size in range(1, min(rows, columns) + 1):
        pairs = ((i, j) for i in combinations(range(rows), size)
                 for j in combinations(range(columns), size))  # fmt: skip
        while batch := list(islice(pairs, _BATCH)):
            for mix in _solve(payoffs, batch, size):
                extreme = _as_extreme(payoffs, mix)
                if extreme is not None:
                    key = tuple(np.round(extreme.mix / TOLERANCE / 10).astype(int))
                    found.setdefault(key, extreme)
    return list(found.values())


def _solve(
    payoffs: Reals, batch: list[tuple[tuple[int, ...], tuple[int, ...]]], size: int
) -> Iterator[Reals]:
    """Yield the mix of each pair of supports that makes the rows equally good, if there is one.

    The unknowns are the shares of the columns, and the payoff that all rows have.
    """
    rows = np.array([i for i, _ in batch])
    columns = np.array([j for _, j in batch])
    systems = np.zeros((len(batch), size + 1, size + 1))
    systems[:, :size, :size] = payoffs[rows[:, :, None], columns[:, None, :]]
    systems[:, :size, size] = -1.0
    systems[:, size, :size] = 1.0
    regular = np.abs(np.linalg.det(systems)) > _SINGULAR
    right = np.zeros((int(regular.sum()), size + 1, 1))
    right[:, size] = 1.0
    solutions = np.linalg.solve(systems[regular], right)[:, :size, 0]
    for support, shares in zip(columns[regular], solutions, strict=True):
        if shares.min() >= -TOLERANCE:
            mix = np.zeros(payoffs.shape[1])
            mix[support] = np.where(shares > TOLERANCE, shares, 0.0)
            yield mix / mix.sum()


def _as_extreme(payoffs: Reals, mix: Reals) -> _Extreme | None:
    """Return a mix with its best replies, if those of its system are among them."""
    values = payoffs @ mix
    replies = np.flatnonzero(values >= values.max() - TOLERANCE)
    support = np.flatnonzero(mix)
    if not _determines(payoffs, replies, support):
        return None
    return _Extreme(mix, frozenset(support.tolist()), frozenset(replies.tolist()))


def _determines(payoffs: Reals, replies: NDArray[np.intp], support: NDArray[np.intp]) -> bool:
    """Return whether there is no other mix of the same columns with the same best replies."""
    system = np.zeros((len(replies) + 1, len(support) + 1))
    system[:-1, :-1] = payoffs[np.ix_(replies, support)]
    system[:-1, -1] = -1.0
    system[-1, :-1] = 1.0
    return int(np.linalg.matrix_rank(system, tol=TOLERANCE)) == len(support) + 1


def _components(pairs: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Number the pairs so that those which are connected by common mixes have the same number."""
    numbers = {pair: number for number, pair in enumerate(pairs)}
    changed = True
    while changed:
        changed = False
        lowest: dict[tuple[int, int], int] = {}
        for (i, j), number in numbers.items():
            for key in ((0, i), (1, j)):
                lowest[key] = min(lowest.get(key, number), number)
        for i, j in pairs:
            number = min(lowest[0, i], lowest[1, j])
            if number < numbers[i, j]:
                numbers[i, j] = number
                changed = True
    return numbers


def _renumber(found: list[Equilibrium]) -> list[Equilibrium]:
    order: dict[int, int] = {}
    return [
        Equilibrium(e.row, e.column, e.payoffs, order.setdefault(e.component, len(order) + 1))
        for e in found
    ]

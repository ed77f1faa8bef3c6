"""Fit ProbCut: how values of shallow searches predict those of deeper ones, by least squares."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.result import Info
from plyforge.game.game import Game
from plyforge.game.history import BaseHistory
from plyforge.search.fits import Row

MIN_PAIRS: Final = 50
"""A phase with fewer pairs, or without a rising line, gets the numbers of all phases together."""

Sample = tuple[int, list[float | None]]
"""The phase of a position, and its values at depth 1, 2, ..."""


def observe(game: Game, history: BaseHistory, iterations: Sequence[Info]) -> Sample | None:
    """Return the values of a position by depth; None where the side to move is in check."""
    position = history.position
    if game.call_hook("in_check", position):
        return None
    values: list[float | None] = [None] * max(info.depth for info in iterations)
    for info in iterations:
        if abs(info.score) < SCORE_LIMIT:
            values[info.depth - 1] = info.score
    return game_phase(game, position), values


def game_phase(game: Game, position: Any) -> int:
    """Return the phase of the game that a position is in."""
    phases = int(game.rules.constant("PHASES"))
    return min(max(int(game.call_hook("phase", position)), 0), phases - 1)


def depth_pairs(depth: int) -> list[tuple[int, int]]:
    """Return the pairs (deep, shallow) up to a depth.

    Depths of a pair are both odd or both even, since many evaluations favour the side that moved
    last.  A depth has up to two shallow ones: a third and half of it, rounded up.

    >>> depth_pairs(8)
    [(3, 1), (4, 2), (5, 1), (5, 3), (6, 2), (6, 4), (7, 3), (7, 5), (8, 2), (8, 4)]
    """
    pairs = []
    for deep in range(3, depth + 1):
        third, half = deep // 3, (deep + 1) // 2
        shallow = {_same_parity(third, deep), _same_parity(half, deep)}
        pairs += [(deep, one) for one in sorted(shallow) if 0 < one < deep]
    return pairs


def _same_parity(shallow: int, deep: int) -> int:
    shallow = max(shallow, 1)
    return shallow if (deep - shallow) % 2 == 0 else shallow + 1


@dataclass(frozen=True)
class Prediction:
    """A line through pairs of values: deep = a * shallow + b, with errors of deviation sigma."""

    a: float
    b: float
    sigma: float
    pairs: int


def fit_line(shallow: NDArray[np.float64], deep: NDArray[np.float64]) -> Prediction:
    """Return the line of least squares.

    >>> line = fit_line(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]))
    >>> round(line.a, 6), round(line.b, 6), round(line.sigma, 6)
    (2.0, 1.0, 0.0)
    """
    spread = float(np.var(shallow))
    centre, mean = float(np.mean(shallow)), float(np.mean(deep))
    a = float(np.mean((shallow - centre) * (deep - mean))) / spread if spread > 0 else 1.0
    b = mean - a * centre
    freedom = max(len(deep) - 2, 1)
    sigma = float(np.sqrt(np.sum((deep - a * shallow - b) ** 2) / freedom))
    return Prediction(a, b, sigma, len(deep))


def fit_rows(games: Iterable[Sequence[Sample]], phases: int, depth: int) -> list[Row]:
    """Return a row for every pair of depths and every phase."""
    samples = [sample for game in games for sample in game]
    table = np.full((len(samples), depth), np.nan)
    stages = np.array([stage for stage, _ in samples], np.int64)
    for place, (_, values) in enumerate(samples):
        for column, value in enumerate(values[:depth]):
            if value is not None:
                table[place, column] = value
    rows: list[Row] = []
    for deep, shallow in depth_pairs(depth):
        both = ~np.isnan(table[:, deep - 1]) & ~np.isnan(table[:, shallow - 1])
        everywhere = _line(table, both, deep, shallow)
        for stage in range(phases):
            here = both & (stages == stage)
            line = _line(table, here, deep, shallow) or everywhere
            if line is None:
                continue
            rows.append(
                {
                    "depth": deep,
                    "shallow": shallow,
                    "phase": stage,
                    "a": _shortened(line.a),
                    "b": _shortened(line.b),
                    "sigma": _shortened(line.sigma),
                    "pairs": line.pairs,
                }
            )
    if not rows:
        raise PlyforgeError(
            f"no pair of depths up to {depth} has {MIN_PAIRS} positions without a forced result;"
            " play more games (--games), or fewer random moves at their start (--opening)"
        )
    return rows


def _line(
    table: NDArray[np.float64], chosen: NDArray[np.bool_], deep: int, shallow: int
) -> Prediction | None:
    """Return the line through the chosen pairs; None if there are few, or it does not rise."""
    if chosen.sum() < MIN_PAIRS:
        return None
    line = fit_line(table[chosen, shallow - 1], table[chosen, deep - 1])
    return line if line.a > 0 else None


def _shortened(value: float) -> float:
    """Return a number with five digits."""
    return float(f"{value:.5g}")

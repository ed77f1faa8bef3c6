"""Figures and tables that several experiments share: savings, ratios of ratios, equal values."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from plyforge.core.scores import SCORE_LIMIT
from plyforge.lab import student
from plyforge.lab.claims import format_estimate
from plyforge.lab.data import Data, Values
from plyforge.lab.statistics import CONFIDENCE, Estimate
from plyforge.match.tables import Table

Figure = Callable[[Data], Estimate | None]


def saving(name: str, baseline: str, depth: int, metric: str) -> Figure:
    """Return a function for the percentage that a configuration saves over another one."""
    return lambda data: _rescale(data.ratio(name, baseline, depth, metric), -100, 100)


def extra(name: str, baseline: str, depth: int, metric: str) -> Figure:
    """Return a function for the percentage that a configuration takes more than another one."""
    return lambda data: _rescale(data.ratio(name, baseline, depth, metric), 100, -100)


def _rescale(estimate: Estimate | None, scale: float, shift: float) -> Estimate | None:
    return None if estimate is None else estimate.rescale(scale, shift)


def ratio_of_sums(
    data: Data, names: Sequence[str], baselines: Sequence[str], depth: int, metric: str
) -> Estimate | None:
    """Return the ratio of what several configurations take together to what others take."""

    def total(case: int, of: Sequence[str]) -> float:
        return sum(data.row(name, depth, case)[metric] for name in of)

    cases = data.cases(depth, (*names, *baselines), (metric,))
    return data.ratio_of({case: (total(case, names), total(case, baselines)) for case in cases})


def ratio_of_ratios(
    data: Data, depth: int, above: tuple[str, str], below: tuple[str, str], metric: str
) -> Estimate | None:
    """Return the ratio of two ratios, such as what a rule costs one driver over another."""
    names = (*above, *below)
    rows = {
        case: tuple(data.row(name, depth, case)[metric] for name in names)
        for case in data.cases(depth, names, (metric,))
    }
    return quotient_of_sums(data, rows)


def per_ratio(
    data: Data, depth: int, name: str, baseline: str, metric: str, other: str
) -> Estimate | None:
    """Return `metric` per `other` of a configuration, over the same of another one."""
    rows = {
        case: (a[metric], a[other], b[metric], b[other])
        for case in data.cases(depth, (name, baseline), (metric, other))
        for a, b in ((data.row(name, depth, case), data.row(baseline, depth, case)),)
    }
    return quotient_of_sums(data, rows)


def quotient_of_sums(data: Data, rows: Mapping[int, tuple[float, ...]]) -> Estimate | None:
    """Return (sum / sum) / (sum / sum) of four figures by position.

    The error is that of the jackknife by games, as in `statistics.ratio`.

    >>> rows = {case: (3.0 + case % 2, 2.0, 6.0 + 2 * (case % 2), 2.0) for case in range(9)}
    >>> round(quotient_of_sums(Data((), ()), rows).value, 9)
    0.5
    """
    if not rows:
        return None
    games: dict[int, np.ndarray] = {}
    for case, figures in rows.items():
        game = case // data.together
        games[game] = games.get(game, np.zeros(len(figures))) + np.asarray(figures)
    sums = np.stack([*games.values()])
    total = sums.sum(axis=0)
    if not (total > 0).all():
        return None
    value = float(np.exp(_log_quotient(total)))
    unknown = Estimate(value, math.nan, math.nan, len(rows), len(games))
    if len(games) < 2 or not (total - sums > 0).all():
        return unknown
    others = _log_quotient(total - sums)
    error = float(np.sqrt((len(games) - 1) * np.var(others)))
    error = 0.0 if error <= 1e-12 else error
    reach = student.quantile((1 + CONFIDENCE) / 2, len(games) - 1) * error
    ends = value * math.exp(-reach), value * math.exp(reach)
    return Estimate(value, *ends, len(rows), len(games), error, log=True)


def _log_quotient(sums: np.ndarray) -> np.ndarray:
    """Return the logarithm of the first sum over the second, over the third over the fourth."""
    logs = np.log(sums)
    return np.asarray(logs @ np.array((1, -1, -1, 1)))


def growth_per_ply(data: Data, name: str, depth: int, metric: str) -> Estimate | None:
    """Return the factor by which a figure grows per ply, over the two plies before a depth.

    Even and odd depths differ. The square root of a ratio of sums has no interval of its own; the
    mean of the roots at each position has.
    """
    before = set(data.cases(depth - 2, (name,), (metric,)))
    common = [case for case in data.cases(depth, (name,), (metric,)) if case in before]
    return data.mean_of(
        {
            case: math.sqrt(
                data.row(name, depth, case)[metric] / data.row(name, depth - 2, case)[metric]
            )
            for case in common
        }
    )


def undecided(row: Values) -> bool:
    """Return whether a value is one of the evaluation, not a win or a loss."""
    return abs(row["value"]) < SCORE_LIMIT


def equal_values(
    data: Data, pairs: Sequence[tuple[str, str]], depths: Sequence[int]
) -> Estimate | None:
    """Return the percentage of positions where both configurations find the same value.

    A position counts if that is so in all pairs and at all depths that were measured.
    """
    same: dict[int, bool] = {}
    for depth in depths:
        for name, baseline in pairs:
            for case in data.cases(depth, (name, baseline), ("value",)):
                values = {data.row(one, depth, case)["value"] for one in (name, baseline)}
                same[case] = same.get(case, True) and len(values) == 1
    return _rescale(data.share_of(same), 100, 0)


def single(value: float, count: int = 1) -> Estimate:
    """Return a figure without an interval."""
    return Estimate(value, math.nan, math.nan, count, 1)


def figure_table(
    title: str,
    heading: str,
    columns: Sequence[str],
    rows: Mapping[str, Sequence[Estimate | str | None]],
) -> Table:
    """Make a table of figures with intervals, without rows that have none."""
    return Table(
        (heading, *columns),
        tuple(
            (name, *(_cell(figure) for figure in figures))
            for name, figures in rows.items()
            if any(figure is not None for figure in figures)
        ),
        title,
    )


def _cell(figure: Estimate | str | None) -> str:
    if figure is None or isinstance(figure, str):
        return figure or ""
    return format_estimate(figure)

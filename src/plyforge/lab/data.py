"""The measurements of a run, arranged for findings, charts and tables."""

import statistics as medians
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from plyforge.core.errors import UnknownName
from plyforge.core.scores import SCORE_LIMIT
from plyforge.lab import statistics
from plyforge.lab.statistics import Estimate

Values = dict[str, float]
FIGURES: Final = (
    *("value", "depth", "leaves", "interior", "nodes", "distinct", "transpositions"),
    *("first_cuts", "searches", "all_searches", "last_nodes", "seconds", "fixed_seconds"),
)
"""The names of the figures of a search; `distinct` only if they were counted."""
TIMES: Final = ("seconds", "fixed_seconds")
"""The figures that differ from one repeat to the next, and from machine to machine."""


@dataclass(frozen=True)
class Measurement:
    """The figures of one position in one configuration at one depth."""

    case: int
    variation: str
    depth: int
    repeat: int
    values: Values

    @property
    def key(self) -> tuple[int, str, int, int]:
        return self.case, self.variation, self.depth, self.repeat


@dataclass
class Data:
    """Measurements by configuration and depth, compared over common positions only.

    Of repeated measurements, the first gives the counts, and the median the seconds.
    """

    measurements: Iterable[Measurement]
    variations: tuple[str, ...]
    groups: tuple[str, ...] = ()
    """Games, for example, that alternate in the list of positions."""
    together: int = 1
    """How many consecutive positions come from one game, and are resampled together."""
    strict: bool = False
    """Whether the name of a configuration that does not exist is an error.  Built-in experiments
    ask for combinations of which only some exist."""
    _table: dict[tuple[str, int], dict[int, Values]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        times: dict[tuple[str, int, int, str], list[float]] = {}
        for measurement in sorted(self.measurements, key=lambda measurement: measurement.repeat):
            rows = self._table.setdefault((measurement.variation, measurement.depth), {})
            rows.setdefault(measurement.case, measurement.values.copy())
            for metric in TIMES:
                if metric in measurement.values:
                    key = (measurement.variation, measurement.depth, measurement.case, metric)
                    times.setdefault(key, []).append(measurement.values[metric])
        for (variation, depth, case, metric), repeated in times.items():
            self._table[variation, depth][case][metric] = medians.median(repeated)

    def part(self, group: str) -> "Data":
        """Return the data of the positions of one group."""
        place, groups = self.groups.index(group), len(self.groups)
        chosen = [m for m in self.measurements if m.case % groups == place]
        return Data(chosen, self.variations, together=self.together, strict=self.strict)

    def without_forced_wins(self) -> "Data":
        """Leave out positions at depths where some search found a forced win.

        Iterative deepening stops there, and a single search of the full depth does not.
        """
        won = {
            (m.case, m.depth)
            for m in self.measurements
            if abs(m.values.get("value", 0.0)) > SCORE_LIMIT
        }
        left = [m for m in self.measurements if (m.case, m.depth) not in won]
        return Data(left, self.variations, self.groups, self.together, self.strict)

    @property
    def depths(self) -> list[int]:
        """The depths at which anything was measured."""
        return sorted({depth for _, depth in self._table})

    @cached_property
    def metrics(self) -> list[str]:
        """The names of the figures, in the order of their first measurement."""
        rows = (row for by_case in self._table.values() for row in by_case.values())
        return list(dict.fromkeys(name for row in rows for name in row))

    def variations_at(self, depth: int) -> list[str]:
        """Return the configurations measured at a depth, in the experiment's order."""
        return [name for name in self.variations if (name, depth) in self._table]

    def cases(
        self, depth: int, names: Sequence[str] | None = None, metrics: Sequence[str] = ()
    ) -> list[int]:
        """Return the positions for which all these configurations have all these metrics.

        By default, the configurations are all those measured at the depth.
        """
        self._check_names(depth, names or (), metrics)
        required = set(metrics)
        sets = [
            {
                case
                for case, row in self._table.get((name, depth), {}).items()
                if required <= row.keys()
            }
            for name in (self.variations_at(depth) if names is None else names)
        ]
        return sorted(set.intersection(*sets)) if sets else []

    def _check_names(self, depth: int, names: Sequence[str], metrics: Sequence[str]) -> None:
        """Raise an error for a name that is misspelt, not for one that was not measured yet."""
        for name in names:
            if self.strict and name not in self.variations:
                raise LookupError(str(UnknownName("configuration", name, self.variations)))
        measured = any((name, depth) in self._table for name in names)
        for metric in metrics:
            unknown = metric not in self.metrics and metric not in FIGURES
            if self.strict and measured and unknown:
                raise LookupError(str(UnknownName("metric", metric, self.metrics)))

    def values(
        self, name: str, depth: int, metric: str, with_: Sequence[str] | None = None
    ) -> list[float]:
        """Return a metric for the positions that all configurations in `with_` have too.

        By default, `with_` is every configuration measured at the depth.
        """
        others = self.variations_at(depth) if with_ is None else with_
        return [
            self.row(name, depth, case)[metric]
            for case in self.cases(depth, (name, *others), (metric,))
        ]

    def row(self, name: str, depth: int, case: int) -> Values:
        """Return the figures of one measurement."""
        return self._table[name, depth][case]

    def total(self, name: str, depth: int, case: int) -> Values:
        """Return the figures of a position added up over the repeats of its measurement."""
        sums: Values = {}
        for one in self.measurements:
            if (one.case, one.variation, one.depth) == (case, name, depth):
                for metric, value in one.values.items():
                    sums[metric] = sums.get(metric, 0.0) + value
        # A copy of the figures themselves, which may note what is read.
        total = self.row(name, depth, case).copy()
        total.update(sums)
        return total

    def mean(self, name: str, depth: int, metric: str) -> Estimate | None:
        """Return the mean of a metric over all its positions; None if nothing was measured."""
        cases = self.cases(depth, (name,), (metric,))
        return self.mean_of({case: self.row(name, depth, case)[metric] for case in cases})

    def ratio(self, name: str, baseline: str, depth: int, metric: str) -> Estimate | None:
        """Return the ratio of a metric to the baseline's, paired by position.

        The result is None if one of the two is missing or the baseline is zero.
        """
        both = (name, baseline)
        return self.ratio_of(
            {
                case: (self.row(name, depth, case)[metric], self.row(baseline, depth, case)[metric])
                for case in self.cases(depth, both, (metric,))
            }
        )

    def per(self, name: str, depth: int, metric: str, other: str) -> Estimate | None:
        """Return the ratio of two metrics of one configuration; None as for `ratio`."""
        cases = self.cases(depth, (name,), (metric, other))
        rows = {case: self.row(name, depth, case) for case in cases}
        return self.ratio_of({case: (row[metric], row[other]) for case, row in rows.items()})

    def mean_of(self, values: Mapping[int, float]) -> Estimate | None:
        """Return the mean of the given values by position; None if there are none."""
        return self.ratio_of({case: (value, 1.0) for case, value in values.items()})

    def difference_of(self, values: Mapping[int, float]) -> Estimate | None:
        """Return the mean of values that may be negative, such as differences or savings."""
        games = [case // self.together for case in values]
        return statistics.difference(list(values.values()), games) if values else None

    def ratio_of(self, pairs: Mapping[int, tuple[float, float]]) -> Estimate | None:
        """Return the ratio of the given pairs by position; None if the divisors sum to zero."""
        top, bottom = ([pair[place] for pair in pairs.values()] for place in (0, 1))
        games = [case // self.together for case in pairs]
        return statistics.ratio(top, bottom, games) if sum(bottom) else None

    def max_depth(self, names: Sequence[str], min_positions: int = 1) -> int | None:
        """Return the greatest depth at which these configurations share enough positions."""
        depths = [depth for depth in self.depths if len(self.cases(depth, names)) >= min_positions]
        return depths[-1] if depths else None

    def share(self, name: str, depth: int, holds: Callable[[Values], bool]) -> Estimate | None:
        """Return the share of positions for which a condition holds."""
        cases = self.cases(depth, [name])
        return self.share_of({case: holds(self.row(name, depth, case)) for case in cases})

    def share_of(self, holds: Mapping[int, bool]) -> Estimate | None:
        """Return the share of the given positions for which something holds."""
        games = [case // self.together for case in holds]
        return statistics.share(list(holds.values()), games) if holds else None

"""The measurements of a run, as experiments and reports look at them."""

import statistics as medians
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from plyforge.core.scores import SCORE_LIMIT
from plyforge.lab import statistics
from plyforge.lab.statistics import Estimate

Values = dict[str, float]


@dataclass(frozen=True)
class Measurement:
    """One position, one configuration, one depth."""

    case: int
    variation: str
    depth: int
    repeat: int
    values: Values


@dataclass
class Data:
    """Measurements by configuration and depth; figures are compared over common positions only.

    Of repeated measurements the first gives the counts, and the median the seconds.
    """

    measurements: Iterable[Measurement]
    variations: tuple[str, ...]
    groups: tuple[str, ...] = ()
    """Games, say, that take turns in the list of positions."""
    together: int = 1
    """How many positions in a row are of one game, and drawn together for an interval."""
    _table: dict[tuple[str, int], dict[int, Values]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seconds: dict[tuple[str, int, int], list[float]] = {}
        for one in sorted(self.measurements, key=lambda one: one.repeat):
            found = self._table.setdefault((one.variation, one.depth), {})
            found.setdefault(one.case, one.values.copy())
            if "seconds" in one.values:
                key = (one.variation, one.depth, one.case)
                seconds.setdefault(key, []).append(one.values["seconds"])
        for (variation, depth, case), times in seconds.items():
            self._table[variation, depth][case]["seconds"] = medians.median(times)

    def part(self, group: str) -> "Data":
        """The positions of one group."""
        place, groups = self.groups.index(group), len(self.groups)
        chosen = [one for one in self.measurements if one.case % groups == place]
        return Data(chosen, self.variations, together=self.together)

    def undecided(self) -> "Data":
        """Without positions at depths where some search found a forced win: deepening ends there,
        and a single search of the full depth does not."""
        won = {
            (one.case, one.depth)
            for one in self.measurements
            if abs(one.values.get("value", 0.0)) > SCORE_LIMIT
        }
        left = [one for one in self.measurements if (one.case, one.depth) not in won]
        return Data(left, self.variations, self.groups, self.together)

    @property
    def depths(self) -> list[int]:
        """The depths at which anything was measured."""
        return sorted({depth for _, depth in self._table})

    @cached_property
    def metrics(self) -> list[str]:
        """The figures that were counted, in the order of their first measurement."""
        rows = (row for found in self._table.values() for row in found.values())
        return list(dict.fromkeys(name for row in rows for name in row))

    def at(self, depth: int) -> list[str]:
        """The configurations that were measured at a depth, in the experiment's order."""
        return [name for name in self.variations if (name, depth) in self._table]

    def cases(
        self, depth: int, names: Sequence[str] | None = None, metrics: Sequence[str] = ()
    ) -> list[int]:
        """The positions for which these configurations (default: all of the depth) all have these
        metrics."""
        wanted = set(metrics)
        sets = [
            {
                case
                for case, row in self._table.get((name, depth), {}).items()
                if wanted <= row.keys()
            }
            for name in (self.at(depth) if names is None else names)
        ]
        return sorted(set.intersection(*sets)) if sets else []

    def values(
        self, name: str, depth: int, metric: str, with_: Sequence[str] | None = None
    ) -> list[float]:
        """A metric of the positions that all of `with_` (default: all of the depth) have, in their
        order."""
        others = self.at(depth) if with_ is None else with_
        return [
            self.row(name, depth, case)[metric]
            for case in self.cases(depth, (name, *others), (metric,))
        ]

    def row(self, name: str, depth: int, case: int) -> Values:
        """All figures of one measurement."""
        return self._table[name, depth][case]

    def mean(self, name: str, depth: int, metric: str) -> Estimate | None:
        """The mean of a metric over all its positions; None where nothing was measured."""
        cases = self.cases(depth, (name,), (metric,))
        return self.mean_of({case: self.row(name, depth, case)[metric] for case in cases})

    def ratio(self, name: str, baseline: str, depth: int, metric: str) -> Estimate | None:
        """A metric over the baseline's, paired by position.

        None where one of the two is missing, or where the baseline is zero.
        """
        both = (name, baseline)
        return self.ratio_of(
            {
                case: (self.row(name, depth, case)[metric], self.row(baseline, depth, case)[metric])
                for case in self.cases(depth, both, (metric,))
            }
        )

    def per(self, name: str, depth: int, metric: str, other: str) -> Estimate | None:
        """One metric over another of the same configuration; None as with `ratio`."""
        cases = self.cases(depth, (name,), (metric, other))
        rows = {case: self.row(name, depth, case) for case in cases}
        return self.ratio_of({case: (row[metric], row[other]) for case, row in rows.items()})

    def mean_of(self, values: Mapping[int, float]) -> Estimate | None:
        """The mean of figures of one's own, by position; None if there are none."""
        return self.ratio_of({case: (value, 1.0) for case, value in values.items()})

    def ratio_of(self, pairs: Mapping[int, tuple[float, float]]) -> Estimate | None:
        """The ratio of two figures of one's own, by position; None where the second are zero."""
        top, bottom = ([pair[place] for pair in pairs.values()] for place in (0, 1))
        games = [case // self.together for case in pairs]
        return statistics.ratio(top, bottom, games) if sum(bottom) else None

    def deepest(self, names: Sequence[str], least: int = 1) -> int | None:
        """The greatest depth at which these configurations share so many positions."""
        found = [depth for depth in self.depths if len(self.cases(depth, names)) >= least]
        return found[-1] if found else None

    def share(self, name: str, depth: int, holds: Callable[[Values], bool]) -> Estimate | None:
        """In which share of the positions something holds."""
        cases = self.cases(depth, [name])
        return self.mean_of({case: float(holds(self.row(name, depth, case))) for case in cases})

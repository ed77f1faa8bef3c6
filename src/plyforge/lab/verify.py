"""Repeat a sample of the measurements of a run, and report every count that differs.

Counts are the same on every machine; times are not, and are left out.  So are searches with several
threads, whose counts depend on which of them is faster.
"""

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.lab.cases import Case
from plyforge.lab.data import TIMES, Measurement
from plyforge.lab.experiment import Experiment

_DOUBT: Final = 0.05
"""The chance that more measurements differ than `Verification.max_share` says."""


@dataclass(frozen=True)
class Difference:
    """A measurement that was repeated with other counts."""

    measurement: Measurement
    changes: tuple[str, ...]
    """Each count that differs, in words."""

    def __str__(self) -> str:
        made = self.measurement
        place = f"position {made.case + 1}, {made.variation}, depth {made.depth}"
        return f"{place}: {'; '.join(self.changes)}"


@dataclass
class Verification:
    """What repeating some of the measurements of a run has shown so far."""

    total: int
    planned: int
    """How many are repeated if time allows."""
    repeated: int = 0
    differences: list[Difference] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether something was repeated, and nothing differs."""
        return self.repeated > 0 and not self.differences

    @property
    def max_share(self) -> float:
        """The share of all measurements that may differ, with 95 % confidence, if none did.

        If a share p differed, n repeated ones would all agree with a probability of (1 - p)^n.

        >>> Verification(1000, 59, 59).max_share < 0.05 < Verification(1000, 58, 58).max_share
        True
        """
        if self.repeated == self.total:
            return 0.0
        return 1 - _DOUBT ** (1 / self.repeated) if self.repeated else 1.0


def verify(
    experiment: Experiment,
    run_seed: int,
    made: Sequence[Measurement],
    *,
    seconds: float | None = None,
    share: float = 1.0,
    seed: int = 0,
) -> Generator[Verification, None, None]:
    """Repeat a random sample of measurements, and yield the same object before and after each one.

    `run_seed` is that of the run; `seed` chooses the sample. It ends after `share` of all
    measurements, or with the first one that ends after `seconds`.
    """
    if not made:
        raise PlyforgeError(f"{experiment.name}: the run has no measurements to repeat")
    if not 0 < share <= 1:
        raise PlyforgeError(f"share must be above 0 % and at most 100 %, not {100 * share:g} %")
    if seconds is not None and not seconds > 0:
        raise PlyforgeError(f"seconds must be above 0, not {seconds:g}")
    _check_configurations(experiment, made)
    made = [one for one in made if not experiment.uses_threads(experiment.variation(one.variation))]
    if not made:
        raise PlyforgeError(
            f"{experiment.name}: all measurements of the run are of searches with several threads,"
            " whose counts differ each time; there is nothing to repeat"
        )
    cases = experiment.cases(run_seed, 1 + max(measurement.case for measurement in made))
    order, stream = list(range(len(made))), Stream(seed).split(experiment.name)
    state = Verification(len(made), max(1, round(share * len(made))))
    end = None if seconds is None else time.monotonic() + seconds
    yield state
    while state.repeated < state.planned and (end is None or time.monotonic() < end):
        measurement = made[order.pop(stream.below(len(order)))]
        changes = _find_changes(experiment, cases[measurement.case], measurement)
        state.repeated += 1
        if changes:
            state.differences.append(Difference(measurement, changes))
        yield state


def _check_configurations(experiment: Experiment, made: Sequence[Measurement]) -> None:
    known = {variation.name for variation in experiment.variations}
    missing = sorted({measurement.variation for measurement in made} - known)
    if missing:
        raise PlyforgeError(
            f"{experiment.name} no longer has the configuration '{missing[0]}', which the run has;"
            " the run cannot be repeated"
        )


def _find_changes(experiment: Experiment, case: Case, measurement: Measurement) -> tuple[str, ...]:
    """Measure again, and describe each count that differs."""
    variation = experiment.variation(measurement.variation)
    values = experiment.measure(case, variation, measurement.depth)
    return tuple(
        f"{metric} {value} is now {values.get(metric, 'missing')}"
        for metric, value in measurement.values.items()
        if metric not in TIMES and values.get(metric) != value
    )

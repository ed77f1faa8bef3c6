"""Fitted numbers for ProbCut: how well shallow searches predict deeper ones."""

from collections.abc import Sequence
from typing import Final

from plyforge.search.fits import FitForm, Row
from plyforge.search.kernels.probcut import WIDTH

_MAX_DEPTH: Final = 64
_MAX_PHASES: Final = 64
_MAX_CHOICES: Final = 8


def fitted_numbers(rows: Sequence[Row]) -> list[float]:
    """Return rows of depth, shallow, phase, a, b and sigma as the kernel reads them."""
    cases: dict[tuple[int, int], list[Row]] = {}
    for place, row in enumerate(rows):
        depth, shallow, stage = (int(row[name]) for name in ("depth", "shallow", "phase"))
        if not 0 < shallow < depth <= _MAX_DEPTH or not 0 <= stage < _MAX_PHASES:
            raise ValueError(f"row {place + 1}: depth {depth}, shallow {shallow}, phase {stage}")
        if row["a"] <= 0 or row["sigma"] < 0:
            raise ValueError(f"row {place + 1}: a must be positive, and sigma not negative")
        cases.setdefault((depth, stage), []).append(row)
    if not cases:
        raise ValueError("it has no rows")
    depths = 1 + max(depth for depth, _ in cases)
    phases = 1 + max(stage for _, stage in cases)
    choices = max(map(len, cases.values()))
    if choices > _MAX_CHOICES:
        raise ValueError(f"a depth has {choices} shallow depths; {_MAX_CHOICES} are possible")
    numbers = [float(phases), float(depths - 1), float(choices)]
    for case in ((depth, stage) for depth in range(depths) for stage in range(phases)):
        found = sorted(cases.get(case, []), key=lambda row: row["shallow"])
        for row in found:
            numbers += [float(row[name]) for name in ("shallow", "a", "b", "sigma")]
        numbers += [0.0] * (WIDTH * (choices - len(found)))
    return numbers


FORM: Final = FitForm("probcut", ("depth", "shallow", "phase", "a", "b", "sigma"), fitted_numbers)

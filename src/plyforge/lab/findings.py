"""What was published beside what was found, and a verdict."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from plyforge.lab.statistics import Estimate

Verdict = Literal["reproduced", "not reproduced", "not comparable", "not measured"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
TOLERANCE: Final = 0.25
"""A published figure counts as reproduced if ours is within this share of it, or its interval
holds it."""


@dataclass(frozen=True)
class Finding:
    """A claim, the published figure, ours, and what to think of it."""

    claim: str
    published: str
    found: str
    verdict: Verdict
    why: str = ""


def shown(estimate: Estimate | None, unit: str = "", digits: int = 3) -> str:
    """A figure with its interval."""
    if estimate is None:
        return "not measured"
    ends = (estimate.value, estimate.low, estimate.high)
    value, low, high = (_figure(number, digits) for number in ends)
    return f"{value}{unit} ({low} to {high})"


def _figure(number: float, digits: int) -> str:
    """Short, and never in powers of ten where it is large."""
    text = f"{number:.{digits}g}"
    return text if abs(number) < 1000 and "e+" not in text else f"{number:,.0f}"


def judged(
    claim: str,
    published: float,
    estimate: Estimate | None,
    unit: str = "",
    tolerance: float = TOLERANCE,
    why: str = "",
    comparable: bool = True,
) -> Finding:
    """A published number against ours: reproduced if it is near, or within our interval.

    What is not `comparable`, as a figure for another depth, is shown without a verdict.
    """
    told = f"{published:g}{unit}"
    if tolerance != TOLERANCE:
        why = f"{why}; " * bool(why) + f"within {100 * tolerance:g} % counts as reproduced"
    if estimate is None:
        return Finding(claim, told, "not measured", "not measured", why)
    near = abs(estimate.value - published) <= tolerance * abs(published)
    inside = estimate.low <= published <= estimate.high
    verdict: Verdict = "reproduced" if near or inside else "not reproduced"
    if not comparable:
        verdict = "not comparable"
    return Finding(claim, told, shown(estimate, unit), verdict, why)

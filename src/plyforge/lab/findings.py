"""What was published beside what was found, and a verdict."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from plyforge.lab.statistics import Estimate

Verdict = Literal["reproduced", "not reproduced", "not comparable", "not measured"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
TOLERANCE: Final = 0.25
"""A published figure counts as reproduced if ours is within this share of it, or its interval
holds it."""
UNDECIDED: Final = "the interval is too wide to tell"


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
    none: float | None = None,
) -> Finding:
    """A published number against ours: reproduced if it is near, or within our interval.

    What is not `comparable`, as a figure for another depth, is shown without a verdict.  With
    `none`, the figure that would mean no effect, near is meant as a share of the effect, and an
    interval that holds both the published figure and `none` decides nothing.
    """
    told = f"{published:g}{unit}"
    if tolerance != TOLERANCE:
        why = f"{why}; " * bool(why) + f"within {100 * tolerance:g} % counts as reproduced"
    if estimate is None:
        return Finding(claim, told, "not measured", "not measured", why)
    near = abs(estimate.value - published) <= tolerance * abs(published - (none or 0.0))
    inside = estimate.holds(published)
    verdict: Verdict = "reproduced" if near or inside else "not reproduced"
    if inside and none is not None and estimate.holds(none):
        verdict, why = "not comparable", f"{why}; " * bool(why) + UNDECIDED
    if not comparable:
        verdict = "not comparable"
    return Finding(claim, told, shown(estimate, unit), verdict, why)


def level(
    claim: str,
    published: str,
    target: float,
    estimate: Estimate | None,
    margin: float,
    unit: str = "",
    why: str = "",
) -> Finding:
    """A claim that two things are level, so that a figure is `target`: reproduced within `margin`
    of it; undecided where ours is farther off, but its interval holds the target."""
    why = f"{why}; " * bool(why) + f"within {margin:g}{unit} counts"
    if estimate is None:
        return Finding(claim, published, "not measured", "not measured", why)
    verdict: Verdict = "not reproduced"
    if abs(estimate.value - target) <= margin:
        verdict = "reproduced"
    elif estimate.holds(target):
        verdict, why = "not comparable", f"{why}; {UNDECIDED}"
    return Finding(claim, published, shown(estimate, unit), verdict, why)

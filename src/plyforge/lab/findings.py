"""Published claims, what we found, and a verdict on each."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from plyforge.lab.statistics import Estimate

Verdict = Literal["reproduced", "not reproduced", "not comparable", "not measured"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
TOLERANCE: Final = 0.25
"""A published figure is reproduced if ours is within this share of it, or if our interval
contains it."""
UNDECIDED: Final = "the interval is too wide to tell"


@dataclass(frozen=True)
class Finding:
    """A claim, the published figure, ours, and a verdict."""

    claim: str
    published: str
    found: str
    verdict: Verdict
    why: str = ""


def format_estimate(estimate: Estimate | None, unit: str = "", digits: int = 3) -> str:
    """Format a figure with its interval."""
    if estimate is None:
        return "not measured"
    ends = (estimate.value, estimate.low, estimate.high)
    value, low, high = (_format_number(number, digits) for number in ends)
    return f"{value}{unit} ({low} to {high})"


def _format_number(number: float, digits: int) -> str:
    """Format a number briefly, without an exponent if it is large."""
    text = f"{number:.{digits}g}"
    return text if abs(number) < 1000 and "e+" not in text else f"{number:,.0f}"


def judge(
    claim: str,
    published: float,
    estimate: Estimate | None,
    unit: str = "",
    tolerance: float = TOLERANCE,
    why: str = "",
    comparable: bool = True,
    none: float | None = None,
) -> Finding:
    """Compare a published number with ours: reproduced if it is close or within our interval.

    With `comparable` false, as for a figure at another depth, the verdict is "not comparable".
    `none` is the figure that would mean no effect. The tolerance is then a share of the effect,
    and an interval that contains both the published figure and `none` decides nothing.
    """
    text = f"{published:g}{unit}"
    if tolerance != TOLERANCE:
        rule = f"within {100 * tolerance:g} %" if tolerance else "only within our interval"
        why = f"{why}; " * bool(why) + f"{rule} counts as reproduced"
    if estimate is None:
        return Finding(claim, text, "not measured", "not measured", why)
    near = abs(estimate.value - published) <= tolerance * abs(published - (none or 0.0))
    inside = estimate.contains(published)
    verdict: Verdict = "reproduced" if near or inside else "not reproduced"
    if inside and none is not None and estimate.contains(none):
        verdict, why = "not comparable", f"{why}; " * bool(why) + UNDECIDED
    if not comparable:
        verdict = "not comparable"
    return Finding(claim, text, format_estimate(estimate, unit), verdict, why)


def judge_level(
    claim: str,
    published: str,
    target: float,
    estimate: Estimate | None,
    margin: float,
    unit: str = "",
    why: str = "",
) -> Finding:
    """Judge a claim that two things are equal, so that a figure is `target`.

    It is reproduced within `margin` of the target, and undecided if ours is further away but its
    interval contains the target.
    """
    why = f"{why}; " * bool(why) + f"within {margin:g}{unit} counts"
    if estimate is None:
        return Finding(claim, published, "not measured", "not measured", why)
    verdict: Verdict = "not reproduced"
    if abs(estimate.value - target) <= margin:
        verdict = "reproduced"
    elif estimate.contains(target):
        verdict, why = "not comparable", f"{why}; {UNDECIDED}"
    return Finding(claim, published, format_estimate(estimate, unit), verdict, why)

"""Published claims, the rule by which each is judged, and verdicts.

An experiment states its claims before it is run. A claim says what is measured, and its rule says
what would reproduce or refute it; the data decide. Rules compare the 95 % interval of our figure
with the published one. All verdicts of an experiment that rest on a test are corrected together
(Holm 1979), so that one false verdict among all of them has a probability of at most 5 %.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, get_args

from plyforge.lab.data import Data
from plyforge.lab.statistics import CONFIDENCE, Estimate

Verdict = Literal["reproduced", "refuted", "undecided", "not comparable", "not measured"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
_MAX_GAMES: Final = 10**6
"""More games than this are not suggested."""


@dataclass(frozen=True)
class Judgement:
    """What a rule says about a figure, before the correction for many tests."""

    verdict: Verdict
    p: float | None = None
    """The two-sided p-value of the test that the verdict rests on; None if there is none."""
    gap: float | None = None
    """If undecided: an interval that reaches no further than this from its figure would decide."""


class Rule(Protocol):
    """Says what reproduces or refutes a claim."""

    def describe(self, unit: str) -> str:
        """Return the rule in words."""

    def judge(self, estimate: Estimate) -> Judgement:
        """Compare our figure with the published one."""


@dataclass(frozen=True)
class Equals:
    """The published figure is a number.

    It is reproduced if our interval contains it, or if the whole interval is within `margin` of it.
    It is refuted if the interval is further away than `margin`. `no_effect` is the figure that
    would mean no effect: an interval that contains both decides nothing.
    """

    value: float
    margin: float
    no_effect: float | None = None

    def describe(self, unit: str) -> str:
        no_effect = "" if self.no_effect is None else f" and not {self.no_effect:g}{unit}"
        return (
            f"interval contains {self.value:g}{unit}{no_effect}, or is within"
            f" ±{self.margin:g}{unit} of it; refuted if further away than that"
        )

    def judge(self, estimate: Estimate) -> Judgement:
        within = Within(self.value, self.margin).judge(estimate)
        if within.verdict != "undecided" or not estimate.contains(self.value):
            return within
        if self.no_effect is None:
            return Judgement("reproduced")
        if not estimate.contains(self.no_effect):
            away = estimate.p_below if estimate.value < self.no_effect else estimate.p_above
            return Judgement("reproduced", _two_sided(away(self.no_effect)))
        return within


@dataclass(frozen=True)
class Within:
    """The claim is that a figure is within `margin` of a number: an interval that is wide decides
    nothing, whatever it contains.
    """

    value: float
    margin: float

    def describe(self, unit: str) -> str:
        return (
            f"interval within ±{self.margin:g}{unit} of {self.value:g}{unit}; refuted if all of it"
            " is further away"
        )

    def judge(self, estimate: Estimate) -> Judgement:
        low, high = self.value - self.margin, self.value + self.margin
        if low <= estimate.low and estimate.high <= high:
            p = max(estimate.p_above(low), estimate.p_below(high))
            return Judgement("reproduced", _two_sided(p))
        if estimate.high < low:
            return Judgement("refuted", _two_sided(estimate.p_below(low)))
        if estimate.low > high:
            return Judgement("refuted", _two_sided(estimate.p_above(high)))
        return Judgement("undecided", gap=abs(abs(estimate.value - self.value) - self.margin))


@dataclass(frozen=True)
class MoreThan:
    """The claim is that a figure is above a number, such as 1 for "more nodes".

    It is reproduced if the whole interval is above, and refuted if all of it is below.
    """

    value: float

    def describe(self, unit: str) -> str:
        return f"interval above {self.value:g}{unit}; refuted if below"

    def judge(self, estimate: Estimate) -> Judgement:
        if estimate.low > self.value:
            return Judgement("reproduced", _two_sided(estimate.p_above(self.value)))
        if estimate.high < self.value:
            return Judgement("refuted", _two_sided(estimate.p_below(self.value)))
        return Judgement("undecided", gap=abs(estimate.value - self.value))


@dataclass(frozen=True)
class LessThan:
    """The claim is that a figure is below a number; see `MoreThan`."""

    value: float

    def describe(self, unit: str) -> str:
        return f"interval below {self.value:g}{unit}; refuted if above"

    def judge(self, estimate: Estimate) -> Judgement:
        if estimate.high < self.value:
            return Judgement("reproduced", _two_sided(estimate.p_below(self.value)))
        if estimate.low > self.value:
            return Judgement("refuted", _two_sided(estimate.p_above(self.value)))
        return Judgement("undecided", gap=abs(estimate.value - self.value))


@dataclass(frozen=True)
class Exactly:
    """The claim is a count that does not vary, or a theorem: reproduced if equal."""

    value: float

    def describe(self, unit: str) -> str:
        return f"exactly {self.value:g}{unit}"

    def judge(self, estimate: Estimate) -> Judgement:
        return Judgement("reproduced" if estimate.value == self.value else "refuted")


@dataclass(frozen=True)
class NotComparable:
    """Our quantity is another one than the published; the reason is the rule."""

    reason: str

    def describe(self, unit: str) -> str:
        return f"none: {self.reason}"

    def judge(self, estimate: Estimate) -> Judgement:
        return Judgement("not comparable")


@dataclass(frozen=True)
class Claim:
    """A published statement, and how it is tested."""

    statement: str
    published: str
    """The published figure or words."""
    metric: str
    """What is measured, in words: figure, configurations, depth."""
    rule: Rule
    estimate: Callable[[Data], Estimate | None]
    """Our figure; None if it was not measured."""
    unit: str = ""
    place: str = ""
    """Section, table or page of the source."""
    source: str = ""
    """The publication, if it is not that of the experiment."""
    note: str = ""
    """Why ours differs, or what to know, in a line."""
    samples: str = "games"
    """What the independent samples are, in the plural."""

    @property
    def registered(self) -> str:
        """The claim and its rule in words, as they are stored with a run."""
        rule = self.rule.describe(self.unit)
        return f"{self.statement}; published: {self.published}; {self.metric}; {rule}"


@dataclass(frozen=True)
class Finding:
    """A claim, our figure, and the verdict."""

    claim: Claim
    estimate: Estimate | None
    verdict: Verdict
    reason: str = ""

    @property
    def figure(self) -> str:
        """Our figure as a text, with its interval and unit."""
        return format_estimate(self.estimate, self.claim.unit)

    def fields(self) -> dict[str, object]:
        """Return the finding as plain data."""
        claim, estimate = self.claim, self.estimate
        has_interval = estimate is not None and estimate.has_interval
        return {
            "claim": claim.statement,
            "place": claim.place,
            "published": claim.published,
            "metric": claim.metric,
            "rule": claim.rule.describe(claim.unit),
            "found": self.figure,
            "value": None if estimate is None else estimate.value,
            "low": estimate.low if estimate is not None and has_interval else None,
            "high": estimate.high if estimate is not None and has_interval else None,
            "verdict": self.verdict,
            "reason": self.reason,
        }


def judge_claims(claims: Sequence[Claim], data: Data) -> list[Finding]:
    """Return the verdict on each claim of an experiment, corrected for the number of tests."""
    pairs = [(claim, claim.estimate(data)) for claim in claims]
    judgements = [
        Judgement("not measured") if estimate is None else _judge(claim.rule, estimate)
        for claim, estimate in pairs
    ]
    rejected = holm([judgement.p for judgement in judgements])
    return [
        _find(claim, estimate, judgement, holds)
        for (claim, estimate), judgement, holds in zip(pairs, judgements, rejected, strict=True)
    ]


def holm(p_values: Sequence[float | None]) -> list[bool]:
    """Return which tests remain significant when all are corrected together (Holm 1979).

    None is not a test, and remains.

    >>> holm([0.01, 0.04, None, 0.03, 0.005])
    [True, False, True, False, True]
    """
    order = sorted((p, number) for number, p in enumerate(p_values) if p is not None)
    remains = [p is None for p in p_values]
    for rank, (p, number) in enumerate(order):
        if p > (1 - CONFIDENCE) / (len(order) - rank):
            break
        remains[number] = True
    return remains


def _judge(rule: Rule, estimate: Estimate) -> Judgement:
    if not estimate.has_interval and not isinstance(rule, (Exactly, NotComparable)):
        return Judgement("undecided")
    return rule.judge(estimate)


def _find(claim: Claim, estimate: Estimate | None, judgement: Judgement, holds: bool) -> Finding:
    verdict, reasons = judgement.verdict, [claim.note]
    if isinstance(claim.rule, NotComparable):
        reasons.append(claim.rule.reason)
    elif not holds:
        verdict = "undecided"
        reasons.append(f"{judgement.verdict} by itself, but not among so many tests (Holm)")
    elif verdict == "undecided" and estimate is not None:
        reasons.append(_what_would_decide(estimate, judgement.gap, claim.samples))
    return Finding(claim, estimate, verdict, "; ".join(reason for reason in reasons if reason))


def _what_would_decide(estimate: Estimate, gap: float | None, samples: str) -> str:
    """Say how many samples would make the interval narrow enough, if the figure stays the same."""
    if gap is None or not estimate.has_interval:
        return f"there are too few {samples} for an interval"
    reach = max(estimate.high - estimate.value, estimate.value - estimate.low)
    games = estimate.games * (reach / gap) ** 2 if gap else math.inf
    if games > _MAX_GAMES:
        return f"{estimate.games:,} {samples}, and no number that is feasible would decide"
    return f"{estimate.games:,} {samples}; about {_round_up(games):,} would decide"


def _round_up(number: float) -> int:
    """Round up to two digits.

    >>> _round_up(1234.5), _round_up(7.2)
    (1300, 8)
    """
    unit = int(10 ** max(0, len(str(int(number))) - 2))
    return math.ceil(number / unit) * unit


def _two_sided(p: float) -> float:
    return min(1.0, 2 * p)


def format_estimate(estimate: Estimate | None, unit: str = "", digits: int = 3) -> str:
    """Format a figure with its interval."""
    if estimate is None:
        return "not measured"
    value = _format_number(estimate.value, digits)
    if not estimate.has_interval:
        return f"{value}{unit}"
    low, high = (_format_number(end, digits) for end in (estimate.low, estimate.high))
    return f"{value}{unit} ({low} to {high})"


def _format_number(number: float, digits: int) -> str:
    """Format a number briefly, without an exponent if it is large."""
    text = f"{number:.{digits}g}"
    return text if abs(number) < 1000 and "e+" not in text else f"{number:,.0f}"

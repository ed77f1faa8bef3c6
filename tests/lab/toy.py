"""An experiment without searches, whose figures are computed from its arguments.

Environment variables:
TOY_HANG    the depth from which measurements never end while their parent process lives
TOY_FAIL    how one measurement fails: `raise`, `die`, `value`
"""

import os
import time

from plyforge.lab import Case, Chart, Claim, Data, Equals, Estimate, Series, Variation

TITLE = "A toy <experiment> | with odd characters"
SOURCE = "Nobody & Co., 1999"
QUESTION = "Is it half?"
METHOD = "By arithmetic."
THREATS = "None at all."
POSITIONS = 6
DEPTHS = range(1, 4)
QUICK = (2, [1, 2])


def cases(seed: int, count: int) -> list[Case]:
    return [Case("tictactoe", (), label=f"case {seed}.{i}") for i in range(count)]


def variations() -> list[Variation]:
    return [Variation("base"), Variation("half", extra={"factor": 0.5}), Variation("odd")]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return variation.name != "odd" or number % 2 == 1


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    parent = os.getppid()
    while depth >= int(os.environ.get("TOY_HANG", "99")) and os.getppid() == parent:
        time.sleep(0.05)
    fail = os.environ.get("TOY_FAIL", "")
    if fail and (variation.name, depth) == ("half", 2):
        if fail == "die":
            os._exit(3)
        return {"count": 1 // 0} if fail == "raise" else {"count": float("nan")}
    seed, number = (int(part) for part in case.label.removeprefix("case ").split("."))
    factor = float(variation.extra.get("factor", 1))
    return {
        "count": factor * (100 * depth + 10 * number + seed),
        "zero": 0,
        "seconds": factor * (1 + 0.001 * (time.perf_counter_ns() % 7)),
    }


def claims() -> list[Claim]:
    return [
        Claim("half of it", "0.5", "count over base", Equals(0.5, 0.05), half, place="page 3"),
        Claim("a third of it", "0.3", "count over base", Equals(0.3, 0.1), half),
        Claim(
            "over nothing",
            "1",
            "zero over base",
            Equals(1, 0.1),
            lambda data: data.ratio("half", "base", 3, "zero"),
        ),
    ]


def half(data: Data) -> Estimate | None:
    return data.ratio("half", "base", 3, "count")


def charts(data: Data) -> list[Chart]:
    line = Series.of("half", [(d, data.ratio("half", "base", d, "count")) for d in data.depths])
    published = Series("half", (1.0, 3.0), (0.4, 0.45), published=True)
    names = ("first & last", "a rather long name of a configuration")
    bars = (
        Series("ours", (0.0, 1.0), (0.7, 3.0), (0.5, 2.0), (0.8, 4.0)),
        Series("ours", (0.0, 1.0), (1.3, 2.5), published=True),
    )
    return [
        Chart("lines", "Half & half", "depth", "count / count of base", (line, published)),
        Chart("bars", "Bars", "configuration", "ratio", bars, names, log_y=True, origin=1.0),
        Chart("nothing", "Nothing was measured", "depth", "count", (Series("none", (), ()),)),
    ]

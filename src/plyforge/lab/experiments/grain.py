"""The drivers as the evaluation's grain becomes finer (Mańdziuk and Osman 2004; Plaat 1996)."""

from plyforge.lab import Case, Chart, Data, Estimate, Finding, Series, Variation, format_estimate
from plyforge.lab.experiments._giveaway import PLIES, positions
from plyforge.lab.experiments._grains import rounded_evaluation
from plyforge.lab.findings import Verdict

TITLE = "Where MTD(f) stops paying as the evaluation's grain becomes finer"
SOURCE = "Mańdziuk and Osman, ICGA Journal 27 (2004), sections 1 and 3"
DEFAULTS = "2026"
POSITIONS = 200
TOGETHER = PLIES
DEPTHS = (8, 10, 12)
QUICK = (10, (7,))
METRICS = (
    ("leaves", "leaves"),
    ("interior", "interior nodes"),
    ("searches", "searches of the driver"),
    ("seconds", "time"),
)
STEPS = (1, 10, 100, 1000, 10_000)
"""Steps of the evaluation per unit."""
MAX_BISECTIONS = 15
TTHH, MTDF, BI, SCOUT = "TTHH", "MTD(f)", "MTD-bi", "NegaScout"
SMALL = ", 2^12 entries"
DRIVERS = {TTHH: "alphabeta", MTDF: "mtdf", BI: "mtd-bi", SCOUT: "pvs"}
SERIES = (MTDF, BI, SCOUT, MTDF + SMALL, BI + SMALL)


def cases(seed: int, count: int) -> list[Case]:
    return positions(seed, count)


def name_of(driver: str, steps: int) -> str:
    return f"{driver}, grain {1 / steps:g}"


def variations() -> list[Variation]:
    names = (TTHH, MTDF, BI, SCOUT, TTHH + SMALL, MTDF + SMALL, BI + SMALL)
    return [_variation(name, steps) for steps in STEPS for name in names]


def _variation(name: str, steps: int) -> Variation:
    driver = DRIVERS[name.removesuffix(SMALL)]
    on = ("table", "table-move", "history")
    return Variation(
        name_of(name, steps),
        driver,
        off=("all",),
        on=(*on, "pvs") if driver == "pvs" else on,
        settings={"replace": "newer", "history-penalty": 0, "guess": "zero", "epsilon": 0.01},
        entries=1 << 12 if name.endswith(SMALL) else 1 << 20,
        evaluation=rounded_evaluation(steps),
    )


def over_tthh(data: Data, name: str, steps: int, depth: int, metric: str) -> Estimate | None:
    """Return a metric over that of TTHH with the same grain and table."""
    base = TTHH + SMALL if name.endswith(SMALL) else TTHH
    return data.ratio(name_of(name, steps), name_of(base, steps), depth, metric)


def findings(data: Data) -> list[Finding]:
    depth = data.max_depth([name_of(name, STEPS[0]) for name in DRIVERS])
    return [] if depth is None else [_paying(data, n, depth) for n in SERIES] + _growth(data, depth)


def _paying(data: Data, name: str, depth: int) -> Finding:
    ratios = [(1 / s, r) for s in STEPS if (r := over_tthh(data, name, s, depth, "nodes"))]
    lost = [grain for grain, ratio in ratios if ratio.value >= 1]
    stops = f"no longer pays from a grain of {lost[0]:g}" if lost else "pays at every grain"
    costs = ", ".join(f"{ratio.value:.2f} at {grain:g}" for grain, ratio in ratios)
    about = f"depth {depth}; nodes over those of TTHH with the same table"
    if not name.startswith(MTDF):
        return Finding(f"{name} also pays with fine values", "it pays", f"{stops}: × {costs}",
                       "not reproduced" if lost else "reproduced", about)  # fmt: skip
    fine = bool(lost) and lost[0] < 1
    verdict: Verdict = "reproduced" if fine else "not reproduced"
    finest = ratios[-1][1] if ratios else None
    if fine and finest is not None and finest.low < 1:
        verdict = "not comparable"
        about += (
            f"; × {finest.low:.2g} to {finest.high:.2g} at the finest grain: it depends"
            " on a few positions, too few to be sure"
        )
    small = over_tthh(data, MTDF + SMALL, STEPS[-1], depth, "nodes")
    interior = data.mean(name_of(TTHH, STEPS[-1]), depth, "interior")
    if name == MTDF and small is not None and interior is not None:
        about += (
            f", {interior.value:,.0f} interior nodes in 2^20 entries; in 2^12 entries, which"
            f" overflow, × {small.value:.3g} at {1 / STEPS[-1]:g}"
        )
    return Finding(
        f"{name} pays with whole values, but not with fine ones",
        "impractical with real values",
        f"{stops}: × {costs}",
        verdict,
        about,
    )


def _growth(data: Data, depth: int) -> list[Finding]:
    coarse, fine = (data.mean(name_of(MTDF, s), depth, "searches") for s in (STEPS[0], STEPS[-1]))
    bisected = data.mean(name_of(BI, STEPS[-1]), depth, "searches")
    if coarse is None or fine is None or bisected is None:
        return []
    return [
        Finding(
            "finer values make MTD(f) search more often",
            "more",
            f"{format_estimate(fine)} searches at 0.0001, {format_estimate(coarse)} at 1",
            "reproduced" if fine.low > coarse.value else "not reproduced",
            f"depth {depth}",
        ),
        Finding(
            "MTD-bi stays below its bound of 15 searches",
            "below 15",
            f"{format_estimate(bisected)} searches at 0.0001, mean",
            "reproduced" if bisected.high < MAX_BISECTIONS else "not reproduced",
            f"depth {depth}",
        ),
    ]


def charts(data: Data) -> list[Chart]:
    depth = data.max_depth([name_of(name, STEPS[0]) for name in DRIVERS])
    if depth is None:
        return []
    pictures = []
    for metric, what in (("leaves", "leaves"), ("nodes", "nodes"), ("seconds", "time")):
        lines = [
            Series.of(n, [(1 / s, over_tthh(data, n, s, depth, metric)) for s in STEPS])
            for n in SERIES
        ]
        pictures.append(
            Chart(what, f"{what.capitalize()} by the evaluation's grain (depth {depth})",
                  "grain of the evaluation", f"{what} / {what} of TTHH, same table", tuple(lines),
                  log_x=True, log_y=True)
        )  # fmt: skip
    searches = [
        Series.of(n, [(1 / s, data.mean(name_of(n, s), depth, "searches")) for s in STEPS])
        for n in (MTDF, BI, MTDF + SMALL)
    ]
    ends = (1 / STEPS[-1], 1.0)
    below = Series("worth it below 20 searches", ends, (20.0, 20.0), published=True)
    pictures.append(
        Chart("searches", f"Searches by the evaluation's grain (depth {depth})",
              "grain of the evaluation", "searches, mean", (*searches, below), log_x=True,
              log_y=True)
    )  # fmt: skip
    return pictures


NOTES = """
The evaluation is the game's own with weights of five decimals, rounded to the grain. MTD(f) starts
from 0 and steps from one float32 to the next, so its windows contain no value at any grain; MTD-bi
has windows of 0.01. A table of 2^12 entries overflows and loses results between a driver's
searches; one of 2^20 hardly does. MTD(f) makes more searches as values become finer, whatever the
table. They cost more than they save only if each has to find its tree again. The paper reports one
real-valued evaluation only, and cites others for the claim that MTD(f) pays with integers.
"""

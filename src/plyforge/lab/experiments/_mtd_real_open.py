"""Settings that the paper leaves open, tried on a sample of the positions of mtd-real."""

from collections.abc import Sequence

from plyforge.lab.charts import Chart, Series
from plyforge.lab.data import Data
from plyforge.lab.experiments._giveaway import BI, REAL, TTHH, variation
from plyforge.lab.experiments._grains import rounded_evaluation
from plyforge.lab.findings import Finding, Verdict, format_estimate
from plyforge.lab.statistics import Estimate
from plyforge.lab.variations import Variation

SAMPLE = 11
"""Every 11th position; coprime to the 40 of a game, so that all plies occur."""
DEPTHS = (11, 13)
BITS, SIZES = 20, (18, 16, 15, 14)
"""Bits of the table's index: as published, and smaller."""
FINE, NO_HISTORY = "fine values", "no history"
NO_MOVE, LEAVES = "table's move not tried first", "leaves kept, too"
FAR_WORSE = 2
PAYING = 20
"""Null windows are said to pay while a driver makes fewer searches than this."""
MIN_POSITIONS = 5
"""Smaller groups of positions are left out."""
_BY_SEARCHES = ((1, 5), (5, 10), (10, 15), (15, 20), (20, 30), (30, 50), (50, 100), (100, 100_000))


def name_of(driver: str, reading: str = "") -> str:
    return f"{driver}, {reading}" if reading else driver


def size_of(bits: int) -> str:
    return "" if bits == BITS else f"2^{bits}"


READINGS = (*map(size_of, SIZES), FINE, NO_HISTORY, NO_MOVE, LEAVES)


def variations() -> list[Variation]:
    variations = []
    for bits in SIZES:
        for one in (TTHH, BI, REAL):
            variations.append(variation(name_of(one, size_of(bits)), one, entries=1 << bits))
    for one in (TTHH, BI):
        variations += [
            variation(name_of(one, FINE), one, evaluation=rounded_evaluation(1e4)),
            variation(name_of(one, NO_HISTORY), one, without="history"),
            variation(name_of(one, NO_MOVE), one, without="table-move"),
            variation(name_of(one, LEAVES), one, store_leaves="yes"),
        ]
    return variations


def wanted(number: int, depth: int) -> bool:
    return number % SAMPLE == 0 and depth in DEPTHS


def saving(data: Data, depth: int, metric: str, reading: str = "") -> Estimate | None:
    """Return the percentage that MTD-bi saves over TTHH."""
    ratio = data.ratio(name_of(BI, reading), name_of(TTHH, reading), depth, metric)
    return None if ratio is None else ratio.rescale(-100, 100)


def fullness(data: Data, depth: int) -> str:
    """Compare the size of trees with the table, and list savings with smaller tables."""
    interior = data.mean(TTHH, depth, "interior")
    sizes = [(bits, saving(data, depth, "interior", size_of(bits))) for bits in SIZES]
    if interior is None or not any(estimate for _, estimate in sizes):
        return ""
    savings = ", ".join(
        f"{estimate.value:.0f} % with 2^{bits}" for bits, estimate in sizes if estimate
    )
    return (
        f"our trees have {interior.value:,.0f} interior nodes for 2^{BITS} entries; in smaller"
        f" tables MTD-bi saves {savings}"
    )


def transpositions_by_depth(data: Data) -> str:
    """List transpositions per interior node by depth: MTD-bi's over TTHH's."""
    parts = []
    for depth in data.depths:
        pair = [data.per(name, depth, "transpositions", "interior") for name in (BI, TTHH)]
        if pair[0] and pair[1] and pair[1].value:
            parts.append(f"{pair[0].value / pair[1].value:.2f} at depth {depth}")
    return f"over TTHH's: {', '.join(parts)}; published 0.96"


def findings(data: Data, depth: int) -> list[Finding]:
    rows = [row for bits in (BITS, *SIZES) for row in (*_real_findings(data, depth, bits),)]
    rows += [row for bits in (BITS, 15, 14) for row in _paying_findings(data, depth, bits)]
    for what, metric in (("leaves", "leaves"), ("interior nodes", "interior")):
        parts = [
            f"{reading}: {percent.value:.1f} %"
            for reading in READINGS
            if (percent := saving(data, depth, metric, reading)) is not None
        ]
        if parts:
            claim = f"{what}: MTD-bi saves over TTHH, settings that the paper leaves open"
            why = f"the paper does not state its settings; every {SAMPLE}th position"
            rows.append(Finding(claim, "", "; ".join(parts), "not comparable", why))
    return rows


def _real_findings(data: Data, depth: int, bits: int) -> list[Finding]:
    pair = (name_of(REAL, size_of(bits)), name_of(TTHH, size_of(bits)))
    time, leaves = (data.ratio(*pair, depth, metric) for metric in ("seconds", "leaves"))
    if time is None or leaves is None:
        return []
    interior = data.mean(pair[1], depth, "interior")
    full = (
        f"{interior.value / (1 << bits):.2f} interior nodes of TTHH per entry" if interior else ""
    )
    verdict: Verdict = "reproduced" if time.low > FAR_WORSE else "not reproduced"
    few = ""
    if time.low <= FAR_WORSE < time.high:
        verdict, few = "not comparable", "; it depends on a few positions, too few to be sure"
    return [
        Finding(
            f"realMTD(f) is far worse than TTHH, table of 2^{bits} entries",
            "far worse",
            f"time × {format_estimate(time)}, leaves × {format_estimate(leaves)}",
            verdict,
            f"depth {depth}; {full}; far worse means time × {FAR_WORSE}{few}",
        )
    ]


def group_by_searches(
    data: Data, name: str, baseline: str, depth: int, metric: str
) -> list[tuple[float, Estimate]]:
    """Group positions by their number of searches; return each mean and ratio to the baseline."""
    pairs = {
        case: (data.row(name, depth, case), data.row(baseline, depth, case))
        for case in data.cases(depth, (name, baseline))
    }
    groups = []
    for low, high in _BY_SEARCHES:
        group = {case: pair for case, pair in pairs.items() if low <= pair[0]["searches"] < high}
        if len(group) >= MIN_POSITIONS:
            middle = data.mean_of({case: a["searches"] for case, (a, _) in group.items()})
            ratio = data.ratio_of({case: (a[metric], b[metric]) for case, (a, b) in group.items()})
            if middle is not None and ratio is not None:
                groups.append((middle.value, ratio))
    return groups


def _paying_findings(data: Data, depth: int, bits: int) -> list[Finding]:
    rows = []
    for metric, what in (("leaves", "leaves"), ("seconds", "time")):
        groups = group_by_searches(
            data,
            name_of(REAL, size_of(bits)),
            name_of(TTHH, size_of(bits)),
            depth,
            metric,
        )
        few = [ratio.value for searches, ratio in groups if searches < PAYING]
        many = [ratio.value for searches, ratio in groups if searches >= PAYING]
        if not few or not many:
            continue
        ratios = ", ".join(f"{ratio.value:.2f} at {searches:.0f}" for searches, ratio in groups)
        about = f"realMTD(f) at depth {depth}, positions grouped by the number of searches"
        paying = max((searches for searches, ratio in groups if ratio.value < 1), default=0.0)
        for claim, published, holds, why in (
            ("pay while a driver makes fewer than 20 searches", "below 20", max(few) < 1, about),
            ("no longer pay from about 20 searches", "to 20", min(many) > 1,
             f"{about}; they pay up to {paying:.0f}"),
        ):  # fmt: skip
            verdict: Verdict = "reproduced" if holds else "not reproduced"
            claim = f"null windows {claim}: {what}, table of 2^{bits} entries"
            rows.append(Finding(claim, published, f"{what} × {ratios} searches", verdict, why))
    return rows


def charts(data: Data, depth: int) -> list[Chart]:
    """Draw nodes over those of TTHH by the size of the table."""
    bits: Sequence[int] = (BITS, *SIZES)
    lines = [
        Series.of(
            f"{driver}, {what}",
            [
                (
                    2.0**b,
                    data.ratio(
                        name_of(driver, size_of(b)),
                        name_of(TTHH, size_of(b)),
                        depth,
                        metric,
                    ),
                )
                for b in bits
            ],
        )
        for driver in (BI, REAL)
        for what, metric in (("leaves", "leaves"), ("interior nodes", "interior"))
    ]
    ends = (2.0 ** min(bits), 2.0**BITS)
    return [
        Chart("sizes", f"Smaller tables: MTD-bi and realMTD(f) over TTHH (depth {depth})",
              "entries of the table", "nodes / nodes of TTHH, same table",
              (*lines, Series(f"{BI}, leaves", ends[1:], (0.58,), published=True),
               Series(f"{BI}, interior nodes", ends[1:], (0.63,), published=True)),
              log_x=True, log_y=True, origin=1.0)
    ]  # fmt: skip

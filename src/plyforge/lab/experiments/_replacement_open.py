"""How full a table is, and how that affects replacement rules and MTD-bi.

A table that is kept through a game receives the interior nodes of all its moves. The size of the
published trees is not stated. Plotted over nodes per entry, our figures for several table sizes and
depths lie near one line.
"""

from collections.abc import Sequence

from plyforge.lab.charts import Chart, Series
from plyforge.lab.data import Data
from plyforge.lab.experiments._giveaway import BI, PLIES, REAL, TTHH
from plyforge.lab.findings import Finding, format_estimate, judge
from plyforge.lab.statistics import Estimate

BITS, OTHER_BITS = 20, (14, 16, 18, 22)
FULLER, FULL_DEPTH = 16, 13
NEWER, CLEARED = "newer", "cleared"
FAR_WORSE = 2
MIN_GAMES = 5
SAVED = (
    ("leaves", "leaves", 42.0),
    ("interior nodes", "interior", 37.0),
    ("transpositions", "transpositions", 40.0),
)
"""The percentages that MTD-bi saves over TTHH, as published."""


def name_of(driver: str, rule: str, reading: str = "") -> str:
    return f"{driver}, {rule}" + (f", {reading}" if reading else "")


def size_of(bits: int) -> str:
    return "" if bits == BITS else f"2^{bits}"


def percent_more(
    data: Data, driver: str, rule: str, depth: int, metric: str, reading: str = ""
) -> Estimate | None:
    """Return the extra percentage over 'newer', with the same reading if 'newer' has it."""
    base = name_of(driver, NEWER, reading)
    base = base if base in data.variations else name_of(driver, NEWER)
    ratio = data.ratio(name_of(driver, rule, reading), base, depth, metric)
    return None if ratio is None else ratio.rescale(100, -100)


def by_fullness(
    data: Data, driver: str, rule: str, depths: Sequence[int] = ()
) -> list[tuple[float, Estimate]]:
    """Return TTHH's interior nodes per game and entry, and the cost of a rule, at some depths."""
    points = []
    for depth in depths or data.depths:
        for bits in (BITS, *OTHER_BITS):
            interior = data.mean(name_of(TTHH, NEWER, size_of(bits)), depth, "interior")
            cost = percent_more(data, driver, rule, depth, "leaves", size_of(bits))
            if interior is not None and cost is not None:
                points.append((PLIES * interior.value / (1 << bits), cost))
    return sorted(points, key=lambda pair: pair[0])


def describe_costs(data: Data, driver: str, rule: str) -> str:
    """Describe the costs of a rule by fullness."""
    points = [(full, cost) for full, cost in by_fullness(data, driver, rule) if full > 1]
    costs = ", ".join(f"{cost.value:+.0f} % at {full:.1f}" for full, cost in points)
    return f"by interior nodes per game and entry: {costs}" if costs else ""


def kept_findings(data: Data, depth: int) -> list[Finding]:
    """Judge the claims of mtd-real with a table that is kept from move to move."""
    rows = []
    for bits in (BITS, FULLER):
        names = [name_of(driver, NEWER, size_of(bits)) for driver in (BI, TTHH)]
        about = f"table of 2^{bits} entries kept through the game"
        interior = data.mean(names[1], depth, "interior")
        full = PLIES * interior.value / (1 << bits) if interior else 0.0
        why = f"depth {depth}; {full:.1f} interior nodes of TTHH per game and entry"
        for what, metric, published in SAVED:
            ratio = data.ratio(names[0], names[1], depth, metric)
            saved = None if ratio is None else ratio.rescale(-100, 100)
            claim = f"{what}: MTD-bi saves over TTHH, {about}"
            but_one = _without_the_worst(data, names[0], names[1], depth, metric)
            rows.append(judge(claim, published, saved, " %", why=f"{why}{but_one}", none=0.0))
        for driver, name, published in zip((BI, TTHH), names, (0.180, 0.187), strict=True):
            per = data.per(name, depth, "transpositions", "interior")
            claim = f"transpositions per interior node, {driver}, {about}"
            rows.append(judge(claim, published, per, why=why))
    return rows + _real_findings(data, depth)


def _without_the_worst(data: Data, name: str, baseline: str, depth: int, metric: str) -> str:
    """Describe the saving without the most expensive game, which can outweigh all others."""
    pairs = {
        case: (data.row(name, depth, case)[metric], data.row(baseline, depth, case)[metric])
        for case in data.cases(depth, (name, baseline))
    }
    if len(pairs) < MIN_GAMES:
        return ""
    worst = max(pairs, key=lambda case: pairs[case][0] / pairs[case][1])
    rest = data.ratio_of({case: pair for case, pair in pairs.items() if case != worst})
    if rest is None:
        return ""
    times = pairs[worst][0] / pairs[worst][1]
    saved = format_estimate(rest.rescale(-100, 100), " %")
    return f"; × {times:.2f} in the game that costs most, {saved} in all others"


def _real_findings(data: Data, depth: int) -> list[Finding]:
    rows = []
    for reading, table in (("", "table kept"), (CLEARED, "table emptied"),
                           (size_of(FULLER), "table of 2^16 entries kept")):  # fmt: skip
        pair = (name_of(REAL, NEWER, reading), name_of(TTHH, NEWER, reading))
        ratio = data.ratio(*pair, depth, "nodes")
        if ratio is not None:
            rows.append(
                Finding(
                    f"realMTD(f) is far worse than TTHH, {table}",
                    "far worse",
                    f"nodes × {format_estimate(ratio)}",
                    "reproduced" if ratio.low > FAR_WORSE else "not reproduced",
                    f"depth {depth}; far worse means × {FAR_WORSE}; see mtd-real for smaller"
                    " tables",
                )
            )
    return rows


def chart(data: Data, published: dict[tuple[str, str], float]) -> Chart:
    """Draw what 'deeper' costs by how full the table is, at each depth."""
    lines, every = [], [1.0]
    for driver in (TTHH, BI):
        for depth in data.depths:
            points = by_fullness(data, driver, "deeper", (depth,))
            lines.append(Series.of(f"{name_of(driver, 'deeper')}, depth {depth}", [*points]))
            every += [full for full, _ in points]
    claims = [
        Series(name_of(*pair), (min(every), max(every)), (cost, cost), published=True)
        for pair, cost in published.items()
    ]
    return Chart(
        "fullness",
        "What 'deeper' costs by how full the table is: sizes from 2^14 to 2^22",
        "interior nodes of TTHH in a game / entries of the table",
        "percent more leaves than with 'newer'",
        (*lines, *claims),
        log_x=True,
        origin=0.0,
    )

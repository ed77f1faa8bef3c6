"""Replacement rules of the transposition table (Mańdziuk and Osman 2004, section 5)."""

from dataclasses import replace

from plyforge.lab import (
    Case,
    Chart,
    Data,
    Estimate,
    Finding,
    Series,
    Variation,
    format_estimate,
    judge,
    judge_level,
    open_engine,
)
from plyforge.lab.experiments import _replacement_open as fullness
from plyforge.lab.experiments._giveaway import BI, PLIES, REAL, TTHH, positions, variation
from plyforge.lab.experiments._replacement_open import (
    BITS,
    CLEARED,
    FULL_DEPTH,
    FULLER,
    OTHER_BITS,
    name_of,
    percent_more,
)
from plyforge.lab.findings import Verdict
from plyforge.lab.measuring import search_figures

TITLE = "Which results a transposition table should keep, with real-valued evaluations"
SOURCE = "Mańdziuk and Osman, ICGA Journal 27 (2004), sections 3 and 5"
DEFAULTS = "2026"
POSITIONS = 25
"""Random games; all 40 positions of each are searched in order."""
DEPTHS = (9, 11, 13)
REPEATS = 3
QUICK = (2, (8,))
METRICS = (
    ("leaves", "leaves per move"),
    ("interior", "interior nodes per move"),
    ("transpositions", "transpositions per move"),
    ("searches", "searches of the driver per move"),
    ("seconds", "time"),
)
DRIVERS = (TTHH, BI)
RULES = ("newer", "deeper", "deeper-timestamp", "sharply-deeper")
LARGER = 22
"""This size and the smaller one are tried on all games, with 'newer'."""
SIZES_SAMPLE, DEEP_SAMPLE = 8, 4
"""How many games other sizes are tried on, and at the greatest depth other readings too."""
SAME, MOVES, AT_LEAST = "same position free", "stamp a move", "at least"
READINGS: dict[str, dict[str, str]] = {
    CLEARED: {},
    SAME: {"same_position": "no"},
    MOVES: {"stamp": "move"},
    AT_LEAST: {"depth_rule": "at-least"},
}
"""Other readings of what the paper leaves open."""
EQUAL = 0.05
"""Differences below this share do not count."""
LEVEL = 0.1
FAR_WORSE = 25.0
"""The extra percentage that counts as far worse."""
PUBLISHED = {
    ("TTHH", "deeper", "leaves"): 17.0,
    ("TTHH", "deeper", "seconds"): 13.0,
    ("MTD-bi", "deeper", "leaves"): 12.0,
    ("MTD-bi", "deeper", "seconds"): 9.0,
    ("TTHH", "sharply-deeper", "seconds"): 87.0,
}
"""The extra percentage over 'newer'; for the time of 'sharply-deeper', 28 seconds per move
instead of about 15."""


def cases(seed: int, count: int) -> list[Case]:
    """Return whole games, each by its last position."""
    return positions(seed, count * PLIES)[PLIES - 1 :: PLIES]


def variations() -> list[Variation]:
    pairs = [(driver, rule) for driver in DRIVERS for rule in RULES]
    return [
        *(_variation(*pair) for pair in pairs),
        *(
            _variation(*pair, reading)
            for reading in READINGS
            for pair in pairs
            if _differs(pair[1], reading)
        ),
        *(_variation(*pair, f"2^{bits}", bits) for bits in OTHER_BITS for pair in pairs),
        _variation(REAL, "newer"),
        _variation(REAL, "newer", CLEARED),
        *(_variation(REAL, "newer", f"2^{bits}", bits) for bits in (FULLER, LARGER)),
    ]


def _differs(rule: str, reading: str) -> bool:
    """Return whether a reading matters for a rule."""
    if reading == MOVES:
        return rule == "deeper-timestamp"
    return reading != SAME or rule != "newer"


def _variation(driver: str, rule: str, reading: str = "", bits: int = BITS) -> Variation:
    settings = {"replace": rule, **READINGS.get(reading, {})}
    base = variation(name_of(driver, rule, reading), driver, entries=1 << bits, **settings)
    return replace(base, extra={"cleared": reading == CLEARED, "bits": bits})


def wanted(number: int, variation: Variation, depth: int) -> bool:
    bits, rule = variation.extra["bits"], variation.settings["replace"]
    if rule == "newer" and bits in (FULLER, LARGER):
        return True
    if bits == BITS and (depth < FULL_DEPTH or variation.name.count(",") == 1):
        return True
    return number < (SIZES_SAMPLE if depth < FULL_DEPTH else DEEP_SAMPLE)


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Return means over the moves of a game; the table is kept between them, unless cleared."""
    engine, _ = open_engine(case, variation)
    total: dict[str, float] = {}
    for ply in range(len(case.moves) + 1):
        if variation.extra["cleared"]:
            engine.clear()
        history = Case(case.game, case.moves[:ply]).history(engine.game)
        for metric, value in search_figures(engine.analyse(history, depth=depth)).items():
            total[metric] = total.get(metric, 0.0) + value
    return {metric: value / (len(case.moves) + 1) for metric, value in total.items()}


def findings(data: Data) -> list[Finding]:
    depth = data.max_depth([name_of(driver, rule) for driver in DRIVERS for rule in RULES])
    if depth is None:
        return []
    why = "" if depth == FULL_DEPTH else f"ours is at depth {depth}, the published one at 13"
    what = {"leaves": "leaves", "seconds": "time"}
    rows = []
    for (driver, rule, metric), published in PUBLISHED.items():
        claim = f"{what[metric]}: '{rule}' takes more than 'newer', {driver}"
        percent = percent_more(data, driver, rule, depth, metric)
        full = fullness.describe_costs(data, driver, rule)
        rows.append(judge(claim, published, percent, " %", why=why or full, none=0.0))
    rows += [_less_for_bi(data, depth), *(_far_worse(data, d, depth) for d in DRIVERS)]
    for driver in DRIVERS:
        percent = percent_more(data, driver, "deeper-timestamp", depth, "leaves")
        rows.append(
            _equal(f"'deeper-timestamp' is as good as 'newer', {driver}: leaves", percent, why)
        )
    for rule in ("newer", "sharply-deeper"):
        ratio = data.ratio(name_of(BI, "sharply-deeper"), name_of(TTHH, rule), depth, "interior")
        claim = (
            "'sharply-deeper' takes MTD-bi down to the level of TTHH: interior nodes over those of"
            f" TTHH, '{rule}'"
        )
        reason = "the rule of that TTHH is not stated" + f"; {why}" * bool(why)
        rows.append(judge_level(claim, "1", 1.0, ratio, LEVEL, why=reason))
    for driver in DRIVERS:
        pair = (name_of(driver, "newer", f"2^{LARGER}"), name_of(driver, "newer"))
        gains = {d: data.ratio(*pair, d, "leaves") for d in data.depths}
        percent = None if (larger := gains.get(depth)) is None else larger.rescale(100, -100)
        trend = ", ".join(
            f"{100 * r.value - 100:+.1f} % at depth {d}" for d, r in gains.items() if r
        )
        claim = f"tables above 2^20 entries do not help, {driver}: leaves"
        rows.append(_equal(claim, percent, why or trend))
    rows += fullness.kept_findings(data, depth)
    if why:
        rows = [
            row if row.verdict == "not measured" else replace(row, verdict="not comparable")
            for row in rows
        ]
    return rows + _open_points(data, depth)


def _equal(claim: str, percent: Estimate | None, why: str) -> Finding:
    return judge_level(claim, "no difference", 0.0, percent, 100 * EQUAL, " %", why)


def _less_for_bi(data: Data, depth: int) -> Finding:
    """Judge the surprising claim that the driver that needs its table most loses least."""
    costs = [percent_more(data, driver, "deeper", depth, "leaves") for driver in (BI, TTHH)]
    verdict: Verdict = "not measured"
    if costs[0] is not None and costs[1] is not None:
        verdict = "reproduced" if costs[0].value < costs[1].value else "not reproduced"
    pairs = zip(*(fullness.by_fullness(data, d, "deeper") for d in (BI, TTHH)), strict=False)
    by_full = ", ".join(
        f"{bi.value:+.0f} and {tthh.value:+.0f} % at {full:.1f}"
        for (full, bi), (_, tthh) in pairs
        if full > 1
    )
    return Finding(
        "leaves: 'deeper' costs MTD-bi less than TTHH",
        "12 % and 17 %",
        " and ".join(format_estimate(cost, " %") for cost in costs),
        verdict,
        f"by interior nodes per game and entry: {by_full}" if by_full else "",
    )


def _far_worse(data: Data, driver: str, depth: int) -> Finding:
    """Judge by leaves, since times of our short searches say little."""
    percent = percent_more(data, driver, "sharply-deeper", depth, "leaves")
    verdict: Verdict = "not measured"
    if percent is not None:
        verdict = "reproduced" if percent.low > FAR_WORSE else "not reproduced"
        if percent.contains(FAR_WORSE):
            verdict = "not comparable"
    return Finding(
        f"leaves: 'sharply-deeper' is far worse than 'newer', {driver}",
        "far worse",
        format_estimate(percent, " %"),
        verdict,
        f"the published figure is a time; above {FAR_WORSE:g} % counts as far worse",
    )


def _open_points(data: Data, depth: int) -> list[Finding]:
    """Repeat the comparisons with other readings of the paper, and with smaller tables."""
    rows = []
    sizes = tuple(f"2^{bits}" for bits in OTHER_BITS)
    for others, what, why in (
        (tuple(READINGS), "under other readings", "the paper does not state its reading"),
        (sizes, "by table size", "the paper does not state how full its table was"),
    ):
        for driver in DRIVERS:
            for rule in RULES[1:]:
                parts = [
                    f"{reading or 'as above'}: {percent.value:+.1f} %"
                    for reading in ("", *others)
                    if (percent := percent_more(data, driver, rule, depth, "leaves", reading))
                    is not None
                ]
                claim = f"leaves: '{rule}' over 'newer' {what}, {driver}"
                rows.append(Finding(claim, "", "; ".join(parts), "not comparable", why))
    return rows


def charts(data: Data) -> list[Chart]:
    depth = data.max_depth([name_of(driver, rule) for driver in DRIVERS for rule in RULES])
    if depth is None:
        return []
    pairs = [(driver, rule) for driver in DRIVERS for rule in RULES[1:]]
    names = tuple(name_of(*pair) for pair in pairs)
    bars = []
    for metric, what in (("leaves", "leaves"), ("seconds", "time")):
        points = [(i, percent_more(data, *pair, depth, metric)) for i, pair in enumerate(pairs)]
        known = [(i, PUBLISHED[*pair, metric]) for i, pair in enumerate(pairs)
                 if (*pair, metric) in PUBLISHED]  # fmt: skip
        bars.append(Series.of(what, points))
        bars.append(
            Series(what, tuple(i for i, _ in known), tuple(y for _, y in known), published=True)
        )
    readings = [
        Series.of(reading or "table kept",
                  [(i, percent_more(data, *pair, depth, "leaves", reading))
                   for i, pair in enumerate(pairs)])
        for reading in ("", *READINGS)
    ]  # fmt: skip
    return [
        Chart("rules", f"Replacement rules, table kept through a game (depth {depth})", "",
              "percent more than with 'newer'", tuple(bars), names),
        Chart("readings", f"The same under other readings of the paper (depth {depth})", "",
              "percent more leaves than with 'newer'", tuple(readings), names),
        _sizes(data, depth),
        fullness.chart(data, {(d, r): cost for (d, r, m), cost in PUBLISHED.items()
                              if m == "leaves"}),
    ]  # fmt: skip


def _sizes(data: Data, depth: int) -> Chart:
    lines = []
    for driver in DRIVERS:
        for rule in RULES:
            points = []
            for bits in sorted((*OTHER_BITS, BITS)):
                name = name_of(driver, rule, "" if bits == BITS else f"2^{bits}")
                base = name_of(TTHH, "newer")
                points.append((float(bits), data.ratio(name, base, depth, "leaves")))
            lines.append(Series.of(name_of(driver, rule), points))
    return Chart(
        "sizes",
        f"Table size (depth {depth})",
        "entries of the table, as a power of 2",
        "leaves / leaves of TTHH, newer, 2^20",
        tuple(lines),
        log_y=True,
    )


NOTES = """
A measurement is a whole game, whose 40 positions are searched in order; figures are means per move.
The paper leaves open whether the table is cleared between positions (kept here; 'cleared' clears
it), whether the rule also applies to a position that is stored again (it does here, as the
explanation of 'sharply deeper' implies; 'same position free' always replaces it), whether time
stamps count saves or moves (saves here; 'stamp a move' counts moves), and which depth an entry must
have to be used (the same here; 'at least' accepts greater ones, and then does not find minimax
values). A stamp that grows with every save soon outweighs depth: 'deeper-timestamp' then stores
almost the same results as 'newer'. The published 15 seconds per move of TTHH are those of one
position; the mean is in a figure that is not printed with the text.

Other sizes are searched on eight games (four at depth 13), other readings at depth 13 on four. Over
a game, a table of 2^20 entries receives as many interior nodes as it has entries at depth 13, and a
quarter of that at depth 11. The cost of a rule depends on that number more than on depth or size:
see the last chart. The published costs of 'deeper' for TTHH are those of tables that receive a few
times as many nodes as they have entries; MTD-bi loses more than TTHH there, not less. In such
tables a single game can outweigh all others. What counts as level, as far worse, and as undecided
was decided after seeing the figures.
"""

"""realMTD(f) on positions far from its guess (Mańdziuk and Osman 2004, section 3)."""

import math

from plyforge.lab import (
    Case,
    Chart,
    Data,
    Finding,
    Series,
    Variation,
    format_estimate,
    measure_search,
    open_engine,
)
from plyforge.lab.experiments._giveaway import (
    BI,
    PLIES,
    REAL,
    SCOUT,
    STEP,
    TTHH,
    positions,
    variation,
)
from plyforge.lab.experiments._grains import rounded_evaluation
from plyforge.lab.measuring import search_figures

TITLE = "How many searches realMTD(f) makes where the value is far from its guess"
SOURCE = "Mańdziuk and Osman, ICGA Journal 27 (2004), section 3"
DEFAULTS = "2026"
POSITIONS = 50
DEPTHS = (9, 11, 13)
REPEATS = 3
QUICK = (12, (7, 9))
METRICS = (
    ("searches", "searches of the driver"),
    ("largest", "nodes of the largest search"),
    ("nodes", "nodes"),
    ("leaves", "leaves"),
    ("seconds", "time"),
)
FAR, SCREENING = 10.0, 5
"""A position is used if its value at this depth is at least this far from 0, and undecided."""
GAMES_PER_CASE = 2
"""How many games are examined per position."""
EVALUATION_END = 100.0
PLACES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048)
"""The searches whose bounds are stored."""
PUBLISHED_SEARCHES, PUBLISHED_VALUE = 752, -56.81
PUBLISHED_TIMES = 149.62 / 15.01

FINE = "fine values"
SMALLER = (16, 14, 12)
"""Index bits of the smaller tables."""


def name_of(driver: str, reading: str) -> str:
    return f"{driver}, {reading}"


def size_of(bits: int) -> str:
    return f"2^{bits} entries"


PAIRS = (
    (REAL, TTHH),
    *(
        (name_of(REAL, reading), name_of(TTHH, reading))
        for reading in (FINE, *map(size_of, SMALLER))
    ),
)
_SCREEN = variation(TTHH, TTHH)


def variations() -> list[Variation]:
    fine = rounded_evaluation(1e4)
    return [
        *(variation(name, name, guess="zero") for name in (TTHH, REAL, BI, STEP, SCOUT)),
        *(variation(name_of(driver, FINE), driver, evaluation=fine) for driver in (TTHH, REAL)),
        *(
            variation(name_of(driver, size_of(bits)), driver, entries=1 << bits)
            for bits in SMALLER
            for driver in (TTHH, REAL)
        ),
    ]


def cases(seed: int, count: int) -> list[Case]:
    """Return from each random game the position furthest from 0, if it is far enough."""
    candidates, chosen = positions(seed, GAMES_PER_CASE * count * PLIES), []
    for first in range(0, len(candidates), PLIES):
        distances = [(_distance(case), case) for case in candidates[first : first + PLIES]]
        distance, case = max(distances, key=lambda pair: pair[0])
        if distance >= FAR:
            chosen.append(case)
        if len(chosen) == count:
            break
    return chosen


def _distance(case: Case) -> float:
    value = measure_search(case, _SCREEN, SCREENING)["value"]
    return abs(value) if abs(value) < EVALUATION_END else 0.0


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Return the usual figures, the nodes of the largest search, and some bounds in order."""
    engine, history = open_engine(case, variation)
    result = engine.analyse(history, depth=depth)
    values = {**search_figures(result), "largest": max(step.nodes for step in result.steps)}
    places = (place for place in PLACES if place <= len(result.steps))
    return {**values, **{f"bound {place}": result.steps[place - 1].value for place in places}}


def worst(data: Data, name: str) -> tuple[int, int] | None:
    """Return depth and position with the most searches, without wins and losses."""
    every = [
        (row["searches"], depth, case)
        for depth in data.depths
        for case in data.cases(depth, (name,))
        if abs((row := data.row(name, depth, case))["value"]) < EVALUATION_END
    ]
    return max(every)[1:] if every else None


def findings(data: Data) -> list[Finding]:
    rows = []
    for name, baseline in PAIRS:
        place = worst(data, name)
        if place is None or place[1] not in data.cases(place[0], (name, baseline)):
            continue
        depth, case = place
        real, wide = (data.row(one, depth, case) for one in (name, baseline))
        times, nodes = (real[metric] / wide[metric] for metric in ("seconds", "nodes"))
        rows.append(
            Finding(
                f"{name}: hundreds of searches for one value",
                f"{PUBLISHED_SEARCHES} for {PUBLISHED_VALUE}",
                f"{real['searches']:.0f} for {real['value']:.2f}",
                "reproduced" if real["searches"] >= 100 else "not reproduced",
                f"the worst of our positions, depth {depth}",
            )
        )
        rows.append(
            Finding(
                f"{name}: there it takes at least ten times as long as {baseline}",
                f"× {PUBLISHED_TIMES:.1f}",
                f"time × {times:.2g}, nodes × {nodes:.2g}",
                "reproduced" if min(times, nodes) >= PUBLISHED_TIMES / 2 else "not reproduced",
                f"the same position; {wide['interior']:,.0f} interior nodes of TTHH; half the"
                " published factor is enough, in time and in nodes",
            )
        )
    deepest = data.max_depth((TTHH, REAL, BI, STEP))
    for name in (BI, STEP, SCOUT, REAL) if deepest else ():
        ratio = data.ratio(name, TTHH, deepest or 0, "nodes")
        searches = data.mean(name, deepest or 0, "searches")
        rows.append(
            Finding(
                f"{name} on positions far from 0",
                "",
                f"nodes × {format_estimate(ratio)} with {format_estimate(searches)} searches",
                "not comparable",
                f"depth {deepest}; the paper gives one position only",
            )
        )
    return rows


def charts(data: Data) -> list[Chart]:
    pictures = []
    place = worst(data, REAL)
    if place is not None:
        depth, case = place
        names = [n for n in (REAL, BI, STEP) if case in data.cases(depth, (n,))]
        pictures.append(
            Chart("bounds", f"Bounds by search, where realMTD(f) makes most (depth {depth})",
                  "search", "value returned by the search",
                  (*(_bounds(data, n, depth, case) for n in names),
                   Series(REAL, (PUBLISHED_SEARCHES,), (PUBLISHED_VALUE,), published=True)),
                  log_x=True)
        )  # fmt: skip
    lines = [
        Series.of(n, [(d, data.mean(n, d, "searches")) for d in data.depths])
        for n in (REAL, BI, STEP)
    ]
    pictures.append(
        Chart("searches", "Searches at positions far from 0", "depth (plies)", "searches, mean",
              tuple(lines), log_y=True)
    )  # fmt: skip
    lines = [
        Series.of(n, [(d, data.ratio(n, base, d, "nodes")) for d in data.depths])
        for n, base in (*PAIRS, (BI, TTHH), (STEP, TTHH), (SCOUT, TTHH))
    ]
    pictures.append(
        Chart("nodes", "Positions far from 0: nodes over those of TTHH", "depth (plies)",
              "nodes / nodes of TTHH, same table", tuple(lines), log_y=True)
    )  # fmt: skip
    return pictures


def _bounds(data: Data, name: str, depth: int, case: int) -> Series:
    row = data.row(name, depth, case)
    points = [(place, row[f"bound {place}"]) for place in PLACES if f"bound {place}" in row]
    if row["searches"] > points[-1][0]:
        points.append((int(row["searches"]), row["value"]))
    inside = [(x, y) for x, y in points if math.fabs(y) < EVALUATION_END]
    return Series(name, tuple(float(x) for x, _ in inside), tuple(y for _, y in inside))


NOTES = """
The published position is not printed, nor is the evaluation; ours rarely finds values beyond 30
in undecided games. Positions come from random games: from each, the one whose value five plies deep
is furthest from 0, if that is at least 10. Fine values are the same evaluation with weights of
five decimals, rounded to 0.0001. Smaller tables lose between searches what one of 2^20 entries
keeps, and the repeated searches of realMTD(f) are cheap only with the results of earlier ones. The
authors' search of that position took 15 seconds; ours take a few hundredths of a second, so their
tree was probably larger than their table. Ours reaches the published factor where the table has
fewer entries than the tree has interior nodes.
"""

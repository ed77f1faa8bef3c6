"""realMTD(f) on positions far from its guess (Mańdziuk and Osman 2004, section 3)."""

import math
from collections.abc import Callable

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    MoreThan,
    NotComparable,
    Series,
    Variation,
    measure_search,
    open_engine,
)
from plyforge.lab.data import Values
from plyforge.lab.experiments._comparisons import figure_table, single
from plyforge.lab.experiments._giveaway import (
    BI,
    DOCUMENT,
    PLIES,
    POPULATION,
    REAL,
    SCOUT,
    STEP,
    TTHH,
    positions,
    variation,
)
from plyforge.lab.experiments._grains import rounded_evaluation
from plyforge.lab.measuring import search_figures
from plyforge.match.tables import Table

TITLE = "How many searches realMTD(f) makes where the value is far from its guess"
SOURCE = f"{DOCUMENT}, section 3"
QUESTION = """
How many searches does realMTD(f) make at positions whose value is far from its guess, and what do
they cost?
"""
DEFAULTS = "2026"
POSITIONS = 50
DEPTHS = (9, 11, 13)
REPEATS = 3
QUICK = (12, (9, 13))
DEPTH = 13
FAR, SCREENING = 10.0, 5
"""A position is used if its value at this depth is at least this far from 0, and undecided."""
GAMES_PER_CASE = 2
"""How many games are examined per position."""
EVALUATION_END = 100.0
PLACES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048)
"""The searches whose bounds are stored."""
PUBLISHED_SEARCHES, PUBLISHED_VALUE = 752, -56.81

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


def claims() -> list[Claim]:
    one_position = NotComparable("one position, which is not printed; ours is our worst one")
    return [
        Claim(
            "realMTD(f) made 752 searches for one value",
            f"{PUBLISHED_SEARCHES} for {PUBLISHED_VALUE}",
            "searches of realMTD(f), undecided position with the most, all depths",
            one_position,
            lambda data: _worst_figure(data, lambda real, _: real["searches"]),
            place="section 3",
        ),
        Claim(
            "realMTD(f) took ten times as long as the full window there",
            "149.62 s and 15.01 s",
            "time of realMTD(f) over that of TTHH at the same position",
            one_position,
            lambda data: _worst_figure(data, lambda real, wide: real["seconds"] / wide["seconds"]),
            place="section 3",
        ),
        Claim(
            "realMTD(f) takes very long where the value is far from its guess",
            "a very long time, many times",
            f"nodes of realMTD(f) over those of TTHH, depth {DEPTH}; very long means more than"
            " twice",
            MoreThan(2),
            lambda data: data.ratio(REAL, TTHH, DEPTH, "nodes"),
            place="section 3",
        ),
    ]


def _worst_figure(data: Data, figure: Callable[[Values, Values], float]) -> Estimate | None:
    """Return a figure of realMTD(f) and TTHH at the position with the most searches."""
    place = worst(data, REAL)
    if place is None or place[1] not in data.cases(place[0], (REAL, TTHH)):
        return None
    real, wide = (data.row(name, *place) for name in (REAL, TTHH))
    return single(figure(real, wide))


def tables(data: Data) -> list[Table]:
    readings = {
        "2^20 entries" if name == REAL else name.removeprefix(f"{REAL}, "): (name, base)
        for name, base in PAIRS
    }
    worst_rows = {reading: _worst_row(data, *pair) for reading, pair in readings.items()}
    drivers = {name: (name, TTHH) for name in (BI, STEP, SCOUT)}
    pairs = {**drivers, **{f"{REAL}, {reading}": pair for reading, pair in readings.items()}}
    columns = [f"depth {depth}" for depth in DEPTHS]
    return [
        figure_table(
            "realMTD(f) at its undecided position with the most searches",
            "table or values",
            ("depth", "value", "searches", "nodes over TTHH", "time over TTHH"),
            worst_rows,
        ),
        figure_table(
            "nodes over those of TTHH with the same table and values", "driver", columns,
            {name: [data.ratio(*pair, d, "nodes") for d in DEPTHS] for name, pair in pairs.items()},
        ),
        figure_table(
            "searches, mean", "driver", columns,
            {
                name: [data.mean(pair[0], d, "searches") for d in DEPTHS]
                for name, pair in pairs.items()
            },
        ),
        figure_table(
            "positions where realMTD(f) takes more than twice the nodes of TTHH (%)",
            "table or values", columns,
            {
                reading: [_share_of_slow(data, *pair, d) for d in DEPTHS]
                for reading, pair in readings.items()
            },
        ),
    ]  # fmt: skip


def _worst_row(data: Data, name: str, baseline: str) -> list[str | None]:
    place = worst(data, name)
    if place is None or place[1] not in data.cases(place[0], (name, baseline)):
        return [None]
    real, wide = (data.row(one, *place) for one in (name, baseline))
    ratios = [real[metric] / wide[metric] for metric in ("nodes", "seconds")]
    figures = (place[0], real["value"], real["searches"], *ratios)
    return [f"{figure:.4g}" for figure in figures]


def _share_of_slow(data: Data, name: str, baseline: str, depth: int) -> Estimate | None:
    share = data.share_of(
        {
            case: data.row(name, depth, case)["nodes"]
            > 2 * data.row(baseline, depth, case)["nodes"]
            for case in data.cases(depth, (name, baseline), ("nodes",))
        }
    )
    return None if share is None else share.rescale(100)


def charts(data: Data) -> list[Chart]:
    pictures = []
    place = worst(data, REAL)
    if place is not None:
        depth, case = place
        names = [n for n in (REAL, BI, STEP) if case in data.cases(depth, (n,))]
        pictures.append(
            Chart("bounds",
                  f"Bounds at the position where realMTD(f) makes most searches (depth {depth})",
                  "number of the search", "value returned by the search",
                  (*(_bounds(data, n, depth, case) for n in names),
                   Series(f"{REAL}, another position", (PUBLISHED_SEARCHES,), (PUBLISHED_VALUE,),
                          published=True)),
                  log_x=True)
        )  # fmt: skip
    lines = [
        Series.of(n, [(d, data.mean(n, d, "searches")) for d in data.depths])
        for n in (REAL, BI, STEP)
    ]
    pictures.append(
        Chart("searches", "Give-away checkers: searches at positions far from 0",
              "depth (plies)", "searches for one position, mean",
              tuple(lines), log_y=True)
    )  # fmt: skip
    lines = [
        Series.of(n, [(d, data.ratio(n, base, d, "nodes")) for d in data.depths])
        for n, base in (*PAIRS, (BI, TTHH), (STEP, TTHH), (SCOUT, TTHH))
    ]
    pictures.append(
        Chart("nodes", "Give-away checkers, positions far from 0: nodes over those of TTHH",
              "depth (plies)", "nodes / nodes of TTHH with the same table", tuple(lines),
              log_y=True, origin=1.0)
    )  # fmt: skip
    return pictures


def _bounds(data: Data, name: str, depth: int, case: int) -> Series:
    row = data.row(name, depth, case)
    points = [(place, row[f"bound {place}"]) for place in PLACES if f"bound {place}" in row]
    if row["searches"] > points[-1][0]:
        points.append((int(row["searches"]), row["value"]))
    inside = [(x, y) for x, y in points if math.fabs(y) < EVALUATION_END]
    return Series(name, tuple(float(x) for x, _ in inside), tuple(y for _, y in inside))


METHOD = f"""{POPULATION}
From each random game, the position whose value five plies deep is furthest from 0 is taken, if that
is at least 10 and no win or loss. The table is cleared before each search. realMTD(f) starts from 0
with steps of 0.01 and has no closing search. Fine values are the same evaluation with weights of
five decimals, rounded to 0.0001.
"""
THREATS = """
The published position is not printed, nor is the evaluation; ours rarely finds values beyond 30 in
undecided games, and the published value is -56.81. The authors' search of that position took 15
seconds, ours a few hundredths of a second. Smaller tables lose between searches what one of 2^20
entries keeps; whether the authors' table overflowed at that position is not known.
"""

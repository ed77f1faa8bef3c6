"""The width of windows in realMTD(f) and MTD-bi (Mańdziuk and Osman 2004, section 3)."""

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    Exactly,
    LessThan,
    MoreThan,
    Series,
    Variation,
    open_engine,
)
from plyforge.lab.experiments._comparisons import equal_values, figure_table, undecided
from plyforge.lab.experiments._giveaway import (
    BI,
    DOCUMENT,
    PLIES,
    POPULATION,
    REAL,
    TTHH,
    positions,
    variation,
)
from plyforge.lab.experiments._grains import rounded_evaluation
from plyforge.lab.measuring import search_figures
from plyforge.match.tables import Table

TITLE = "The width of windows: error, searches and leaves of realMTD(f)"
SOURCE = f"{DOCUMENT}, section 3"
QUESTION = """
What does a larger epsilon cost realMTD(f) in accuracy, what does it save in searches, and are the
value of MTD-bi and that of a closing search exact?
"""
DEFAULTS = "2026"
POSITIONS = 400
TOGETHER = PLIES
DEPTHS = (8, 10)
QUICK = (40, (10,))
DEPTH = 10
WIDTHS = (0.01, 0.1, 1.0, 10.0)
SMALLEST, LARGEST = WIDTHS[0], WIDTHS[-1]
RANGE = 200.0
"""MAX - MIN."""
CLOSED = f"{REAL} with closing search"


def name_of(driver: str, width: float) -> str:
    return f"{driver}, epsilon {width:g}"


def cases(seed: int, count: int) -> list[Case]:
    return positions(seed, count)


def variations() -> list[Variation]:
    fine = rounded_evaluation(1e4)
    return [
        variation(TTHH, TTHH, evaluation=fine),
        *(
            variation(name_of(name, width), driver, evaluation=fine, epsilon=width, closing=closing)
            for name, driver, closing in ((REAL, REAL, "no"), (CLOSED, REAL, "yes"))
            for width in WIDTHS
        ),
        *(variation(name_of(BI, width), BI, evaluation=fine, epsilon=width) for width in WIDTHS),
    ]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Return the usual figures, and the nodes of the first search."""
    engine, history = open_engine(case, variation)
    result = engine.analyse(history, depth=depth)
    return {**search_figures(result), "first": result.steps[0].nodes}


def errors(data: Data, width: float, depth: int) -> dict[int, float]:
    """Return by position how far realMTD(f) without closing search is from the value of TTHH."""
    found = {}
    for case in data.cases(depth, (name_of(REAL, width), TTHH), ("value",)):
        value, exact = (data.row(name, depth, case) for name in (name_of(REAL, width), TTHH))
        if undecided(exact):
            found[case] = abs(value["value"] - exact["value"])
    return found


def claims() -> list[Claim]:
    return [
        Claim(
            "the error of realMTD(f) is less than epsilon",
            "epsilon is the greatest acceptable error",
            "undecided positions with an error below epsilon at every epsilon, no closing search,"
            " all depths",
            Exactly(100),
            _small_errors,
            unit=" %",
            place="section 3",
        ),
        Claim(
            "a greater epsilon means a greater error",
            "greater",
            f"error of realMTD(f) without closing search, epsilon {LARGEST:g} less epsilon"
            f" {SMALLEST:g}, mean, depth {DEPTH}; a hundredth of epsilon counts",
            MoreThan(LARGEST / 100),
            _growth_of_error,
            place="section 3",
            note="as described, it stops inside its window or with equal bounds: both are exact",
        ),
        Claim(
            "with one more search between the bounds, realMTD(f) returns an exact value",
            "exact",
            "positions with the value of TTHH at every epsilon, closing search, all depths",
            Exactly(100),
            lambda data: equal_values(
                data, [(name_of(CLOSED, width), TTHH) for width in WIDTHS], DEPTHS
            ),
            unit=" %",
            place="section 3",
        ),
        Claim(
            "MTD-bi is exact for any epsilon",
            "for any epsilon > 0",
            "positions with the value of TTHH at every epsilon, all depths",
            Exactly(100),
            lambda data: equal_values(
                data, [(name_of(BI, width), TTHH) for width in WIDTHS], DEPTHS
            ),
            unit=" %",
            place="section 3",
        ),
        Claim(
            "realMTD(f) makes at most (MAX - MIN) / epsilon searches",
            "at most 200 / epsilon",
            "undecided positions within the bound at every epsilon, all depths",
            Exactly(100),
            _within_bound,
            unit=" %",
            place="section 3",
        ),
        Claim(
            "wider windows lose part of the advantage of narrow ones",
            "partly lost",
            f"nodes of the first search of realMTD(f), epsilon {LARGEST:g} over epsilon"
            f" {SMALLEST:g}, depth {DEPTH}",
            MoreThan(1),
            lambda data: data.ratio(
                name_of(REAL, LARGEST), name_of(REAL, SMALLEST), DEPTH, "first"
            ),
            place="section 3",
        ),
        Claim(
            "a null-window search ends faster than one with the full window",
            "faster",
            f"nodes of the first search of realMTD(f), epsilon {SMALLEST:g}, over TTHH, depth"
            f" {DEPTH}",
            LessThan(1),
            _first_over_full,
            place="section 3",
        ),
    ]


def _small_errors(data: Data) -> Estimate | None:
    small: dict[int, bool] = {}
    for depth in DEPTHS:
        for width in WIDTHS:
            for case, error in errors(data, width, depth).items():
                small[case] = small.get(case, True) and error < width
    share = data.share_of(small)
    return None if share is None else share.rescale(100)


def _growth_of_error(data: Data) -> Estimate | None:
    small, large = (errors(data, width, DEPTH) for width in (SMALLEST, LARGEST))
    return data.mean_of({case: large[case] - small[case] for case in small if case in large})


def _within_bound(data: Data) -> Estimate | None:
    within: dict[int, bool] = {}
    for depth in DEPTHS:
        for width in WIDTHS:
            name = name_of(REAL, width)
            for case in data.cases(depth, (name,), ("searches", "value")):
                row = data.row(name, depth, case)
                if undecided(row):
                    within[case] = within.get(case, True) and row["searches"] <= RANGE / width
    share = data.share_of(within)
    return None if share is None else share.rescale(100)


def _first_over_full(data: Data) -> Estimate | None:
    name = name_of(REAL, SMALLEST)
    return data.ratio_of(
        {
            case: (data.row(name, DEPTH, case)["first"], data.row(TTHH, DEPTH, case)["nodes"])
            for case in data.cases(DEPTH, (name, TTHH), ("first", "nodes"))
        }
    )


def tables(data: Data) -> list[Table]:
    columns = [f"epsilon {width:g}" for width in WIDTHS]
    tables = [
        figure_table(
            f"error of realMTD(f) without closing search, undecided positions, depth {DEPTH}", "",
            columns,
            {
                "mean": [data.mean_of(errors(data, width, DEPTH)) for width in WIDTHS],
                "maximum": [
                    f"{max(found.values()):.4g}" if (found := errors(data, width, DEPTH)) else None
                    for width in WIDTHS
                ],
            },
        )
    ]  # fmt: skip
    drivers = (REAL, CLOSED, BI)
    tables += [
        figure_table(
            f"{what}, depth {DEPTH}", "driver", columns,
            {
                driver: [data.mean(name_of(driver, width), DEPTH, metric) for width in WIDTHS]
                for driver in drivers
            },
        )
        for what, metric in (("searches, mean", "searches"),
                             ("nodes of the first search, mean", "first"))
    ]  # fmt: skip
    tables.append(
        figure_table(
            f"leaves over those of TTHH, depth {DEPTH}", "driver", columns,
            {
                driver: [
                    data.ratio(name_of(driver, width), TTHH, DEPTH, "leaves") for width in WIDTHS
                ]
                for driver in drivers
            },
        )
    )  # fmt: skip
    return tables


def charts(data: Data) -> list[Chart]:
    about = f"Give-away checkers, depth {DEPTH}"
    leaves = [
        Series.of(
            driver,
            [(w, data.ratio(name_of(driver, w), TTHH, DEPTH, "leaves")) for w in WIDTHS],
        )
        for driver in (REAL, CLOSED, BI)
    ]
    searches = [
        Series.of(driver, [(w, data.mean(name_of(driver, w), DEPTH, "searches")) for w in WIDTHS])
        for driver in (REAL, CLOSED, BI)
    ]
    return [
        Chart("leaves", f"{about}: leaves by the width of windows", "epsilon",
              "leaves / leaves of TTHH", tuple(leaves), log_x=True, origin=1.0),
        Chart("searches", f"{about}: searches by the width of windows", "epsilon",
              "searches for one position, mean", tuple(searches), log_x=True, log_y=True),
    ]  # fmt: skip


METHOD = f"""{POPULATION}
Here the evaluation has weights of five decimals and is rounded to 0.0001, so that even the smallest
window contains many values. realMTD(f) starts from 0, and the table is cleared before each
position. Errors are differences from the value that TTHH finds, at positions that are not won or
lost. Times are not compared.
"""
THREATS = """
The paper tries epsilon 0.01 only; the other widths are ours. Bounds that a search returns are often
better than its window asks for (fail-soft). Each window of realMTD(f) begins at the bound that was
found last, so a value between the bounds lies in a window sooner or later, and is then exact; an
error of up to epsilon would need windows that leave gaps.
"""

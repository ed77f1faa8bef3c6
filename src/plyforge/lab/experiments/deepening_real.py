"""MTD-bi with iterative deepening, and MTD(f) with integers (Mańdziuk and Osman 2004)."""

from plyforge.lab import Case, Chart, Claim, Data, Equals, Estimate, Series, Variation
from plyforge.lab.experiments._comparisons import figure_table, saving
from plyforge.lab.experiments._giveaway import (
    BI,
    DOCUMENT,
    MTDF,
    PLIES,
    POPULATION,
    REAL,
    STEP,
    TTHH,
    positions,
    variation,
)
from plyforge.lab.experiments._grains import rounded_evaluation
from plyforge.match.tables import Table

TITLE = "What MTD-bi saves with iterative deepening, and MTD(f) with integers"
SOURCE = f"{DOCUMENT}, section 5"
QUESTION = """
Does MTD-bi still save nodes over alpha-beta if both deepen iteratively? And does MTD(f) with
integer values save about 20 % over alpha-beta with the full window?
"""
DEFAULTS = "2026"
POSITIONS = 1000
TOGETHER = PLIES
DEPTHS = (11, 13)
QUICK = (40, (13,))
DEPTH = 13
ONE, TWO = "deepening by 1 ply", "deepening by 2 plies"
STEPS = {ONE: 1, TWO: 2}
WHOLE = "integers"
DRIVERS = (TTHH, BI, STEP, REAL)


def name_of(driver: str, deepening: str = "", values: str = "") -> str:
    return ", ".join(part for part in (driver, deepening, values) if part)


def cases(seed: int, count: int) -> list[Case]:
    return positions(seed, count)


def variations() -> list[Variation]:
    whole = rounded_evaluation(1.0)
    return [
        variation(TTHH, TTHH),
        variation(BI, BI),
        *(
            variation(
                name_of(driver, deepening), driver, extra=("deepening",), guess="two-back",
                depth_step=step,
            )
            for deepening, step in STEPS.items()
            for driver in DRIVERS
        ),
        *(
            variation(
                name_of(driver, ONE, WHOLE), driver, extra=("deepening",), guess="two-back",
                depth_step=1, evaluation=whole,
            )
            for driver in (TTHH, MTDF)
        ),
    ]  # fmt: skip


def claims() -> list[Claim]:
    pair = [name_of(driver, ONE, WHOLE) for driver in (MTDF, TTHH)]
    return [
        Claim(
            "MTD(f) with integer values gains about 20 % over the full window",
            "about 20 %",
            "nodes of MTD(f), percentage below TTHH, whole values, deepening by 1 ply, depth"
            f" {DEPTH}",
            Equals(20, 5, no_effect=0),
            lambda data: saving(pair[0], pair[1], DEPTH, "nodes")(data.without_forced_wins()),
            unit=" %",
            place="section 5, cited from Plaat et al. 1996",
            note="theirs are tournament programs for other games",
        )
    ]


def savings(data: Data, deepening: str, depth: int) -> list[Estimate | str | None]:
    """Return what MTD-bi saves of leaves, interior nodes and transpositions, in percent."""
    pair = (name_of(BI, deepening), name_of(TTHH, deepening))
    return [saving(*pair, depth, m)(data) for m in ("leaves", "interior", "transpositions")]


def tables(data: Data) -> list[Table]:
    data = data.without_forced_wins()
    rows = {
        f"{deepening or 'no deepening'}, depth {depth}": savings(data, deepening, depth)
        for deepening in ("", *STEPS)
        for depth in DEPTHS
    }
    rows["published, depth 13"] = ["42", "37", "40"]
    columns = [f"{deepening}, depth {depth}" for deepening in STEPS for depth in DEPTHS]
    return [
        figure_table(
            "percentage saved by MTD-bi over TTHH with the same deepening", "deepening",
            ("leaves", "interior nodes", "transpositions"), rows,
        ),
        figure_table(
            "nodes over those of TTHH with the same deepening", "driver", columns,
            {
                driver: [
                    data.ratio(name_of(driver, deepening), name_of(TTHH, deepening), depth, "nodes")
                    for deepening in STEPS for depth in DEPTHS
                ]
                for driver in DRIVERS[1:]
            },
        ),
        figure_table(
            "nodes over those of the same driver without deepening", "driver", columns,
            {
                driver: [
                    data.ratio(name_of(driver, deepening), driver, depth, "nodes")
                    for deepening in STEPS for depth in DEPTHS
                ]
                for driver in (TTHH, BI)
            },
        ),
        figure_table(
            "searches of the last iteration, mean", "driver", columns,
            {
                driver: [
                    data.mean(name_of(driver, deepening), depth, "searches")
                    for deepening in STEPS for depth in DEPTHS
                ]
                for driver in DRIVERS[1:]
            },
        ),
        figure_table(
            "MTD(f) with integers, deepening by 1 ply", "", [f"depth {depth}" for depth in DEPTHS],
            {
                f"{what} over those of TTHH": [
                    data.ratio(name_of(MTDF, ONE, WHOLE), name_of(TTHH, ONE, WHOLE), depth, metric)
                    for depth in DEPTHS
                ]
                for what, metric in (("nodes", "nodes"), ("leaves", "leaves"))
            },
        ),
    ]  # fmt: skip


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    readings = ("", *STEPS)
    names = tuple(reading or "no deepening" for reading in readings)
    bars = []
    for place, (what, published) in enumerate((("leaves", 42.0), ("interior nodes", 37.0))):
        points = [
            (number, figure)
            for number, reading in enumerate(readings)
            if not isinstance(figure := savings(data, reading, DEPTH)[place], str)
        ]
        bars.append(Series.of(what, points))
        bars.append(Series(f"{what}, deepening not stated", (0,), (published,), published=True))
    return [
        Chart("savings", f"Give-away checkers: what MTD-bi saves over TTHH (depth {DEPTH})", "",
              "percent saved", tuple(bars), names, origin=0.0)
    ]  # fmt: skip


METHOD = f"""{POPULATION}
With deepening, depths 1, 2, 3 ... or 1, 3, 5 ... are searched before the last one with the same
table, and all iterations count. MTD-step(f), realMTD(f) and MTD(f) start from the value of the last
but one iteration. The table is cleared before each position. Positions where a search finds a
forced win are left out, because deepening stops there. Integers are the values of the evaluation,
rounded to 1. The paper does not say whether it deepens; its statements on MTD-bi are judged in
mtd-real, without deepening. Times are not compared.
"""
THREATS = """
The 20 % of the paper are cited from tests with tournament programs for chess, Othello and checkers,
which have more enhancements than TTHH. What deepening saves depends on how well moves are ordered
without it.
"""

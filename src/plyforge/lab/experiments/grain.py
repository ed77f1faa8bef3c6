"""The drivers as the evaluation's grain becomes finer (Mańdziuk and Osman 2004; Plaat 1996)."""

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    Exactly,
    MoreThan,
    NotComparable,
    Series,
    Variation,
)
from plyforge.lab.experiments._comparisons import figure_table, ratio_of_ratios, undecided
from plyforge.lab.experiments._giveaway import DOCUMENT, PLIES, positions
from plyforge.lab.experiments._grains import rounded_evaluation
from plyforge.match.tables import Table

TITLE = "Where MTD(f) stops paying as the evaluation's grain becomes finer"
SOURCE = f"{DOCUMENT}, sections 1 and 3"
QUESTION = """
Does MTD(f) visit more nodes than MTD-bi and than alpha-beta as the values of the evaluation become
finer?
"""
DEFAULTS = "2026"
POSITIONS = 400
TOGETHER = PLIES
DEPTHS = (8, 12)
QUICK = (10, (12,))
DEPTH = 12
SMALL_POSITIONS = 80
"""How many positions are searched with the small table, where MTD(f) takes long."""
STEPS = (1, 10, 100, 1000, 10_000)
"""Steps of the evaluation per unit."""
RANGE = 200
"""The values of an integer evaluation inside (-100, 100)."""
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


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return number < SMALL_POSITIONS or variation.entries > 1 << 12


def over_tthh(data: Data, name: str, steps: int, depth: int, metric: str) -> Estimate | None:
    """Return a metric over that of TTHH with the same grain and table."""
    base = TTHH + SMALL if name.endswith(SMALL) else TTHH
    return data.ratio(name_of(name, steps), name_of(base, steps), depth, metric)


def claims() -> list[Claim]:
    coarse, fine = STEPS[0], STEPS[-1]
    return [
        Claim(
            "MTD(f) loses its superiority over MTD-bi with real values",
            "loses it",
            f"nodes of MTD(f) over those of MTD-bi, grain {1 / fine:g}, depth {DEPTH}",
            MoreThan(1),
            lambda data: data.ratio(name_of(MTDF, fine), name_of(BI, fine), DEPTH, "nodes"),
            place="abstract",
        ),
        Claim(
            "the grain of the evaluation, not real numbers as such, is a problem for MTD(f)",
            "finer is worse",
            f"nodes of MTD(f) over those of TTHH, grain {1 / fine:g} over grain {1 / coarse:g},"
            f" depth {DEPTH}",
            MoreThan(1),
            lambda data: ratio_of_ratios(
                data,
                DEPTH,
                (name_of(MTDF, fine), name_of(TTHH, fine)),
                (name_of(MTDF, coarse), name_of(TTHH, coarse)),
                "nodes",
            ),
            place="section 1",
        ),
        Claim(
            "with integers, MTD(f) makes at most as many searches as there are values",
            f"at most {RANGE}",
            f"undecided positions with at most {RANGE} searches of MTD(f), grain {1 / coarse:g},"
            " all depths",
            Exactly(100),
            lambda data: _share_within(data, name_of(MTDF, coarse), RANGE),
            unit=" %",
            place="section 3",
        ),
        Claim(
            "MTD(f) with integers makes about as many searches as MTD-bi with real values",
            "similar (no figures)",
            f"searches of MTD(f), grain {1 / coarse:g}, over those of MTD-bi, grain {1 / fine:g},"
            f" depth {DEPTH}",
            NotComparable("the other authors' numbers are not given"),
            lambda data: data.ratio(name_of(MTDF, coarse), name_of(BI, fine), DEPTH, "searches"),
            place="section 5",
        ),
    ]


def _share_within(data: Data, name: str, limit: int) -> Estimate | None:
    within: dict[int, bool] = {}
    for depth in DEPTHS:
        for case in data.cases(depth, (name,), ("searches", "value")):
            row = data.row(name, depth, case)
            if undecided(row):
                within[case] = within.get(case, True) and row["searches"] <= limit
    share = data.share_of(within)
    return None if share is None else share.rescale(100)


def tables(data: Data) -> list[Table]:
    columns = [f"grain {1 / steps:g}" for steps in STEPS]
    tables = [
        figure_table(
            f"{metric} over those of TTHH with the same grain and table, depth {DEPTH}", "driver",
            columns,
            {name: [over_tthh(data, name, s, DEPTH, metric) for s in STEPS] for name in SERIES},
        )
        for metric in ("nodes", "leaves")
    ]  # fmt: skip
    searches = {
        name: [data.mean(name_of(name, s), DEPTH, "searches") for s in STEPS]
        for name in (MTDF, BI, MTDF + SMALL, BI + SMALL)
    }
    return [
        *tables,
        figure_table(f"searches, mean, depth {DEPTH}", "driver", columns, searches),
        figure_table(
            f"interior nodes of TTHH, mean, depth {DEPTH}", "table", columns,
            {
                table: [data.mean(name_of(name, s), DEPTH, "interior") for s in STEPS]
                for table, name in (("2^20 entries", TTHH), ("2^12 entries", TTHH + SMALL))
            },
        ),
    ]  # fmt: skip


def charts(data: Data) -> list[Chart]:
    pictures = []
    for metric in ("leaves", "nodes"):
        lines = [
            Series.of(n, [(1 / s, over_tthh(data, n, s, DEPTH, metric)) for s in STEPS])
            for n in SERIES
        ]
        pictures.append(
            Chart(metric,
                  f"Give-away checkers: {metric} by the evaluation's grain (depth {DEPTH})",
                  "grain of the evaluation", f"{metric} / {metric} of TTHH, same grain and table",
                  tuple(lines), log_x=True, log_y=True, origin=1.0)
        )  # fmt: skip
    searches = [
        Series.of(n, [(1 / s, data.mean(name_of(n, s), DEPTH, "searches")) for s in STEPS])
        for n in (MTDF, BI, MTDF + SMALL)
    ]
    pictures.append(
        Chart("searches", f"Give-away checkers: searches by the evaluation's grain (depth {DEPTH})",
              "grain of the evaluation", "searches for one position, mean", tuple(searches),
              log_x=True, log_y=True)
    )  # fmt: skip
    return pictures


METHOD = """
Positions are those of random games of give-away checkers, all 40 of each; intervals are by games.
The evaluation is the game's own with weights of five decimals, rounded to the grain. TTHH is
alpha-beta with the full window, table and history. MTD(f) starts from 0 and steps from one float32
number to the next, so its windows contain no value at any grain; MTD-bi has windows of 0.01. A
table of 2^12 entries overflows and loses results between a driver's searches; one of 2^20 hardly
does. There is no deepening, and the table is cleared before each search. Times are not compared.
"""
THREATS = """
The paper reports one real-valued evaluation only, and gives no figures for MTD(f) with integers.
MTD(f) without deepening starts from a poor guess; deepening-real has it with deepening. With fine
values, a few positions where MTD(f) makes hundreds of searches outweigh the others. The small table
is searched at a third of the positions.
"""

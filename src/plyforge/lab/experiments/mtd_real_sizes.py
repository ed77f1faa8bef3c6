"""MTD-bi and realMTD(f) in tables that overflow (Mańdziuk and Osman 2004)."""

from plyforge.lab import Case, Chart, Claim, Data, LessThan, Series, Variation
from plyforge.lab.experiments._comparisons import figure_table, saving
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
from plyforge.match.tables import Table

TITLE = "MTD-bi and realMTD(f) in small tables, with real-valued evaluations"
SOURCE = f"{DOCUMENT}, section 5"
QUESTION = """
How much of what MTD-bi saves remains in a table that overflows, and is realMTD(f) far worse than
alpha-beta there?
"""
DEFAULTS = "2026"
POSITIONS = 1000
TOGETHER = PLIES
DEPTHS = (11, 13)
QUICK = (44, (13,))
DEPTH = 13
SIZES = (20, 18, 16, 15, 14)
"""Bits of the table's index: as published, and smaller."""
ALL_POSITIONS = (15, 14)
"""Sizes at which every position is searched; at others, it is every 11th."""
SAMPLE = 11
DRIVERS = (TTHH, BI, REAL)
SMALL = 14


def name_of(driver: str, bits: int) -> str:
    return f"{driver}, 2^{bits}"


def cases(seed: int, count: int) -> list[Case]:
    return positions(seed, count)


def variations() -> list[Variation]:
    return [
        variation(name_of(driver, bits), driver, entries=1 << bits)
        for bits in SIZES
        for driver in DRIVERS
    ]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    """Search all positions in the smallest tables, where a few positions outweigh the others."""
    return number % SAMPLE == 0 or variation.entries in {1 << bits for bits in ALL_POSITIONS}


def claims() -> list[Claim]:
    return [
        Claim(
            "MTD algorithms work well even with relatively small tables",
            "they seem to",
            f"nodes of MTD-bi over those of TTHH, table of 2^{SMALL} entries, depth {DEPTH}",
            LessThan(1),
            lambda data: data.ratio(name_of(BI, SMALL), name_of(TTHH, SMALL), DEPTH, "nodes"),
            place="section 5",
        )
    ]


def tables(data: Data) -> list[Table]:
    tables = []
    for depth in reversed(DEPTHS):
        saved, costs = {}, {}
        for bits in SIZES:
            base = name_of(TTHH, bits)
            interior = data.mean(base, depth, "interior")
            full = None if interior is None else interior.rescale(1 / (1 << bits))
            counted = len(data.cases(depth, [name_of(driver, bits) for driver in DRIVERS]))
            about = [f"{counted}" if counted else None, full]
            saved[f"2^{bits}"] = [
                *about,
                *(
                    saving(name_of(BI, bits), base, depth, metric)(data)
                    for metric in ("leaves", "interior", "transpositions")
                ),
            ]
            real = name_of(REAL, bits)
            costs[f"2^{bits}"] = [
                *about,
                *(data.ratio(real, base, depth, metric) for metric in ("leaves", "nodes")),
                data.mean(real, depth, "searches"),
                _largest_ratio(data, real, base, depth),
            ]
        about_columns = ("positions", "interior nodes of TTHH per entry")
        tables += [
            figure_table(
                f"percentage saved by MTD-bi over TTHH, depth {depth}",
                "entries",
                (*about_columns, "leaves", "interior nodes", "transpositions"),
                saved,
            ),
            figure_table(
                f"realMTD(f) over TTHH, depth {depth}",
                "entries",
                (*about_columns, "leaves ×", "nodes ×", "searches", "nodes ×, largest"),
                costs,
            ),
        ]
    return tables


def _largest_ratio(data: Data, name: str, baseline: str, depth: int) -> str | None:
    """Return the greatest ratio of nodes at one position."""
    ratios = [
        data.row(name, depth, case)["nodes"] / data.row(baseline, depth, case)["nodes"]
        for case in data.cases(depth, (name, baseline), ("nodes",))
    ]
    return f"{max(ratios):.3g}" if ratios else None


def charts(data: Data) -> list[Chart]:
    """Draw nodes over those of TTHH by the size of the table."""
    lines = [
        Series.of(
            f"{driver}, {what}",
            [
                (2.0**bits, data.ratio(name_of(driver, bits), name_of(TTHH, bits), DEPTH, metric))
                for bits in SIZES
            ],
        )
        for driver in (BI, REAL)
        for what, metric in (("leaves", "leaves"), ("interior nodes", "interior"))
    ]
    published = [
        Series(f"{BI}, {what}", (2.0**20,), (left,), published=True)
        for what, left in (("leaves", 0.58), ("interior nodes", 0.63))
    ]
    title = f"Give-away checkers: MTD-bi and realMTD(f) over TTHH by table size (depth {DEPTH})"
    return [
        Chart("sizes", title, "entries of the table", "nodes / nodes of TTHH with the same table",
              (*lines, *published), log_x=True, log_y=True, origin=1.0)
    ]  # fmt: skip


METHOD = f"""{POPULATION}
The table is cleared before each position. Tables of 2^15 and 2^14 entries are searched at all
positions, larger ones at every eleventh: in tables that overflow, realMTD(f) takes most of its
nodes at a few positions. Counts are compared, not times. The paper's table has 2^20 entries; what
it received is not stated.
"""
THREATS = """
Small tables stand in for the large trees of the paper; both overflow, but trees of another shape
may behave differently. The ratio of realMTD(f) depends on a few positions where it makes hundreds
of searches, so its interval is wide, and may still be too narrow.
"""

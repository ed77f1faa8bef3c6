"""Null-window drivers with real values, in give-away checkers (Mańdziuk and Osman 2004)."""

from plyforge.lab import (
    Case,
    Chart,
    Data,
    Estimate,
    Finding,
    Series,
    Variation,
    game_cases,
    judged,
    shown,
)

TITLE = "MTD-bi against full-window alpha-beta with real-valued evaluations"
SOURCE = "Mańdziuk and Osman, ICGA Journal 27 (2004), sections 4 and 5"
GAME = "giveaway"
PLIES = 40
POSITIONS = 1000
"""25 random games of 40 plies, every position of each."""
DEPTHS = (8, 9, 10, 11, 12, 13)
QUICK = (40, (6, 7))
METRICS = (
    ("leaves", "leaves"),
    ("interior", "interior nodes"),
    ("distinct", "distinct interior nodes"),
    ("transpositions", "transpositions"),
    ("searches", "searches of the driver"),
    ("seconds", "time"),
)
REAL_MTDF_SAMPLE = 25
"""realMTD(f) is run on every so many positions."""
REAL_MTDF_DEPTH = 10

TTHH, BI, STEP, SCOUT, REAL = "TTHH", "MTD-bi", "MTD-step(f)", "NegaScout", "realMTD(f)"
_ON = ("table", "table-move", "history")
_PRINTED = {"replace": "newer", "history-penalty": 0}
_DISTINCT = ", distinct nodes"
"""Telling positions apart takes time and memory: in searches of their own, on a sample."""
DISTINCT_SAMPLE = 10


def cases(seed: int, count: int) -> list[Case]:
    return game_cases(GAME, PLIES, seed, count)


def variations() -> list[Variation]:
    """All with a table of 2^20 entries, 'if newer', and the history heuristic; no deepening."""
    return [
        Variation(TTHH, "alphabeta", off=("all",), on=_ON, settings=_PRINTED),
        Variation(BI, "mtd-bi", off=("all",), on=_ON, settings={**_PRINTED, "epsilon": 0.01}),
        Variation(STEP, "mtd-step", off=("all",), on=_ON, settings={**_PRINTED, "guess": "zero"}),
        Variation(SCOUT, "pvs", off=("all",), on=(*_ON, "pvs"), settings=_PRINTED),
        Variation(
            REAL,
            "real-mtdf",
            off=("all",),
            on=_ON,
            settings={**_PRINTED, "guess": "zero", "epsilon": 0.01, "closing": "no"},
        ),
        *(_distinct(name, driver) for name, driver in ((TTHH, "alphabeta"), (BI, "mtd-bi"))),
    ]


def _distinct(name: str, driver: str) -> Variation:
    settings = {**_PRINTED, "epsilon": 0.01, "distinct": "yes"}
    return Variation(name + _DISTINCT, driver, off=("all",), on=_ON, settings=settings)


def wanted(number: int, variation: Variation, depth: int) -> bool:
    if variation.name.endswith(_DISTINCT):
        return number % DISTINCT_SAMPLE == 0
    return variation.name != REAL or (number % REAL_MTDF_SAMPLE == 0 and depth <= REAL_MTDF_DEPTH)


def findings(data: Data) -> list[Finding]:
    both = (TTHH, BI)
    depth = data.deepest(both)
    if depth is None:
        return []
    why = "" if depth == 13 else f"ours is at depth {depth}, the published one at 13"

    def saved(metric: str) -> Estimate | None:
        ratio = data.ratio(BI, TTHH, depth, metric)
        return None if ratio is None else ratio.mapped(-100, 100)

    rows = [
        judged(f"{what}: MTD-bi saves over TTHH", published, saved(metric), " %", why=why)
        for what, metric, published in (
            ("leaves", "leaves", 42.0),
            ("interior nodes", "interior", 37.0),
            ("time", "seconds", 39.0),
            ("transpositions", "transpositions", 40.0),
        )
    ]
    pair = (BI + _DISTINCT, TTHH + _DISTINCT)
    distinct, interior = (data.ratio(*pair, depth, m) for m in ("distinct", "interior"))
    if distinct is not None and interior is not None:
        rows.append(
            Finding(
                "distinct interior nodes are saved even more than interior nodes",
                "more than 37 %",
                shown(distinct.mapped(-100, 100), " %"),
                "reproduced" if distinct.value < interior.value else "not reproduced",
                why,
            )
        )
    for name, published in ((BI, 0.180), (TTHH, 0.187)):
        per = data.per(name, depth, "transpositions", "interior")
        rows.append(judged(f"transpositions per interior node, {name}", published, per, why=why))
    rows += _iterations(data)
    return rows


def _iterations(data: Data) -> list[Finding]:
    rows = [
        judged(
            f"searches of MTD-bi at depth {depth}, mean",
            published,
            data.mean(BI, depth, "searches"),
            tolerance=0.15,
        )
        for depth, published in ((8, 7.5), (13, 10.7))
        if depth in data.depths
    ]
    every = [v for depth in data.depths for v in data.values(BI, depth, "searches", (BI,))]
    if every:
        inside = min(every) >= 3 and max(every) <= 14
        rows.append(
            Finding(
                "searches of MTD-bi, range; never the bound of 15",
                "3 to 14",
                f"{min(every):.0f} to {max(every):.0f}",
                "reproduced" if inside else "not reproduced",
            )
        )
    depth = data.deepest((BI, STEP))
    ratio = data.ratio(STEP, BI, depth, "leaves") if depth else None
    if ratio is not None:
        rows.append(
            Finding(
                "MTD-step(f) beats MTD-bi with a good first guess",
                "fewer",
                f"leaves × {shown(ratio)} from the guess 0",
                "not comparable",
                "the published steps and guesses are not stated",
            )
        )
    return rows


def charts(data: Data) -> list[Chart]:
    names = [name for name in data.variations if name != REAL and not name.endswith(_DISTINCT)]
    lines = [
        Series.of(name, [(d, data.ratio(name, TTHH, d, "leaves")) for d in data.depths])
        for name in names[1:]
    ]
    published = Series(BI, (13,), (0.58,), published=True)
    searches = [
        Series.of(BI, [(d, data.mean(BI, d, "searches")) for d in data.depths]),
        Series(BI, (8, 13), (7.5, 10.7), published=True),
        Series.of(STEP, [(d, data.mean(STEP, d, "searches")) for d in data.depths]),
    ]
    return [
        Chart("leaves", "Give-away checkers: leaves over those of TTHH", "depth",
              "leaves / leaves of TTHH", (*lines, published)),
        Chart("searches", "Searches of the drivers", "depth", "searches", tuple(searches)),
    ]  # fmt: skip


NOTES = """
The paper leaves open whether the table is emptied between positions (it is, here), and whether
there is iterative deepening (there is none, here). The evaluation is this project's hand-made one,
a weighted sum inside (-100, 100); theirs is not printed.
"""

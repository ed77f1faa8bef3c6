"""Table and history with real and integer values (Mańdziuk and Osman 2004)."""

from plyforge.lab import Case, Chart, Data, Finding, Series, Variation
from plyforge.lab.experiments._giveaway import PLIES, positions
from plyforge.lab.experiments._grains import rounded_evaluation

TITLE = "Whether table and history are worth the same with real values as with integers"
SOURCE = "Mańdziuk and Osman, ICGA Journal 27 (2004), section 5"
DEFAULTS = "2026"
POSITIONS = 400
TOGETHER = PLIES
DEPTHS = (6, 8, 10)
QUICK = (24, (5, 7))
SAME = 0.1
"""Ratios that differ by less than this share count as equal."""
PLAIN, TABLE, HISTORY, BOTH = "alpha-beta", "table", "history", "table and history"
SWITCHES: dict[str, tuple[str, ...]] = {
    PLAIN: (),
    TABLE: ("table", "table-move"),
    HISTORY: ("history",),
    BOTH: ("table", "table-move", "history"),
}
STEPS = {"real": 1e4, "whole": 1.0}
"""Steps of the evaluation per unit."""
HUNDREDTHS = f"{BOTH}, values in hundredths"


def cases(seed: int, count: int) -> list[Case]:
    return positions(seed, count)


def name_of(switches: str, values: str) -> str:
    return f"{switches}, {values} values"


def variations() -> list[Variation]:
    pairs = [
        _variation(name_of(switches, values), switches, steps)
        for values, steps in STEPS.items()
        for switches in SWITCHES
    ]
    return [*pairs, _variation(HUNDREDTHS, BOTH, 100.0)]


def _variation(name: str, switches: str, steps: float) -> Variation:
    return Variation(
        name,
        "alphabeta",
        off=("all",),
        on=SWITCHES[switches],
        settings={"replace": "newer", "history-penalty": 0},
        evaluation=rounded_evaluation(steps),
    )


def findings(data: Data) -> list[Finding]:
    depth = data.max_depth([name_of(switches, values) for values in STEPS for switches in SWITCHES])
    if depth is None:
        return []
    rows, left = [], {}
    for switches in (TABLE, HISTORY, BOTH):
        pair = [
            data.ratio(name_of(switches, values), name_of(PLAIN, values), depth, "leaves")
            for values in STEPS
        ]
        real, whole = (one.value if one else 1.0 for one in pair)
        left[switches] = (real, whole)
        rows.append(
            Finding(
                f"{switches}: worth the same with real and whole values",
                "the same",
                f"leaves × {real:.3f} real, × {whole:.3f} whole",
                "reproduced" if abs(real / whole - 1) < SAME else "not reproduced",
                f"depth {depth}; over plain alpha-beta with the same values",
            )
        )
    best = all(left[BOTH][i] < min(left[TABLE][i], left[HISTORY][i]) for i in (0, 1))
    rows.append(
        Finding(
            "both together are the most effective",
            "most effective",
            f"leaves × {left[BOTH][0]:.3f} real, × {left[BOTH][1]:.3f} whole",
            "reproduced" if best else "not reproduced",
            f"depth {depth}",
        )
    )
    for other, values_text in (
        (name_of(BOTH, "whole"), "whole values"),
        (HUNDREDTHS, "whole hundredths"),
    ):
        ratio = data.ratio(name_of(BOTH, "real"), other, depth, "leaves")
        if ratio is not None:
            rows.append(
                Finding(
                    f"little or no difference between real values and {values_text} as such",
                    "little or none",
                    f"leaves × {ratio.value:.3f} ({ratio.low:.3f} to {ratio.high:.3f})",
                    "reproduced" if abs(ratio.value - 1) < SAME else "not reproduced",
                    f"depth {depth}; within {100 * SAME:g} % counts; equal values cause cutoffs,"
                    " and coarse ones are equal more often",
                )
            )
    return rows


def charts(data: Data) -> list[Chart]:
    lines = [
        Series.of(
            name_of(switches, values),
            [(d, data.ratio(name_of(switches, values), name_of(PLAIN, values), d, "leaves"))
             for d in data.depths],
        )
        for switches in (TABLE, HISTORY, BOTH)
        for values in STEPS
    ]  # fmt: skip
    apart = [
        Series.of(switches, [
            (d, data.ratio(name_of(switches, "real"), name_of(switches, "whole"), d, "leaves"))
            for d in data.depths
        ])
        for switches in SWITCHES
    ]  # fmt: skip
    ends = tuple(float(depth) for depth in (data.depths[0], data.depths[-1])) if data.depths else ()
    same = Series("no difference", ends, (1.0,) * len(ends), published=True)
    return [
        Chart("worth", "What table and history leave of the tree", "depth (plies)",
              "leaves / leaves of plain alpha-beta", tuple(lines)),
        Chart("values", "Real against whole values", "depth (plies)",
              "leaves with real values / with whole ones", (*apart, same)),
    ]  # fmt: skip


NOTES = """
The published claim is in words; no figures are given. Whole values are the real ones rounded, about
60 different ones; real ones have a grain of 0.0001. Whole hundredths were added after whole units
had shown a difference: programs with integer values rarely have so few. The table has 2^20 entries
with the rule 'newer' and is cleared between positions; there is no deepening.
"""

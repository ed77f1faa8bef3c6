"""Table and history with real and integer values (Mańdziuk and Osman 2004)."""

from functools import partial

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    LessThan,
    NotComparable,
    Series,
    Variation,
)
from plyforge.lab.experiments._comparisons import figure_table, ratio_of_ratios, saving
from plyforge.lab.experiments._giveaway import DOCUMENT, PLIES, positions
from plyforge.lab.experiments._grains import rounded_evaluation
from plyforge.match.tables import Table

TITLE = "Whether table and history are worth the same with real values as with integers"
SOURCE = f"{DOCUMENT}, section 5"
QUESTION = """
Do the transposition table and the history heuristic save as much with real values as with integers,
and does it matter at all whether values are real or integers?
"""
DEFAULTS = "2026"
POSITIONS = 400
TOGETHER = PLIES
DEPTHS = (6, 8, 10)
QUICK = (40, (10,))
DEPTH = 10
PLAIN, TABLE, HISTORY, BOTH = "alpha-beta", "table", "history", "table and history"
SWITCHES: dict[str, tuple[str, ...]] = {
    PLAIN: (),
    TABLE: ("table", "table-move"),
    HISTORY: ("history",),
    BOTH: ("table", "table-move", "history"),
}
REAL, WHOLE = "real values", "whole values"
INTEGER = "values in hundredths"
"""The integers of the paper's own conversion: round(value / 0.01)."""
STEPS = {REAL: 1e4, WHOLE: 1.0, INTEGER: 100.0}
"""Steps of the evaluation per unit."""


def cases(seed: int, count: int) -> list[Case]:
    return positions(seed, count)


def name_of(switches: str, values: str) -> str:
    return f"{switches}, {values}"


def variations() -> list[Variation]:
    return [
        _variation(name_of(switches, values), switches, steps)
        for values, steps in STEPS.items()
        for switches in SWITCHES
    ]


def _variation(name: str, switches: str, steps: float) -> Variation:
    return Variation(
        name,
        "alphabeta",
        off=("all",),
        on=SWITCHES[switches],
        settings={"replace": "newer", "history-penalty": 0},
        evaluation=rounded_evaluation(steps),
    )


def claims() -> list[Claim]:
    same = [
        Claim(
            f"{switches} {word} worth the same with real values as with integers",
            "the same",
            f"leaves over those of plain alpha-beta, real values over integers, depth {DEPTH}",
            Equals(1, 0.05),
            partial(_worth, switches=switches),
            place="section 5",
            note="integers are round(value / 0.01), the paper's conversion",
        )
        for switches, word in ((TABLE, "is"), (HISTORY, "is"))
    ]
    return [
        *same,
        Claim(
            "table and history together are the most effective",
            "most effective",
            "leaves with both over those with the better one of the two, real values, depth"
            f" {DEPTH}",
            LessThan(1),
            _both_over_better,
            place="section 5",
        ),
        Claim(
            "little or no difference between real values and integers",
            "little or none",
            f"leaves with table and history, real values over integers, depth {DEPTH}",
            Equals(1, 0.05),
            lambda data: data.ratio(name_of(BOTH, REAL), name_of(BOTH, INTEGER), DEPTH, "leaves"),
            place="section 5",
            note="integers are round(value / 0.01), the paper's conversion",
        ),
        Claim(
            "table and history save about what Schaeffer found",
            "quite similar (no figures)",
            "leaves of table and history, percentage below plain alpha-beta, real values, depth"
            f" {DEPTH}",
            NotComparable("no figures are given, and Schaeffer's are of chess"),
            saving(name_of(BOTH, REAL), name_of(PLAIN, REAL), DEPTH, "leaves"),
            unit=" %",
            place="section 5",
        ),
    ]


def _worth(data: Data, switches: str, values: str = INTEGER) -> Estimate | None:
    """Return what switches leave of the tree with real values, over the same with others."""
    above, below = ((name_of(switches, one), name_of(PLAIN, one)) for one in (REAL, values))
    return ratio_of_ratios(data, DEPTH, above, below, "leaves")


def _both_over_better(data: Data) -> Estimate | None:
    ratios = [
        data.ratio(name_of(BOTH, REAL), name_of(switches, REAL), DEPTH, "leaves")
        for switches in (TABLE, HISTORY)
    ]
    known = [ratio for ratio in ratios if ratio is not None]
    return max(known, key=lambda ratio: ratio.value) if len(known) == len(ratios) else None


def tables(data: Data) -> list[Table]:
    columns = [f"depth {depth}" for depth in DEPTHS]
    return [
        figure_table(
            "leaves over those of plain alpha-beta with the same values", "switches", columns,
            {
                name_of(switches, values): [
                    data.ratio(name_of(switches, values), name_of(PLAIN, values), d, "leaves")
                    for d in DEPTHS
                ]
                for switches in (TABLE, HISTORY, BOTH) for values in STEPS
            },
        ),
        figure_table(
            "leaves with real values over leaves with others", "switches and other values", columns,
            {
                name_of(switches, values): [
                    data.ratio(name_of(switches, REAL), name_of(switches, values), d, "leaves")
                    for d in DEPTHS
                ]
                for switches in SWITCHES for values in (INTEGER, WHOLE)
            },
        ),
        figure_table(
            "leaves, mean", "switches and values", columns,
            {
                name_of(switches, values): [
                    data.mean(name_of(switches, values), d, "leaves") for d in DEPTHS
                ]
                for switches in SWITCHES for values in STEPS
            },
        ),
    ]  # fmt: skip


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
        Series.of(f"{switches}, over {values}", [
            (d, data.ratio(name_of(switches, REAL), name_of(switches, values), d, "leaves"))
            for d in data.depths
        ])
        for switches in SWITCHES
        for values in (INTEGER, WHOLE)
    ]  # fmt: skip
    return [
        Chart("worth", "Give-away checkers: what table and history leave of the tree",
              "depth (plies)", "leaves / leaves of plain alpha-beta", tuple(lines)),
        Chart("values", "Give-away checkers: real values over hundredths and whole values",
              "depth (plies)", "leaves with real values / with others", tuple(apart), origin=1.0),
    ]  # fmt: skip


METHOD = """
Positions are those of random games of give-away checkers, all 40 of each; intervals are by games.
Real values are those of an evaluation with weights of five decimals, rounded to 0.0001. Integers
are the same values rounded to 0.01, which is the conversion that section 1 of the paper gives.
Whole values, rounded to 1, have about 60 different values and are in the tables only. The table has
2^20 entries with the rule 'newer' and is cleared between positions; there is no deepening. Equal
means within 5 %.
"""
THREATS = """
The published statement is in words and names no depth, no game and no integer evaluation; depth 10
is ours. How coarse integers are matters: equal values cause cutoffs, and coarse ones are equal more
often.
"""

"""Iterative deepening in Andantino, and values at odd and even depths (Koneru, 4 and 5)."""

from collections.abc import Mapping, Sequence
from typing import Any

from plyforge.core.scores import SCORE_LIMIT
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    LessThan,
    MoreThan,
    Series,
    Variation,
    format_estimate,
)
from plyforge.lab.experiments._andantino_openings import ANY_PARITY, random_openings
from plyforge.match.tables import Table

TITLE = "Iterative deepening in Andantino, and values at odd and even depths"
SOURCE = "Koneru, Alpha Beta Search on Andantino, sections 4 and 5"
QUESTION = """
Does a table remove the cost of iterative deepening in Andantino, and are values at odd depths
higher for the side to move than those at even ones?
"""
DEFAULTS = "2026"
POSITIONS = 120
DEPTHS = (4, 5, 6, 7, 8)
QUICK = (12, (4, 5, 6))
PLIES = (6, 12, 18)
"""Random moves before a position; the three numbers alternate."""
JUDGED = 8
"""The maximum depth of the published program."""
NO_COST = 1.05
"""At most this many times the nodes of a single search count as no overhead."""

TABLE, NO_TABLE = "with a table", "without a table"
DEEPENING, SINGLE = "every depth", "one search"
_OFF = {TABLE: (), NO_TABLE: ("table", "table-move")}
_EVERY_DEPTH = {**ANY_PARITY, "depth-step": 1}


def name_of(memory: str, how: str) -> str:
    return f"{how}, {memory}"


def cases(seed: int, count: int) -> list[Case]:
    """Return positions with few, more and many stones, alternating, each of another class."""
    layers = [random_openings(plies, seed, -(-count // len(PLIES))) for plies in PLIES]
    return [case for turn in zip(*layers, strict=True) for case in turn][:count]


def variations() -> list[Variation]:
    return [
        _koneru(name_of(memory, how), (*_OFF[memory], *off), _EVERY_DEPTH)
        for memory in (TABLE, NO_TABLE)
        for how, off in ((DEEPENING, ()), (SINGLE, ("deepening",)))
    ]


def _koneru(name: str, off: tuple[str, ...], settings: Mapping[str, Any]) -> Variation:
    return Variation(name, "alphabeta", "koneru", off=off, settings=settings)


def overhead(data: Data, memory: str, depth: int, metric: str = "nodes") -> Estimate | None:
    """Return the nodes with deepening over those of one search, without forced wins.

    With the metric `last_nodes`, only the last iteration counts.
    """
    names = [name_of(memory, how) for how in (DEEPENING, SINGLE)]
    rows = {
        case: [data.row(name, depth, case) for name in names]
        for case in data.cases(depth, names, ("nodes", metric))
    }
    return data.ratio_of(
        {
            case: (deepening[metric], single["nodes"])
            for case, (deepening, single) in rows.items()
            if not any(_is_win(row["value"]) for row in (deepening, single))
        }
    )


def _is_win(value: float) -> bool:
    return abs(value) > SCORE_LIMIT


def optimism(data: Data, odd: Sequence[int]) -> Estimate | None:
    """Return how much higher values at odd depths are than the mean of those beside them."""
    name, gaps = name_of(TABLE, SINGLE), {}
    depths = sorted({depth + step for depth in odd for step in (-1, 0, 1)})
    shared = set.intersection(*(set(data.cases(depth, [name], ("value",))) for depth in depths))
    for case in sorted(shared):
        values = {depth: data.row(name, depth, case)["value"] for depth in depths}
        if not any(map(_is_win, values.values())):
            gaps[case] = sum(
                values[depth] - (values[depth - 1] + values[depth + 1]) / 2 for depth in odd
            ) / len(odd)
    return data.difference_of(gaps)


def claims() -> list[Claim]:
    return [
        Claim(
            "the table removes the overhead of iterative deepening",
            "can be eliminated",
            f"nodes of all iterations / nodes of one search, both with a table, depth {JUDGED}",
            LessThan(NO_COST),
            lambda data: overhead(data, TABLE, JUDGED),
            place="section 4",
            note="up to 5 % more nodes count as no overhead",
        ),
        Claim(
            "searching every depth again leads to more prunings",
            "can help to cause more prunings",
            f"nodes of the last iteration / nodes of one search, both with a table, depth {JUDGED}",
            LessThan(1),
            lambda data: overhead(data, TABLE, JUDGED, "last_nodes"),
            place="section 4",
        ),
        Claim(
            "values at odd depths are optimistic, and those at even depths pessimistic",
            "generally optimistic (no figure)",
            "value at depths 5 and 7 less the mean of those at the even depths beside them, for the"
            " side to move",
            MoreThan(0),
            lambda data: optimism(data, (5, 7)),
            " points",
            "section 5",
        ),
    ]


def tables(data: Data) -> list[Table]:
    headings = ("", *(f"depth {depth}" for depth in data.depths))
    rows = [
        (label, *(format_estimate(overhead(data, memory, d, metric)) for d in data.depths))
        for label, memory, metric in (
            ("all iterations, with a table", TABLE, "nodes"),
            ("last iteration, with a table", TABLE, "last_nodes"),
            ("all iterations, without a table", NO_TABLE, "nodes"),
            ("last iteration, without a table", NO_TABLE, "last_nodes"),
        )
    ]
    return [Table(headings, tuple(rows), "Nodes with deepening / nodes of one search")]


def charts(data: Data) -> list[Chart]:
    lines = [
        Series.of(memory, [(depth, overhead(data, memory, depth)) for depth in data.depths])
        for memory in (TABLE, NO_TABLE)
    ]
    return [
        Chart("overhead", "Andantino: all iterations of deepening against one search",
              "depth in plies", "nodes with deepening / nodes of one search",
              tuple(lines), origin=1.0)
    ]  # fmt: skip


METHOD = """
Positions come from random games of 6, 12 and 18 plies, each of a different class under symmetry.
The search is the preset `koneru` without its parities, from an empty table; deepening goes through
every depth, as the document describes. Positions with a forced win are left out, because deepening
stops there. Values for parity are those of single searches of depths 4 to 8, in points of our
evaluation; the mean of the two even depths around an odd one removes a linear trend.
"""

THREATS = """
The positions are random. Killers are kept from one iteration to the next, so that even without a
table deepening is not entirely without memory. Nodes are compared, not times.
"""

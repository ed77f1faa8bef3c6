"""Minimax and the searches of VisionDraughts, in checkers."""

from typing import Any

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    LessThan,
    MoreThan,
    NotComparable,
    Variation,
    open_engine,
    random_cases,
)
from plyforge.lab.experiments._minimax_savings import savings_chart, searches_table
from plyforge.lab.experiments._pooled import percent, saving
from plyforge.lab.measuring import search_figures
from plyforge.match.tables import Table
from plyforge.search.kernels.table import EXACT, bound_of

TITLE = "What alpha-beta, a table, deepening and the table's move save over minimax in draughts"
SOURCE = "Duarte, Otsuka and Julia 2009"
QUESTION = (
    "Do alpha-beta, a transposition table and iterative deepening take more than 95 % off the time"
    " of minimax, and what does trying the table's move first add?"
)
DEFAULTS = "2026"
PLIES = 12
"""The number of random moves before a position."""
POSITIONS = 20
DEPTHS = (6, 8, 9, 10)
QUICK = (4, (4, 6))
REPEATS = 3
METRICS = (("nodes", "nodes"), ("seconds", "time"), ("first_cuts", "cutoffs by the first move"),
           ("entries", "entries of the table"), ("exact", "exact entries"))  # fmt: skip
DEPTH = 10
"""The depth of the claims: there the searches to be timed take ten milliseconds or more."""
RARELY = 10.0
"""The percentage below which something happens rarely."""

MINIMAX, PLAIN, TABLE = "minimax", "alpha-beta", "alpha-beta, table"
DEEPENING, ORDERED = "alpha-beta, table, deepening", "alpha-beta, table, deepening, table's move"
SWITCHES: dict[str, tuple[str, ...]] = {
    MINIMAX: (),
    PLAIN: (),
    TABLE: ("table",),
    DEEPENING: ("table", "deepening"),
    ORDERED: ("table", "deepening", "table-move"),
}


def cases(seed: int, count: int) -> list[Case]:
    return random_cases("checkers", PLIES, seed, count)


def variations() -> list[Variation]:
    return [
        Variation(
            name,
            "minimax" if name == MINIMAX else "alphabeta",
            off=("all",),
            on=on,
            settings={"depth-step": 1},
        )
        for name, on in SWITCHES.items()
    ]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    engine, history = open_engine(case, variation)
    figures = search_figures(engine.analyse(history, depth=depth))
    if "table" not in variation.on:
        return figures
    entries, exact = count_entries(engine.searcher.table.words)
    return {**figures, "entries": entries, "exact": exact}


def count_entries(words: Any) -> tuple[int, int]:
    """Return the number of used entries of a table, and how many of them are exact."""
    data = words[1::2]
    used = data[data != 0]
    return len(used), sum(int(bound_of(entry)) == EXACT for entry in used)


def claims() -> list[Claim]:
    where = f"checkers, depth {DEPTH}"
    return [
        Claim(
            "Alpha-beta, table and deepening take more than 95 % off the time of minimax",
            "more than 95 %",
            f"kernel time saved over minimax, {where}",
            MoreThan(95),
            lambda data: saving(_ratio(data, DEEPENING, MINIMAX, "seconds")),
            " %",
            "section 4.2",
        ),
        Claim(
            "Alpha-beta, table and deepening take more than 95 % off the nodes of minimax",
            "more than 95 %",
            f"nodes saved over minimax, {where}",
            MoreThan(95),
            lambda data: saving(_ratio(data, DEEPENING, MINIMAX, "nodes")),
            " %",
            "section 4.2",
            note="published for time",
        ),
        Claim(
            "Trying the table's move first makes the search faster",
            "tends to be faster",
            f"kernel time with the table's move first over that without, {where}",
            LessThan(1),
            lambda data: _ratio(data, ORDERED, DEEPENING, "seconds"),
            "",
            "section 5",
        ),
        Claim(
            "Trying the table's move first increases the chances of pruning",
            "the chances of pruning increases",
            f"nodes with the table's move first over those without, {where}",
            LessThan(1),
            lambda data: _ratio(data, ORDERED, DEEPENING, "nodes"),
            "",
            "section 5",
        ),
        Claim(
            "More pruning means that the best moves are on the left side of the tree",
            "really found in the left side",
            f"cutoffs by the first move, with the table's move first over without, {where}",
            MoreThan(1),
            lambda data: _ratio(data, ORDERED, DEEPENING, "first_cuts"),
            "",
            "section 5",
        ),
        Claim(
            "Alpha-beta rarely finds the exact value of a node",
            "rarely outputs the exact minimax value",
            f"exact entries of the table, all enhancements, {where}",
            LessThan(RARELY),
            lambda data: percent(data.per(ORDERED, DEPTH, "exact", "entries")),
            " %",
            "section 4.2",
            note=f"'rarely' is taken as less than {RARELY:g} %",
        ),
        Claim(
            "The ordered program wins 8 of 14 games, loses 1 and draws 5, 3 of them by loops",
            "57 % won, 21 % loops",
            "none",
            NotComparable("its network, its training and its time are not given"),
            lambda data: None,
            place="table 1",
        ),
    ]


def _ratio(data: Data, name: str, baseline: str, metric: str) -> Estimate | None:
    return data.without_forced_wins().ratio(name, baseline, DEPTH, metric)


def tables(data: Data) -> list[Table]:
    return [searches_table(data, SWITCHES, MINIMAX, DEPTH, "Searches of checkers")]


def charts(data: Data) -> list[Chart]:
    title = "Nodes over those of minimax, checkers"
    return [savings_chart(data, SWITCHES, MINIMAX, "nodes", "nodes", title)]


METHOD = f"""
Positions of checkers after {PLIES} random moves, one of each random game, searched to fixed depths
from an empty table of 2^20 entries. The game is English draughts, like that of VisionDraughts; the
evaluation is ours, not a network, which makes all nodes cheaper. Minimax searches the depth at
once, as NeuroDraughts did. Deepening is by 1. The document does not state at which depth the 95 %
were measured; depth {DEPTH} was chosen after a pilot of four positions, by run time alone: the
searches to be timed take ten milliseconds or more there, and minimax a few seconds. Times are
processor times of the kernel alone, medians of {REPEATS}. The table's move is that of any earlier
search of the node; the listing takes that of depth d - 2 only. Positions with a forced win in reach
are left out.
"""
THREATS = """
What is saved grows with the depth, and a depth of their program is not known. A network that takes
most of the time at the leaves would shift times towards the counts of leaves.
"""

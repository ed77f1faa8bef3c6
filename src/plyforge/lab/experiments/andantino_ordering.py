"""Killers before or after the table's move in Andantino (Koneru, section 3)."""

from typing import Any

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    LessThan,
    Series,
    Variation,
    format_estimate,
)
from plyforge.lab.experiments._andantino_openings import ANY_PARITY, random_openings
from plyforge.match.tables import Table

TITLE = "Killers before the table's move in Andantino"
SOURCE = "Koneru, Alpha Beta Search on Andantino, section 3"
QUESTION = """
Does a search of Andantino visit fewer nodes if it tries killers before the table's move, and not
after it?
"""
DEFAULTS = "2026"
POSITIONS = 120
DEPTHS = (4, 5, 6, 7, 8)
JUDGED = 8
"""The depth of the verdict: the maximum of the published program."""
QUICK = (15, (4, 5, 6))
PLIES = (6, 12, 18)
"""Random moves before a position; the three numbers alternate."""

KILLERS, TABLE = "killers, table", "table, killers"
ORDERS = {
    KILLERS: ("wins", "killers", "table", "history", "child-eval"),
    TABLE: ("wins", "table", "killers", "history", "child-eval"),
}
KONERU = "koneru"
SETTINGS: dict[str, dict[str, Any]] = {
    KONERU: {"preset": "koneru"},
    "koneru, every depth": {"preset": "koneru", "settings": {"depth-step": 1}},
    "koneru, evaluation unsorted": {"preset": "koneru", "off": ("child-eval",)},
    "koneru with history": {"preset": "koneru", "off": ("child-eval",), "on": ("history",)},
    "koneru without deepening": {"preset": "koneru", "off": ("deepening",)},
}
"""The searches in which the two orders are compared."""
JUDGED_SEARCH = "koneru, every depth"
"""The published program deepens by one ply."""
NO_KILLERS, NO_TABLE_MOVE = "koneru: no killers", "koneru: no table move"


def cases(seed: int, count: int) -> list[Case]:
    """Return positions with few, more and many stones, alternating, each of another class."""
    layers = [random_openings(plies, seed, -(-count // len(PLIES))) for plies in PLIES]
    return [case for turn in zip(*layers, strict=True) for case in turn][:count]


def name_of(search: str, order: str) -> str:
    return f"{search}: {order}"


def variations() -> list[Variation]:
    variations = []
    for search, options in SETTINGS.items():
        for order, sequence in ORDERS.items():
            settings = {**ANY_PARITY, **options.get("settings", {}), "order": sequence}
            name = name_of(search, order)
            variations.append(Variation(name, "alphabeta", **{**options, "settings": settings}))
    settings = {**ANY_PARITY, "order": ORDERS[KILLERS]}
    return [
        *variations,
        Variation(NO_KILLERS, "alphabeta", "koneru", off=("killers",), settings=settings),
        Variation(NO_TABLE_MOVE, "alphabeta", "koneru", off=("table-move",), settings=settings),
    ]


def claims() -> list[Claim]:
    return [
        Claim(
            "killers are better than the table's move if searched first",
            "better results (no figure)",
            f"nodes with killers first / with the table's move first; {JUDGED_SEARCH},"
            f" depth {JUDGED}",
            LessThan(1),
            lambda data: _killers_over_table(data, JUDGED_SEARCH, JUDGED),
            place="section 3",
            note="in the program that was published, a move is never found among the killers",
        )
    ]


def _killers_over_table(data: Data, search: str, depth: int) -> Estimate | None:
    return data.ratio(name_of(search, KILLERS), name_of(search, TABLE), depth, "nodes")


def tables(data: Data) -> list[Table]:
    orders = [
        (search, *(format_estimate(_killers_over_table(data, search, d)) for d in data.depths))
        for search in SETTINGS
    ]
    worth = [
        (
            name,
            *(
                format_estimate(data.ratio(name, name_of(KONERU, KILLERS), d, "nodes"))
                for d in data.depths
            ),
        )
        for name in (NO_KILLERS, NO_TABLE_MOVE)
    ]
    headings = ("", *(f"depth {depth}" for depth in data.depths))
    return [
        Table(headings, tuple(orders), "Nodes with killers first / with the table's move first"),
        Table(headings, tuple(worth), "Nodes / nodes of koneru: killers, table"),
    ]


def charts(data: Data) -> list[Chart]:
    lines = [
        Series.of(
            search,
            [(d, _killers_over_table(data, search, d)) for d in data.depths],
        )
        for search in SETTINGS
    ]
    parts = [
        Series.of(
            name,
            [(d, data.ratio(name, name_of(KONERU, KILLERS), d, "nodes")) for d in data.depths],
        )
        for name in (name_of(KONERU, TABLE), NO_KILLERS, NO_TABLE_MOVE)
    ]
    return [
        Chart("orders", "Andantino: killers first against the table's move first",
              "depth in plies",
              "nodes, killers first / table's move first", tuple(lines), origin=1.0),
        Chart("worth", "Andantino: nodes of other orders over those of the preset koneru",
              "depth in plies", "nodes / nodes of koneru", tuple(parts), origin=1.0),
    ]  # fmt: skip


METHOD = """
Better is taken as fewer nodes, over all iterations, from an empty table. Positions come from random
games of 6, 12 and 18 plies, each of a different class under symmetry. The verdict is on the search
that section 4 describes: the preset `koneru` without its parities, which deepens by one ply, at the
document's maximum of depth 8. The other searches are measured without a verdict. The document keeps
a list of all moves that ever caused a cutoff; here a ply has two killers.
"""

THREATS = """
The positions are random, and so unlike those of sensible games. The program in the author's
repository (github.com/arjunkoneru/Alpha-Beta-for-Andantino) tries every child that is in the table
first, sorted by evaluation, and killers after them: the reverse of what the document says. It also
never finds a move among the killers, because it compares moves as objects, and every child has a
new one. So the program cannot have shown what the document says, unless an earlier version was
different.
"""

"""Killers before or after the table's move in Andantino (Koneru, section 3)."""

from typing import Any

from plyforge.lab import (
    Case,
    Chart,
    Data,
    Finding,
    Series,
    Variation,
    format_estimate,
    random_cases,
)

TITLE = "Killers before the table's move in Andantino"
SOURCE = "S. Koneru, Alpha Beta Search on Andantino, section 3"
DEFAULTS = "2026"
GAME = "andantino"
POSITIONS = 60
DEPTHS = (4, 5, 6, 7)
QUICK = (15, (4, 5, 6))
PLIES = (6, 12, 18)
"""Random moves before a position; the three numbers alternate."""
METRICS = (("nodes", "nodes"), ("first_cuts", "share of cutoffs by the first move"))

KILLERS, TABLE = "killers, table", "table, killers"
ORDERS = {
    KILLERS: ("wins", "killers", "table", "history", "child-eval"),
    TABLE: ("wins", "table", "killers", "history", "child-eval"),
}
_ANY = {"parity-first": "any", "parity-second": "any"}
KONERU = "koneru"
SETTINGS: dict[str, dict[str, Any]] = {
    KONERU: {"preset": "koneru"},
    "koneru, every depth": {"preset": "koneru", "settings": {"depth-step": 1}},
    "koneru, evaluation unsorted": {"preset": "koneru", "off": ("child-eval",)},
    "koneru with history": {"preset": "koneru", "off": ("child-eval",), "on": ("history",)},
    "koneru without deepening": {"preset": "koneru", "off": ("deepening",)},
}
"""The searches in which the two orders are compared."""
NO_KILLERS, NO_TABLE_MOVE = "koneru: no killers", "koneru: no table move"


def cases(seed: int, count: int) -> list[Case]:
    """Return positions with few, more and many stones, alternating."""
    layers = [random_cases(GAME, plies, seed, -(-count // len(PLIES))) for plies in PLIES]
    return [case for turn in zip(*layers, strict=True) for case in turn][:count]


def name_of(search: str, order: str) -> str:
    return f"{search}: {order}"


def variations() -> list[Variation]:
    variations = []
    for search, options in SETTINGS.items():
        for order, sequence in ORDERS.items():
            settings = {**_ANY, **options.get("settings", {}), "order": sequence}
            name = name_of(search, order)
            variations.append(Variation(name, "alphabeta", **{**options, "settings": settings}))
    settings = {**_ANY, "order": ORDERS[KILLERS]}
    return [
        *variations,
        Variation(NO_KILLERS, "alphabeta", "koneru", off=("killers",), settings=settings),
        Variation(NO_TABLE_MOVE, "alphabeta", "koneru", off=("table-move",), settings=settings),
    ]


def findings(data: Data) -> list[Finding]:
    depth = data.max_depth(data.variations)
    if depth is None:
        return []
    rows = [row for search in SETTINGS for row in _compare_orders(data, depth, search)]
    for name, what in ((NO_KILLERS, "killers"), (NO_TABLE_MOVE, "the table's move")):
        ratio = data.ratio(name, name_of(KONERU, KILLERS), depth, "nodes")
        if ratio is not None:
            rows.append(
                Finding(
                    f"what {what} save, at depth {depth}",
                    "",
                    f"nodes without / with: {format_estimate(ratio)}",
                    "not comparable",
                    "no figure was published",
                )
            )
    return rows


def _compare_orders(data: Data, depth: int, search: str) -> list[Finding]:
    """Compare killers first with the table's move first."""
    ratio = data.ratio(name_of(search, KILLERS), name_of(search, TABLE), depth, "nodes")
    if ratio is None:
        return []
    sure = not ratio.low <= 1 <= ratio.high
    direction = "fewer" if ratio.value < 1 else "more"
    return [
        Finding(
            f"{search}: killers first are better than the table's move first",
            "better (no figure)",
            f"nodes × {format_estimate(ratio, digits=4)} at depth {depth}",
            "reproduced" if sure and ratio.value < 1 else "not reproduced",
            f"{direction} nodes with killers first"
            if sure
            else "no clear difference; the published program never finds a killer",
        )
    ]


def charts(data: Data) -> list[Chart]:
    lines = [
        Series.of(
            search,
            [
                (
                    d,
                    data.ratio(name_of(search, KILLERS), name_of(search, TABLE), d, "nodes"),
                )
                for d in data.depths
            ],
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
        Chart("orders", "Andantino: killers first over the table's move first", "depth",
              "nodes, killers first / table's move first", tuple(lines), origin=1.0),
        Chart("worth", "Andantino: other orders over the preset koneru's", "depth",
              "nodes / nodes of koneru", tuple(parts), origin=1.0),
    ]  # fmt: skip


NOTES = """
The report says that killers "seem to yield better results" if searched before the table's move, and
gives no figure. Better is taken as fewer nodes, over all iterations, from an empty table.
Positions come from random games of 6, 12 and 18 plies. The report keeps a list of all moves that
ever caused a cutoff; here a ply has two killers. Its published program
(github.com/arjunkoneru/Alpha-Beta-for-Andantino) tries every child that is in the table first,
sorted by evaluation, and killers after them: the reverse of what the report says. It also never
finds a move among the killers, because it compares moves as objects, and every child has a new one.
So the program cannot have shown what the report says, unless an earlier version was different.
"""

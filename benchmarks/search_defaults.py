"""Which options need fewer nodes than the preset `exact` by itself, as an experiment.

    plyforge lab run benchmarks/search_defaults.py

A game's `SEARCH` should save more than 5 % of the nodes at both depths.  In the table of defaults
that is used here, none of these games has one.
"""

from plyforge.lab import Case, Data, Variation, format_estimate, mixed_cases
from plyforge.match.tables import Table

TITLE = "Nodes over those of the preset exact, without changes by games"
DEFAULTS = "2026"
SOURCE = "measured here"
GAMES = {"andantino": 8, "checkers": 12, "chess": 10, "giveaway": 12, "hex": 6, "kalah": 6}
"""Games, and the number of random moves before a position.

Connect four and Othello have other defaults already, from the same comparison; the games of
tic-tac-toe and the artificial trees are too small.
"""
SEARCHED = {
    "andantino": (4, 5),
    "checkers": (11, 12),
    "chess": (4, 5),
    "giveaway": (8, 9),
    "hex": (2, 3),
    "kalah": (8, 9),
}
GROUPS = tuple(GAMES)
POSITIONS = 20 * len(GROUPS)
DEPTHS = tuple(sorted({depth for depths in SEARCHED.values() for depth in depths}))
QUICK = (2 * len(GROUPS), DEPTHS[:2])
METRICS = (("nodes", "nodes"),)
NOW = "exact"
EVALUATION_FIRST = {"order": ("table", "child-eval", "history")}


def cases(seed: int, count: int) -> list[Case]:
    return mixed_cases(GAMES, seed, count)


def variations() -> list[Variation]:
    return [
        Variation(NOW),
        Variation("killers off", off=("killers",)),
        Variation("child-eval on", on=("child-eval",)),
        Variation(
            "child-eval on and first, killers off",
            on=("child-eval",),
            off=("killers",),
            settings=EVALUATION_FIRST,
        ),
        Variation("etc from depth 2", settings={"etc-depth": 2}),
    ]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return depth in SEARCHED[GROUPS[number % len(GROUPS)]]


def tables(data: Data) -> list[Table]:
    names = data.variations[1:]
    rows = []
    for game in GROUPS:
        part = data.part(game)
        for depth in SEARCHED[game]:
            cells = [format_estimate(part.ratio(name, NOW, depth, "nodes")) for name in names]
            rows.append((f"{game} {depth}", *cells))
    return [Table(("", *names), tuple(rows), TITLE)]

"""Replacement rules with a table that is never cleared (Mańdziuk and Osman 2004)."""

from plyforge.core.randomness import Stream
from plyforge.games import load
from plyforge.lab import Case, Chart, Data, Estimate, Series, Variation, open_engine
from plyforge.lab.cases import random_game
from plyforge.lab.experiments._comparisons import figure_table, saving
from plyforge.lab.experiments._giveaway import (
    BI,
    DOCUMENT,
    PLIES,
    POPULATION,
    REAL,
    TTHH,
    positions,
)
from plyforge.lab.experiments._replacement_rules import (
    BITS,
    DEPTH,
    DRIVERS,
    NEWER,
    PUBLISHED,
    RULES,
    SHARPLY,
    mean_figures,
    name_of,
    nodes_per_entry,
    percent_more,
    rule_variation,
    search_game,
    size_of,
)
from plyforge.match.tables import Table

TITLE = "Replacement rules and MTD-bi with a table that is never cleared"
SOURCE = f"{DOCUMENT}, sections 4 and 5"
QUESTION = """
What do rules of replacement cost, and what do MTD-bi and realMTD(f) save, if one table serves 25
games in a row, as the paper may have done it?
"""
DEFAULTS = "2026"
GAMES = 25
"""The games of a sequence, as in the paper."""
POSITIONS = 5
"""Sequences of games."""
DEPTHS = (11, DEPTH)
QUICK = (2, (8,))
ALL_SIZES = 11
"""The depth at which every size is tried; at the published one, only the published size is."""
SIZES = (14, 16, 18, 20)
DEEP_SEQUENCES = 4
"""How many sequences are searched at the published depth."""
QUARTER = 6
"""The first and the last games of a sequence, to see what a full table changes."""


def cases(seed: int, count: int) -> list[Case]:
    """Return the first game of each sequence, by its last position."""
    return positions(seed, count * PLIES)[PLIES - 1 :: PLIES]


def sequence(case: Case, games: int) -> list[tuple[int, ...]]:
    """Return the moves of all games; those after the first follow from its moves."""
    game, stream = load(case.game), Stream(0).split(repr(case.moves))
    found = [case.moves]
    while len(found) < games:
        moves = random_game(game, len(case.moves), stream)
        if moves is not None:
            found.append(moves)
    return found


def variations() -> list[Variation]:
    return [
        *(
            rule_variation(driver, rule, size_of(bits), bits)
            for bits in reversed(SIZES)
            for driver in DRIVERS
            for rule in RULES
        ),
        *(rule_variation(REAL, NEWER, size_of(bits), bits) for bits in reversed(SIZES)),
    ]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    if depth < DEPTH:
        return True
    return number < DEEP_SEQUENCES and variation.extra["bits"] == BITS


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Return means over the moves of all games of a sequence, which share one table.

    `first` and `last` are the leaves per move in the first and last games.
    """
    engine, _ = open_engine(Case(case.game), variation)
    games = [search_game(engine, moves, depth) for moves in sequence(case, GAMES)]
    figures = mean_figures([one for game in games for one in game])
    leaves = [mean_figures(game)["leaves"] for game in games]
    first, last = leaves[:QUARTER], leaves[-QUARTER:]
    return {**figures, "first": sum(first) / len(first), "last": sum(last) / len(last)}


def tables(data: Data) -> list[Table]:
    sizes = [f"2^{bits}" for bits in SIZES]
    others = [(driver, rule) for driver in DRIVERS for rule in RULES[1:]]
    costs = {
        name_of(*pair): [
            percent_more(data, *pair, ALL_SIZES, "leaves", size_of(bits)) for bits in SIZES
        ]
        for pair in others
    }
    full: dict[str, list[Estimate | None]] = {
        "interior nodes of TTHH per sequence and entry": [
            nodes_per_entry(data, ALL_SIZES, GAMES * PLIES, bits, size_of(bits)) for bits in SIZES
        ]
    }
    deep = {
        name_of(*pair): [
            *(percent_more(data, *pair, DEPTH, metric) for metric in ("leaves", "nodes")),
            f"{PUBLISHED[*pair, 'leaves']:g}" if (*pair, "leaves") in PUBLISHED else None,
        ]
        for pair in others
    }
    return [
        figure_table(
            f"percentage of leaves above 'newer', depth {ALL_SIZES}", "driver, rule", sizes,
            {**full, **costs},
        ),
        figure_table(
            f"percentage above 'newer', depth {DEPTH}, 2^20 entries", "driver, rule",
            ("leaves", "nodes", "leaves, published"), deep,
        ),
        figure_table(
            f"nodes over those of TTHH with 'newer' and the same table, depth {ALL_SIZES}",
            "driver, rule", sizes,
            {
                name_of(*pair): [
                    data.ratio(name_of(*pair, size_of(bits)), name_of(TTHH, NEWER, size_of(bits)),
                               ALL_SIZES, "nodes")
                    for bits in SIZES
                ]
                for pair in ((BI, NEWER), (BI, SHARPLY), (REAL, NEWER))
            },
        ),
        figure_table(
            f"nodes over those of TTHH with 'newer', depth {DEPTH}, 2^20 entries", "driver, rule",
            ("nodes",),
            {
                name_of(*pair): [
                    data.ratio(name_of(*pair), name_of(TTHH, NEWER), DEPTH, "nodes")
                ]
                for pair in ((BI, NEWER), (BI, SHARPLY), (REAL, NEWER))
            },
        ),
        _savings_table(data),
        figure_table(
            f"leaves of the last {QUARTER} games over those of the first {QUARTER}, depth"
            f" {ALL_SIZES}, over the same with 'newer'", "driver, rule", sizes,
            {
                name_of(*pair): [_change(data, *pair, bits) for bits in SIZES] for pair in others
            },
        ),
    ]  # fmt: skip


def _savings_table(data: Data) -> Table:
    metrics = ("leaves", "interior", "transpositions")
    places = [(ALL_SIZES, bits) for bits in reversed(SIZES)]
    rows: dict[str, list[Estimate | str | None]] = {
        f"depth {depth}, 2^{bits}": [
            saving(
                name_of(BI, NEWER, size_of(bits)), name_of(TTHH, NEWER, size_of(bits)), depth, one
            )(data)
            for one in metrics
        ]
        for depth, bits in ((DEPTH, BITS), *places)
    }
    rows["published, depth 13"] = ["42", "37", "40"]
    columns = ("leaves", "interior nodes", "transpositions")
    return figure_table("percentage saved by MTD-bi over TTHH, 'newer'", "table", columns, rows)


def _change(data: Data, driver: str, rule: str, bits: int) -> Estimate | None:
    """Return how a rule's cost changes from the first games to the last, as a ratio."""
    names = [name_of(driver, one, size_of(bits)) for one in (rule, NEWER)]
    pairs = {}
    for case in data.cases(ALL_SIZES, names, ("first", "last")):
        one, base = (data.row(name, ALL_SIZES, case) for name in names)
        pairs[case] = (one["last"] / base["last"], one["first"] / base["first"])
    return data.ratio_of(pairs)


def charts(data: Data) -> list[Chart]:
    lines = [
        Series.of(
            name_of(driver, rule),
            [
                (2.0**bits, percent_more(data, driver, rule, ALL_SIZES, "leaves", size_of(bits)))
                for bits in SIZES
            ],
        )
        for driver in DRIVERS
        for rule in RULES[1:]
    ]
    drivers = [
        Series.of(
            name_of(driver, rule),
            [
                (
                    2.0**bits,
                    data.ratio(
                        name_of(driver, rule, size_of(bits)),
                        name_of(TTHH, NEWER, size_of(bits)),
                        ALL_SIZES,
                        "nodes",
                    ),
                )
                for bits in SIZES
            ],
        )
        for driver, rule in ((BI, NEWER), (BI, SHARPLY), (REAL, NEWER))
    ]
    about = f"one table for {GAMES} games of give-away checkers (depth {ALL_SIZES})"
    return [
        Chart("rules", f"Replacement rules, {about}", "entries of the table",
              "percent more leaves than with 'newer'", tuple(lines), log_x=True, origin=0.0),
        Chart("drivers", f"Drivers over TTHH, {about}", "entries of the table",
              "nodes / nodes of TTHH with 'newer', same table", tuple(drivers), log_x=True,
              origin=1.0),
    ]  # fmt: skip


METHOD = f"""{POPULATION}
A measurement is a sequence of {GAMES} random games, all of whose positions are searched in order
with one table, which is empty before the first game and never cleared; figures are means per move.
The first game of a sequence comes from the seed, and the others follow from its moves, so a
sequence can be repeated by itself. Intervals are by sequences. The published table has 2^20
entries; smaller ones stand for larger trees. The paper does not say whether its table was cleared.
Its statements are judged in replacement-real, where the table is kept through a game; this
experiment shows how they change with the other reading, without a verdict.
"""
THREATS = f"""
{POSITIONS} sequences ({DEEP_SEQUENCES} at depth {DEPTH}) give wide intervals: a few positions can
outweigh the others in a full table. The order of the games within a sequence is random, as is that
in the paper. Times are not compared.
"""

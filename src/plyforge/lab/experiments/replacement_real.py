"""Replacement rules of the transposition table (Mańdziuk and Osman 2004, section 5)."""

from functools import partial

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    LessThan,
    MoreThan,
    Series,
    Variation,
    open_engine,
)
from plyforge.lab.experiments._comparisons import (
    figure_table,
    ratio_of_ratios,
    ratio_of_sums,
    saving,
)
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
    DEEPER,
    DEPTH,
    DRIVERS,
    NEWER,
    PUBLISHED,
    RULES,
    SHARPLY,
    STAMPED,
    mean_figures,
    name_of,
    nodes_per_entry,
    percent_more,
    rule_variation,
    search_game,
    size_of,
)
from plyforge.match.tables import Table

TITLE = "Which results a transposition table should keep, with real-valued evaluations"
SOURCE = f"{DOCUMENT}, sections 3 to 5"
QUESTION = """
Which rule of replacement needs the fewest nodes with a table that is kept through a game: always
the newer result, the deeper one, or the deeper one with a time stamp?
"""
DEFAULTS = "2026"
POSITIONS = 25
"""Random games; all 40 positions of each are searched in order."""
DEPTHS = (11, DEPTH)
REPEATS = 3
QUICK = (2, (11,))
OTHER_BITS = (14, 16, 18, 22)
LARGER = 22
ALL_GAMES = (16, 22)
"""Sizes that are tried on all games with 'newer'."""
SAMPLE, DEEP_SAMPLE = 8, 8
"""How many games other sizes are tried on, and other readings at the published depth."""
CLEARED, SAME, MOVES, AT_LEAST = "cleared", "same position free", "stamp a move", "at least"
READINGS: dict[str, dict[str, str]] = {
    CLEARED: {},
    SAME: {"same-position": "no"},
    MOVES: {"stamp": "move"},
    AT_LEAST: {"depth-rule": "at-least"},
}
"""Other readings of what the paper leaves open."""


def cases(seed: int, count: int) -> list[Case]:
    """Return whole games, each by its last position."""
    return positions(seed, count * PLIES)[PLIES - 1 :: PLIES]


def variations() -> list[Variation]:
    pairs = [(driver, rule) for driver in DRIVERS for rule in RULES]
    return [
        *(rule_variation(*pair) for pair in pairs),
        *(
            rule_variation(*pair, reading, settings=settings)
            for reading, settings in READINGS.items()
            for pair in pairs
            if _differs(pair[1], reading)
        ),
        *(rule_variation(*pair, size_of(bits), bits) for bits in OTHER_BITS for pair in pairs),
        rule_variation(REAL, NEWER),
        rule_variation(REAL, NEWER, CLEARED),
        *(rule_variation(REAL, NEWER, size_of(bits), bits) for bits in ALL_GAMES),
    ]


def _differs(rule: str, reading: str) -> bool:
    """Return whether a reading matters for a rule."""
    if reading == MOVES:
        return rule == STAMPED
    return reading != SAME or rule != NEWER


def wanted(number: int, variation: Variation, depth: int) -> bool:
    """Search all games with the published size; other sizes and readings on fewer games."""
    bits, reading = variation.extra["bits"], variation.extra["reading"]
    if not reading:
        return True
    if bits == BITS:
        return depth == DEPTH and number < DEEP_SAMPLE
    if variation.settings["replace"] == NEWER and bits in ALL_GAMES:
        return depth == DEPTH
    return number < SAMPLE and (depth < DEPTH or bits > min(OTHER_BITS))


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Return means over the moves of a game; the table is kept between them, unless cleared."""
    engine, _ = open_engine(Case(case.game), variation)
    cleared = variation.extra["reading"] == CLEARED
    return mean_figures(search_game(engine, case.moves, depth, cleared))


def claims() -> list[Claim]:
    words = {"leaves": "leaves", "seconds": "time"}
    table = "table of 2^20 entries kept through a game"
    costs = [
        Claim(
            f"'deeper' takes more {words[metric]} than 'newer', {driver}",
            f"{published:g} %",
            f"{words[metric]} of '{rule}', percentage above 'newer', {driver}, depth {DEPTH},"
            f" {table}",
            Equals(published, 5, no_effect=0),
            partial(_percent_more, driver=driver, rule=rule, metric=metric),
            unit=" %",
            place="section 5" + ", figure 2(b)" * (metric == "seconds"),
        )
        for (driver, rule, metric), published in PUBLISHED.items()
    ]
    newer = [name_of(driver, NEWER) for driver in DRIVERS]
    return [
        *costs,
        Claim(
            "'deeper' costs MTD-bi less than TTHH",
            "12 % and 17 %",
            f"leaves of 'deeper' over 'newer', MTD-bi's over TTHH's, depth {DEPTH}, {table}",
            LessThan(1),
            lambda data: ratio_of_ratios(
                data,
                DEPTH,
                (name_of(BI, DEEPER), name_of(BI, NEWER)),
                (name_of(TTHH, DEEPER), name_of(TTHH, NEWER)),
                "leaves",
            ),
            place="section 5",
        ),
        Claim(
            "'deeper + timestamp' is as efficient as 'newer'",
            "equally efficient",
            f"leaves of both drivers with it, over those with 'newer', depth {DEPTH}, {table}",
            Equals(1, 0.05),
            lambda data: ratio_of_sums(
                data, [name_of(driver, STAMPED) for driver in DRIVERS], newer, DEPTH, "leaves"
            ),
            place="section 5",
        ),
        Claim(
            "'newer' is the most effective rule, in nodes and in time",
            "most effective",
            f"nodes of both drivers with 'deeper', over those with 'newer', depth {DEPTH}, {table}",
            MoreThan(1),
            lambda data: ratio_of_sums(
                data, [name_of(driver, DEEPER) for driver in DRIVERS], newer, DEPTH, "nodes"
            ),
            place="sections 3 and 6",
            note="'deeper + timestamp' has a claim of its own",
        ),
        Claim(
            "'sharply deeper' is slower than 'newer', TTHH",
            "28 s a move (the time with 'newer' is in a figure only)",
            f"time of 'sharply deeper' over 'newer', TTHH, depth {DEPTH}, {table}",
            MoreThan(1),
            lambda data: data.ratio(name_of(TTHH, SHARPLY), name_of(TTHH, NEWER), DEPTH, "seconds"),
            place="section 5",
        ),
        Claim(
            "'sharply deeper' takes MTD-bi down to the level of TTHH",
            "to the level of TTHH",
            f"nodes of MTD-bi with 'sharply deeper' over TTHH with 'newer', depth {DEPTH}, {table}",
            Equals(1, 0.05),
            lambda data: data.ratio(name_of(BI, SHARPLY), name_of(TTHH, NEWER), DEPTH, "nodes"),
            place="section 5",
        ),
        Claim(
            "'sharply deeper' hurts MTD-bi because a position of equal depth is not stored again",
            "caused the performance to decrease",
            "nodes of MTD-bi with 'sharply deeper' if the same position is always stored again,"
            f" over those if not, depth {DEPTH}, {table}, {DEEP_SAMPLE} games",
            LessThan(1),
            lambda data: data.ratio(
                name_of(BI, SHARPLY, SAME), name_of(BI, SHARPLY), DEPTH, "nodes"
            ),
            place="section 5",
        ),
        Claim(
            "tables above 2^20 entries offer no speed-up",
            "none",
            f"nodes of both drivers with 'newer' and 2^{LARGER} entries over 2^20, depth {DEPTH},"
            " tables kept through a game; a speed-up means more than 5 %",
            MoreThan(0.95),
            lambda data: ratio_of_sums(
                data,
                [name_of(driver, NEWER, size_of(LARGER)) for driver in DRIVERS],
                newer,
                DEPTH,
                "nodes",
            ),
            place="section 4",
        ),
    ]


def _percent_more(data: Data, driver: str, rule: str, metric: str) -> Estimate | None:
    return percent_more(data, driver, rule, DEPTH, metric)


def tables(data: Data) -> list[Table]:
    pairs = [(driver, rule) for driver in DRIVERS for rule in RULES]
    means = {
        name_of(*pair): [
            *(data.mean(name_of(*pair), DEPTH, m) for m in ("leaves", "interior", "searches")),
            percent_more(data, *pair, DEPTH, "leaves") if pair[1] != NEWER else None,
            percent_more(data, *pair, DEPTH, "seconds") if pair[1] != NEWER else None,
        ]
        for pair in pairs
    }
    others = [pair for pair in pairs if pair[1] != NEWER]
    readings = {
        name_of(*pair): [
            percent_more(data, *pair, DEPTH, "leaves", reading) for reading in ("", *READINGS)
        ]
        for pair in others
    }
    return [
        figure_table(
            f"rules, table of 2^20 entries kept through a game, per move, depth {DEPTH}",
            "driver, rule",
            ("leaves", "interior nodes", "searches", "leaves over newer (%)",
             "time over newer (%)"),
            means,
        ),
        figure_table(
            f"percentage of leaves above 'newer' under other readings, {DEEP_SAMPLE} games"
            f" ({POSITIONS} as judged), depth {DEPTH}",
            "driver, rule", ("as judged", *READINGS), readings,
        ),
        *(_sizes_table(data, depth) for depth in reversed(DEPTHS)),
        _savings_table(data),
        figure_table(
            f"realMTD(f) over TTHH, 'newer', depth {DEPTH}", "table", ("nodes ×", "leaves ×"),
            {
                about: [
                    data.ratio(name_of(REAL, NEWER, reading), name_of(TTHH, NEWER, reading), DEPTH,
                               metric)
                    for metric in ("nodes", "leaves")
                ]
                for about, reading in (
                    ("2^20 entries, kept through a game", ""),
                    ("2^20 entries, cleared before each position", CLEARED),
                    ("2^16 entries, kept through a game", size_of(16)),
                )
            },
        ),
    ]  # fmt: skip


def _sizes_table(data: Data, depth: int) -> Table:
    """Show what rules cost by the size of the table."""
    sizes = sorted((*OTHER_BITS, BITS))
    rows: dict[str, list[Estimate | str | None]] = {
        "interior nodes of TTHH per game and entry": [
            nodes_per_entry(data, depth, PLIES, bits, size_of(bits)) for bits in sizes
        ]
    }
    for driver in DRIVERS:
        for rule in RULES[1:]:
            rows[name_of(driver, rule)] = [
                percent_more(data, driver, rule, depth, "leaves", size_of(bits)) for bits in sizes
            ]
    title = (
        f"percentage of leaves above 'newer' by table size, depth {depth}, {SAMPLE} games"
        f" ({POSITIONS} with 2^20)"
    )
    return figure_table(title, "driver, rule", [f"2^{bits}" for bits in sizes], rows)


def _savings_table(data: Data) -> Table:
    metrics = ("leaves", "interior", "transpositions")
    rows = {
        about: [
            saving(name_of(BI, NEWER, reading), name_of(TTHH, NEWER, reading), DEPTH, metric)(data)
            for metric in metrics
        ]
        for about, reading in (
            ("2^20 entries, kept", ""),
            ("2^22 entries, kept", size_of(LARGER)),
            ("2^16 entries, kept", size_of(16)),
            ("2^20 entries, cleared", CLEARED),
        )
    }
    title = f"percentage saved by MTD-bi over TTHH, 'newer', depth {DEPTH}"
    return figure_table(title, "table", metrics, rows)


def charts(data: Data) -> list[Chart]:
    pairs = [(driver, rule) for driver in DRIVERS for rule in RULES[1:]]
    names = tuple(name_of(*pair) for pair in pairs)
    bars = []
    for metric, what in (("leaves", "leaves"), ("seconds", "time")):
        points = [(i, percent_more(data, *pair, DEPTH, metric)) for i, pair in enumerate(pairs)]
        known = [(i, PUBLISHED[*pair, metric]) for i, pair in enumerate(pairs)
                 if (*pair, metric) in PUBLISHED]  # fmt: skip
        bars.append(Series.of(what, points))
        bars.append(
            Series(what, tuple(i for i, _ in known), tuple(y for _, y in known), published=True)
        )
    readings = [
        Series.of(reading or "table kept",
                  [(i, percent_more(data, *pair, DEPTH, "leaves", reading))
                   for i, pair in enumerate(pairs)])
        for reading in ("", *READINGS)
    ]  # fmt: skip
    return [
        Chart("rules", f"Give-away checkers: rules, table kept through a game (depth {DEPTH})", "",
              "percent more than with 'newer'", tuple(bars), names),
        Chart("readings", f"Give-away checkers: rules under other readings (depth {DEPTH})", "",
              "percent more leaves than with 'newer'", tuple(readings), names),
        _fullness_chart(data),
    ]  # fmt: skip


def by_fullness(data: Data, driver: str, rule: str, depth: int) -> list[tuple[float, Estimate]]:
    """Return TTHH's interior nodes per game and entry, and the cost of a rule, at all sizes."""
    points = []
    for bits in (BITS, *OTHER_BITS):
        full = nodes_per_entry(data, depth, PLIES, bits, size_of(bits))
        cost = percent_more(data, driver, rule, depth, "leaves", size_of(bits))
        if full is not None and cost is not None:
            points.append((full.value, cost))
    return sorted(points, key=lambda pair: pair[0])


def _fullness_chart(data: Data) -> Chart:
    """Draw what 'deeper' costs by how full the table is, at each depth."""
    lines, every = [], [1.0]
    for driver in DRIVERS:
        for depth in data.depths:
            points = by_fullness(data, driver, DEEPER, depth)
            lines.append(Series.of(f"{name_of(driver, DEEPER)}, depth {depth}", [*points]))
            every += [full for full, _ in points]
    claims = [
        Series(f"{name_of(driver, rule)}, fullness not stated", (min(every), max(every)),
               (cost, cost), published=True)
        for (driver, rule, metric), cost in PUBLISHED.items() if metric == "leaves"
    ]  # fmt: skip
    return Chart(
        "fullness",
        "Give-away checkers: the cost of 'deeper' by how full the table is (2^14 to 2^22 entries)",
        "interior nodes of TTHH in a game / entries of the table",
        "percent more leaves than with 'newer'",
        (*lines, *claims),
        log_x=True,
        origin=0.0,
    )


METHOD = f"""{POPULATION}
A measurement is a whole game, whose 40 positions are searched in order; figures are means per move.
The paper leaves open whether the table is cleared between positions (kept through each game here;
'cleared' clears it; table-through-games never does), whether the rule also applies to a position
that is stored again (it does here, as the explanation of 'sharply deeper' implies; 'same position
free' always replaces it), whether time stamps count saves or moves (saves here; 'stamp a move'
counts moves), and which depth an entry must have to be used (the same here; 'at least' accepts
greater ones, and then does not find minimax values). Times are those of the kernel, summed over a
game. Percentages are judged with a margin of 5 points.
"""
THREATS = """
How full the published table was is not known; a rule of replacement matters only in a table that
overflows. Other sizes and readings are searched on eight games: in tables that overflow, a single
game can outweigh all others. The paper gives 28 seconds a move for 'sharply deeper' and no mean
time for 'newer' in its text, so only the direction is judged.
"""

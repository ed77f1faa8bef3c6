"""Small tables, and keys so short that different positions share one."""

import math
from dataclasses import replace

from plyforge.core.scores import SCORE_LIMIT
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    Exactly,
    Series,
    Variation,
    format_estimate,
    open_engine,
    random_cases,
)
from plyforge.lab import short_keys as game
from plyforge.lab.measuring import search_figures
from plyforge.match.tables import Table

TITLE = "Short keys and small tables: wrong values and cost"
SOURCE = "Kishimoto and Müller, tutorial on alpha-beta, slides on the transposition table"
QUESTION = """
How often does a search return a wrong value because two positions have the same key, with keys of
64 bits and with shorter ones?
"""
DEFAULTS = "2026"
PLIES = 6
POSITIONS = 100
DEPTHS = (6, 8, 10)
JUDGED = 10
QUICK = (10, (6, 8))
KEYS = (64, 32, 28, 24, 20, 18, 16, 14, 12, 10)
_DRAWN_BITS = 32
TABLES = (8, 12, 16, 20)
"""Entries, as powers of 2."""


def name_of(bits: int, table: int) -> str:
    return f"{bits} bits, 2^{table} entries"


BASE = name_of(max(KEYS), max(TABLES))


def variations() -> list[Variation]:
    pairs = [(bits, table) for table in reversed(TABLES) for bits in KEYS]
    return [
        Variation(name_of(bits, table), "pvs", entries=1 << table, extra={"bits": bits})
        for bits, table in pairs
    ]


def cases(seed: int, count: int) -> list[Case]:
    return random_cases(game.__file__, PLIES, seed, count)


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    bits = variation.extra["bits"]
    engine, history = open_engine(replace(case, game=f"{case.game}:{bits}"), variation)
    result = engine.analyse(history, depth=depth)
    fill = engine.searcher.table.fill()
    # On average, half of the final entries were present at a probe.
    matches = result.counts.probes * fill * variation.entries / 2 / 2.0**bits
    return {**search_figures(result), "fill": fill, "chance": 1 - math.exp(-matches)}


def wrong_share(data: Data, name: str, depth: int) -> Estimate | None:
    """Return the share of positions whose value differs from that with whole keys."""
    return data.share_of({case: mine != true for case, mine, true in _values(data, name, depth)})


def mean_error(data: Data, name: str, depth: int) -> Estimate | None:
    """Return the mean error where neither value is a win."""
    return data.mean_of(
        {
            case: abs(mine - true)
            for case, mine, true in _values(data, name, depth)
            if max(abs(mine), abs(true)) <= SCORE_LIMIT
        }
    )


def _values(data: Data, name: str, depth: int) -> list[tuple[int, float, float]]:
    """Return the value of each position, and that with whole keys and the largest table."""
    return [
        (case, data.row(name, depth, case)["value"], data.row(BASE, depth, case)["value"])
        for case in data.cases(depth, (name, BASE), ("value",))
    ]


def claims() -> list[Claim]:
    return [
        Claim(
            "the error from different positions with the same key is astronomically small",
            "astronomically small",
            f"wrong root values in all searches with keys of {max(KEYS)} bits and small tables,"
            f" depth {JUDGED}",
            Exactly(0),
            _wrong_with_whole_keys,
            " wrong",
            "slides on the transposition table",
            note="none can occur in so few searches if the statement holds; they cannot show that"
            " it holds",
        )
    ]


def _wrong_with_whole_keys(data: Data) -> Estimate | None:
    wrong = [
        float(mine != true)
        for table in TABLES[:-1]
        for _, mine, true in _values(data, name_of(max(KEYS), table), JUDGED)
    ]
    if not wrong:
        return None
    return Estimate(sum(wrong), math.nan, math.nan, len(wrong), len(wrong))


def tables(data: Data) -> list[Table]:
    rows = []
    for bits in KEYS:
        name = name_of(bits, max(TABLES))
        share, chance = wrong_share(data, name, JUDGED), data.mean(name, JUDGED, "chance")
        if share is None or chance is None:
            continue
        figures = (
            (share.rescale(100), " %"),
            (chance.rescale(100), " %"),
            (mean_error(data, name, JUDGED), ""),
            (data.ratio(name, BASE, JUDGED, "nodes"), ""),
        )
        rows.append((f"{bits} bits", *(format_estimate(figure, unit) for figure, unit in figures)))
    headings = (
        *("key", "wrong root values", "chance of a false match, at most"),
        *("mean error of the value", "nodes / nodes with 64 bits"),
    )
    sizes = [
        (
            f"2^{table} entries",
            *(
                format_estimate(data.ratio(name_of(max(KEYS), table), BASE, depth, "nodes"))
                for depth in data.depths
            ),
        )
        for table in TABLES
    ]
    return [
        Table(headings, tuple(rows), f"Depth {JUDGED}, 2^{max(TABLES)} entries"),
        Table(
            ("64 bits", *(f"depth {depth}" for depth in data.depths)),
            tuple(sizes),
            f"Nodes / nodes with 2^{max(TABLES)} entries",
        ),
    ]


def charts(data: Data) -> list[Chart]:
    depth = JUDGED
    short = [bits for bits in KEYS if bits <= _DRAWN_BITS]
    shares, errors, nodes = [], [], []
    for table in reversed(TABLES):
        label = f"2^{table} entries"
        names = {bits: name_of(bits, table) for bits in short}
        shares_by_bits = {bits: wrong_share(data, name, depth) for bits, name in names.items()}
        shares.append(
            Series.of(label, [(b, f and f.rescale(100)) for b, f in shares_by_bits.items()])
        )
        errors.append(Series.of(label, [(b, mean_error(data, n, depth)) for b, n in names.items()]))
        points = [(b, data.ratio(n, BASE, depth, "nodes")) for b, n in names.items()]
        nodes.append(Series.of(label, points))
        if table == max(TABLES):
            chances = [data.mean(n, depth, "chance") for n in names.values()]
            theory = Series.of(
                "", [(b, c and c.rescale(100)) for b, c in zip(short, chances, strict=True)]
            )
            expected = Series(label, theory.x, theory.y, published=True, origin="at most")
    sizes = [
        Series.of(
            f"depth {d}",
            [(2.0**t, data.ratio(name_of(max(KEYS), t), BASE, d, "nodes")) for t in TABLES],
        )
        for d in data.depths
    ]
    return [
        Chart("wrong", f"Connect four, depth {depth}: wrong root values; dashed: chance of at"
              " least one false match", "bits of a key", "wrong root values (%)",
              (*shares, expected)),
        Chart("error", f"Connect four, depth {depth}: mean error of the root's value",
              "bits of a key", "mean error (points of the evaluation)", tuple(errors)),
        Chart("nodes", f"Connect four, depth {depth}: nodes over those with whole keys and"
              f" 2^{max(TABLES)} entries", "bits of a key", "nodes / nodes of the largest table",
              tuple(nodes)),
        Chart("size", "Whole keys: what a small table costs", "entries",
              f"nodes / nodes with 2^{max(TABLES)} entries", tuple(sizes), log_x=True),
    ]  # fmt: skip


METHOD = """
The game is connect four from `lab/short_keys.py`, whose key is cut to some bits and then mixed to
64 again, so a table sees ordinary keys, but few different ones. Positions are random; searches use
principal variation search with the preset `exact`. A value is wrong if it differs from that of 64
bits and the largest table at the same depth. The dashed line is the chance of at least one false
match in a search, 1 - exp(-probes · entries in use / 2 / 2^bits). It is only a bound: an entry
counts for a search of the same depth only, and most values do not matter for the root. The mean
error leaves out forced wins and losses.
"""

THREATS = """
The reference itself has keys of 64 bits: an error that it shared with all smaller tables would not
be seen. If n positions show no wrong value, their share may still be up to 3 / n (95 %).
"""

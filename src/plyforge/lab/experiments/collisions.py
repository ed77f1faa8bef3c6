"""Small tables, and keys so short that different positions share one."""

import math
from dataclasses import replace

from plyforge.core.scores import SCORE_LIMIT
from plyforge.lab import (
    Case,
    Chart,
    Data,
    Finding,
    Series,
    Variation,
    format_estimate,
    open_engine,
    random_cases,
    statistics,
)
from plyforge.lab import short_keys as game
from plyforge.lab.findings import Verdict
from plyforge.lab.measuring import search_figures
from plyforge.lab.statistics import Estimate

TITLE = "Short keys and small tables: wrong values and cost"
SOURCE = "measured here; the tutorial mentions an astronomically small error"
DEFAULTS = "2026"
PLIES = 6
POSITIONS = 100
DEPTHS = (6, 8, 10)
QUICK = (10, (6, 8))
METRICS = (("nodes", "nodes"), ("fill", "share of the table in use"),
           ("chance", "chance of a false match"))  # fmt: skip
KEYS = (64, 32, 28, 24, 20, 18, 16, 14, 12, 10)
_DRAWN_BITS = 32
_CERTAIN = 0.99
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
    pairs = _pairs(data, name, depth)
    return statistics.mean([float(mine != true) for mine, true in pairs]) if pairs else None


def mean_error(data: Data, name: str, depth: int) -> Estimate | None:
    """Return the mean error where neither value is a win."""
    errors = [
        abs(mine - true)
        for mine, true in _pairs(data, name, depth)
        if max(abs(mine), abs(true)) <= SCORE_LIMIT
    ]
    return statistics.mean(errors) if errors else None


def _pairs(data: Data, name: str, depth: int) -> list[tuple[float, float]]:
    both = (name, BASE)
    values = [
        data.values(one, depth, "value", both) for one in both if one in data.variations_at(depth)
    ]
    return list(zip(*values, strict=True)) if len(values) == 2 else []


def findings(data: Data) -> list[Finding]:
    depth = data.max_depth((BASE,))
    if depth is None:
        return []
    small = [name_of(max(KEYS), table) for table in TABLES]
    differing = [wrong_share(data, name, d) for name in small for d in data.depths]
    known = [estimate for estimate in differing if estimate is not None]
    rows = [
        Finding(
            "with whole keys, a small table costs nodes but changes no value",
            "exact",
            f"{sum(f.value * f.count for f in known):.0f} of {sum(f.count for f in known)} wrong",
            "reproduced" if all(estimate.value == 0 for estimate in known) else "not reproduced",
        )
    ]
    smallest = name_of(max(KEYS), min(TABLES))
    cost = data.ratio(smallest, BASE, depth, "nodes")
    rows.append(
        Finding(
            f"nodes with {1 << min(TABLES)} entries over those with {1 << max(TABLES)}",
            "",
            f"× {format_estimate(cost)}, depth {depth}",
            "not comparable",
            "no figure is published for this game",
        )
    )
    for bits in KEYS[1:]:
        name = name_of(bits, max(TABLES))
        share, nodes = wrong_share(data, name, depth), data.ratio(name, BASE, depth, "nodes")
        chance = data.mean(name, depth, "chance")
        if share is None or chance is None:
            continue
        within: Verdict = "reproduced" if share.low <= chance.high else "not reproduced"
        certain = chance.value > _CERTAIN
        rows.append(
            Finding(
                f"keys of {bits} bits: wrong values no more often than false matches by chance",
                f"at most {format_estimate(chance.rescale(100), ' %')}",
                f"{format_estimate(share.rescale(100), ' %')},"
                f" mean error {format_estimate(mean_error(data, name, depth))},"
                f" nodes × {format_estimate(nodes)}",
                "not comparable" if certain else within,
                f"depth {depth}, 2^{max(TABLES)} entries"
                + ("; false matches are certain, so the bound says nothing" if certain else ""),
            )
        )
    return rows


def charts(data: Data) -> list[Chart]:
    depth = data.max_depth((BASE,))
    if depth is None:
        return []
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


NOTES = """
The game is connect four from `lab/short_keys.py`, whose key is cut to some bits and then mixed to
64 again, so a table sees ordinary keys, but few different ones. A value is wrong if it differs from
that of 64 bits and the largest table at the same depth. The dashed line is the chance of at least
one false match in a search, 1 - exp(-probes · entries in use / 2 / 2^bits). It is only a bound: an
entry counts for a search of the same depth only, and most values do not matter for the root. If n
positions show no wrong value, their share may still be up to 3 / n (95 %), which the bootstrap does
not show. The mean error leaves out forced wins and losses. Searches use the engine's defaults,
which are exact except for the keys.
"""

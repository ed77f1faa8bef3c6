"""The minimal tree: the cost of bad order, the gain of a table, and the drivers."""

from dataclasses import replace
from functools import cache

from plyforge.games import load
from plyforge.lab import (
    Case,
    Chart,
    Data,
    Finding,
    Series,
    Variation,
    judge,
    measure_search,
    mixed_cases,
)
from plyforge.lab.cases import tree_seed
from plyforge.lab.experiments._minimal_trees import (
    BEST,
    BEST_FIRST,
    CHEAPEST,
    DIAMOND,
    RANDOM,
    TREES,
    UNEVEN,
    WIDTHS,
    WORST,
    growth,
    minimal_leaves,
    random_factor,
    tree_text,
    uneven_text,
)
from plyforge.lab.findings import Verdict
from plyforge.lab.minimal_graph import MinimalGraphs

TITLE = "The minimal tree, and how near searches come to it"
SOURCE = "Knuth and Moore 1975; Pearl 1980; Buro and Tuero, lecture notes 2024"
DEFAULTS = "2026"
GAMES = {
    "tictactoe": 1,
    "connect4": 10,
    "checkers": 12,
    "giveaway": 12,
    "othello": 10,
    "hex:6": 4,
    "kalah": 6,
    "andantino": 6,
    "chess": 10,
}
"""Games, and the number of random moves before a position."""
GROUPS = (*TREES, UNEVEN, DIAMOND, *GAMES)
POSITIONS = 20 * len(GROUPS)
DEPTHS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
QUICK = (2 * len(GROUPS), (2, 3, 4, 5, 6, 7, 8, 9))
METRICS = (("leaves", "leaves"),)
MAX_DEPTHS = {
    "tictactoe": 6,
    "connect4": 11,
    "checkers": 11,
    "giveaway": 10,
    "othello": 8,
    "hex:6": 5,
    "kalah": 9,
    "andantino": 6,
    "chess": 6,
}
MAX_LEAVES = 1_000_000
MAX_LISTED = 1 << 15
"""The maximum number of leaves of a tree in worst order, which is written as a list."""
GRAPH_ENTRIES = 1 << 22

PATHS, PATHS_TABLE = "minimax", "minimax, table"
CUT_PATHS, CUT_TABLE = "alpha-beta", "alpha-beta, table"
GRAPH = "minimal graph"
DRIVERS = ("pvs", "alphabeta", "aspiration", "mtdf", "mtd-bi", "sss", "dual")
_PLAIN = ("all",)
_TABLE = ("table", "table-move")


def variations() -> list[Variation]:
    trees = [Variation(n, "alphabeta", off=_PLAIN) for n in (BEST, RANDOM, WORST)]
    uneven_trees = [Variation(n, "alphabeta", off=_PLAIN) for n in (BEST_FIRST, CHEAPEST)]
    diamonds = [
        Variation(PATHS, "minimax", off=_PLAIN),
        Variation(PATHS_TABLE, "minimax", off=_PLAIN, on=_TABLE),
        Variation(CUT_PATHS, "alphabeta", off=_PLAIN),
        Variation(CUT_TABLE, "alphabeta", off=_PLAIN, on=_TABLE),
    ]
    return [*trees, *uneven_trees, *diamonds, Variation(GRAPH), *(Variation(n, n) for n in DRIVERS)]


def cases(seed: int, count: int) -> list[Case]:
    rounds = -(-count // len(GROUPS))
    games = mixed_cases(GAMES, seed, rounds * len(GAMES))
    cases: list[Case] = []
    for number in range(rounds):
        place = str(tree_seed(seed, number))
        cases += [Case("tree", start=place, label=name) for name in (*TREES, UNEVEN, DIAMOND)]
        cases += games[number * len(GAMES) : (number + 1) * len(GAMES)]
    return cases[:count]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    group, name = GROUPS[number % len(GROUPS)], variation.name
    if group in TREES:
        width = WIDTHS[TREES.index(group)]
        leaves = {
            BEST: minimal_leaves(width, depth),
            RANDOM: 3 * random_factor(width) ** depth,
            WORST: MAX_LEAVES / MAX_LISTED * width**depth,
        }
        return bool(leaves.get(name, MAX_LEAVES + 1) <= MAX_LEAVES)
    if group == UNEVEN:
        return name in (BEST_FIRST, CHEAPEST) and number < len(GROUPS) and depth > 2
    if group == DIAMOND:
        return name in (PATHS, PATHS_TABLE, CUT_PATHS, CUT_TABLE) and number < len(GROUPS)
    return (name == GRAPH or name in DRIVERS) and 3 < depth <= MAX_DEPTHS[group]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    if variation.name == GRAPH:
        graphs = _graphs(case.game)
        value, leaves = graphs.find(case.history(load(case.game)), depth)
        return {"leaves": leaves, "value": value}
    if case.game == "tree":
        case = replace(case, start=tree_text(case.label, case.start or "0", variation.name, depth))
    return measure_search(case, variation, depth)


@cache
def _graphs(game: str) -> MinimalGraphs:
    return MinimalGraphs(load(game), GRAPH_ENTRIES, DEFAULTS)


def findings(data: Data) -> list[Finding]:
    data = data.without_forced_wins()
    rows = _tree_findings(data) + _uneven_findings(data.part(UNEVEN))
    rows += _diamond_findings(data.part(DIAMOND))
    for game in GAMES:
        part = data.part(game)
        depth = part.max_depth((GRAPH, *DRIVERS))
        if depth is None:
            continue
        ratios = {name: part.ratio(name, GRAPH, depth, "leaves") for name in DRIVERS}
        text = ", ".join(f"{name} {ratio.value:.3g}" for name, ratio in ratios.items() if ratio)
        rows.append(
            Finding(
                f"{game}: leaves over the minimal graph's, depth {depth}",
                "1.5 (Ebeling 1987, as Plaat and others 1996 cite it)",
                text,
                "not comparable",
                "theirs is relative to the minimal tree, in chess; a graph is smaller",
            )
        )
    return rows


def _verdict(holds: bool) -> Verdict:
    return "reproduced" if holds else "not reproduced"


def _tree_findings(data: Data) -> list[Finding]:
    rows = []
    for order in (BEST, WORST):
        right, count = 0, 0
        for width, group in zip(WIDTHS, TREES, strict=True):
            part = data.part(group)
            for depth in part.depths:
                expected = minimal_leaves(width, depth) if order == BEST else width**depth
                leaves = part.values(order, depth, "leaves", (order,))
                right, count = right + leaves.count(expected), count + len(leaves)
        formula = "b^⌈d/2⌉ + b^⌊d/2⌋ - 1" if order == BEST else "b^d"
        text = f"equal in {right} of {count} searches"
        verdict = _verdict(right == count) if count else "not measured"
        rows.append(Finding(f"leaves of alpha-beta, {order}", formula, text, verdict))
    ten = data.part(TREES[-1]).mean(BEST, 9, "leaves")
    if ten is not None:
        text = f"{ten.value:,.0f}"
        rows.append(
            Finding(
                "b = 10, d = 9, best order",
                "109,999",
                text,
                _verdict(ten.low == 109_999 == ten.high),
            )
        )
    for width, factors in growth(data).items():
        claim = f"growth per ply in random order, b = {width}"
        deepest = list(factors.values())[-1]
        trend = ", ".join(f"{factor.value:.2f} to {depth}" for depth, factor in factors.items())
        why = f"the published factor is a limit; ours over two plies, by depth: {trend}"
        rows.append(judge(claim, round(random_factor(width), 3), deepest, tolerance=0.1, why=why))
    return rows


def _uneven_findings(part: Data) -> list[Finding]:
    depth = part.max_depth((BEST_FIRST, CHEAPEST))
    if depth is None:
        return []
    first, cheap = (part.values(n, depth, "leaves")[0] for n in (BEST_FIRST, CHEAPEST))
    small = uneven_text(3, BEST_FIRST)
    return [
        Finding(
            "in an uneven tree, trying the best move first need not be cheapest",
            "can you give an example?",
            f"{small} and deeper ones: at depth {depth} {first:.0f} leaves with MIN's best move"
            f" first, {cheap:.0f} with its cheaper refutation first",
            _verdict(cheap < first),
        )
    ]


def _diamond_findings(part: Data) -> list[Finding]:
    depth = part.max_depth((PATHS, PATHS_TABLE))
    if depth is None:
        return []
    without, table = (part.values(n, depth, "leaves")[0] for n in (PATHS, PATHS_TABLE))
    nodes = part.values(PATHS_TABLE, depth, "nodes")[0]
    return [
        Finding(
            f"2^i paths lead to the node at depth i; a table saves exponentially (depth {depth})",
            f"{2**depth} leaves without",
            f"{without:.0f} leaves without, {table:.0f} with ({nodes:.0f} nodes)",
            _verdict(without == 2**depth and nodes <= 2 * depth + 1),
        )
    ]


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    pictures = []
    for width in (3, 10):
        part = data.part(TREES[WIDTHS.index(width)])
        lines = [
            Series.of(n, [(d, part.mean(n, d, "leaves")) for d in part.depths])
            for n in (BEST, RANDOM, WORST)
        ]
        x = tuple(map(float, part.depths))
        theory = [
            Series(
                BEST, x, tuple(float(minimal_leaves(width, d)) for d in part.depths), published=True
            ),
            Series(WORST, x, tuple(float(width**d) for d in part.depths), published=True),
        ]
        pictures.append(
            Chart(f"order-{width}", f"Leaves of alpha-beta in uniform trees, {width} moves",
                  "depth", "leaves", (*lines, *theory), log_y=True)
        )  # fmt: skip
    factors = growth(data)
    moves = tuple(map(float, factors))
    lines = [
        Series.of(RANDOM, [(float(b), list(by.values())[-1]) for b, by in factors.items()]),
        Series(RANDOM, moves, tuple(random_factor(width) for width in factors), published=True),
        Series(BEST + " (√b)", moves, tuple(width**0.5 for width in factors), published=True),
    ]
    uneven_, diamond = data.part(UNEVEN), data.part(DIAMOND)
    paths = tuple(2.0 ** (depth + 1) - 1 for depth in diamond.depths)
    every = Series(PATHS, tuple(map(float, diamond.depths)), paths, published=True)
    pictures += [
        Chart("growth", "By how much leaves grow with each ply", "moves b",
              "growth per ply", tuple(lines)),
        Chart("uneven", "An uneven tree: best move first and cheapest refutation first",
              "depth", "leaves", _lines(uneven_, (BEST_FIRST, CHEAPEST), "leaves"), log_y=True),
        Chart("diamonds", "2^i paths to the node at depth i: nodes with and without a table",
              "depth", "nodes",
              (*_lines(diamond, (PATHS, PATHS_TABLE, CUT_PATHS, CUT_TABLE), "nodes"), every),
              log_y=True),
        _driver_chart(data),
    ]  # fmt: skip
    return pictures


def _lines(part: Data, names: tuple[str, ...], metric: str) -> tuple[Series, ...]:
    return tuple(
        Series.of(name, [(d, part.mean(name, d, metric)) for d in part.depths]) for name in names
    )


def _driver_chart(data: Data) -> Chart:
    parts = {game: data.part(game) for game in GAMES}
    depths = {game: part.max_depth((GRAPH, *DRIVERS)) for game, part in parts.items()}
    deepest = {game: depth for game, depth in depths.items() if depth is not None}
    lines = []
    for driver in DRIVERS:
        ratios = [parts[g].ratio(driver, GRAPH, depth, "leaves") for g, depth in deepest.items()]
        lines.append(Series.of(driver, [(float(place), r) for place, r in enumerate(ratios)]))
    return Chart(
        "drivers",
        "Leaves of all iterations over those of the minimal graph",
        "",
        "leaves / leaves of the minimal graph (1 = minimal)",
        tuple(lines),
        tuple(f"{game}, depth {depth}" for game, depth in deepest.items()),
        origin=1.0,
        points=True,
    )


NOTES = """
Best order: trees of the kind `ordered`, where the first move is always best. Random: `uniform`
trees with real leaves. Worst order: every move is better for its side than all before it. The
"depth" of the uneven tree is that of its deepest leaf; its large part has three moves everywhere.
In the diamonds both moves of a node lead to the same node (`layered`, width 1). The minimal graph
is left-first, found as `lab/minimal_graph.py` describes: an upper bound on the minimum. Drivers run
with each game's defaults, and their leaves are summed over all iterations. Positions with a forced
win in reach are left out.
"""

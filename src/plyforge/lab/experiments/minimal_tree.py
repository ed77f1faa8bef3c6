"""The minimal tree: the cost of bad order, the gain of a table, and the drivers."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from plyforge.games import load
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    Exactly,
    MoreThan,
    NotComparable,
    Series,
    Variation,
    format_estimate,
    measure_search,
    mixed_cases,
)
from plyforge.lab.cases import tree_seed
from plyforge.lab.data import Values
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
from plyforge.lab.experiments._pooled import percent
from plyforge.lab.minimal_graph import MinimalGraphs
from plyforge.match.tables import Table

TITLE = "The minimal tree, and how near searches come to it"
SOURCE = "Buro and Tuero 2024, lecture notes"
QUESTION = (
    "Does alpha-beta visit the minimal tree if it tries the best move first, and how near do real"
    " searches come to it?"
)
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

ORDER_DEPTH = 6
"""The depth at which orders are compared."""
GROWTH_DEPTHS = {2: 12, 3: 12, 5: 10, 10: 7}
"""The depth at which growth in random order is judged, by the number of moves."""

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


def claims() -> list[Claim]:
    lecture = "Minimal Number of Leaves Visited by Alpha-Beta"
    return [
        Claim(
            "Alpha-beta visits b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves if it tries the best move first",
            "b^⌈d/2⌉ + b^⌊d/2⌋ - 1",
            "searches with that number of leaves, trees in best order, all widths and depths",
            Exactly(100),
            lambda data: _share_of_searches(
                data, (BEST,), lambda leaves, width, depth: leaves == minimal_leaves(width, depth)
            ),
            " %",
            f"{lecture}; also Kishimoto and Müller, Properties of Alpha-Beta",
        ),
        Claim(
            "In homogeneous trees no order of moves visits fewer leaves than the best move first",
            "minimizes the number of leaves",
            "searches with fewer leaves than that, all orders, widths and depths",
            Exactly(0),
            lambda data: _share_of_searches(
                data,
                (BEST, RANDOM, WORST),
                lambda leaves, width, depth: leaves < minimal_leaves(width, depth),
            ),
            " %",
            "Impact",
        ),
        Claim(
            "In the worst order alpha-beta visits all b^d leaves",
            "b^d",
            "searches with that number of leaves, trees in worst order, all widths and depths",
            Exactly(100),
            lambda data: _share_of_searches(
                data, (WORST,), lambda leaves, width, depth: leaves == width**depth
            ),
            " %",
            "MiniMax Analysis; Alpha-Beta Analysis",
        ),
        Claim(
            "With ten moves and nine plies alpha-beta visits 109,999 leaves",
            "10^5 + 10^4 - 1",
            "leaves, ten moves, depth 9, best order",
            Exactly(109_999),
            lambda data: data.part(TREES[-1]).mean(BEST, 9, "leaves"),
            "",
            "Impact",
        ),
        Claim(
            "With ten moves and nine plies alpha-beta is 9,100 times faster than minimax",
            "about 9,100",
            "10^9 leaves over those of alpha-beta, ten moves, depth 9, best order",
            Equals(9100, 50),
            _times_faster,
            "",
            "Impact",
            note="the margin is the precision of two digits; leaves, not time",
        ),
        Claim(
            "Sorting moves well can have a big impact",
            "big impact",
            f"leaves in random order over the minimal tree's, ten moves, depth {ORDER_DEPTH}",
            MoreThan(2),
            lambda data: data.part(TREES[-1]).ratio(RANDOM, BEST, ORDER_DEPTH, "leaves"),
            "",
            "Impact",
            note="'big' is taken as more than twice the leaves",
        ),
        Claim(
            "In inhomogeneous trees the best move first is not always cheapest",
            "may not always be best",
            "depths at which a cheaper refutation first visits fewer leaves than MIN's best move"
            f" first, trees such as {uneven_text(3, BEST_FIRST)}",
            Exactly(100),
            _cheaper_share,
            " %",
            "Alpha-Beta Search Best Case",
        ),
        Claim(
            "2^i paths lead to the node at depth i of a chain of diamonds",
            "2^i",
            "depths at which minimax visits 2^depth leaves, diamonds",
            Exactly(100),
            lambda data: _share_of_depths(
                data, PATHS, lambda row, depth: row["leaves"] == 2**depth
            ),
            " %",
            "Transposition Table (TT)",
        ),
        Claim(
            "A table can save exponentially",
            "can be exponential",
            "depths at which minimax with a table visits at most 2 * depth + 1 nodes, diamonds",
            Exactly(100),
            lambda data: _share_of_depths(
                data, PATHS_TABLE, lambda row, depth: row["nodes"] <= 2 * depth + 1
            ),
            " %",
            "Transposition Table (TT)",
        ),
        Claim(
            "In random order leaves grow by x / (1 - x) per ply, where x^b + x = 1",
            "x / (1 - x)",
            "growth of leaves over the last two plies, divided by the square of that; random order,"
            f" mean over b = {', '.join(f'{b} (depth {d})' for b, d in GROWTH_DEPTHS.items())}",
            Equals(1, 0.1),
            _growth_over_theory,
            source="Pearl 1982",
            note="the published factor is a limit for great depths",
        ),
        Claim(
            "Good programs visit 1.5 times the leaves of the minimal tree",
            "1.5 (Ebeling 1987)",
            f"leaves of PVS over the minimal graph's, chess, depth {MAX_DEPTHS['chess']}",
            NotComparable("theirs is relative to the minimal tree, ours to a graph"),
            lambda data: (
                data.without_forced_wins()
                .part("chess")
                .ratio("pvs", GRAPH, MAX_DEPTHS["chess"], "leaves")
            ),
            source="Plaat, Schaeffer, Pijls and de Bruin 1996",
        ),
    ]


def _share_of_searches(
    data: Data, orders: tuple[str, ...], holds: Callable[[float, int, int], bool]
) -> Estimate | None:
    """Return the percentage of searches in these orders of which something holds."""
    held: dict[int, list[bool]] = {}
    for width, group in zip(WIDTHS, TREES, strict=True):
        part = data.part(group)
        for order in orders:
            for depth in part.depths:
                for case in part.cases(depth, (order,)):
                    leaves = part.row(order, depth, case)["leaves"]
                    held.setdefault(case, []).append(holds(leaves, width, depth))
    pairs = {case: (float(sum(one)), float(len(one))) for case, one in held.items()}
    return percent(data.ratio_of(pairs)) if pairs else None


def _share_of_depths(
    data: Data, name: str, holds: Callable[[Values, int], bool]
) -> Estimate | None:
    """Return the percentage of depths at which something holds in the diamonds."""
    part = data.part(DIAMOND)
    held = [
        holds(part.row(name, depth, case), depth)
        for depth in part.depths
        for case in part.cases(depth, (name,))
    ]
    return percent(data.ratio_of({0: (sum(held), len(held))})) if held else None


def _cheaper_share(data: Data) -> Estimate | None:
    part = data.part(UNEVEN)
    held = [
        part.row(CHEAPEST, depth, case)["leaves"] < part.row(BEST_FIRST, depth, case)["leaves"]
        for depth in part.depths
        for case in part.cases(depth, (CHEAPEST, BEST_FIRST))
    ]
    return percent(data.ratio_of({0: (sum(held), len(held))})) if held else None


def _times_faster(data: Data) -> Estimate | None:
    part = data.part(TREES[-1])
    cases = part.cases(9, (BEST,))
    return part.ratio_of({case: (10.0**9, part.row(BEST, 9, case)["leaves"]) for case in cases})


def _growth_over_theory(data: Data) -> Estimate | None:
    """Return the growth over two plies relative to theory, the mean over widths."""
    pairs: dict[int, tuple[float, float]] = {}
    for width, depth in GROWTH_DEPTHS.items():
        part = data.part(TREES[WIDTHS.index(width)])
        before = set(part.cases(depth - 2, (RANDOM,)))
        rows = {
            case: [part.row(RANDOM, d, case)["leaves"] for d in (depth, depth - 2)]
            for case in part.cases(depth, (RANDOM,))
            if case in before
        }
        if not rows:
            return None
        mean = sum(row[1] for row in rows.values()) / len(rows)
        for case, (last, first) in rows.items():
            pairs[case] = last / mean / random_factor(width) ** 2, first / mean
    return data.ratio_of(pairs)


def tables(data: Data) -> list[Table]:
    data = data.without_forced_wins()
    return [_order_table(data), _growth_table(data), _graph_table(data), _diamond_table(data)]


def _order_table(data: Data) -> Table:
    rows = []
    for width, group in zip(WIDTHS, TREES, strict=True):
        part = data.part(group)
        for depth in (4, ORDER_DEPTH):
            found = (part.mean(name, depth, "leaves") for name in (BEST, RANDOM, WORST))
            cells = ["" if one is None else format_estimate(one) for one in found]
            rows.append(
                (f"b = {width}, depth {depth}", f"{minimal_leaves(width, depth):,}", *cells)
            )
    headings = ("", "minimal tree", "leaves in best order", "in random order", "in worst order")
    return Table(headings, tuple(rows), "Leaves of alpha-beta in uniform trees")


def _growth_table(data: Data) -> Table:
    rows = []
    for width, factors in growth(data).items():
        shown = list(factors.items())[-3:]
        cells = [f"{format_estimate(one)} at {depth}" for depth, one in shown]
        cells = [""] * (3 - len(cells)) + cells
        rows.append((f"b = {width}", f"{random_factor(width):.3f}", f"{width**0.5:.3f}", *cells))
    headings = ("", "theory, random order", "√b", "random order, by depth", "", "deepest")
    return Table(headings, tuple(rows), "Growth of leaves per ply, over two plies")


def _graph_table(data: Data) -> Table:
    shown = ("pvs", "alphabeta", "mtdf", "mtd-bi", "sss", "dual")
    rows = []
    for game, depth in MAX_DEPTHS.items():
        part = data.part(game)
        found = (part.ratio(name, GRAPH, depth, "leaves") for name in shown)
        rows.append((f"{game}, depth {depth}", *map(format_estimate, found)))
    title = "Leaves of drivers, of all iterations, over those of the minimal graph"
    return Table(("", *shown), tuple(rows), title)


def _diamond_table(data: Data) -> Table:
    part, names = data.part(DIAMOND), (PATHS, PATHS_TABLE, CUT_PATHS, CUT_TABLE)
    rows = tuple(
        (str(depth), *(format_estimate(part.mean(name, depth, "nodes")) for name in names))
        for depth in part.depths
        if part.cases(depth, names)
    )
    return Table(("depth", *names), rows, "Nodes in a chain of diamonds")


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
                  "search depth (plies)", "leaves", (*lines, *theory), log_y=True)
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
        Chart("growth", "Growth of alpha-beta's leaves with each ply, uniform trees",
              "moves b at every node", "leaves / leaves one ply shallower", tuple(lines)),
        Chart("uneven", "An uneven tree: best move first and cheapest refutation first",
              "depth of the deepest leaf (plies)", "leaves of alpha-beta",
              _lines(uneven_, (BEST_FIRST, CHEAPEST), "leaves"), log_y=True),
        Chart("diamonds", "2^i paths to the node at depth i: nodes with and without a table",
              "search depth (plies)", "nodes",
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
    lines = []
    for driver in DRIVERS:
        ratios = [data.part(g).ratio(driver, GRAPH, d, "leaves") for g, d in MAX_DEPTHS.items()]
        lines.append(Series.of(driver, [(float(place), r) for place, r in enumerate(ratios)]))
    return Chart(
        "drivers",
        "Leaves of all iterations over those of the minimal graph",
        "",
        "leaves / leaves of the minimal graph (1 = minimal)",
        tuple(lines),
        tuple(f"{game}, depth {depth}" for game, depth in MAX_DEPTHS.items()),
        origin=1.0,
        points=True,
    )


METHOD = """
Best order: trees of the kind `ordered`, where the first move is always best. Random: `uniform`
trees with real leaves. Worst order: every move is better for its side than all before it. The
"depth" of the uneven tree is that of its deepest leaf; its large part has three moves everywhere.
In the diamonds both moves of a node lead to the same node (`layered`, width 1). The minimal graph
is left-first, found as `lab/minimal_graph.py` describes. Drivers run with each game's defaults of
2026, and their leaves are summed over all iterations. Positions with a forced win in reach are left
out.
"""
THREATS = """
The minimal graph is an upper bound on the minimum, so drivers may be a little further from it than
shown. The uneven tree and the diamonds are single examples, as the claims about them need no more.
"""

"""The cost of iterative deepening without memory, and its gain with a table."""

from collections.abc import Callable

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    Exactly,
    LessThan,
    MoreThan,
    Series,
    Variation,
    format_estimate,
    mixed_cases,
)
from plyforge.lab.cases import tree_seed
from plyforge.lab.experiments._pooled import percent, pooled_ratio, pooled_share
from plyforge.match.tables import Table

TITLE = "Iterative deepening: its cost without memory, its gain with a table"
SOURCE = "Buro and Tuero 2024, lecture notes"
QUESTION = (
    "What does iterative deepening cost without memory, and does it pay with a transposition table?"
)
DEFAULTS = "2026"
WIDTHS = (2, 3, 5, 10)
TREES = tuple(f"uniform, b = {width}" for width in WIDTHS)
RELATED = "incremental, b = 5"
"""Values of siblings are similar there, so shallow searches predict deep ones."""
GAMES = {"connect4": 10, "checkers": 12, "othello": 10}
"""Games, and the number of random moves before a position."""
GROUPS = (*TREES, RELATED, *GAMES)
POSITIONS = 20 * len(GROUPS)
DEPTHS = (2, 3, 4, 5, 6, 7, 8, 9, 10)
QUICK = (2 * len(GROUPS), (4, 5, 6, 7))
METRICS = (("leaves", "leaves"), ("nodes", "nodes"), ("seconds", "time"))
MAX_DEPTHS = {TREES[3]: 8, RELATED: 9, "othello": 8}
MAX_MINIMAX = 1_000_000
"""The maximum number of leaves of a minimax search."""

GAME_DEPTHS = {"connect4": 10, "checkers": 10, "othello": 8}
TREE_DEPTH, MINIMAX_DEPTH = 9, 6
DEPTHS_OF = {
    **{group: MAX_DEPTHS.get(group, 10) for group in TREES},
    RELATED: TREE_DEPTH,
    **GAME_DEPTHS,
}
"""The depth at which each group is judged and listed."""

STEP_1, STEP_2 = ", deepening by 1", ", deepening by 2"
MINIMAX, PLAIN, TABLE = "minimax", "alpha-beta", "table"
_DEEPER = ("deepening",)
_TABLE = ("table", "table-move")


def variations() -> list[Variation]:
    variations = [
        Variation(MINIMAX, "minimax", off=("all",)),
        Variation(
            MINIMAX + STEP_1, "minimax", off=("all",), on=_DEEPER, settings={"depth-step": 1}
        ),
    ]
    for name, on in ((PLAIN, ()), (TABLE, _TABLE)):
        variations.append(Variation(name, "alphabeta", off=("all",), on=on))
        for tail, step in ((STEP_1, 1), (STEP_2, 2)):
            deeper = (*on, *_DEEPER)
            settings = {"depth-step": step}
            variations.append(
                Variation(name + tail, "alphabeta", off=("all",), on=deeper, settings=settings)
            )
    return variations


def cases(seed: int, count: int) -> list[Case]:
    rounds = -(-count // len(GROUPS))
    games = mixed_cases(GAMES, seed, rounds * len(GAMES))
    cases: list[Case] = []
    for number in range(rounds):
        tail = f"depth=18,seed={tree_seed(seed, number)},values=0"
        trees = [f"uniform,branching={width},{tail}" for width in WIDTHS]
        starts = [*trees, f"incremental,branching=5,{tail}"]
        cases += [Case("tree", start=start) for start in starts]
        cases += games[number * len(GAMES) : (number + 1) * len(GAMES)]
    return cases[:count]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    group = GROUPS[number % len(GROUPS)]
    if variation.driver == "minimax":
        return group in TREES and WIDTHS[TREES.index(group)] ** depth <= MAX_MINIMAX
    return depth <= MAX_DEPTHS.get(group, depth)


def claims() -> list[Claim]:
    games = f"games at their depths ({', '.join(f'{g} {d}' for g, d in GAME_DEPTHS.items())})"
    tree = f"trees with five moves and related values, depth {TREE_DEPTH}"
    tutorial = "Kishimoto and Müller"
    return [
        Claim(
            "Minimax visits b^d leaves",
            "b^d",
            "searches of minimax with that number of leaves, uniform trees, all depths",
            Exactly(100),
            lambda data: _equal_share(data, MINIMAX, lambda width, depth: width**depth),
            " %",
            "MiniMax Analysis",
        ),
        Claim(
            "Deepening by 1 takes as many leaves in minimax as all levels of the tree have",
            "(b^(d+1) - 1) / (b - 1)",
            "searches with that number of leaves without depth 0, uniform trees, all depths",
            Exactly(100),
            lambda data: _equal_share(data, MINIMAX + STEP_1, all_levels),
            " %",
            "Iterative Deepening",
        ),
        Claim(
            "Deepening costs about b / (b - 1) in minimax",
            "b / (b - 1)",
            "leaves with deepening over those without, divided by b / (b - 1), minimax, uniform"
            f" trees, depth {MINIMAX_DEPTH}",
            Equals(1, 0.05),
            _cost,
            "",
            "Iterative Deepening",
            note="'about' is taken as within 5 %",
        ),
        Claim(
            "Deepening costs at most twice the leaves in minimax",
            "at most 2",
            "searches with at most twice the leaves, uniform trees, all depths",
            Exactly(100),
            _at_most_twice,
            " %",
            "Iterative Deepening",
        ),
        Claim(
            "If the branching factor is big, the overhead of deepening is small",
            "small overhead - last search dominates",
            f"leaves of all iterations over those of the last, minimax, ten moves, depth"
            f" {MINIMAX_DEPTH}",
            LessThan(1.2),
            lambda data: data.part(TREES[-1]).ratio(
                MINIMAX + STEP_1, MINIMAX, MINIMAX_DEPTH, "leaves"
            ),
            "",
            "Iterative Deepening",
            tutorial,
            note="'small' is taken as less than 20 %",
        ),
        Claim(
            "The last search dominates the cost of deepening",
            "last search dominates",
            f"leaves of the last iteration, of those of all, table, {games}",
            MoreThan(50),
            _last_share,
            " %",
            "Iterative Deepening",
            tutorial,
        ),
        Claim(
            "Deepening with a table usually searches less than no deepening",
            "usually searches less",
            f"positions where deepening by 1 visits fewer leaves, table, {games}",
            MoreThan(50),
            lambda data: pooled_share(
                data.without_forced_wins(),
                GAME_DEPTHS,
                (TABLE + STEP_1, TABLE),
                lambda mine, base: mine["leaves"] < base["leaves"],
            ),
            " %",
            "Iterative Deepening",
            tutorial,
        ),
        Claim(
            "Deepening with a table is often faster than one search of the full depth",
            "often faster",
            f"leaves with deepening by 1 over those without, table, {games}",
            LessThan(1),
            lambda data: pooled_ratio(
                data.without_forced_wins(), GAME_DEPTHS, TABLE + STEP_1, TABLE, "leaves"
            ),
            "",
            "Iterative Deepening",
        ),
        Claim(
            "In draughts, deepening with a table makes the search more efficient",
            "allows to improve the search efficiency",
            "leaves with deepening by 1 over those without, table, checkers, depth"
            f" {GAME_DEPTHS['checkers']}",
            LessThan(1),
            lambda data: (
                data.without_forced_wins()
                .part("checkers")
                .ratio(TABLE + STEP_1, TABLE, GAME_DEPTHS["checkers"], "leaves")
            ),
            "",
            "section 4.2",
            "Duarte, Otsuka and Julia 2009",
        ),
        Claim(
            "In draughts, a table improves alpha-beta with deepening a lot",
            "improves a lot",
            "leaves with a table over those without, deepening by 1, checkers, depth"
            f" {GAME_DEPTHS['checkers']}",
            LessThan(0.5),
            lambda data: (
                data.without_forced_wins()
                .part("checkers")
                .ratio(TABLE + STEP_1, PLAIN + STEP_1, GAME_DEPTHS["checkers"], "leaves")
            ),
            "",
            "section 4.2",
            "Duarte, Otsuka and Julia 2009",
            note="'a lot' is taken as less than half",
        ),
        Claim(
            "With deepening, a table helps significantly even in trees",
            "help significantly even in trees",
            f"leaves with a table over those without, deepening by 1, {tree}",
            LessThan(0.9),
            lambda data: _in_trees(data, TABLE + STEP_1, PLAIN + STEP_1),
            "",
            "Transposition Table (1 / 3)",
            tutorial,
            note="'significantly' is taken as by more than 10 %",
        ),
        Claim(
            "In trees, too, moves of earlier iterations cause more cutoffs than no deepening",
            "usually causes more cutoffs ... even if search space is tree",
            f"leaves with deepening by 1 over those without, table, {tree}",
            LessThan(1),
            lambda data: _in_trees(data, TABLE + STEP_1, TABLE),
            "",
            "Transposition Table (3 / 3)",
            tutorial,
        ),
    ]


def all_levels(width: int, depth: int) -> int:
    """Return the nodes of a uniform tree without its root."""
    return sum(width**level for level in range(1, depth + 1))


def _equal_share(data: Data, name: str, leaves: Callable[[int, int], int]) -> Estimate | None:
    """Return the percentage of trees whose leaves are as expected at every depth."""
    right: dict[int, bool] = {}
    for width, group in zip(WIDTHS, TREES, strict=True):
        part = data.part(group)
        for depth in part.depths:
            for case in part.cases(depth, (name,)):
                equal = part.row(name, depth, case)["leaves"] == leaves(width, depth)
                right[case] = right.get(case, True) and equal
    return percent(data.share_of(right))


def _at_most_twice(data: Data) -> Estimate | None:
    names = (MINIMAX + STEP_1, MINIMAX)
    right: dict[int, bool] = {}
    for group in TREES:
        part = data.part(group)
        for depth in part.depths:
            for case in part.cases(depth, names):
                deeper, once = (part.row(name, depth, case)["leaves"] for name in names)
                right[case] = right.get(case, True) and deeper <= 2 * once
    return percent(data.share_of(right))


def _cost(data: Data) -> Estimate | None:
    """Return the cost of deepening in minimax over b / (b - 1), the mean over widths."""
    pairs = {}
    for width, group in zip(WIDTHS, TREES, strict=True):
        part = data.part(group)
        for case in part.cases(MINIMAX_DEPTH, (MINIMAX, MINIMAX + STEP_1)):
            deeper, once = (
                part.row(name, MINIMAX_DEPTH, case)["leaves"]
                for name in (MINIMAX + STEP_1, MINIMAX)
            )
            pairs[case] = deeper / once, width / (width - 1)
    return data.ratio_of(pairs) if pairs else None


def _last_share(data: Data) -> Estimate | None:
    """Return the share of the last iteration in the leaves of all of them.

    All searches start from an empty table, so the iterations before the last are a search that is a
    ply shallower.
    """
    data, name = data.without_forced_wins(), TABLE + STEP_1
    pairs = {}
    for game, depth in GAME_DEPTHS.items():
        part = data.part(game)
        shallow = set(part.cases(depth - 1, (name,)))
        for case in part.cases(depth, (name,)):
            if case in shallow:
                total = part.row(name, depth, case)["leaves"]
                pairs[case] = (total - part.row(name, depth - 1, case)["leaves"]) / total, 1.0
    return percent(data.ratio_of(pairs)) if pairs else None


def _in_trees(data: Data, name: str, baseline: str) -> Estimate | None:
    return data.without_forced_wins().part(RELATED).ratio(name, baseline, TREE_DEPTH, "leaves")


def tables(data: Data) -> list[Table]:
    data = data.without_forced_wins()
    columns = {
        "alpha-beta, by 1": (PLAIN + STEP_1, PLAIN),
        "table, by 1": (TABLE + STEP_1, TABLE),
        "table, by 2": (TABLE + STEP_2, TABLE),
        "table, by 2 / by 1": (TABLE + STEP_2, TABLE + STEP_1),
        "by 1, table / none": (TABLE + STEP_1, PLAIN + STEP_1),
    }
    rows = []
    for group, depth in DEPTHS_OF.items():
        part = data.part(group)
        cells = [
            format_estimate(part.ratio(name, base, depth, "leaves"))
            for name, base in columns.values()
        ]
        rows.append((f"{group}, depth {depth}", *cells))
    title = "Leaves of all iterations over those without deepening; last columns: as they say"
    return [Table(("", *columns), tuple(rows), title)]


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    cost = [
        (width, data.part(group).ratio(MINIMAX + STEP_1, MINIMAX, MINIMAX_DEPTH, "leaves"))
        for width, group in zip(WIDTHS, TREES, strict=True)
    ]
    every = tuple(float(width) for width in range(2, 11))
    theory = Series("b / (b - 1)", every, tuple(b / (b - 1) for b in every), published=True)
    return [
        Chart("cost", f"Cost of deepening by 1 in minimax, uniform trees of depth {MINIMAX_DEPTH}",
              "moves b at every node", "leaves / leaves without deepening",
              (Series.of(MINIMAX, cost), theory)),
        _by_depth(data, "plain", PLAIN, "Alpha-beta without memory: deepening by 1 over none"),
        _by_depth(data, "table", TABLE, "Alpha-beta with a table: deepening by 1 over none"),
        _steps(data),
    ]  # fmt: skip


def _by_depth(data: Data, name: str, base: str, title: str) -> Chart:
    lines = []
    for group in GROUPS:
        part = data.part(group)
        points = [(d, part.ratio(base + STEP_1, base, d, "leaves")) for d in part.depths]
        lines.append(Series.of(group, points))
    label = "leaves / leaves without deepening (1 = no difference)"
    return Chart(name, title, "search depth (plies)", label, tuple(lines), origin=1.0)


def _steps(data: Data) -> Chart:
    bars = []
    for tail in (STEP_1, STEP_2):
        points = [
            (float(place), data.part(group).ratio(TABLE + tail, TABLE, depth, "leaves"))
            for place, (group, depth) in enumerate(DEPTHS_OF.items())
        ]
        bars.append(Series.of(TABLE + tail, points))
    return Chart(
        "steps",
        "Alpha-beta with a table: iterations in steps of 1 and of 2 plies",
        "",
        "leaves / leaves without deepening (1 = no difference)",
        tuple(bars),
        tuple(f"{group}, depth {depth}" for group, depth in DEPTHS_OF.items()),
        origin=1.0,
    )


METHOD = """
Leaves are summed over all iterations, from an empty table. Deepening starts at depth 1, or with
steps of 2 at 1 or 2, so that it ends at the searched depth; the published sum also has depth 0,
which is one leaf more. The table has 2^20 entries, proposes the best move of a position first, and
settles nodes by entries of the same depth only; nothing else orders moves. Games, depths and table
are not named in the documents. Trees are uniform, with independent values, or incremental, where
values of siblings are related. Every game is judged at one depth, and games weigh the same;
positions where a search found a forced win are left out, because deepening stops as soon as it
finds one.
"""
THREATS = """
In uniform trees the values of inner nodes are drawn like those of leaves, so a shallow search does
not predict a deep one; what deepening gains with a table is judged in games and in related trees
only. With history or killers besides the table, the gain is different.
"""

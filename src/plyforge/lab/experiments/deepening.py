"""The cost of iterative deepening without memory, and its gain with a table."""

from plyforge.lab import (
    Case,
    Chart,
    Data,
    Finding,
    Series,
    Variation,
    format_estimate,
    judge,
    mixed_cases,
)
from plyforge.lab.cases import tree_seed
from plyforge.lab.findings import Verdict

TITLE = "Iterative deepening: its cost without memory, its gain with a table"
SOURCE = "Buro and Tuero, lecture notes 2024; Kishimoto and Müller, tutorial on alpha-beta"
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

ONCE, STEP_1, STEP_2 = "", ", deepening by 1", ", deepening by 2"
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


def findings(data: Data) -> list[Finding]:
    data = data.without_forced_wins()
    rows = []
    for width, group in zip(WIDTHS, TREES, strict=True):
        part = data.part(group)
        depth = part.max_depth((MINIMAX, MINIMAX + STEP_1))
        ratio = part.ratio(MINIMAX + STEP_1, MINIMAX, depth, "leaves") if depth else None
        claim = f"deepening costs b / (b - 1) in minimax, b = {width}"
        why = "" if depth is None else f"depth {depth}"
        rows.append(judge(claim, round(width / (width - 1), 3), ratio, tolerance=0.05, why=why))
    for group in GROUPS:
        rows += _game_findings(group, data.part(group))
    return rows


def _game_findings(group: str, part: Data) -> list[Finding]:
    depth = part.max_depth((PLAIN, TABLE))
    if depth is None:
        return []
    rows = []
    cost = part.ratio(PLAIN + STEP_1, PLAIN, depth, "leaves")
    gain = part.ratio(TABLE + STEP_1, TABLE, depth, "leaves")
    step = part.ratio(TABLE + STEP_2, TABLE + STEP_1, depth, "leaves")
    if cost is not None:
        rows.append(
            Finding(
                f"{group}: deepening in alpha-beta without memory",
                "more than 1",
                f"leaves × {format_estimate(cost)}, depth {depth}",
                "reproduced" if cost.low > 1 else "not reproduced",
                "b / (b - 1) is for minimax; alpha-beta grows less from ply to ply, so earlier"
                " iterations weigh more",
            )
        )
    if gain is not None:
        verdict: Verdict = "reproduced" if gain.high < 1 else "not reproduced"
        why = "no clear difference" if gain.low <= 1 <= gain.high else ""
        if group in TREES:
            verdict, why = "not comparable", "shallow values do not predict deep ones here"
        rows.append(
            Finding(
                f"{group}: with a table it searches less than without deepening",
                "less than 1, usually",
                f"leaves × {format_estimate(gain)}, depth {depth}",
                verdict,
                why,
            )
        )
    if step is not None:
        rows.append(
            Finding(
                f"{group}: steps of 2 over steps of 1, with a table",
                "",
                f"leaves × {format_estimate(step)}, depth {depth}",
                "not comparable",
                "some programs take steps of 2; no figure is published",
            )
        )
    return rows


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    cost = []
    for width, group in zip(WIDTHS, TREES, strict=True):
        part = data.part(group)
        depth = part.max_depth((MINIMAX, MINIMAX + STEP_1))
        if depth is not None:
            cost.append((width, part.ratio(MINIMAX + STEP_1, MINIMAX, depth, "leaves")))
    every = tuple(float(width) for width in range(2, 11))
    theory = Series(MINIMAX, every, tuple(b / (b - 1) for b in every), published=True)
    return [
        Chart("cost", "Leaves with deepening by 1 over those without, minimax, uniform trees",
              "moves b", "leaves / leaves without deepening", (Series.of(MINIMAX, cost), theory)),
        _by_depth(data, "plain", PLAIN, "Alpha-beta without memory: deepening by 1 over none"),
        _by_depth(data, "table", TABLE, "With a table: deepening by 1 over none"),
        _steps(data),
    ]  # fmt: skip


def _by_depth(data: Data, name: str, base: str, title: str) -> Chart:
    lines = []
    for group in GROUPS:
        part = data.part(group)
        points = [(d, part.ratio(base + STEP_1, base, d, "leaves")) for d in part.depths]
        lines.append(Series.of(group, points))
    return Chart(
        name, title, "depth", "leaves / leaves without deepening", tuple(lines), origin=1.0
    )


def _steps(data: Data) -> Chart:
    bars = []
    for tail in (STEP_1, STEP_2):
        points = []
        for place, group in enumerate(GROUPS):
            part = data.part(group)
            depth = part.max_depth((TABLE, TABLE + tail))
            points.append(
                (float(place), part.ratio(TABLE + tail, TABLE, depth, "leaves") if depth else None)
            )
        bars.append(Series.of(TABLE + tail, points))
    return Chart(
        "steps",
        "With a table: steps of 1 and of 2, at the greatest depth",
        "",
        "leaves / leaves without deepening (1 = no difference)",
        tuple(bars),
        GROUPS,
        origin=1.0,
    )


NOTES = """
Leaves are summed over all iterations. Deepening starts at depth 1, or with steps of 2 at 1 or 2, so
that it ends at the searched depth; the published sum also has depth 0, which is one leaf more.
Without memory, only the cost of deepening remains. The table has 2^20 entries, proposes the best
move of a position first, and settles nodes by entries of the same depth only; nothing else orders
moves. In uniform trees the values of inner nodes are drawn like those of leaves, so a shallow
search does not predict a deep one. Verdicts and charts leave out positions where a search found a
forced win, because deepening stops as soon as it finds one.
"""

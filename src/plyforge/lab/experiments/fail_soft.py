"""Fail-hard tables, fail-soft tables and printed listings on random graphs."""

from collections.abc import Callable
from functools import cache, partial

from plyforge.game.game import Game
from plyforge.games import load
from plyforge.lab import Case, Chart, Data, Finding, Series, Variation, format_estimate
from plyforge.lab.cases import tree_seed
from plyforge.lab.findings import Verdict
from plyforge.search.textbook import Node, View, alpha_beta, alpha_beta_table, vision_draughts
from plyforge.search.textbook.fail_hard_table import fail_hard_table
from plyforge.search.textbook.printed import figure_2, lecture_table
from plyforge.search.textbook.view import value_above

TITLE = "Wrong values from transposition tables: fail-hard, fail-soft and two printed listings"
SOURCE = (
    "Duarte, Otsuka and Julia, figure 2 and section 4.2; Buro and Tuero, lecture notes 2024, saveTT"
)
DEFAULTS = "2026"
POSITIONS = 500
DEPTHS = (8, 10)
QUICK = (60, (8, 10))
METRICS = (("wrong", "share of wrong root values"), ("error", "mean error"), ("nodes", "nodes"))

GROUPS = ("layered", "skipping")
BRANCHING, WIDTH = 4, 8
NO_TABLE, SOFT, HARD = "no table", "fail-soft", "fail-hard"
UNFLAGGED, LECTURE = "fail-hard, bounds kept as values", "saveTT as printed"
FIGURE, FIGURE_SOFT = "figure 2, its flags as printed", "figure 2, its flags, fail-soft"
VISION = "figure 2 corrected"
SEARCHES: dict[str, Callable[[View, Node, int], float]] = {
    SOFT: alpha_beta_table,
    NO_TABLE: alpha_beta,
    HARD: fail_hard_table,
    UNFLAGGED: partial(fail_hard_table, flags=False),
    LECTURE: lecture_table,
    FIGURE: figure_2,
    FIGURE_SOFT: partial(figure_2, fail_soft=True),
    VISION: vision_draughts,
}
PUBLISHED = {LECTURE: 100 * 1414 / 4000, FIGURE: 100 * 798 / 4000}
"""The percentage of wrong root values in 4,000 random graphs, from an earlier check."""
NO_TABLE_DEPTH = 8
"""Without a table the graph is unfolded, and deeper ones would take most of the time."""


class CountingView(View):
    """A view that counts searched nodes."""

    nodes = 0

    def leaf(self, node: Node, depth: int) -> float | None:
        self.nodes += 1
        return super().leaf(node, depth)


def cases(seed: int, count: int) -> list[Case]:
    """Return graphs of both kinds, alternating; `measure` adds the depth to `start`."""
    starts = [
        f"{GROUPS[number % 2]},branching={BRANCHING},seed={tree_seed(seed, number // 2)},"
        f"width={WIDTH}"
        for number in range(count)
    ]
    return [Case("tree", start=start) for start in starts]


def variations() -> list[Variation]:
    return [Variation(name) for name in SEARCHES]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return variation.name != NO_TABLE or depth <= NO_TABLE_DEPTH


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    game = _game()
    view = CountingView(game)
    root = view.root(game.parse(f"{case.start},depth={depth}"))
    value = SEARCHES[variation.name](view, root, depth)
    true = _value(View(game), root, {})
    return {"wrong": float(value != true), "error": abs(value - true), "nodes": view.nodes}


@cache
def _game() -> Game:
    return load("tree")


def _value(view: View, node: Node, known: dict[int, float]) -> float:
    """Return the value of a node, visiting each node of the graph once, without windows."""
    key = int(view.game.key(node.position))
    if key not in known:
        leaf = view.leaf(node, 1)
        if leaf is None:
            leaf = max(value_above(node, c, _value(view, c, known)) for c in view.children(node))
        known[key] = leaf
    return known[key]


def findings(data: Data) -> list[Finding]:
    depth = data.max_depth((SOFT, LECTURE))
    if depth is None:
        return []
    rows = []
    for name, published in PUBLISHED.items():
        estimate = data.mean(name, depth, "wrong")
        if estimate is not None:
            rows.append(
                Finding(
                    f"{name} finds wrong root values",
                    f"{published:.3g} % of 4,000",
                    f"{format_estimate(estimate.rescale(100), ' %')} of {estimate.count},"
                    f" depth {depth}",
                    "reproduced" if estimate.low > 0 else "not reproduced",
                    "the claim is that it finds some; their share depends on the graphs, whose"
                    " sizes are not stated",
                )
            )
    for name in (SOFT, HARD, VISION):
        searches = [wrong for d in data.depths for wrong in data.values(name, d, "wrong", (name,))]
        count = f"{sum(searches):.0f} of {len(searches)}"
        verdict: Verdict = "not reproduced" if sum(searches) else "reproduced"
        rows.append(Finding(f"wrong root values, {name}", "0", count, verdict))
    wrong = data.mean(HARD, depth, "wrong")
    unflagged = data.mean(UNFLAGGED, depth, "wrong")
    more = data.ratio(HARD, SOFT, depth, "nodes")
    if wrong is not None and unflagged is not None and more is not None:
        rows.append(
            Finding(
                "fail-soft is essential with a table",
                "fail-hard stores inconsistent values",
                f"fail-hard: {100 * wrong.value:g} % wrong, nodes × {format_estimate(more)};"
                f" without flags {100 * unflagged.value:.3g} % wrong",
                "reproduced" if wrong.value > 0 else "not reproduced",
                "what matters is to store bounds as bounds; then fail-hard only costs nodes",
            )
        )
    return rows


def charts(data: Data) -> list[Chart]:
    depth = data.max_depth((SOFT, LECTURE))
    if depth is None:
        return []
    names = tuple(name for name in SEARCHES if name != NO_TABLE)
    shares = []
    for kind in GROUPS:
        means = [data.part(kind).mean(name, depth, "wrong") for name in names]
        points = [(float(i), m and m.rescale(100)) for i, m in enumerate(means)]
        shares.append(Series.of(f"{kind} graphs", points))
    there = [names.index(name) for name in PUBLISHED]
    published = Series(
        "4,000 graphs", tuple(map(float, there)), tuple(PUBLISHED.values()), published=True
    )
    nodes = [
        Series.of(name, [(d, data.ratio(name, SOFT, d, "nodes")) for d in data.depths])
        for name in SEARCHES
        if name not in (SOFT, NO_TABLE)
    ]
    return [
        Chart("wrong", f"Wrong root values, graphs of depth {depth}", "", "wrong root values (%)",
              (*shares, published), names),
        Chart("nodes", "Nodes over those of the fail-soft table", "depth of the graph",
              "nodes / nodes of fail-soft", tuple(nodes)),
    ]  # fmt: skip


NOTES = """
Every graph is searched to its leaves by the functions of `search/textbook`, from an empty table,
and its true value is found without windows. A node counts every time it is searched; values that a
parent takes from the table do not count. In the printed listings the depth test is equality, and
misprints that would not even run are corrected: what remains is the printed way to distinguish
values and bounds. `no table` runs up to depth 8 only.
"""

"""Fail-hard tables, fail-soft tables and printed listings on random graphs."""

from collections.abc import Callable
from functools import cache, partial

from plyforge.game.game import Game
from plyforge.games import load
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    Exactly,
    MoreThan,
    Series,
    Variation,
    format_estimate,
)
from plyforge.lab.cases import tree_seed
from plyforge.lab.experiments._pooled import percent
from plyforge.match.tables import Table
from plyforge.search.textbook import Node, View, alpha_beta, alpha_beta_table, vision_draughts
from plyforge.search.textbook.fail_hard_table import fail_hard_table
from plyforge.search.textbook.printed import figure_2, lecture_table
from plyforge.search.textbook.view import value_above

TITLE = "Wrong values from transposition tables: fail-hard, fail-soft and two printed listings"
SOURCE = "Duarte, Otsuka and Julia 2009, figure 2 and section 4.2; Buro and Tuero 2024, saveTT"
QUESTION = (
    "Does a transposition table need fail-soft alpha-beta, and do the two printed listings find"
    " the value of the root?"
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
DEPTH = 10
"""The depth of the graphs of most claims."""
MIN_WRONG = 1.0
"""A smaller percentage of wrong root values counts as none."""
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


def claims() -> list[Claim]:
    return [
        Claim(
            "A table cannot be added to fail-hard alpha-beta, whose values end at the window",
            "fail-soft is essential",
            f"wrong root values, fail-hard with flags, graphs of depth {DEPTH}",
            MoreThan(MIN_WRONG),
            _wrong(HARD),
            " %",
            "section 4.2",
            note="a bound that is stored as a bound is never wrong; fail-hard only costs nodes",
        ),
        Claim(
            "Fail-hard values are inconsistent when they are stored as values",
            "it is stored the inconsistent value",
            f"wrong root values, fail-hard without flags, graphs of depth {DEPTH}",
            MoreThan(MIN_WRONG),
            _wrong(UNFLAGGED),
            " %",
            "section 4.2",
        ),
        Claim(
            "Fail-soft values with flags can be stored, because each is a bound on the true value",
            "always represents one limit on the minimax value",
            "wrong root values, fail-soft with flags, all graphs",
            Exactly(0),
            lambda data: _all_wrong(data, SOFT),
            " %",
            "section 4.2",
        ),
        Claim(
            "When all children of a node were examined, its value is exact",
            "the exact value",
            "wrong root values, figure 2 with its flags, all graphs",
            Exactly(0),
            lambda data: _all_wrong(data, FIGURE),
            " %",
            "section 5, line 38 of figure 2",
            note="after a fail low it is only an upper bound",
        ),
        Claim(
            "Alpha-beta with checkTT and saveTT finds the value of the root",
            "otherwise, true state value = score",
            "wrong root values, saveTT as printed, all graphs",
            Exactly(0),
            lambda data: _all_wrong(data, LECTURE),
            " %",
            "Saving TT Entries",
            source="Buro and Tuero 2024",
            note="saveTT compares the score with alpha after the loop has raised it",
        ),
    ]


def _wrong(name: str) -> Callable[[Data], Estimate | None]:
    """Return a function for the percentage of wrong root values of a search."""

    def estimate(data: Data) -> Estimate | None:
        return percent(data.share(name, DEPTH, lambda row: bool(row["wrong"])))

    return estimate


def _all_wrong(data: Data, name: str) -> Estimate | None:
    """Return the percentage of graphs with a wrong root value at some depth."""
    wrong: dict[int, bool] = {}
    for depth in data.depths:
        for case in data.cases(depth, [name]):
            wrong[case] = wrong.get(case, False) or bool(data.row(name, depth, case)["wrong"])
    return percent(data.share_of(wrong))


def tables(data: Data) -> list[Table]:
    """Return a table of all searches at the greatest depth of each."""
    rows = []
    for name in SEARCHES:
        depth = data.max_depth((name, SOFT))
        if depth is None:
            continue
        figures = (
            percent(data.share(name, depth, lambda row: bool(row["wrong"]))),
            data.mean(name, depth, "error"),
            data.ratio(name, SOFT, depth, "nodes"),
        )
        rows.append((name, str(depth), *map(format_estimate, figures)))
    headings = ("search", "depth", "wrong root values (%)", "mean error", "nodes / fail-soft")
    return [Table(headings, tuple(rows), "Searches of the same graphs")]


def charts(data: Data) -> list[Chart]:
    names = tuple(name for name in SEARCHES if name != NO_TABLE)
    shares = []
    for kind in GROUPS:
        part = data.part(kind)
        found = [percent(part.share(n, DEPTH, lambda row: bool(row["wrong"]))) for n in names]
        shares.append(Series.of(f"{kind} graphs", [(float(i), e) for i, e in enumerate(found)]))
    nodes = [
        Series.of(name, [(d, data.ratio(name, SOFT, d, "nodes")) for d in data.depths])
        for name in SEARCHES
        if name not in (SOFT, NO_TABLE)
    ]
    return [
        Chart("wrong", f"Wrong root values, random graphs of depth {DEPTH}", "",
              "graphs with a wrong root value (%)", tuple(shares), names),
        Chart("nodes", "Nodes of searches with a table, over those with the fail-soft table",
              "depth of the graph (plies)", "nodes / nodes of fail-soft", tuple(nodes)),
    ]  # fmt: skip


METHOD = f"""
Random graphs of two kinds, with {BRANCHING} moves and {WIDTH} nodes in each layer: in `layered`
ones all moves lead to the next layer, in `skipping` ones some skip a layer. Every graph is searched
to its leaves by the functions of `search/textbook`, from an empty table, and its true value is
found without windows. A node counts every time it is searched; values that a parent takes from the
table do not count. In the printed listings the depth test is equality, and misprints that would not
even run are corrected: what remains is the printed way to distinguish values and bounds. Whether
the first program of Duarte and others had flags is not stated, so fail-hard is tried with and
without. Less than {MIN_WRONG:g} % of wrong root values would not be noticed in play, and counts as
none. `no table` runs up to depth {NO_TABLE_DEPTH} only.
"""
THREATS = """
The share of wrong values depends on the shape and the size of the graphs, so only whether there are
any is judged. In a real game, few transpositions may hide the errors.
"""

"""Compare alpha-beta with the minimal tree, in trees whose best move is not always first.

plyforge lab run examples/experiments/minimal_tree.py
plyforge lab report examples/experiments/minimal_tree.py --format html --output report
"""

from plyforge.lab import (
    Case,
    Chart,
    Data,
    Finding,
    Series,
    Variation,
    format_estimate,
    judge,
    measure_search,
)

TITLE = "Alpha-beta and the minimal tree"
SOURCE = "Knuth and Moore, Artificial Intelligence 6 (1975)"
POSITIONS = 20
DEPTHS = range(4, 9)
QUICK = (5, (4, 5))
METRICS = (("leaves", "leaves"), ("over", "leaves over those of the minimal tree"))

BRANCHING = 4
SORTED, MOSTLY, SELDOM = "best move first", "in 9 nodes of 10", "in half of the nodes"


def cases(seed: int, count: int) -> list[Case]:
    """Return one tree per position, with consecutive seeds."""
    return [Case("tree", start=f"seed={seed + i}", label=f"tree {i + 1}") for i in range(count)]


def variations() -> list[Variation]:
    """Return one configuration for each order of moves, all with the same plain search."""
    return [
        Variation(name, "alphabeta", off=("all",), extra={"p": p})
        for name, p in ((SORTED, 1.0), (MOSTLY, 0.9), (SELDOM, 0.5))
    ]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search a tree of this depth, and compare its leaves with the minimal tree."""
    order = f"p={variation.extra['p']}"
    start = f"ordered,branching={BRANCHING},depth={depth},{order},{case.start}"
    figures = measure_search(Case(case.game, start=start), variation, depth)
    return {**figures, "over": figures["leaves"] / minimal(depth)}


def minimal(depth: int) -> int:
    """Return the leaves that any search must visit to prove the value."""
    return BRANCHING ** ((depth + 1) // 2) + BRANCHING ** (depth // 2) - 1


def findings(data: Data) -> list[Finding]:
    depth = data.max_depth([SORTED, SELDOM])
    if depth is None:
        return []
    leaves = data.mean(SORTED, depth, "leaves")
    claim = f"leaves at depth {depth}, best move first"
    rows = [judge(claim, float(minimal(depth)), leaves, tolerance=0.0)]
    worse = data.ratio(SELDOM, SORTED, depth, "leaves")
    if worse is not None:
        rows.append(
            Finding(
                "other orders cost more",
                "more leaves",
                f"leaves × {format_estimate(worse)}",
                "reproduced" if worse.low > 1 else "not reproduced",
            )
        )
    return rows


def charts(data: Data) -> list[Chart]:
    ours = [
        Series.of(name, [(depth, data.mean(name, depth, "over")) for depth in data.depths])
        for name in data.variations
    ]
    depths = tuple(float(depth) for depth in data.depths)
    theirs = Series(SORTED, depths, (1.0,) * len(depths), published=True)
    label = "leaves / leaves of the minimal tree"
    return [Chart("leaves", "Leaves of alpha-beta", "depth", label, (*ours, theirs))]


NOTES = "The trees are of the kind `ordered` of the game `tree`, with four moves everywhere."

"""Compare alpha-beta with the minimal tree, in trees whose best move is not always first.

plyforge lab run examples/experiments/minimal_tree.py
plyforge lab report examples/experiments/minimal_tree.py --format html --output report
"""

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Exactly,
    MoreThan,
    Series,
    Variation,
    measure_search,
)

TITLE = "Alpha-beta and the minimal tree"
SOURCE = "Knuth and Moore, Artificial Intelligence 6 (1975)"
QUESTION = "How many leaves does alpha-beta visit if the best move is first, and if it is not?"
POSITIONS = 20
DEPTHS = range(4, 9)
QUICK = (5, (4, 5))
METRICS = (("leaves", "leaves"), ("over", "leaves over those of the minimal tree"))

DEPTH = 8
"""The depth at which the claims are judged."""
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


def claims() -> list[Claim]:
    """Return what is claimed, what is measured, and the rule that decides."""
    return [
        Claim(
            "alpha-beta visits the minimal tree if the best move is first",
            f"{minimal(DEPTH)} leaves",
            f"leaves at depth {DEPTH}, best move first",
            Exactly(minimal(DEPTH)),
            lambda data: data.mean(SORTED, DEPTH, "leaves"),
        ),
        Claim(
            "other orders cost more",
            "more leaves",
            f"leaves at depth {DEPTH}, {SELDOM} over {SORTED}",
            MoreThan(1),
            lambda data: data.ratio(SELDOM, SORTED, DEPTH, "leaves"),
        ),
    ]


def charts(data: Data) -> list[Chart]:
    ours = [
        Series.of(name, [(depth, data.mean(name, depth, "over")) for depth in data.depths])
        for name in data.variations
    ]
    depths = tuple(float(depth) for depth in data.depths)
    theirs = Series(SORTED, depths, (1.0,) * len(depths), published=True)
    label = "leaves / leaves of the minimal tree"
    title = "Leaves of alpha-beta, trees with four moves"
    return [Chart("leaves", title, "depth of the tree (plies)", label, (*ours, theirs))]


METHOD = "The trees are of the kind `ordered` of the game `tree`, with four moves everywhere."
THREATS = "Artificial trees have no transpositions, and the same number of moves everywhere."

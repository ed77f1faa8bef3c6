"""The trees of `minimal-tree`, as texts for the game `tree`, and what theory says about them."""

from plyforge.lab.data import Data
from plyforge.lab.statistics import Estimate

WIDTHS = (2, 3, 5, 10)
TREES = tuple(f"b = {width}" for width in WIDTHS)
UNEVEN, DIAMOND = "uneven tree", "diamonds"
BEST, RANDOM, WORST = "best order", "random order", "worst order"
CHEAPEST, BEST_FIRST = "cheapest refutation first", "best move first"


def minimal_leaves(width: int, depth: int) -> int:
    """Return the leaves of the minimal tree: one strategy each of MAX and MIN, sharing a leaf."""
    return int(width ** -(-depth // 2) + width ** (depth // 2) - 1)


def random_factor(width: int) -> float:
    """Return alpha-beta's growth of leaves per ply in a random uniform tree (Pearl).

    It is x / (1 - x), where x^b + x = 1.
    """
    low, high = 0.0, 1.0
    for _ in range(60):
        x = (low + high) / 2
        low, high = (x, high) if x**width + x < 1 else (low, x)
    return low / (1 - low)


def tree_text(group: str, seed: str, order: str, depth: int) -> str:
    """Return a tree as text for the game `tree`."""
    if group == DIAMOND:
        return f"layered,branching=2,depth={depth},seed={seed},values=0,width=1"
    if group == UNEVEN:
        return uneven_text(depth, order)
    width = WIDTHS[TREES.index(group)]
    if order == WORST:
        return worst_order_text(width, depth)
    kind = "ordered" if order == BEST else "uniform"
    return f"{kind},branching={width},depth={depth},seed={seed},values=0"


def worst_order_text(width: int, depth: int, number: int = 0, maximising: bool = True) -> str:
    """Return a tree where every move is better than all before it, so nothing is cut off."""
    if depth == 0:
        return str(number)
    order = range(width) if maximising else range(width - 1, -1, -1)
    below = (
        worst_order_text(width, depth - 1, number * width + digit, not maximising)
        for digit in order
    )
    return f"[{','.join(below)}]"


def uneven_text(depth: int, order: str) -> str:
    """Return a tree where MAX has 5 for certain, and the other move has two refutations.

    MIN can answer it with a leaf worth 4, or, which is better, with a large tree worth 1.
    """
    large = "1"
    for _ in range(depth - 2):
        large = f"[{large},{large},{large}]"
    return f"[[5],[{large},4]]" if order == BEST_FIRST else f"[[5],[4,{large}]]"


def growth(data: Data) -> dict[int, dict[int, Estimate]]:
    """Return the growth of leaves per ply in random order, over two plies, by width and depth."""
    by_width = {}
    for width, group in zip(WIDTHS, TREES, strict=True):
        part, factors = data.part(group), {}
        for depth in part.depths:
            both = [set(part.cases(d, (RANDOM,))) for d in (depth, depth - 2)]
            leaves = {
                case: (part.row(RANDOM, depth, case)["leaves"],
                       part.row(RANDOM, depth - 2, case)["leaves"])
                for case in sorted(both[0] & both[1])
            }  # fmt: skip
            ratio = part.ratio_of(leaves)
            if ratio is not None:
                ends = (ratio.value**0.5, ratio.low**0.5, ratio.high**0.5)
                factors[depth] = Estimate(*ends, ratio.count, ratio.games)
        if factors:
            by_width[width] = factors
    return by_width

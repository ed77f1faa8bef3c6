"""Alpha-beta with a transposition table, fail-hard: what is kept never lies beyond the window."""

from plyforge.search.textbook.table import Entry, Flag, Table, flag_of, look_up, narrowed, save
from plyforge.search.textbook.view import Node, View, value_above, window_below
from plyforge.search.values import INFINITY


def fail_hard_table(
    view: View,
    node: Node,
    depth: int,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    table: Table | None = None,
    flags: bool = True,
) -> float:
    """The true value moved into the window, as `alpha_beta_fail_hard`; its entries tell less than
    those of `alpha_beta_table`, and are as sound.

    Without `flags` bounds are kept as if they were values, and wrong values come of it.
    """
    table = {} if table is None else table
    value = view.leaf(node, depth)
    if value is not None:
        return min(max(value, alpha), beta)
    entry = look_up(view, table, node)
    low, high = narrowed(entry, depth, alpha, beta)
    if entry is not None and low >= high:
        return min(max(entry.value, alpha), beta)
    best = None
    for child in view.children(node, first=None if entry is None else entry.move):
        window = window_below(node, child, low, high)
        value = fail_hard_table(view, child, depth - 1, *window, table, flags)
        value = value_above(node, child, value)
        if value > low:
            low, best = value, child.move
        if low >= high:
            break
    score = min(low, high)
    flag = flag_of(score, alpha, beta) if flags else Flag.EXACT
    save(view, table, node, Entry(score, flag, depth, best))
    return score

"""Fail-hard alpha-beta with a transposition table: stored values lie inside the window."""

from plyforge.search.textbook.table import Entry, Flag, Table, flag_of, look_up, narrow_window, save
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
    """Return the true value limited to the window, like `alpha_beta_fail_hard`.

    Its entries are as correct as those of `alpha_beta_table`, but weaker.  Without `flags` bounds
    are stored as if they were values, which leads to wrong values.
    """
    table = {} if table is None else table
    value = view.leaf(node, depth)
    if value is not None:
        return min(max(value, alpha), beta)
    entry = look_up(view, table, node)
    low, high = narrow_window(entry, depth, alpha, beta)
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

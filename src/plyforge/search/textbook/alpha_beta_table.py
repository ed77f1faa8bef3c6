"""Alpha-beta with a transposition table."""

from plyforge.search.textbook.table import Entry, Table, flag_of, look_up, narrow_window, save
from plyforge.search.textbook.trace import record_visits
from plyforge.search.textbook.view import Node, View, value_above, window_below
from plyforge.search.values import INFINITY


@record_visits
def alpha_beta_table(
    view: View,
    node: Node,
    depth: int,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    table: Table | None = None,
    at_least: bool = False,
) -> float:
    """Return a bound like `alpha_beta`: at most alpha an upper one, at least beta a lower one.

    An entry of the same depth narrows the window or answers at once; one of any depth says which
    move to try first.  `at_least` also uses entries of greater depth, as playing programs do; then
    the bounds belong to a mixture of depths.  (Buro and Tuero 2024, with the flag decided by the
    window at entry; Greenblatt, Eastlake and Crocker 1967.)
    """
    table = {} if table is None else table
    value = view.leaf(node, depth)
    if value is not None:
        return value
    entry = look_up(view, table, node)
    low, high = narrow_window(entry, depth, alpha, beta, at_least)
    if entry is not None and low >= high:
        return entry.value
    score, best = -INFINITY, None
    for child in view.children(node, first=None if entry is None else entry.move):
        window = window_below(node, child, low, high)
        value = alpha_beta_table(view, child, depth - 1, *window, table, at_least)
        value = value_above(node, child, value)
        if value > score:
            score, best = value, child.move
        low = max(low, score)
        if low >= high:
            break
    save(view, table, node, Entry(score, flag_of(score, alpha, beta), depth, best))
    return score

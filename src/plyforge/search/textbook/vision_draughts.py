"""Alpha-beta with a transposition table as in VisionDraughts, with separate rules for MAX and MIN.

The parent looks up a child's value before it searches the child.
"""

from plyforge.search.textbook.table import Entry, Flag, Table, flag_of, look_up, save
from plyforge.search.textbook.trace import record_visits_for_max
from plyforge.search.textbook.view import MAX, Node, View, for_max
from plyforge.search.values import INFINITY


@record_visits_for_max
def vision_draughts(
    view: View,
    node: Node,
    depth: int,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    table: Table | None = None,
) -> float:
    """Return a bound for MAX: at most alpha an upper one, at least beta a lower one, else exact.

    (Duarte, Otsuka and Julia, figure 2, corrected: the best value starts from infinity and not
    from a bound, MIN narrows the window from above, and a fail low is not stored as exact.)
    """
    table = {} if table is None else table
    value = view.leaf(node, depth)
    if value is not None:
        value = for_max(node, value)
        save(view, table, node, Entry(value, Flag.EXACT, depth, None))
        return value
    entry = look_up(view, table, node)
    low, high = alpha, beta
    best, move = (-INFINITY if node.side == MAX else INFINITY), None
    for child in view.children(node, first=None if entry is None else entry.move):
        stored = retrieve(view, table, node, child, depth - 1, low, high)
        if stored is not None:
            value = stored
        else:
            value = vision_draughts(view, child, depth - 1, low, high, table)
        if node.side == MAX:
            if value > best:
                best, move = value, child.move
            low = max(low, best)
        else:
            if value < best:
                best, move = value, child.move
            high = min(high, best)
        if low >= high:
            break
    save(view, table, node, Entry(best, flag_of(best, alpha, beta), depth, move))
    return best


def retrieve(
    view: View, table: Table, parent: Node, child: Node, depth: int, low: float, high: float
) -> float | None:
    """Return the child's stored value for MAX if it can replace a search, else None.

    It must come from a search of the same depth.  An exact value is enough.  A bound is enough if
    the child is no better for the parent's side than what that side has already, or so good that
    the other side avoids it; which bound is which depends on the side to move at the parent.
    """
    entry = look_up(view, table, child)
    if entry is None or entry.depth != depth:
        return None
    upper = entry.flag is Flag.UPPER and entry.value <= low
    lower = entry.flag is Flag.LOWER and entry.value >= high
    no_better, too_good = (upper, lower) if parent.side == MAX else (lower, upper)
    if not (entry.flag is Flag.EXACT or no_better or too_good):
        return None
    view.record_answer(child, depth, low, high, entry.value)
    return entry.value

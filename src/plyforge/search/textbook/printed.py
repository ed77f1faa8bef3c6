"""Two published listings with their errors, which the experiment `fail-soft` counts.

Both use the correct functions of this package for everything else.
"""

from plyforge.search.textbook.table import Entry, Flag, Table, look_up, narrow_window, save
from plyforge.search.textbook.view import MAX, Node, View, for_max, value_above, window_below
from plyforge.search.textbook.vision_draughts import retrieve
from plyforge.search.values import INFINITY


def lecture_table(
    view: View,
    node: Node,
    depth: int,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    table: Table | None = None,
) -> float:
    """Run the lecture's alpha-beta with `saveTT`, which compares the score with the raised alpha.

    Every score above the first alpha then counts as an upper bound, even after a beta cut.  (The
    printed depth test is `>=`; equality is used here, to leave that error out.)
    """
    table = {} if table is None else table
    value = view.leaf(node, depth)
    if value is not None:
        return value
    entry = look_up(view, table, node)
    alpha, beta = narrow_window(entry, depth, alpha, beta)
    if entry is not None and alpha >= beta:
        return entry.value
    score, best = -INFINITY, None
    for child in view.children(node, first=None if entry is None else entry.move):
        window = window_below(node, child, alpha, beta)
        value = lecture_table(view, child, depth - 1, *window, table)
        value = value_above(node, child, value)
        if value > score:
            score, best = value, child.move
            if score >= alpha:
                alpha = score
            if score >= beta:
                break
    if score <= alpha:
        flag = Flag.UPPER
    elif score >= beta:
        flag = Flag.LOWER
    else:
        flag = Flag.EXACT
    save(view, table, node, Entry(score, flag, depth, best))
    return score


def figure_2(
    view: View,
    node: Node,
    depth: int,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    table: Table | None = None,
    fail_soft: bool = False,
) -> float:
    """Run VisionDraughts' figure 2, with values for MAX and only its misprints corrected.

    Corrected: the window in line 31 and the comparison in line 35, which are MAX's in the half of
    MIN; the child named instead of the node in lines 9, 20 and 36.  As printed: the best value
    starts from a bound (lines 7 and 23; with `fail_soft` from infinity), and the value at the end
    counts as exact, although it may have failed low (line 39).
    """
    table = {} if table is None else table
    value = view.leaf(node, depth)
    if value is not None:
        value = for_max(node, value)
        save(view, table, node, Entry(value, Flag.EXACT, depth, None))
        return value
    entry = look_up(view, table, node)
    maximising = node.side == MAX
    best, move = (alpha if maximising else beta), None
    if fail_soft:
        best = -INFINITY if maximising else INFINITY
    for child in view.children(node, first=None if entry is None else entry.move):
        low, high = alpha, beta
        if maximising:
            low = max(low, best)
        else:
            high = min(high, best)
        value = retrieve(view, table, node, child, depth - 1, low, high)
        if value is None:
            value = figure_2(view, child, depth - 1, low, high, table, fail_soft)
        if value > best if maximising else value < best:
            best, move = value, child.move
        if maximising and best >= beta:
            save(view, table, node, Entry(best, Flag.LOWER, depth, move))
            return best
        if not maximising and best <= alpha:
            save(view, table, node, Entry(best, Flag.UPPER, depth, move))
            return best
    save(view, table, node, Entry(best, Flag.EXACT, depth, move))
    return best

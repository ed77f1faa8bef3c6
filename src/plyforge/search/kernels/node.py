"""A node, from opening to closing: everything that `alpha_beta.search` does besides recursing.

Code outside of the recursion can drive nodes by the same functions: `open_node`, `expand_node`,
`next_move`, `prepare_child`, `take_value`, `close_node`.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    load_flag,
    offset,
    plies_left,
    slot_of,
)
from plyforge.search.kernels.context import (
    ASK,
    NO_VALUE,
    ONE_PLY,
    PROVEN,
    SOUND,
    TOO_DEEP,
    Context,
    Node,
)
from plyforge.search.kernels.counting import (
    count_distinct,
    count_interior,
    count_leaf,
    log_visit,
)
from plyforge.search.kernels.cuts import learn_from_cut
from plyforge.search.kernels.cycles import advance_path, table_key, watches_cycles
from plyforge.search.kernels.ends import (
    end_value,
    leaf_value,
    list_moves,
    report_fault,
    stuck_value,
)
from plyforge.search.kernels.keys import search_key
from plyforge.search.kernels.ordering import score_moves, sort_moves
from plyforge.search.kernels.phases import (
    at_horizon,
    expand_beyond,
    has_horizon_steps,
    has_inexact_steps,
    known_value,
    near_end,
    on_cut,
)
from plyforge.search.kernels.table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    is_valid,
    keep,
    look_up,
    move_of,
    proven_of,
    value_at,
)
from plyforge.search.kernels.values import is_decided

_NOTHING = np.uint64(0)


def prepare_root(node: Node, context: Context) -> None:
    """Fill the part of the root's node that depends on the moves before it."""
    node.ply = 0
    node.side = context.root_side
    node.flipped = 1
    node.reversible_plies = context.root_reversible_plies
    node.path_hash = context.root_path_hash
    node.slot = context.root_slot
    node.moves_start = 0
    node.passed = 0
    node.excluded = 0
    node.last_target = -1
    node.extended = 0


def open_node(
    position: Any,
    level: int,
    depth: int,
    alpha: float,
    beta: float,
    node: Node,
    context: Context,
) -> float:
    """Open a node; return its value if that is known without its moves, else `NO_VALUE`."""
    if load_flag(context) != 0:
        return 0.0
    if context.logged < context.log_size:
        log_visit(position, node.ply, depth, alpha, beta, context)
    node.proven = PROVEN
    node.line_length = 0
    position_key = _NOTHING
    if context.needs_keys != 0 and (depth > 0 or watches_cycles(context) or stores_leaves(context)):
        position_key = search_key(position, context)
        context.path[context.plies_before_root + node.ply] = position_key
    value = end_value(position, position_key, level, node, context)
    if value != NO_VALUE:
        count_leaf(context)
        return value
    if node.ply > 0:
        node.depth = depth
        value = known_value(position, level, node, context)
        if value == ASK:
            if depth <= 0 and context.needs_keys != 0:  # now it has an entry in the table
                position_key = search_key(position, context)
                context.path[context.plies_before_root + node.ply] = position_key
            depth = max(depth, ONE_PLY)
        elif value != NO_VALUE:
            count_leaf(context)
            return value
    node.to_end = 0
    if depth > 0 and depth >= plies_left(position) * ONE_PLY:
        node.to_end = 1
        if (
            context.table != 0
        ):  # the same for all paths to a position, however many passes they have
            depth = max(plies_left(position), 1) * ONE_PLY
        if may_end_early(node):
            node.low, node.high = alpha, beta
            value = near_end(position, level, node, context)
            if value != NO_VALUE:
                count_leaf(context)
                return value
    uses_table = context.table != 0 and (depth > 0 or stores_leaves(context))
    if has_inexact_steps():
        node.static = NO_VALUE
        node.table_bound = 0
        uses_table = uses_table and node.excluded == 0
    if depth > 0 or uses_table:
        node.depth = depth
        node.alpha = node.low = alpha
        node.beta = node.high = beta
        node.table_proven = PROVEN
        node.table_move = -1
    if uses_table and consult_table(position_key, level, depth, node, context):
        context.table_cuts += 1
        context.transpositions += 1
        return node.best
    if depth > 0:
        return NO_VALUE
    if has_horizon_steps():
        node.depth = depth
        node.alpha = node.low = alpha
        node.beta = node.high = beta
        node.table_proven = PROVEN
        node.table_move = -1
        node.lists_all = 0
        value = at_horizon(position, level, node, context)
        if value == NO_VALUE:
            return value
    else:
        value = leaf_value(position, level, node, context)
    count_leaf(context)
    if uses_table:
        store_result(0, value, EXACT, -1, node, context)
    return value


def is_interior(node: Node) -> bool:
    """Whether a node that was opened has remaining depth; others search noisy moves only."""
    return not has_horizon_steps() or node.depth > 0


def may_be_cut(node: Node) -> bool:
    """Whether steps may end a node that was opened before its moves are listed.

    The root is always searched, because it needs a move.
    """
    return node.ply > 0 and is_interior(node) and not leaves_moves_out(node)


def may_end_early(node: Node) -> bool:
    """Whether a step may value the node instead of a search; the root needs a move."""
    return node.ply > 0 and not leaves_moves_out(node)


def leaves_moves_out(node: Node) -> bool:
    """Whether only some of a node's moves are searched, so that its value is not the position's."""
    return has_inexact_steps() and node.excluded > 0


def stores_leaves(context: Context) -> bool:
    """Whether leaves are looked up and stored like interior nodes."""
    return context.table != 0 and context.store_leaves != 0


def consult_table(position_key: Any, level: int, depth: int, node: Node, context: Context) -> bool:
    """Narrow the window by the node's entry; return whether nothing is left to search.

    If so, the value is in `best`.  The root is always searched, because it needs a move.
    """
    data = find_node_entry(position_key, depth, node, context)
    if data == _NOTHING:
        return False
    if context.table_move != 0:
        slack = context.table_move_depth
        if slack < 0 or (level > 0 and depth_of(data) >= depth - slack):
            node.table_move = move_of(data)
    if has_inexact_steps():
        node.table_value = value_at(data, node.ply)
        node.table_bound = bound_of(data)
        node.table_depth = depth_of(data)
    if level == 0 or not is_valid(data, depth, context):
        return False
    value, bound = value_at(data, node.ply), bound_of(data)
    if bound & LOWER != 0 and value > node.low:
        node.low = value
        node.table_proven = proven_of(data)
    if bound & UPPER != 0 and value < node.high:
        node.high = value
        node.table_proven = proven_of(data)
    if node.low < node.high and bound != EXACT:
        return False
    node.proven = proven_of(data)
    node.best = value
    return True


def find_node_entry(position_key: Any, depth: int, node: Node, context: Context) -> Any:
    """The data of a node's entry, or 0; other kernels may look for several."""
    mixed = table_key(position_key, node.path_hash, node.reversible_plies, depth, context)
    return look_up(mixed, depth, context)


def expand_node(position: Any, level: int, node: Node, context: Context) -> float:
    """List and sort a node's moves; return its value if it has none or a child ends it."""
    if not is_interior(node):
        value = expand_beyond(position, level, node, context)
        if value != ASK:
            return value
    count = list_moves(position, level, node, context)
    if count == 0:
        node.proven = PROVEN
        count_leaf(context)
        return stuck_value(position, node.ply)
    if level + 1 >= context.levels:
        report_fault(TOO_DEEP, level, context)
        return 0.0
    count_interior(context)
    position_key = path_key(node, context)
    if context.distinct_bits > 0:
        count_distinct(position_key, context)
    node.move_count = count
    node.tried = 0
    node.skipped = 0
    node.best_index = -1
    node.best = -np.inf
    context.nodes[level + 1].moves_start = node.moves_start + count
    if leaves_moves_out(node):
        return score_moves(position, level, node, context)
    value = sort_moves(position, position_key, level, node, context)
    if value != NO_VALUE:
        store_result(node.depth, value, LOWER, node.best_index, node, context)
    return value


def path_key(node: Node, context: Context) -> Any:
    """The key of the node's position, as far as keys are needed."""
    return context.path[context.plies_before_root + node.ply]


def prepare_child(
    position: Any, flips: bool, node: Node, child_node: Node, context: Context
) -> None:
    """Fill the part of the child's node that depends on its parent, and plan a full search."""
    side = node.side
    child_node.ply = node.ply + 1
    child_node.side = 1 - side if flips else side
    child_node.flipped = 1 if flips else 0
    if context.continuation != 0:
        child_node.slot = slot_of(position, node.move)
    if watches_cycles(context):
        advance_path(position, node.move, path_key(node, context), node, child_node, context)
    if has_inexact_steps():
        child_node.passed = 0
        child_node.excluded = 0
        child_node.extended = node.extended
        node.reduction = 0
    node.child_depth = node.depth - ONE_PLY
    node.child_low = node.low
    node.child_high = node.high
    node.child_proven = PROVEN


def ask_search(move: int, depth: int, low: float, high: float, node: Node) -> float:
    """Ask for a search from a step's `before_moves`, and return what it must return then.

    `move` is played first; -1 searches the position itself.  Depth and window are as in
    `alpha_beta.search`, from the node's perspective.  The result is handed to `after_search`.
    """
    node.asked_move = move
    node.asked_depth = depth
    node.asked_low = low
    node.asked_high = high
    node.asked_excluded = 0
    return ASK


def prepare_asked(flips: bool, node: Node, child_node: Node, context: Context) -> None:
    """Fill the node of a search that a step asks for: of the position itself, or after a pass.

    A pass is not a move of the game: no earlier position can come back after it.
    """
    passes = node.asked_move >= 0
    child_node.ply = node.ply + 1 if passes else node.ply
    child_node.side = 1 - node.side if flips else node.side
    child_node.flipped = node.flipped if not passes else 1 if flips else 0
    child_node.slot = -1 if passes else node.slot
    child_node.passed = 1
    child_node.excluded = node.asked_excluded
    child_node.last_target = -1
    child_node.extended = node.extended
    child_node.moves_start = node.moves_start
    child_node.reversible_plies = 0 if passes else node.reversible_plies
    child_node.path_hash = 0 if passes else node.path_hash
    # A fault is found by replaying the moves of the nodes.
    node.move = node.asked_move


def take_value(value: float, level: int, node: Node, context: Context) -> bool:
    """Take the value of the present move; return whether it cuts."""
    proven = node.child_proven
    node.proven &= proven
    note_child(value > node.best and value >= node.high, level, node, context)
    if value <= node.best:
        return False
    node.best = value
    node.best_index = node.move_index
    if value >= node.high:
        # The bound depends on this child alone, and a bound has no line.
        node.proven = proven
        node.line_length = 0
        return True
    if value > node.low:
        if context.prune != 0:
            node.low = value
        extend_line(level, node, context)
    return False


def note_child(cuts: bool, level: int, node: Node, context: Context) -> None:
    """Note nothing about the child whose value is taken; other kernels may."""


def extend_line(level: int, node: Node, context: Context) -> None:
    """Make the present move and its child's principal variation the node's own."""
    length = context.nodes[level + 1].line_length
    row = context.levels
    line = offset(context.variation, level * row)
    child_line = offset(line, row)
    line[0] = node.move
    for index in range(length):
        line[index + 1] = child_line[index]
    node.line_length = length + 1


def record_cut(position: Any, level: int, node: Node, context: Context) -> None:
    """Count a cut, and remember the move that caused it."""
    context.cuts += 1
    if node.tried == 1:
        context.first_cuts += 1
    if not is_interior(node):
        return
    node.cut_source = 0
    on_cut(position, level, node, context)
    if context.uses_slots != 0:
        learn_from_cut(position, level, node, context)


def close_node(level: int, node: Node, context: Context) -> float:
    """Return the node's value, and store it as a bound or as exact."""
    if not is_interior(node):
        return node.best
    if node.skipped == node.move_count:
        # No move is expected to beat the window.
        node.best = max(node.alpha, context.min_evaluation)
    best = node.best
    node.proven &= node.table_proven
    if is_decided(best) and node.proven & SOUND != 0:
        # A search sees every end within its depth, so a win or loss that it finds is certain.
        node.proven = PROVEN
    bound = EXACT
    if best <= node.alpha:
        bound = UPPER
        if level > 0:
            # Where every move failed low, the best one misleads the next search, as measured.
            node.best_index = -1
    elif best >= node.beta:
        bound = LOWER
    store_result(node.depth, best, bound, node.best_index, node, context)
    return best


def store_result(
    depth: int, value: float, bound: int, move: int, node: Node, context: Context
) -> None:
    """Store a node's result, unless only some of its moves were searched."""
    if context.table == 0 or load_flag(context) != 0:
        return
    if node.ply == 0 and context.root_move_count > 0:
        return
    if leaves_moves_out(node):
        return
    keep_node(path_key(node, context), depth, value, bound, move, node, context)


def keep_node(
    position_key: Any,
    depth: int,
    value: float,
    bound: int,
    move: int,
    node: Node,
    context: Context,
) -> None:
    """Store a node's result under its key; other kernels may choose another."""
    mixed = table_key(position_key, node.path_hash, node.reversible_plies, depth, context)
    keep(mixed, node.ply, depth, value, bound, node.proven, move, context)

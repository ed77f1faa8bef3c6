"""Fail-soft alpha-beta with every exact enhancement as a step that can be switched.

Only `search` recurses.  A node's record is its frame: `enter` fills it or returns a value at once,
`next_move` picks the next move, `take_value` takes its value, `finish` makes the result.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    advance,
    begin,
    floats,
    keeps_turn,
    key,
    load_flag,
    offset,
    play,
    pointer,
    slot_of,
    unsigned,
)
from plyforge.compilation.kernel import Kernel
from plyforge.search.kernels.context import (
    ALPHA,
    BEST,
    BEST_INDEX,
    BETA,
    CUTS,
    DEPTH,
    DISTINCT_BITS,
    FIRST_CUTS,
    FRAME_WORDS,
    FRAMES,
    HIGH,
    HINT,
    INTERIOR,
    LINE_LENGTH,
    LOG_SIZE,
    LOGGED,
    LOW,
    MAX_PLY,
    MOVE,
    MOVE_COUNT,
    MOVE_INDEX,
    MOVES_START,
    NEEDS_KEYS,
    NO_VALUE,
    ONE_PLY,
    PATH,
    PATH_HASH,
    PLIES_BEFORE_ROOT,
    PROVEN,
    PRUNE,
    PVS,
    PVS_SKIP_RESEARCH,
    RESEARCHES,
    REVERSIBLE_PLIES,
    ROOT_MOVE_COUNT,
    ROOT_PATH_HASH,
    ROOT_REVERSIBLE_PLIES,
    ROOT_SIDE,
    ROOT_SLOT,
    SIDE,
    SLOT,
    STORE_LEAVES,
    TABLE_CUTS,
    TABLE_MOVE,
    TABLE_MOVE_DEPTH,
    TABLE_PROVEN,
    TOO_DEEP,
    TRANSPOSITIONS,
    TRIED,
    USE_CONTINUATION,
    USE_TABLE,
    VARIATION,
    option,
)
from plyforge.search.kernels.counting import count_distinct, count_leaf, count_node, log_visit
from plyforge.search.kernels.cycles import advance_path, table_key, watches_cycles
from plyforge.search.kernels.ends import (
    end_value,
    leaf_value,
    list_moves,
    report_fault,
    stuck_value,
)
from plyforge.search.kernels.history import remember_cut
from plyforge.search.kernels.ordering import count_cut_source, next_move, sort_moves
from plyforge.search.kernels.table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    is_valid,
    move_of,
    probe,
    proven_of,
    store,
    value_at,
)
from plyforge.search.kernels.values import (
    is_decided,
    next_above,
    value_above,
    window_high,
    window_low,
)

_NOTHING = np.uint64(0)


def search(
    position: Any,
    state: Any,
    ply: int,
    depth: int,
    alpha: float,
    beta: float,
    flipped: bool,
    context: Any,
) -> float:
    """Return a number L that bounds the true value V of the position, `depth` sixteenths deep.

    L <= alpha: V <= L.  L >= beta: V >= L.  Between them: V = L.  All are from the perspective of
    the side to move, with wins counted from the root.  `flipped` says whether the other side made
    the last move; `state` is the evaluation's running state.  Once the stop flag is set, L is
    meaningless.
    """
    frame = offset(pointer(context[FRAMES]), ply * FRAME_WORDS)
    reals = offset(floats(context[FRAMES]), ply * FRAME_WORDS)
    value = enter(position, state, ply, depth, alpha, beta, flipped, frame, reals, context)
    if value != NO_VALUE:
        return value
    while next_move(frame, context):
        child = play(position, frame[MOVE])
        child_state = advance(state, position, frame[MOVE], child)
        flips = not keeps_turn(position, child)
        prepare_child(position, ply, flips, frame, context)
        low, high = reals[LOW], reals[HIGH]
        first_high = first_window_high(depth, frame, reals, context)
        lower, upper = window_low(flips, low, first_high), window_high(flips, low, first_high)
        child_depth = depth - ONE_PLY
        value = value_above(
            flips, search(child, child_state, ply + 1, child_depth, lower, upper, flips, context)
        )
        if (
            first_high < high
            and low < value < high
            and not can_skip_research(depth, flips, context)
        ):
            context[RESEARCHES] += 1
            proven = frame[FRAME_WORDS + PROVEN]
            lower, upper = window_low(flips, value, high), window_high(flips, value, high)
            value = value_above(
                flips,
                search(child, child_state, ply + 1, child_depth, lower, upper, flips, context),
            )
            frame[FRAME_WORDS + PROVEN] &= proven
        if load_flag(context) != 0:
            return value
        if take_value(value, ply, frame, reals, context):
            record_cut(position, ply, frame, context)
            break
    return finish(ply, depth, frame, reals, context)


def enter(
    position: Any,
    state: Any,
    ply: int,
    depth: int,
    alpha: float,
    beta: float,
    flipped: bool,
    frame: Any,
    reals: Any,
    context: Any,
) -> float:
    """Open a node; return its value if that is known without a search, else `NO_VALUE`."""
    if load_flag(context) != 0:
        return 0.0
    if context[LOGGED] < context[LOG_SIZE]:
        log_visit(position, ply, depth, alpha, beta, context)
    frame[PROVEN] = 1
    frame[LINE_LENGTH] = 0
    position_key = _NOTHING
    if option(context, NEEDS_KEYS) != 0 and (
        depth > 0 or watches_cycles(context) or stores_leaves(context)
    ):
        position_key = np.uint64(key(position))
        unsigned(context[PATH])[context[PLIES_BEFORE_ROOT] + ply] = position_key
    value = end_value(position, position_key, ply, flipped, frame, context)
    if value != NO_VALUE:
        count_leaf(context)
        return value
    uses_table = option(context, USE_TABLE) != 0 and (depth > 0 or stores_leaves(context))
    if depth > 0 or uses_table:
        frame[DEPTH] = depth
        reals[ALPHA] = reals[LOW] = alpha
        reals[BETA] = reals[HIGH] = beta
        frame[TABLE_PROVEN] = 1
        frame[HINT] = -1
    if uses_table and consult_table(position_key, ply, depth, frame, reals, context):
        context[TABLE_CUTS] += 1
        context[TRANSPOSITIONS] += 1
        return reals[BEST]
    if depth <= 0:
        value = leaf_value(position, state, ply, frame, context)
        count_leaf(context)
        if uses_table:
            store_result(ply, 0, value, EXACT, -1, frame, context)
        return value
    return expand(position, state, position_key, ply, depth, frame, reals, context)


def stores_leaves(context: Any) -> bool:
    """Whether leaves are looked up and stored like interior nodes."""
    return option(context, USE_TABLE) != 0 and option(context, STORE_LEAVES) != 0


def consult_table(
    position_key: Any, ply: int, depth: int, frame: Any, reals: Any, context: Any
) -> bool:
    """Narrow the window by the node's entry; return whether nothing is left to search.

    If so, the value is in `BEST`.  The root is always searched, because it needs a move.
    """
    data = probe(
        table_key(position_key, frame[PATH_HASH], frame[REVERSIBLE_PLIES], depth, context), context
    )
    if data == _NOTHING:
        return False
    if option(context, TABLE_MOVE) != 0:
        slack = option(context, TABLE_MOVE_DEPTH)
        if slack < 0 or (ply > 0 and depth_of(data) >= depth - slack):
            frame[HINT] = move_of(data)
    if ply == 0 or not is_valid(data, depth, context):
        return False
    value, bound = value_at(data, ply), bound_of(data)
    if bound & LOWER != 0 and value > reals[LOW]:
        reals[LOW] = value
        frame[TABLE_PROVEN] = proven_of(data)
    if bound & UPPER != 0 and value < reals[HIGH]:
        reals[HIGH] = value
        frame[TABLE_PROVEN] = proven_of(data)
    if reals[LOW] < reals[HIGH] and bound != EXACT:
        return False
    frame[PROVEN] = proven_of(data)
    reals[BEST] = value
    return True


def expand(
    position: Any,
    state: Any,
    position_key: Any,
    ply: int,
    depth: int,
    frame: Any,
    reals: Any,
    context: Any,
) -> float:
    """List and sort a node's moves; return its value if it has none or a child's entry cuts."""
    count = list_moves(position, ply, frame, context)
    if count == 0:
        count_leaf(context)
        return stuck_value(position, ply)
    if ply + 1 >= context[MAX_PLY]:
        report_fault(TOO_DEEP, ply, context)
        return 0.0
    count_node(INTERIOR, context)
    if context[DISTINCT_BITS] > 0:
        count_distinct(position_key, context)
    frame[MOVE_COUNT] = count
    frame[TRIED] = 0
    frame[BEST_INDEX] = -1
    frame[FRAME_WORDS + MOVES_START] = frame[MOVES_START] + count
    reals[BEST] = -np.inf
    value = sort_moves(position, state, position_key, ply, depth, frame, reals, context)
    if value != NO_VALUE:
        store_result(ply, depth, value, LOWER, frame[BEST_INDEX], frame, context)
    return value


def prepare_child(position: Any, ply: int, flips: bool, frame: Any, context: Any) -> None:
    """Fill the part of the child's frame that depends on its parent."""
    side = frame[SIDE]
    frame[FRAME_WORDS + SIDE] = 1 - side if flips else side
    if option(context, USE_CONTINUATION) != 0:
        frame[FRAME_WORDS + SLOT] = slot_of(position, frame[MOVE])
    if watches_cycles(context):
        position_key = unsigned(context[PATH])[context[PLIES_BEFORE_ROOT] + ply]
        advance_path(position, frame[MOVE], position_key, frame, context)


def first_window_high(depth: int, frame: Any, reals: Any, context: Any) -> float:
    """The upper end of the window in which a move is searched first.

    With `pvs` every move after the first is only tested for being better than the best so far,
    except a move to a leaf, whose value costs the same in any window.
    """
    if option(context, PVS) == 0 or frame[TRIED] == 1 or depth <= ONE_PLY:
        return reals[HIGH]
    if not reals[LOW] > -np.inf:
        return reals[HIGH]
    return min(next_above(reals[LOW]), reals[HIGH])


def can_skip_research(depth: int, flips: bool, context: Any) -> bool:
    """Whether a test that failed high has also found the move's exact value (Reinefeld 1983).

    A child one ply above the leaves that failed low has seen all of them.  If the same side moves
    again, the child failed high instead and has seen only some.
    """
    return option(context, PVS_SKIP_RESEARCH) != 0 and flips and depth <= 2 * ONE_PLY


def take_value(value: float, ply: int, frame: Any, reals: Any, context: Any) -> bool:
    """Take the value of the present move; return whether it cuts."""
    proven = frame[FRAME_WORDS + PROVEN]
    frame[PROVEN] &= proven
    if value <= reals[BEST]:
        return False
    reals[BEST] = value
    frame[BEST_INDEX] = frame[MOVE_INDEX]
    if value >= reals[HIGH]:
        # The bound depends on this child alone, and a bound has no line.
        frame[PROVEN] = proven
        frame[LINE_LENGTH] = 0
        return True
    if value > reals[LOW]:
        if option(context, PRUNE) != 0:
            reals[LOW] = value
        extend_line(ply, frame, context)
    return False


def extend_line(ply: int, frame: Any, context: Any) -> None:
    """Make the present move and its child's principal variation the node's own."""
    length = frame[FRAME_WORDS + LINE_LENGTH]
    row = context[MAX_PLY]
    line = offset(pointer(context[VARIATION]), ply * row)
    child_line = offset(line, row)
    line[0] = frame[MOVE]
    for index in range(length):
        line[index + 1] = child_line[index]
    frame[LINE_LENGTH] = length + 1


def record_cut(position: Any, ply: int, frame: Any, context: Any) -> None:
    """Count a cut, and remember the move that caused it."""
    context[CUTS] += 1
    if frame[TRIED] == 1:
        context[FIRST_CUTS] += 1
    count_cut_source(ply, frame, context)
    remember_cut(position, ply, frame, context)


def finish(ply: int, depth: int, frame: Any, reals: Any, context: Any) -> float:
    """Return the node's value, and store it as a bound or as exact."""
    best = reals[BEST]
    frame[PROVEN] &= frame[TABLE_PROVEN]
    if is_decided(best):
        # A search sees every end within its depth, so a win or loss that it finds is certain.
        frame[PROVEN] = 1
    bound = EXACT
    if best <= reals[ALPHA]:
        bound = UPPER
        if ply > 0:
            # Where every move failed low, the best one misleads the next search, as measured.
            frame[BEST_INDEX] = -1
    elif best >= reals[BETA]:
        bound = LOWER
    store_result(ply, depth, best, bound, frame[BEST_INDEX], frame, context)
    return best


def store_result(
    ply: int, depth: int, value: float, bound: int, move: int, frame: Any, context: Any
) -> None:
    """Store a node's result, unless only some of the root's moves were searched."""
    if option(context, USE_TABLE) == 0 or load_flag(context) != 0:
        return
    if ply == 0 and context[ROOT_MOVE_COUNT] > 0:
        return
    position_key = unsigned(context[PATH])[context[PLIES_BEFORE_ROOT] + ply]
    mixed = table_key(position_key, frame[PATH_HASH], frame[REVERSIBLE_PLIES], depth, context)
    store(mixed, ply, depth, value, bound, frame[PROVEN], move, context)


def search_root(position: Any, depth: int, alpha: float, beta: float, context: Any) -> float:
    """Run `search` from the root; `context` is the address of the context's words."""
    words = pointer(context)
    frame = pointer(words[FRAMES])
    frame[SIDE] = words[ROOT_SIDE]
    frame[REVERSIBLE_PLIES] = words[ROOT_REVERSIBLE_PLIES]
    frame[PATH_HASH] = words[ROOT_PATH_HASH]
    frame[SLOT] = words[ROOT_SLOT]
    frame[MOVES_START] = 0
    # Recursion needs arguments of exactly the declared types; a literal has another.
    flipped = words[ROOT_SIDE] >= 0
    return search(position, begin(position), np.int64(0), depth, alpha, beta, flipped, words)


SEARCH = Kernel(
    "search",
    search_root,
    "float64(position, int64, float64, float64, address)",
    {search: "float64(position, state, int64, int64, float64, float64, bool, words)"},
)

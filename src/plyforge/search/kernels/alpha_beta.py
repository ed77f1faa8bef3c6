"""Alpha-beta, fail-soft, with every exact enhancement as a step that can be switched.

Only `search` recurses.  A node's record is its frame: `enter` fills it or answers at once,
`next_move` takes the next move, `take_value` what it was worth, `finish` turns it into a result.
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
    BASE,
    BEFORE,
    BEST,
    BEST_INDEX,
    BETA,
    CHOSEN_COUNT,
    COUNT,
    CUTS,
    DEPTH,
    DISTINCT_BITS,
    FIRST_CUTS,
    FRAME_WORDS,
    FRAMES,
    HIGH,
    HINT,
    INDEX,
    INTERIOR,
    KEYED,
    LINE,
    LOG_SIZE,
    LOGGED,
    LOW,
    MAX_PLY,
    MOVE,
    NEXT,
    ONE_PLY,
    OPEN,
    PATH,
    PATH_HASH,
    PROVEN,
    PRUNE,
    PVS,
    PVS_SKIP_RESEARCH,
    RESEARCHES,
    ROOT_HASH,
    ROOT_SIDE,
    ROOT_SINCE,
    ROOT_SLOT,
    SIDE,
    SINCE,
    SLOT,
    STORE_LEAVES,
    TABLE_CUTS,
    TABLE_MOVE,
    TABLE_MOVE_DEPTH,
    TABLE_PROVEN,
    TOO_DEEP,
    TRANSPOSITIONS,
    USE_CONTINUATION,
    USE_TABLE,
    VARIATION,
    option,
)
from plyforge.search.kernels.counting import count_distinct, count_leaf, count_node, log_visit
from plyforge.search.kernels.cycles import advance_path, key_on_path, watched
from plyforge.search.kernels.ends import (
    end_value,
    leaf_value,
    list_moves,
    report,
    stuck_value,
)
from plyforge.search.kernels.history import remember_cut
from plyforge.search.kernels.ordering import count_source, next_move, sort_moves
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
    """A number L that relates to the true value V of the position, `depth` sixteenths deep.

    L <= alpha: V <= L.  L >= beta: V >= L.  Between them: V = L.  All are in view of the side to
    move, with wins counted from the root.  `flipped` tells whether the other side has just moved,
    `state` is the evaluation's running state.  Once the stop flag is set, L means nothing.
    """
    frame = offset(pointer(context[FRAMES]), ply * FRAME_WORDS)
    reals = offset(floats(context[FRAMES]), ply * FRAME_WORDS)
    value = enter(position, state, ply, depth, alpha, beta, flipped, frame, reals, context)
    if value != OPEN:
        return value
    while next_move(frame, context):
        child = play(position, frame[MOVE])
        onward = advance(state, position, frame[MOVE], child)
        flips = not keeps_turn(position, child)
        prepare_child(position, ply, flips, frame, context)
        low, high = reals[LOW], reals[HIGH]
        trial = trial_high(depth, frame, reals, context)
        down, up = window_low(flips, low, trial), window_high(flips, low, trial)
        below = depth - ONE_PLY
        value = value_above(flips, search(child, onward, ply + 1, below, down, up, flips, context))
        if trial < high and low < value < high and not seen_whole(depth, flips, context):
            context[RESEARCHES] += 1
            proven = frame[FRAME_WORDS + PROVEN]
            down, up = window_low(flips, value, high), window_high(flips, value, high)
            value = value_above(
                flips, search(child, onward, ply + 1, below, down, up, flips, context)
            )
            frame[FRAME_WORDS + PROVEN] &= proven
        if load_flag(context) != 0:
            return value
        if take_value(value, ply, frame, reals, context):
            cut(position, ply, frame, context)
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
    """Open a node: its value if that is position_key without a search, else `OPEN`."""
    if load_flag(context) != 0:
        return 0.0
    if context[LOGGED] < context[LOG_SIZE]:
        log_visit(position, ply, depth, alpha, beta, context)
    frame[PROVEN] = 1
    frame[LINE] = 0
    position_key = _NOTHING
    if option(context, KEYED) != 0 and (depth > 0 or watched(context) or leaves_kept(context)):
        position_key = np.uint64(key(position))
        unsigned(context[PATH])[context[BEFORE] + ply] = position_key
    value = end_value(position, position_key, ply, flipped, frame, context)
    if value != OPEN:
        count_leaf(context)
        return value
    kept = option(context, USE_TABLE) != 0 and (depth > 0 or leaves_kept(context))
    if depth > 0 or kept:
        frame[DEPTH] = depth
        reals[ALPHA] = reals[LOW] = alpha
        reals[BETA] = reals[HIGH] = beta
        frame[TABLE_PROVEN] = 1
        frame[HINT] = -1
    if kept and consult_table(position_key, ply, depth, frame, reals, context):
        context[TABLE_CUTS] += 1
        context[TRANSPOSITIONS] += 1
        return reals[BEST]
    if depth <= 0:
        value = leaf_value(position, state, ply, frame, context)
        count_leaf(context)
        if kept:
            keep(ply, 0, value, EXACT, -1, frame, context)
        return value
    return expand(position, state, position_key, ply, depth, frame, reals, context)


def leaves_kept(context: Any) -> bool:
    """Whether leaves are looked up and stored as interior nodes are."""
    return option(context, USE_TABLE) != 0 and option(context, STORE_LEAVES) != 0


def consult_table(
    position_key: Any, ply: int, depth: int, frame: Any, reals: Any, context: Any
) -> bool:
    """Narrow the window by what the table knows; True if nothing is left to search.

    Then the value is in `BEST`.  The root is never answered: it is to find a move.
    """
    data = probe(key_on_path(position_key, frame[PATH_HASH], frame[SINCE], depth, context), context)
    if data == _NOTHING:
        return False
    if option(context, TABLE_MOVE) != 0:
        less = option(context, TABLE_MOVE_DEPTH)
        if less < 0 or (ply > 0 and depth_of(data) >= depth - less):
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
    """List and sort a node's moves; its value if it has none or its children settle it."""
    count = list_moves(position, ply, frame, context)
    if count == 0:
        count_leaf(context)
        return stuck_value(position, ply)
    if ply + 1 >= context[MAX_PLY]:
        report(TOO_DEEP, ply, context)
        return 0.0
    count_node(INTERIOR, context)
    if context[DISTINCT_BITS] > 0:
        count_distinct(position_key, context)
    frame[COUNT] = count
    frame[NEXT] = 0
    frame[BEST_INDEX] = -1
    frame[FRAME_WORDS + BASE] = frame[BASE] + count
    reals[BEST] = -np.inf
    value = sort_moves(position, state, position_key, ply, depth, frame, reals, context)
    if value != OPEN:
        keep(ply, depth, value, LOWER, frame[BEST_INDEX], frame, context)
    return value


def prepare_child(position: Any, ply: int, flips: bool, frame: Any, context: Any) -> None:
    """Write to the child's frame what it inherits."""
    side = frame[SIDE]
    frame[FRAME_WORDS + SIDE] = 1 - side if flips else side
    if option(context, USE_CONTINUATION) != 0:
        frame[FRAME_WORDS + SLOT] = slot_of(position, frame[MOVE])
    if watched(context):
        position_key = unsigned(context[PATH])[context[BEFORE] + ply]
        advance_path(position, frame[MOVE], position_key, frame, context)


def trial_high(depth: int, frame: Any, reals: Any, context: Any) -> float:
    """The upper end of the window that a move is searched with first.

    With `pvs` every move but the first is only tested whether it is better than the best so far;
    not so a move to a leaf, whose value costs the same in any window.
    """
    if option(context, PVS) == 0 or frame[NEXT] == 1 or depth <= ONE_PLY:
        return reals[HIGH]
    if not reals[LOW] > -np.inf:
        return reals[HIGH]
    return min(next_above(reals[LOW]), reals[HIGH])


def seen_whole(depth: int, flips: bool, context: Any) -> bool:
    """Whether a test that found a move better has found its value, too (Reinefeld 1983).

    A child one ply above the leaves that failed low has seen them all.  If the same side moves
    again the child failed high instead, and has seen but some.
    """
    return option(context, PVS_SKIP_RESEARCH) != 0 and flips and depth <= 2 * ONE_PLY


def take_value(value: float, ply: int, frame: Any, reals: Any, context: Any) -> bool:
    """Take in what the present move is worth; True if it cuts."""
    proven = frame[FRAME_WORDS + PROVEN]
    frame[PROVEN] &= proven
    if value <= reals[BEST]:
        return False
    reals[BEST] = value
    frame[BEST_INDEX] = frame[INDEX]
    if value >= reals[HIGH]:
        # The bound rests on this child alone, and a bound has no line.
        frame[PROVEN] = proven
        frame[LINE] = 0
        return True
    if value > reals[LOW]:
        if option(context, PRUNE) != 0:
            reals[LOW] = value
        extend_line(ply, frame, context)
    return False


def extend_line(ply: int, frame: Any, context: Any) -> None:
    """Make the present move and its child's principal variation that of the node."""
    length = frame[FRAME_WORDS + LINE]
    row = context[MAX_PLY]
    mine = offset(pointer(context[VARIATION]), ply * row)
    theirs = offset(mine, row)
    mine[0] = frame[MOVE]
    for index in range(length):
        mine[index + 1] = theirs[index]
    frame[LINE] = length + 1


def cut(position: Any, ply: int, frame: Any, context: Any) -> None:
    """Count a cut, and remember the move that made it."""
    context[CUTS] += 1
    if frame[NEXT] == 1:
        context[FIRST_CUTS] += 1
    count_source(ply, frame, context)
    remember_cut(position, ply, frame, context)


def finish(ply: int, depth: int, frame: Any, reals: Any, context: Any) -> float:
    """The node's result, from the window that it was entered with."""
    best = reals[BEST]
    frame[PROVEN] &= frame[TABLE_PROVEN]
    if is_decided(best):
        # No search that sees every end within its depth can be wrong about a win within it.
        frame[PROVEN] = 1
    bound = EXACT
    if best <= reals[ALPHA]:
        bound = UPPER
        if ply > 0:
            # Where every move failed, none is a hint for the next time: measured, it misleads.
            frame[BEST_INDEX] = -1
    elif best >= reals[BETA]:
        bound = LOWER
    keep(ply, depth, best, bound, frame[BEST_INDEX], frame, context)
    return best


def keep(
    ply: int, depth: int, value: float, bound: int, move: int, frame: Any, context: Any
) -> None:
    """Store a node's result, unless it is that of a root with but some of its moves."""
    if option(context, USE_TABLE) == 0 or load_flag(context) != 0:
        return
    if ply == 0 and context[CHOSEN_COUNT] > 0:
        return
    position_key = unsigned(context[PATH])[context[BEFORE] + ply]
    mixed = key_on_path(position_key, frame[PATH_HASH], frame[SINCE], depth, context)
    store(mixed, ply, depth, value, bound, frame[PROVEN], move, context)


def search_root(position: Any, depth: int, alpha: float, beta: float, context: Any) -> float:
    """`search` from the root; `context` is the address of the context's words."""
    words = pointer(context)
    frame = pointer(words[FRAMES])
    frame[SIDE] = words[ROOT_SIDE]
    frame[SINCE] = words[ROOT_SINCE]
    frame[PATH_HASH] = words[ROOT_HASH]
    frame[SLOT] = words[ROOT_SLOT]
    frame[BASE] = 0
    # Recursion needs arguments of exactly the declared types, which a literal is not.
    flipped = words[ROOT_SIDE] >= 0
    return search(position, begin(position), np.int64(0), depth, alpha, beta, flipped, words)


SEARCH = Kernel(
    "search",
    search_root,
    "float64(position, int64, float64, float64, address)",
    {search: "float64(position, state, int64, int64, float64, float64, bool, words)"},
)

"""Which move comes next.

Every move gets one number.  A move that the table proposes, that wins at once or that is a killer
gets a bonus, greater the earlier its kind stands in the sequence; all others compare by history and
by the evaluation of the position they lead to.  Among equals, the order of generation decides.

`enhanced transposition cut-offs` and their like play every move before the first is searched; that
is here, too, because it tells something of each.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    advance,
    evaluate,
    floats,
    keeps_turn,
    key,
    offset,
    outcome,
    play,
    pointer,
)
from plyforge.core.scores import ONGOING, SCORE_LIMIT, WIN
from plyforge.search.kernels.context import (
    BASE,
    BEST,
    BEST_INDEX,
    BONUS_KILLER,
    BONUS_TABLE,
    BONUS_WIN,
    CHILD_EVAL,
    CHILD_EVAL_DEPTH,
    COUNT,
    CUTS_BY_KILLER,
    CUTS_BY_TABLE_MOVE,
    CUTS_BY_WIN,
    EIB,
    ETC,
    ETC_CUTS,
    ETC_DEPTH,
    FRAME_WORDS,
    FRAMES,
    HIGH,
    HINT,
    INDEX,
    KILLERS,
    LOOKS_DEPTH,
    LOW,
    MOVE,
    MOVES,
    NEXT,
    ONE_PLY,
    OPEN,
    ORDER,
    ORDERED,
    PATH_HASH,
    PROVEN,
    REALS,
    SCORES,
    SINCE,
    TABLE_PROVEN,
    TRANSPOSITIONS,
    USE_CONTINUATION,
    USE_HISTORY,
    USE_KILLERS,
    WEIGHT_EVALUATION,
    WEIGHT_HISTORY,
    WINS,
    WINS_DEPTH,
    option,
)
from plyforge.search.kernels.cycles import advance_path, key_on_path, watched
from plyforge.search.kernels.history import history_score
from plyforge.search.kernels.table import (
    LOWER,
    UPPER,
    bound_of,
    is_valid,
    probe,
    proven_of,
    value_at,
)
from plyforge.search.kernels.values import is_decided, value_above

_NOTHING = np.uint64(0)
_FIRST_KILLER = float(1 << 45)
"""What the newer of two killers is ahead of the older one: more than histories can make up for."""


def sort_moves(
    position: Any,
    state: Any,
    position_key: Any,
    ply: int,
    depth: int,
    frame: Any,
    reals: Any,
    context: Any,
) -> float:
    """Give every move its number; a value if the children's entries settle it, else `OPEN`."""
    if option(context, ORDERED) == 0:
        return OPEN
    order = offset(pointer(context[ORDER]), frame[BASE])
    scores = offset(floats(context[SCORES]), frame[BASE])
    list_ = offset(pointer(context[MOVES]), frame[BASE])
    weights = floats(context[REALS])
    with_history = option(context, USE_HISTORY) != 0 or option(context, USE_CONTINUATION) != 0
    for index in range(frame[COUNT]):
        order[index] = index
        score = 0.0
        if with_history:
            past = history_score(position, list_[index], frame, context)
            score = past * weights[WEIGHT_HISTORY]
        scores[index] = score + standing_bonus(index, list_[index], ply, frame, context)
    if depth >= option(context, LOOKS_DEPTH):
        return look_ahead(position, state, position_key, ply, depth, frame, reals, context)
    return OPEN


def standing_bonus(index: int, move: int, ply: int, frame: Any, context: Any) -> float:
    """The bonus of the table's move and of killers."""
    weights = floats(context[REALS])
    bonus = 0.0
    if index == frame[HINT]:
        bonus = weights[BONUS_TABLE]
    if option(context, USE_KILLERS) != 0:
        killers = offset(pointer(context[KILLERS]), 2 * ply)
        if move == killers[0]:
            bonus = max(bonus, weights[BONUS_KILLER] + _FIRST_KILLER)
        elif move == killers[1]:
            bonus = max(bonus, weights[BONUS_KILLER])
    return bonus


def look_ahead(
    position: Any,
    state: Any,
    position_key: Any,
    ply: int,
    depth: int,
    frame: Any,
    reals: Any,
    context: Any,
) -> float:
    """Play every move once, and see what table, rules and evaluation say of the children."""
    list_ = offset(pointer(context[MOVES]), frame[BASE])
    scores = offset(floats(context[SCORES]), frame[BASE])
    weights = floats(context[REALS])
    with_etc = option(context, ETC) != 0 and depth >= option(context, ETC_DEPTH)
    with_eib = option(context, EIB) != 0 and depth > ONE_PLY
    with_wins = option(context, WINS) != 0 and depth >= option(context, WINS_DEPTH)
    evaluated = option(context, CHILD_EVAL) != 0 and depth >= option(context, CHILD_EVAL_DEPTH)
    for index in range(frame[COUNT]):
        child = play(position, list_[index])
        flips = not keeps_turn(position, child)
        if with_wins and value_above(flips, outcome(child)) == WIN:
            scores[index] = max(scores[index], weights[BONUS_WIN])
        guess = clip(reals[LOW])
        if evaluated:
            onward = advance(state, position, list_[index], child)
            guess = value_above(flips, static_value(child, onward))
        if with_etc or with_eib:
            data = child_entry(position, list_[index], child, position_key, depth, frame, context)
            if data != _NOTHING:
                value = value_above(flips, value_at(data, ply + 1))
                if with_etc and settles(data, flips, value, depth, reals, context):
                    frame[INDEX] = frame[BEST_INDEX] = index
                    frame[PROVEN] = proven_of(data) & frame[TABLE_PROVEN]
                    context[ETC_CUTS] += 1
                    context[TRANSPOSITIONS] += 1
                    return value
                if with_eib:
                    guess = clip(value)
        if evaluated or with_eib:
            scores[index] += guess * weights[WEIGHT_EVALUATION]
    return OPEN


def clip(value: float) -> float:
    """A value within the range of evaluations."""
    return max(-float(SCORE_LIMIT), min(float(SCORE_LIMIT), value))


def static_value(child: Any, state: Any) -> float:
    """What a child is worth without search."""
    value = outcome(child)
    if value == ONGOING:
        return evaluate(child, state)
    return clip(value)


def child_entry(
    position: Any, move: int, child: Any, position_key: Any, depth: int, frame: Any, context: Any
) -> Any:
    """The data of a child's entry, or 0."""
    child_key = np.uint64(key(child))
    if watched(context):
        advance_path(position, move, position_key, frame, context)
        since, path_hash = frame[FRAME_WORDS + SINCE], frame[FRAME_WORDS + PATH_HASH]
        child_key = key_on_path(child_key, path_hash, since, depth - ONE_PLY, context)
    return probe(child_key, context)


def settles(data: Any, flips: bool, value: float, depth: int, reals: Any, context: Any) -> bool:
    """Whether a child's entry makes its parent fail high; the value is in view of the parent."""
    if value < reals[HIGH] or not is_valid(data, depth - ONE_PLY, context):
        return False
    # The child's upper bound is its parent's lower one, unless the same side moves again.
    useful = UPPER if flips else LOWER
    return bound_of(data) & useful != 0


def next_move(frame: Any, context: Any) -> bool:
    """Make the next move the present one; False if all have been tried."""
    rank = frame[NEXT]
    if rank >= frame[COUNT]:
        return False
    index = rank
    if option(context, ORDERED) != 0:
        index = best_of_rest(rank, frame, context)
    frame[INDEX] = index
    frame[MOVE] = pointer(context[MOVES])[frame[BASE] + index]
    frame[NEXT] = rank + 1
    return True


def best_of_rest(rank: int, frame: Any, context: Any) -> int:
    """Bring the best of the moves from `rank` on to that rank; return its number.

    The others keep their order, so that equals stay in the order of generation.
    """
    order = offset(pointer(context[ORDER]), frame[BASE])
    scores = offset(floats(context[SCORES]), frame[BASE])
    best, score = rank, scores[rank]
    for other in range(rank + 1, frame[COUNT]):
        if scores[other] > score:
            best, score = other, scores[other]
    index = order[best]
    while best > rank:
        order[best] = order[best - 1]
        scores[best] = scores[best - 1]
        best -= 1
    order[rank] = index
    scores[rank] = score
    return index


def count_source(ply: int, frame: Any, context: Any) -> None:
    """Count by what the move that has cut came to its place."""
    if frame[INDEX] == frame[HINT]:
        context[CUTS_BY_TABLE_MOVE] += 1
        return
    if option(context, USE_KILLERS) != 0:
        killers = offset(pointer(context[KILLERS]), 2 * ply)
        if frame[MOVE] == killers[0] or frame[MOVE] == killers[1]:
            context[CUTS_BY_KILLER] += 1
            return
    if is_decided(floats(context[FRAMES])[ply * FRAME_WORDS + BEST]) and option(context, WINS) != 0:
        context[CUTS_BY_WIN] += 1

"""Move ordering.

Every move gets a score.  A move that the table proposes, that wins at once or that is a killer
gets a bonus, which is greater the earlier its kind stands in the sequence.  All others compare by
history and by the evaluation of the position they lead to.  Ties are broken by the order of
generation.

Enhanced transposition cut-offs are here, too: they look at all children before the first is
searched, as some orderings do.
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
    BEST,
    BEST_INDEX,
    BONUS_KILLER,
    BONUS_TABLE,
    BONUS_WIN,
    CHILD_EVAL,
    CHILD_EVAL_DEPTH,
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
    KILLERS,
    LOOK_AHEAD_DEPTH,
    LOW,
    MOVE,
    MOVE_COUNT,
    MOVE_INDEX,
    MOVES,
    MOVES_START,
    NO_VALUE,
    ONE_PLY,
    ORDER,
    ORDERED,
    PATH_HASH,
    PROVEN,
    REALS,
    REVERSIBLE_PLIES,
    SCORES,
    TABLE_PROVEN,
    TRANSPOSITIONS,
    TRIED,
    USE_CONTINUATION,
    USE_HISTORY,
    USE_KILLERS,
    WEIGHT_EVALUATION,
    WEIGHT_HISTORY,
    WINS,
    WINS_DEPTH,
    option,
)
from plyforge.search.kernels.cycles import advance_path, table_key, watches_cycles
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
"""The lead of the newer killer over the older one: more than any history."""


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
    """Score every move; return a value if a child's entry cuts, else `NO_VALUE`."""
    if option(context, ORDERED) == 0:
        return NO_VALUE
    order = offset(pointer(context[ORDER]), frame[MOVES_START])
    scores = offset(floats(context[SCORES]), frame[MOVES_START])
    buffer = offset(pointer(context[MOVES]), frame[MOVES_START])
    weights = floats(context[REALS])
    with_history = option(context, USE_HISTORY) != 0 or option(context, USE_CONTINUATION) != 0
    for index in range(frame[MOVE_COUNT]):
        order[index] = index
        score = 0.0
        if with_history:
            past = history_score(position, buffer[index], frame, context)
            score = past * weights[WEIGHT_HISTORY]
        scores[index] = score + table_or_killer_bonus(index, buffer[index], ply, frame, context)
    if depth >= option(context, LOOK_AHEAD_DEPTH):
        return look_ahead(position, state, position_key, ply, depth, frame, reals, context)
    return NO_VALUE


def table_or_killer_bonus(index: int, move: int, ply: int, frame: Any, context: Any) -> float:
    """The bonus of a move that the table proposes or that is a killer."""
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
    """Play every move, and score it by the table, the outcome and the evaluation of its child.

    Return a value if a child's entry cuts, else `NO_VALUE`.
    """
    buffer = offset(pointer(context[MOVES]), frame[MOVES_START])
    scores = offset(floats(context[SCORES]), frame[MOVES_START])
    weights = floats(context[REALS])
    with_etc = option(context, ETC) != 0 and depth >= option(context, ETC_DEPTH)
    with_eib = option(context, EIB) != 0 and depth > ONE_PLY
    with_wins = option(context, WINS) != 0 and depth >= option(context, WINS_DEPTH)
    evaluated = option(context, CHILD_EVAL) != 0 and depth >= option(context, CHILD_EVAL_DEPTH)
    for index in range(frame[MOVE_COUNT]):
        child = play(position, buffer[index])
        flips = not keeps_turn(position, child)
        if with_wins and value_above(flips, outcome(child)) == WIN:
            scores[index] = max(scores[index], weights[BONUS_WIN])
        guess = clamp(reals[LOW])
        if evaluated:
            child_state = advance(state, position, buffer[index], child)
            guess = value_above(flips, static_value(child, child_state))
        if with_etc or with_eib:
            data = child_entry(position, buffer[index], child, position_key, depth, frame, context)
            if data != _NOTHING:
                value = value_above(flips, value_at(data, ply + 1))
                if with_etc and causes_cut(data, flips, value, depth, reals, context):
                    frame[MOVE_INDEX] = frame[BEST_INDEX] = index
                    frame[PROVEN] = proven_of(data) & frame[TABLE_PROVEN]
                    context[ETC_CUTS] += 1
                    context[TRANSPOSITIONS] += 1
                    return value
                if with_eib:
                    guess = clamp(value)
        if evaluated or with_eib:
            scores[index] += guess * weights[WEIGHT_EVALUATION]
    return NO_VALUE


def clamp(value: float) -> float:
    """Limit a value to the range of evaluations."""
    return max(-float(SCORE_LIMIT), min(float(SCORE_LIMIT), value))


def static_value(child: Any, state: Any) -> float:
    """The value of a child without a search."""
    value = outcome(child)
    if value == ONGOING:
        return evaluate(child, state)
    return clamp(value)


def child_entry(
    position: Any, move: int, child: Any, position_key: Any, depth: int, frame: Any, context: Any
) -> Any:
    """The data of a child's entry, or 0."""
    child_key = np.uint64(key(child))
    if watches_cycles(context):
        advance_path(position, move, position_key, frame, context)
        reversible, path_hash = (
            frame[FRAME_WORDS + REVERSIBLE_PLIES],
            frame[FRAME_WORDS + PATH_HASH],
        )
        child_key = table_key(child_key, path_hash, reversible, depth - ONE_PLY, context)
    return probe(child_key, context)


def causes_cut(data: Any, flips: bool, value: float, depth: int, reals: Any, context: Any) -> bool:
    """Whether a child's entry makes its parent fail high; `value` is the parent's."""
    if value < reals[HIGH] or not is_valid(data, depth - ONE_PLY, context):
        return False
    # The child's upper bound is its parent's lower bound, unless the same side moves again.
    useful = UPPER if flips else LOWER
    return bound_of(data) & useful != 0


def next_move(frame: Any, context: Any) -> bool:
    """Make the next move the present one; return False if all have been tried."""
    rank = frame[TRIED]
    if rank >= frame[MOVE_COUNT]:
        return False
    index = rank
    if option(context, ORDERED) != 0:
        index = pick_best(rank, frame, context)
    frame[MOVE_INDEX] = index
    frame[MOVE] = pointer(context[MOVES])[frame[MOVES_START] + index]
    frame[TRIED] = rank + 1
    return True


def pick_best(rank: int, frame: Any, context: Any) -> int:
    """Bring the best of the untried moves to `rank`; return its index.

    The others keep their order, so that ties stay in the order of generation.
    """
    order = offset(pointer(context[ORDER]), frame[MOVES_START])
    scores = offset(floats(context[SCORES]), frame[MOVES_START])
    best, score = rank, scores[rank]
    for other in range(rank + 1, frame[MOVE_COUNT]):
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


def count_cut_source(ply: int, frame: Any, context: Any) -> None:
    """Count a cut by what put its move first: the table, a killer or a win."""
    if frame[MOVE_INDEX] == frame[HINT]:
        context[CUTS_BY_TABLE_MOVE] += 1
        return
    if option(context, USE_KILLERS) != 0:
        killers = offset(pointer(context[KILLERS]), 2 * ply)
        if frame[MOVE] == killers[0] or frame[MOVE] == killers[1]:
            context[CUTS_BY_KILLER] += 1
            return
    if is_decided(floats(context[FRAMES])[ply * FRAME_WORDS + BEST]) and option(context, WINS) != 0:
        context[CUTS_BY_WIN] += 1

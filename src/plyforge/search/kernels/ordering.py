"""Move ordering.

Every move gets a score: the sum of what steps give it (`score_move`), plus the greatest of their
bonuses (`promote_move`), plus an estimate of the child's value if a step makes one.  The order of
generation breaks ties.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    advance,
    evaluate,
    keeps_turn,
    offset,
    outcome,
    play,
    slot_of,
)
from plyforge.core.scores import ONGOING, SCORE_LIMIT
from plyforge.search.kernels.context import NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.kernels.cycles import advance_path, table_key, watches_cycles
from plyforge.search.kernels.keys import search_key
from plyforge.search.kernels.phases import look_at_child, promote_move, score_move
from plyforge.search.kernels.table import probe
from plyforge.search.kernels.values import value_above

_NOTHING = np.uint64(0)


def sort_moves(position: Any, position_key: Any, level: int, node: Node, context: Context) -> float:
    """Score every move; return a value if a child ends the node, else `NO_VALUE`."""
    score_moves(position, level, node, context)
    if context.sorts_moves != 0 and node.depth >= context.look_ahead_depth:
        return look_ahead(position, position_key, level, node, context)
    return NO_VALUE


def score_moves(position: Any, level: int, node: Node, context: Context) -> float:
    """Score every move without looking at its child; return `NO_VALUE`."""
    if context.sorts_moves == 0:
        return NO_VALUE
    order = offset(context.move_order, node.moves_start)
    scores = offset(context.move_scores, node.moves_start)
    buffer = offset(context.moves, node.moves_start)
    for index in range(node.move_count):
        move = buffer[index]
        order[index] = index
        score = 0.0
        if context.uses_slots != 0:
            slot = slot_of(position, move)
            score = score_move(move, slot, position, level, node, context)
        scores[index] = score + promote_move(move, index, position, level, node, context)
    return NO_VALUE


def look_ahead(position: Any, position_key: Any, level: int, node: Node, context: Context) -> float:
    """Play every move, and let steps look at the child; return a value if that ends the node."""
    buffer = offset(context.moves, node.moves_start)
    scores = offset(context.move_scores, node.moves_start)
    default = clamp(node.low)
    for index in range(node.move_count):
        move = buffer[index]
        child = play(position, move)
        flips = not keeps_turn(position, child)
        entry = _NOTHING
        if node.depth >= context.child_entry_depth:
            entry = child_entry(position, move, child, position_key, level, node, context)
        node.score = scores[index]
        node.estimate = default
        value = look_at_child(move, index, position, child, flips, entry, level, node, context)
        if value != NO_VALUE:
            node.move_index = node.best_index = index
            return value
        score = node.score
        if node.depth >= context.estimate_depth:
            score += node.estimate * context.estimate_weight
        scores[index] = score
    return NO_VALUE


def clamp(value: float) -> float:
    """Limit a value to the range of evaluations."""
    return max(-float(SCORE_LIMIT), min(float(SCORE_LIMIT), value))


def static_value(
    position: Any, move: int, child: Any, flips: bool, level: int, context: Context
) -> float:
    """The value of a child without a search, from its parent's perspective."""
    value = outcome(child)
    if value == ONGOING:
        advance(context.states, level, position, move, child, context.weights)
        return value_above(flips, evaluate(child, context.states, level + 1, context.weights))
    return value_above(flips, clamp(value))


def child_entry(
    position: Any,
    move: int,
    child: Any,
    position_key: Any,
    level: int,
    node: Node,
    context: Context,
) -> Any:
    """The data of a child's entry, or 0."""
    child_key = search_key(child, context)
    if watches_cycles(context):
        child_node = context.nodes[level + 1]
        advance_path(position, move, position_key, node, child_node, context)
        child_key = table_key(
            child_key,
            child_node.path_hash,
            child_node.reversible_plies,
            node.depth - ONE_PLY,
            context,
        )
    return probe(child_key, context)


def next_move(node: Node, context: Context) -> bool:
    """Make the next move the present one; return False if all have been tried."""
    rank = node.tried
    if rank >= node.move_count:
        return False
    index = rank
    if context.sorts_moves != 0:
        index = pick_best(rank, node, context)
    node.move_index = index
    node.move = context.moves[node.moves_start + index]
    node.tried = rank + 1
    return True


def pick_best(rank: int, node: Node, context: Context) -> int:
    """Bring the best of the untried moves to `rank`; return its index.

    The others keep their order, so that ties stay in the order of generation.
    """
    order = offset(context.move_order, node.moves_start)
    scores = offset(context.move_scores, node.moves_start)
    best, score = rank, scores[rank]
    for other in range(rank + 1, node.move_count):
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

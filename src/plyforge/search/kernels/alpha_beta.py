"""Fail-soft alpha-beta: the one function that recurses.

A node passes through these phases: it is opened (ends of the game, path, table, evaluation); steps
may end it before its moves exist; its moves are listed and sorted; each move gets a plan (depth and
window, or it is skipped), is searched and gives its value; the node is closed.  `node` holds the
code, `phases` declares where steps act, and `search.steps` has a file for each step.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    advance,
    begin,
    context_at,
    copy_state,
    keeps_turn,
    load_flag,
    play,
)
from plyforge.search.kernels.context import ASK, NO_VALUE, Context
from plyforge.search.kernels.node import (
    close_node,
    expand_node,
    may_be_cut,
    open_node,
    prepare_asked,
    prepare_child,
    prepare_root,
    record_cut,
    take_value,
)
from plyforge.search.kernels.ordering import next_move
from plyforge.search.kernels.phases import (
    after_search,
    before_moves,
    early_steps,
    plan_move,
    search_again,
)
from plyforge.search.kernels.values import value_above, window_high, window_low


def search(
    position: Any, level: int, depth: int, alpha: float, beta: float, context: Context
) -> float:
    """Return a number L that bounds the true value V of the position, `depth` sixteenths deep.

    L <= alpha: V <= L.  L >= beta: V >= L.  Between them: V = L.  All are from the perspective of
    the side to move, with wins counted from the root.  Once the stop flag is set, L is
    meaningless.
    """
    node = context.nodes[level]
    child_node = context.nodes[level + 1]
    value = open_node(position, level, depth, alpha, beta, node, context)
    if value != NO_VALUE:
        return value
    for step in range(early_steps() if may_be_cut(node) else 0):
        value = before_moves(step, position, level, node, context)
        while value == ASK:
            child, flips = position, False
            if node.asked_move >= 0:
                child = play(position, node.asked_move)
                flips = not keeps_turn(position, child)
                move = node.asked_move
                advance(context.states, level, position, move, child, context.weights)
            else:
                copy_state(context.states, level)
            prepare_asked(flips, node, child_node, context)
            low, high = node.asked_low, node.asked_high
            lower, upper = window_low(flips, low, high), window_high(flips, low, high)
            value = value_above(
                flips, search(child, level + 1, node.asked_depth, lower, upper, context)
            )
            if load_flag(context) != 0:
                return value
            value = after_search(step, value, position, level, node, context)
        if value != NO_VALUE:
            return value
    value = expand_node(position, level, node, context)
    if value != NO_VALUE:
        return value
    while next_move(node, context):
        child = play(position, node.move)
        advance(context.states, level, position, node.move, child, context.weights)
        flips = not keeps_turn(position, child)
        prepare_child(position, flips, node, child_node, context)
        if not plan_move(position, child, level, node, context):
            node.skipped += 1
            continue
        again = True
        while again:
            low, high = node.child_low, node.child_high
            lower, upper = window_low(flips, low, high), window_high(flips, low, high)
            value = value_above(
                flips, search(child, level + 1, node.child_depth, lower, upper, context)
            )
            if load_flag(context) != 0:
                return value
            node.child_proven &= child_node.proven
            again = search_again(value, flips, level, node, context)
        if take_value(value, level, node, context):
            record_cut(position, level, node, context)
            break
    return close_node(level, node, context)


def search_root(position: Any, depth: int, alpha: float, beta: float, address: Any) -> float:
    """Run `search` from the root; `address` is that of the context."""
    context = context_at(address)
    prepare_root(context.nodes[0], context)
    begin(position, context.states, context.weights)
    # Recursion needs arguments of exactly the declared types; a literal has another.
    return search(position, np.int64(0), depth, alpha, beta, context)

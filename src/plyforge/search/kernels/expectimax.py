"""Fail-soft alpha-beta for games of chance: takes the place of `alpha_beta.search` for them.

Nodes where a player moves are as in `alpha_beta`, except that steps cannot ask for searches of
their own.  Nodes where chance moves have the expected value of their outcomes; `outcomes` has the
code.  They take no depth: a depth of 2 plies is a move, chance, and a reply.

A kernel of its own keeps that of other games as small as it is (docs/decisions/0027).
"""

from typing import Any

from plyforge.compilation.hooks_api import advance, chance, keeps_turn, load_flag, play
from plyforge.search.kernels.context import NO_VALUE, Context
from plyforge.search.kernels.node import (
    close_node,
    expand_node,
    open_node,
    prepare_child,
    record_cut,
    take_value,
)
from plyforge.search.kernels.ordering import next_move
from plyforge.search.kernels.outcomes import (
    close_chance,
    close_probe,
    expand_chance,
    next_outcome,
    take_outcome,
)
from plyforge.search.kernels.phases import plan_move, search_again
from plyforge.search.kernels.values import value_above, window_high, window_low


def search_with_chance(
    position: Any, level: int, depth: int, alpha: float, beta: float, context: Context
) -> float:
    """Return a number L that bounds the expected value V of the position, as `alpha_beta.search`.

    Where `max_tries` of the node is not 0, the search is a probe: it tries so many moves at most,
    and L > alpha is a lower bound; L <= alpha means nothing.
    """
    node = context.nodes[level]
    child_node = context.nodes[level + 1]
    value = open_node(position, level, depth, alpha, beta, node, context)
    if value != NO_VALUE:
        return value
    if chance(position):
        value = expand_chance(position, level, node, context)
        if value != NO_VALUE:
            return value
        ended = False
        while not ended and next_outcome(node, context):
            child = play(position, node.move)
            advance(context.states, level, position, node.move, child, context.weights)
            flips = not keeps_turn(position, child)
            low, high = node.child_low, node.child_high
            prepare_child(position, flips, node, child_node, context)
            node.child_low, node.child_high = low, high
            child_node.max_tries = context.star2_probes if node.probing != 0 else 0
            if node.probing != 0 and chance(child):
                continue
            lower, upper = window_low(flips, low, high), window_high(flips, low, high)
            value = value_above(
                flips, search_with_chance(child, level + 1, node.depth, lower, upper, context)
            )
            if load_flag(context) != 0:
                return value
            node.proven &= child_node.proven
            ended = take_outcome(value, flips, level, node, context)
        return close_chance(ended, node, context)
    value = expand_node(position, level, node, context)
    if value != NO_VALUE:
        return value
    while next_move(node, context):
        child = play(position, node.move)
        advance(context.states, level, position, node.move, child, context.weights)
        flips = not keeps_turn(position, child)
        prepare_child(position, flips, node, child_node, context)
        child_node.max_tries = 0
        if not plan_move(position, child, level, node, context):
            node.skipped += 1
            continue
        again = True
        while again:
            low, high = node.child_low, node.child_high
            lower, upper = window_low(flips, low, high), window_high(flips, low, high)
            value = value_above(
                flips, search_with_chance(child, level + 1, node.child_depth, lower, upper, context)
            )
            if load_flag(context) != 0:
                return value
            node.child_proven &= child_node.proven
            again = search_again(value, flips, level, node, context)
        if take_value(value, level, node, context):
            record_cut(position, level, node, context)
            break
        if node.max_tries > 0 and node.max_tries <= node.tried < node.move_count:
            return close_probe(node, context)
    return close_node(level, node, context)

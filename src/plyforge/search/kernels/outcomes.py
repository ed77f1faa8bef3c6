"""A node where chance moves: its outcomes, the bounds of their values, and its expected value.

Every outcome has a lower and an upper bound of its value, at first the ends of the game's range.  A
search turns them into a value, or into a better bound.  If the upper bounds add up to no more than
the lower end of the node's window, or the lower bounds to at least its upper end, no other outcome
matters: that is Star1.  A probe searches only the first moves after an outcome, which is cheap and
improves one of its two bounds: with probes of all outcomes before their searches, it is Star2.
(Ballard 1983.)

Sums are exact in this sense: floating-point sums in a fixed order grow with each summand, so a sum
of lower bounds is never above the sum of the values, and a sum of upper bounds never below it.
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import chance_outcomes, move_limit, offset, value_limit
from plyforge.game.kernels.probabilities import are_probabilities
from plyforge.search.kernels.context import (
    NO_VALUE,
    TOO_DEEP,
    TOO_MANY_MOVES,
    Context,
    Node,
)
from plyforge.search.kernels.counting import count_distinct, count_interior
from plyforge.search.kernels.ends import report_fault
from plyforge.search.kernels.node import path_key, store_result
from plyforge.search.kernels.table import EXACT, LOWER, UPPER
from plyforge.search.kernels.values import next_below, to_float32

BAD_PROBABILITIES: Final = 4
"""A fault of the game: probabilities that are not positive, or do not add up to 1."""
BAD_RESULT: Final = 5
"""A fault of the game: a final score outside of its range."""
_MARGIN: Final = 1e-12
"""By how much, as a share of the range, windows of outcomes are widened against rounding."""


def expand_chance(position: Any, level: int, node: Node, context: Context) -> float:
    """List a node's outcomes with the widest bounds; return `NO_VALUE`, or 0 after a fault."""
    buffer = offset(context.moves, node.moves_start)
    probabilities = offset(context.move_scores, node.moves_start)
    count = chance_outcomes(position, buffer, probabilities)
    if count > move_limit():
        context.fault_count = count
        report_fault(TOO_MANY_MOVES, level, context)
        return 0.0
    if not are_probabilities(count, probabilities):
        report_fault(BAD_PROBABILITIES, level, context)
        return 0.0
    if level + 1 >= context.levels:
        report_fault(TOO_DEEP, level, context)
        return 0.0
    count_interior(context)
    if context.distinct_bits > 0:
        count_distinct(path_key(node, context), context)
    lows = offset(context.outcome_lows, node.moves_start)
    highs = offset(context.outcome_highs, node.moves_start)
    for index in range(count):
        lows[index] = 0.0 - value_limit()
        highs[index] = value_limit()
    node.move_count = count
    node.tried = 0
    node.best_index = -1
    node.probing = 1 if probes_outcomes(node, context) else 0
    context.nodes[level + 1].moves_start = node.moves_start + count
    return NO_VALUE


def uses_bounds(context: Context) -> bool:
    """Whether bounds may end a node before the values of all outcomes are known."""
    return context.prune != 0 and context.star1 != 0


def probes_outcomes(node: Node, context: Context) -> bool:
    """Whether a node's outcomes are probed before they are searched."""
    bounded = node.low > 0.0 - value_limit() or node.high < value_limit()
    return (
        uses_bounds(context)
        and context.star2 != 0
        and node.depth >= context.star2_depth
        and bounded
    )


def next_outcome(node: Node, context: Context) -> bool:
    """Make the next outcome the present one, with its window; False if all values are known."""
    lows = offset(context.outcome_lows, node.moves_start)
    highs = offset(context.outcome_highs, node.moves_start)
    while True:
        while node.tried < node.move_count:
            index = node.tried
            node.tried += 1
            if lows[index] < highs[index]:
                node.move_index = index
                node.move = context.moves[node.moves_start + index]
                set_window(index, lows, highs, node, context)
                return True
        if node.probing == 0:
            return False
        node.probing = 0
        node.tried = 0


def set_window(index: int, lows: Any, highs: Any, node: Node, context: Context) -> None:
    """Find the window of an outcome: values outside of it end the node."""
    if context.prune == 0:
        node.child_low = -np.inf
        node.child_high = np.inf
        return
    low, high = lows[index], highs[index]
    if context.star1 != 0:
        probabilities = offset(context.move_scores, node.moves_start)
        below = above = 0.0
        for other in range(node.move_count):
            if other != index:
                below += probabilities[other] * lows[other]
                above += probabilities[other] * highs[other]
        share = probabilities[index]
        margin = _MARGIN * value_limit() / share
        needed = (node.low - above) / share - margin
        enough = (node.high - below) / share + margin
        if needed > low:
            low = round_down(needed)
        if enough < high:
            high = 0.0 - round_down(0.0 - enough)
        if not (lows[index] <= low < high <= highs[index]):
            low, high = lows[index], highs[index]
    node.child_low = low
    node.child_high = high


def round_down(value: float) -> float:
    """The greatest float32 that is not greater than a value within the range of float32."""
    nearest = to_float32(value)
    return nearest if nearest <= value else next_below(nearest)


def take_outcome(value: float, flips: bool, level: int, node: Node, context: Context) -> bool:
    """Take the value of the present outcome, or of its probe; return whether it ends the node."""
    lows = offset(context.outcome_lows, node.moves_start)
    highs = offset(context.outcome_highs, node.moves_start)
    index = node.move_index
    if not abs(value) <= value_limit():
        context.fault_value = value
        report_fault(BAD_RESULT, level, context)
        return True
    if node.probing != 0:
        context.star2_probed += 1
        # A probe bounds the value from below for the side that moves after the outcome.
        if flips and value < node.child_high:
            highs[index] = max(min(highs[index], value), lows[index])
        elif not flips and value > node.child_low:
            lows[index] = min(max(lows[index], value), highs[index])
    elif value <= node.child_low:
        highs[index] = max(min(highs[index], value), lows[index])
    elif value >= node.child_high:
        lows[index] = min(max(lows[index], value), highs[index])
    else:
        lows[index] = value
        highs[index] = value
    if uses_bounds(context) and ends_by_bounds(lows, highs, node, context):
        return True
    if node.probing == 0 and lows[index] < highs[index]:
        # Rounding has made the window too narrow: search the outcome again.
        node.tried -= 1
    return False


def ends_by_bounds(lows: Any, highs: Any, node: Node, context: Context) -> bool:
    """Whether the bounds of all outcomes put the node's value outside of its window."""
    probabilities = offset(context.move_scores, node.moves_start)
    below = weighted_sum(node.move_count, probabilities, lows)
    above = weighted_sum(node.move_count, probabilities, highs)
    if above <= node.low:
        node.best = to_float32(above)
    elif below >= node.high:
        node.best = to_float32(below)
    else:
        return False
    if node.probing != 0:
        context.star2_cuts += 1
    else:
        context.star1_cuts += 1
    return True


def weighted_sum(count: int, probabilities: Any, values: Any) -> float:
    """The sum of values, each times its probability, in the order of outcomes."""
    total = 0.0
    for index in range(count):
        total += probabilities[index] * values[index]
    return total


def close_chance(ended: bool, node: Node, context: Context) -> float:
    """Return the value of a node where chance moves, and store it as a bound or as exact."""
    if not ended:
        probabilities = offset(context.move_scores, node.moves_start)
        lows = offset(context.outcome_lows, node.moves_start)
        node.best = to_float32(weighted_sum(node.move_count, probabilities, lows))
    node.proven &= node.table_proven
    bound = EXACT
    if node.best <= node.alpha:
        bound = UPPER
    elif node.best >= node.beta:
        bound = LOWER
    store_result(node.depth, node.best, bound, -1, node, context)
    return node.best


def close_probe(node: Node, context: Context) -> float:
    """Return a lower bound of a node of which a probe has tried some moves, and store it.

    A value that is not above the window's lower end means nothing.
    """
    if node.best > node.alpha:
        store_result(node.depth, node.best, LOWER, node.best_index, node, context)
    return max(node.best, node.low)

"""ProbCut: a shallow search predicts a deeper one, by a line fitted to pairs of their values.

The deep value is taken to be a * shallow + b, with a normal error of deviation sigma.  Fitted
numbers lie in one array: the number of phases, the greatest depth, the number of shallow depths for
each depth; then, for every depth, phase and shallow depth, four numbers: shallow depth (0 if there
is none), a, b and sigma.
"""

from typing import Any, Final

from plyforge.compilation.hooks_api import in_check, phase
from plyforge.search.kernels.context import NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.kernels.horizon import static_value_of
from plyforge.search.kernels.node import ask_search
from plyforge.search.kernels.values import is_decided, next_above, next_below, to_float32

HEAD: Final = 3
WIDTH: Final = 4


def ask_next(
    first: int,
    fit: Any,
    threshold: float,
    gate: float,
    position: Any,
    level: int,
    node: Node,
    context: Context,
) -> float:
    """Ask for the next shallow search that may cut the node, from number `first` on.

    Even numbers ask whether the value is above the window, odd ones whether it is below it, for
    each shallow depth in turn.  `threshold` and `gate` are in deviations.  A search is not worth it
    if the static value is more than `gate` on the wrong side of what it has to reach.
    """
    depth = node.depth // ONE_PLY
    if depth > int(fit[1]) or in_check(position):
        return NO_VALUE
    choices = int(fit[2])
    stage = min(max(phase(position), 0), int(fit[0]) - 1)
    start = HEAD + WIDTH * choices * (depth * int(fit[0]) + stage)
    for number in range(first, 2 * choices):
        row = start + WIDTH * (number // 2)
        shallow, slope, shift, sigma = int(fit[row]), fit[row + 1], fit[row + 2], fit[row + 3]
        if shallow == 0:
            return NO_VALUE
        if number % 2 == 0:
            if is_decided(node.high):
                continue
            bound = to_float32((node.high + threshold * sigma - shift) / slope)
            if bound > context.max_evaluation:
                continue
            if static_value_of(position, level, node, context) < bound - gate * sigma:
                continue
            node.asked_number = number
            return ask_search(-1, shallow * ONE_PLY, next_below(bound), bound, node)
        if is_decided(node.low):
            continue
        bound = to_float32((node.low - threshold * sigma - shift) / slope)
        if bound < context.min_evaluation:
            continue
        if static_value_of(position, level, node, context) > bound + gate * sigma:
            continue
        node.asked_number = number
        return ask_search(-1, shallow * ONE_PLY, bound, next_above(bound), node)
    return NO_VALUE


def predicted_cut(value: float, node: Node) -> float:
    """Return the bound that the result of a shallow search predicts, or `NO_VALUE`."""
    if node.asked_number % 2 == 0:
        return node.high if value >= node.asked_high else NO_VALUE
    return node.low if value <= node.asked_low else NO_VALUE

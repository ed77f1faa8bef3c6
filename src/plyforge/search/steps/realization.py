"""Realization probability: the less likely a kind of move is to be played, the more depth it costs.

Moves fall into categories; how often the best move is in one of them is found by
`plyforge fit GAME realization`, as a fractional depth for each.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

from plyforge.compilation.hooks_api import exchange, in_check, move_kind
from plyforge.search.fits import FitForm, Row
from plyforge.search.kernels.context import ONE_PLY, Context, Node
from plyforge.search.kernels.extending import extend, takes_back
from plyforge.search.kernels.reducing import reduce_move, undo_reduction
from plyforge.search.parameters import plies

NAME = "realization-probability"
SUMMARY = (
    "a move costs more depth than a ply, or less, by how often moves of its category are played"
)
PAPER = "Tsuruoka, Yokoyama, Chikayama 2002"
EXACT = False
ON = False
HOOKS = ("move_kind",)
CONFLICTS = ("lmr",)
PARAMETERS = (plies("realization-depth", 3, "the minimum remaining depth", 2),)
MIN_DEPTH = "realization-depth"
COUNTERS = {
    "realization_reductions": "moves that cost more than a ply",
    "realization_extensions": "moves that cost less than a ply",
    "realization_researches": "reduced moves that were searched again with full depth",
}
KINDS: Final = 8
"""Kinds of moves that are told apart; higher numbers count as the last."""
CATEGORIES: Final = 16 * KINDS


def fitted_numbers(rows: Sequence[Row]) -> list[float]:
    """Return the depth that a move of each category costs, in sixteenths of a ply."""
    numbers = [float(ONE_PLY)] * CATEGORIES
    for place, row in enumerate(rows):
        category, depth = int(row["category"]), row["plies"]
        if not 0 <= category < CATEGORIES or not 0 < depth <= 16:
            raise ValueError(f"row {place + 1}: category {category} costs {depth:g} plies")
        numbers[category] = float(max(1, round(depth * ONE_PLY)))
    return numbers


FIT = FitForm("realization", ("category", "plies"), fitted_numbers)


def category_of(kind: int, checks: bool, loses: bool, recaptures: bool, evades: bool) -> int:
    """Return the number of a category of moves."""
    flags = int(checks) + 2 * int(loses) + 4 * int(recaptures) + 8 * int(evades)
    return KINDS * flags + min(max(kind, 0), KINDS - 1)


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    move = node.move
    category = category_of(
        move_kind(position, move),
        in_check(child),
        exchange(position, move) < 0,
        takes_back(position, level, node, context),
        in_check(position),
    )
    reduction = int(context.realization_probability_fit[category]) - ONE_PLY
    if reduction < 0:
        if extend(-reduction, level, node, context):
            context.realization_extensions += 1
        return True
    # At least one ply is searched.
    reduction = min(reduction, node.child_depth - ONE_PLY)
    if node.tried == 1 or reduction <= 0 or node.low == -math.inf:
        return True
    context.realization_reductions += 1
    reduce_move(reduction, node)
    return True


def search_again(value: float, flips: bool, level: int, node: Node, context: Context) -> bool:
    if not undo_reduction(value, node, context):
        return False
    context.realization_researches += 1
    return True

"""The history heuristic: moves that caused cuts anywhere in the tree."""

from typing import Any

from plyforge.compilation.hooks_api import slot_limit
from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.cuts import POWER, SQUARE, add_clamped
from plyforge.search.parameters import choice, integer
from plyforge.search.steps.step import Array

NAME = "history"
SUMMARY = "moves that caused cuts anywhere in the tree are tried earlier, by side and move slot"
PAPER = "Schaeffer 1983, 1989; Mańdziuk, Osman 2004"
EXACT = True
PARAMETERS = (
    choice(
        "history-growth",
        "square",
        "what a cut at remaining depth d adds: d^2 or 2^d",
        {"square": SQUARE, "power": POWER},
    ),
    integer(
        "history-penalty",
        16,
        "what a cut subtracts from the quiet moves tried before it, in sixteenths of what it adds",
        0,
        16,
    ),
    integer(
        "history-ageing", 0, "between iterations histories are divided by 2 to this power", 0, 40
    ),
)
ARRAYS = (Array("history_scores", lambda sizes: 2 * sizes.slots, between="age"),)


def score_move(
    move: int, slot: int, position: Any, level: int, node: Node, context: Context
) -> float:
    return context.history_scores[node.side * slot_limit() + slot] * context.history_weight


def learn_move(slot: int, change: int, level: int, node: Node, context: Context) -> None:
    place = node.side * slot_limit() + slot
    context.history_scores[place] = add_clamped(context.history_scores[place], change)

"""Fastest first: moves that leave the other side few replies come first, near the end."""

from typing import Any

from plyforge.compilation.hooks_api import mobility, plies_left
from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.parameters import integer

NAME = "fastest-first"
SUMMARY = (
    "moves are ordered by the number of replies that they leave, the fewest first, where all games"
    " end within the depth"
)
PAPER = "Andersson, Writing an Othello program; Buro, The evolution of strong Othello programs"
EXACT = True
ON = False
HOOKS = ("mobility", "plies_left")
PARAMETERS = (
    integer(
        "fastest-first-plies",
        24,
        "the maximum number of plies that are left; with more, moves are ordered as elsewhere",
        1,
        1000,
    ),
)
MIN_DEPTH = 2
ESTIMATES = True


def look_at_child(
    move: int,
    index: int,
    position: Any,
    child: Any,
    flips: bool,
    entry: Any,
    level: int,
    node: Node,
    context: Context,
) -> float:
    if node.to_end != 0 and plies_left(position) <= context.fastest_first_plies:
        replies = mobility(child)
        node.estimate = float(-replies if flips else replies)
    return NO_VALUE

"""Moves that win at once are tried early."""

from typing import Any

from plyforge.compilation.hooks_api import outcome
from plyforge.core.scores import WIN
from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.kernels.values import is_decided, value_above
from plyforge.search.parameters import plies

NAME = "wins"
SUMMARY = "moves that win at once are tried early"
PAPER = "Koneru"
EXACT = True
ON = False
SOURCE = "wins"
PARAMETERS = (plies("wins-depth", 2, "the minimum remaining depth, in plies", 1),)
MIN_DEPTH = "wins-depth"
COUNTERS = {"cuts_by_win": "cuts by a winning move that neither the table nor a killer proposed"}


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
    if value_above(flips, outcome(child)) == WIN:
        node.score = max(node.score, context.wins_bonus)
    return NO_VALUE


def on_cut(position: Any, level: int, node: Node, context: Context) -> None:
    if node.cut_source == 0 and is_decided(node.best):
        node.cut_source = 1
        context.cuts_by_win += 1

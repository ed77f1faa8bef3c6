"""The last plies by the game's own solver."""

from typing import Any

from plyforge.compilation.hooks_api import finish
from plyforge.core.contract import FINISH_WORDS
from plyforge.core.scores import ONGOING
from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.kernels.values import from_root, to_float32
from plyforge.search.steps.step import Array

NAME = "finish"
SUMMARY = "the game's own function `finish` searches the last plies, without table and ordering"
PAPER = "common practice in Othello programs, as in Zebra and Edax"
EXACT = True
ON = False
HOOKS = ("finish", "plies_left")
COUNTERS = {"finished": "nodes that `finish` has searched"}
ARRAYS = (Array("finish_words", lambda sizes: FINISH_WORDS),)


def near_end(position: Any, level: int, node: Node, context: Context) -> float:
    words = context.finish_words
    words[0] = 0
    value = finish(position, node.low, node.high, words)
    if value == ONGOING:
        return NO_VALUE
    context.finished += 1
    # The node itself is counted by the search.
    others = max(words[0] - 1, 0)
    context.leaves += others
    context.budget -= others
    return from_root(to_float32(value), node.ply)

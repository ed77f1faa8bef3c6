"""Prefetching: a child's entry is on its way from memory before the child is searched."""

from typing import Any

from plyforge.compilation.hooks_api import prefetch
from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.cycles import table_key
from plyforge.search.kernels.keys import search_key
from plyforge.search.kernels.table import place_of, spread_key

NAME = "prefetch"
SUMMARY = "a child's entry is loaded into the processor's cache before the child is searched"
PAPER = "common practice, as in Crafty and Stockfish"
EXACT = True
NEEDS = ("table",)
ON = False


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    if node.child_depth > 0:
        child_node = context.nodes[level + 1]
        child_key = table_key(
            search_key(child, context),
            child_node.path_hash,
            child_node.reversible_plies,
            node.child_depth,
            context,
        )
        prefetch(context.entries, place_of(spread_key(child_key), context))
    return True

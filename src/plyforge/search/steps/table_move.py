"""The table's move first."""

from typing import Any

from plyforge.search.kernels.context import Context, Node
from plyforge.search.parameters import MAX_PLIES, PLIES, Parameter

NAME = "table-move"
SUMMARY = "the best move of the position's entry is tried first"
PAPER = "Slate, Atkin 1977; Duarte, Otsuka, Julia"
EXACT = True
NEEDS = ("table",)
SOURCE = "table"
PARAMETERS = (
    Parameter(
        "table-move-depth",
        -1,
        "how many plies shallower than the node an entry may be for its move to be tried first, not"
        " at the root (2 in Duarte, Otsuka, Julia); -1 for any entry",
        -1,
        MAX_PLIES,
        unit=PLIES,
    ),
)
COUNTERS = {"cuts_by_table_move": "cuts by the move that the table proposed"}


def promote_move(
    move: int, index: int, position: Any, level: int, node: Node, context: Context
) -> float:
    return context.table_move_bonus if index == node.table_move else 0.0


def on_cut(position: Any, level: int, node: Node, context: Context) -> None:
    if node.move_index == node.table_move:
        node.cut_source = 1
        context.cuts_by_table_move += 1

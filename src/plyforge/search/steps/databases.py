"""Endgame databases: positions in a database have exact values, with the distance to the end."""

from typing import Any

from plyforge.core.scores import ONGOING
from plyforge.database.kernels.probing import LEFT_OUT, database_value
from plyforge.search.kernels.context import ASK, NO_VALUE, Context, Node
from plyforge.search.kernels.values import from_root
from plyforge.search.parameters import Parameter

NAME = "databases"
SUMMARY = "take the values of positions that are in an endgame database from there"
PAPER = "Schaeffer et al. 1992; Thompson 1986"
EXACT = True
RULE = True
PARAMETERS = (
    Parameter("database", "", "the folder of a database of `plyforge database build`", folder=True),
)
COUNTERS = {"database_hits": "positions whose value came from a database"}


def known_value(position: Any, level: int, node: Node, context: Context) -> float:
    value = database_value(position, context.database)
    if value == ONGOING:
        return NO_VALUE
    if value == LEFT_OUT:
        return ASK
    context.database_hits += 1
    return from_root(value, node.ply)

"""Endgame databases: positions in a database have exact values, with the distance to the end.

A slice may have wins, draws and losses alone.  Its wins have the value `KNOWN_WIN`, so the search
prefers those whose way to the end it sees, and then those that it reaches soon.  If the root is in
such a slice, all its winning moves have the same value.  So won and lost positions of that slice
are searched on, until captures or other moves lead to another slice; at the horizon the evaluation
decides between those that are still in it.  Such values are not proven: a deeper search may see the
way.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import value_limit
from plyforge.core.scores import ONGOING
from plyforge.database.kernels.probing import LEFT_OUT, OPEN_WIN, database_value
from plyforge.search.kernels.context import ASK, NO_VALUE, Context, Node
from plyforge.search.kernels.ends import evaluate_node
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


_EVALUATION_RANGE = 200_000.0
"""The influence of the evaluation on the value of a win in the root's slice."""


def known_value(position: Any, level: int, node: Node, context: Context) -> float:
    value = database_value(position, context.database)
    if value == ONGOING:
        return NO_VALUE
    if value == LEFT_OUT:
        return ASK
    if value == OPEN_WIN or value == -OPEN_WIN:
        if node.depth > 0:
            return NO_VALUE
        share = evaluate_node(position, level, context) / value_limit()
        value += np.floor(_EVALUATION_RANGE * share)
        node.proven = 0
    context.database_hits += 1
    return from_root(value, node.ply)

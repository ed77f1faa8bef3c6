"""Mate-distance pruning: an exact step.

No line through a node that is `ply` moves away from the root can win or lose faster than at once.
If a faster win is already known, the node need not be searched.
"""

from plyforge.rules import WIN
from plyforge.steps import NO_VALUE

NAME = "mate-distance"
SUMMARY = "nodes that are too far away for a faster win or loss are not searched"
PAPER = "common in chess programs"
EXACT = True
COUNTERS = {"mate_distance_cuts": "nodes that were too far away"}


def before_moves(position, level, node, context):
    fastest = float(WIN - node.ply)
    if node.low >= fastest:
        context.mate_distance_cuts += 1
        return fastest
    if node.high <= -fastest:
        context.mate_distance_cuts += 1
        return -fastest
    return NO_VALUE

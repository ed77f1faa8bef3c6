"""Static cutoffs: forward pruning near the leaves.

A node whose static evaluation is far above its window is not searched.  That is wrong where the
evaluation does not see a threat, so the step is not exact.  Engines call it reverse futility
pruning.
"""

from plyforge.steps import NO_VALUE, ONE_PLY, evaluate_node, in_check, integer, is_decided, real

NAME = "static-cut"
SUMMARY = "nodes near the leaves whose evaluation is far above the window are not searched"
PAPER = "reverse futility pruning, as in current chess programs"
EXACT = False
PARAMETERS = (
    integer("static-cut-plies", 2, "the maximum remaining depth, in plies", 1, 8),
    real("static-cut-margin", 3.0, "evaluation units per remaining ply", 0.0, 1000.0),
)
COUNTERS = {"static_cuts": "nodes that were not searched"}


def before_moves(position, level, node, context):
    plies = (node.depth + ONE_PLY - 1) // ONE_PLY
    if plies > context.static_cut_plies or in_check(position) or is_decided(node.high):
        return NO_VALUE
    value = evaluate_node(position, level, context)
    if value - plies * context.static_cut_margin < node.high:
        return NO_VALUE
    context.static_cuts += 1
    return value

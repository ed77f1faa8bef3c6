"""The frames of a worker: its path from the root, and the positions on it."""

from typing import Any

from plyforge.compilation.hooks_api import advance, begin, copy_state, play
from plyforge.search.kernels.context import Context
from plyforge.search.kernels.node import prepare_root
from plyforge.search.kernels.team import OPEN, PV_NODE, Frame, Worker


def frame_at(level: int, context: Context) -> Frame:
    """The frame of a level of this worker."""
    team = context.team[0]
    return team.frames[context.worker * team.levels + level]


def replay(root: Any, level: int, context: Context) -> Any:
    """The position at a level, by playing the moves that lead there."""
    position = root
    for above in range(level):
        position = child_of(position, above, context)
    return position


def child_of(position: Any, level: int, context: Context) -> Any:
    """The position at the next level, from that at a level."""
    if searches_itself(level, context):
        return position
    return play(position, context.nodes[level].move)


def searches_itself(level: int, context: Context) -> bool:
    """Whether the child of a level is the same position, which an early step asked for."""
    return frame_at(level, context).asked != 0 and context.nodes[level].asked_move < 0


def rebuild_states(root: Any, level: int, context: Context) -> None:
    """Compute the evaluation's states on the way to a level."""
    begin(root, context.states, context.weights)
    position = root
    for above in range(level):
        if searches_itself(above, context):
            copy_state(context.states, above)
            continue
        move = context.nodes[above].move
        child = play(position, move)
        advance(context.states, above, position, move, child, context.weights)
        position = child


def start_at_root(root: Any, worker: Worker, context: Context) -> None:
    """Give the root to a worker."""
    team = context.team[0]
    prepare_root(context.nodes[0], context)
    begin(root, context.states, context.weights)
    worker.level = worker.base = 0
    frame = frame_at(0, context)
    frame.phase = OPEN
    frame.depth = team.root_depth
    frame.alpha = team.alpha
    frame.beta = team.beta
    frame.kind = PV_NODE
    frame.leftmost = 1
    frame.uncertain = 0

"""Nodes of jobs: put into the context, changed there, and kept until the next message.

The node functions of the search work on the context of one path.  A process has many open jobs on
different paths, so it plays the moves from the root again whenever it turns to another one.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    advance,
    begin,
    copy_record,
    keeps_turn,
    key,
    offset,
    play,
)
from plyforge.search.distributed.jobs import path_of
from plyforge.search.distributed.process import OPEN, Job, Process
from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.node import prepare_child, prepare_root


def follow_path(root: Any, number: int, context: Context) -> Any:
    """Return a job's position, and fill the context on the way there."""
    process = context.process[0]
    path = path_of(number, process)
    prepare_root(context.nodes[0], context)
    begin(root, context.states, context.weights)
    note_key(root, context.nodes[0], context)
    position = root
    for level in range(process.jobs[number].level):
        node = context.nodes[level]
        node.move = path[level]
        child = play(position, node.move)
        advance(context.states, level, position, node.move, child, context.weights)
        flips = not keeps_turn(position, child)
        prepare_child(position, flips, node, context.nodes[level + 1], context)
        note_key(child, context.nodes[level + 1], context)
        position = child
    return position


def note_key(position: Any, node: Node, context: Context) -> None:
    """Write a position's key to the path, where repetitions are looked for."""
    if context.needs_keys != 0:
        context.path[context.plies_before_root + node.ply] = np.uint64(key(position))


def load_job(root: Any, number: int, context: Context) -> Any:
    """Put the node of an open job into the context; return its position."""
    process = context.process[0]
    job = process.jobs[number]
    if process.loaded == number:
        position = root
        path = path_of(number, process)
        for level in range(job.level):
            position = play(position, path[level])
        return position
    position = follow_path(root, number, context)
    process.loaded = number
    node = context.nodes[job.level]
    copy_record(node, process.nodes[job.place])
    first = job.place * process.max_moves
    copy_words(context.moves, offset(process.moves, first), node.move_count)
    copy_words(context.move_order, offset(process.move_order, first), node.move_count)
    copy_words(context.move_scores, offset(process.move_scores, first), node.move_count)
    line = offset(process.lines, job.place * process.levels)
    copy_words(offset(context.variation, job.level * context.levels), line, node.line_length)
    context.nodes[job.level + 1].moves_start = node.move_count
    return position


def keep_job(number: int, context: Context) -> None:
    """Keep the node of an open job, so that the context can be used for others."""
    process = context.process[0]
    job = process.jobs[number]
    if job.state != OPEN:
        return
    node = context.nodes[job.level]
    copy_record(process.nodes[job.place], node)
    first = job.place * process.max_moves
    copy_words(offset(process.moves, first), context.moves, node.move_count)
    copy_words(offset(process.move_order, first), context.move_order, node.move_count)
    copy_words(offset(process.move_scores, first), context.move_scores, node.move_count)
    line = offset(process.lines, job.place * process.levels)
    copy_words(line, offset(context.variation, job.level * context.levels), node.line_length)


def copy_words(target: Any, source: Any, count: int) -> None:
    for index in range(count):
        target[index] = source[index]


def take_place(number: int, job: Job, process: Process) -> None:
    """Give an open job a place for its node; the caller has made sure that one is free."""
    process.free_place_count -= 1
    job.place = process.free_places[process.free_place_count]
    job.state = OPEN
    process.loaded = number

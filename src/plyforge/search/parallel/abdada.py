"""ABDADA, simplified: all workers search the whole tree, and put off what another one searches.

Workers share the transposition table and a small table of the moves that are being searched.  A
worker skips such a move at first, and comes back when it has tried the others: by then the
transposition table often has its value.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import atomic_load, atomic_store
from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.node import path_key
from plyforge.search.kernels.table import spread_key
from plyforge.search.kernels.team import Frame, Worker

NAME = "abdada"
SUMMARY = "all threads search the same tree, and put off moves that another one is searching"
PAPER = "Weill 1996; simplified by Kerrigan"

BUSY_BITS = 14
WAYS = 4
"""Moves that share a place in the table of what is being searched."""


def move_mark(node: Node, context: Context) -> int:
    """A number, not 0, for a position and a move."""
    move_key = spread_key(np.int64(node.move + 1).view(np.uint64))
    mark: Any = np.uint64(spread_key(path_key(node, context) ^ move_key) | np.uint64(1))
    return mark.view(np.int64)  # type: ignore[no-any-return]


def mark_place(mark: int, context: Context) -> int:
    shift = np.uint64(64 - context.team[0].busy_bits)
    place: Any = np.int64(np.int64(mark).view(np.uint64) >> shift)
    return place * WAYS  # type: ignore[no-any-return]


def defers_move(level: int, frame: Frame, node: Node, worker: Worker, context: Context) -> bool:
    """Put the present move off if another worker searches it; return whether that was done."""
    team = context.team[0]
    if node.tried == 1 or frame.resumed > 0 or node.depth <= team.split_depth:
        return False
    mark = move_mark(node, context)
    place = mark_place(mark, context)
    for way in range(WAYS):
        if atomic_load(team.busy, place + way) == mark:
            put_off(level, frame, node, context)
            worker.deferrals += 1
            return True
    return False


def put_off(level: int, frame: Frame, node: Node, context: Context) -> None:
    team = context.team[0]
    first = (context.worker * team.levels + level) * team.max_moves
    team.deferred_moves[first + frame.deferred] = node.move_index
    frame.deferred += 1


def next_deferred_move(level: int, frame: Frame, node: Node, context: Context) -> bool:
    """Make the next move that was put off the present one; return False if there is none."""
    if frame.resumed >= frame.deferred:
        return False
    team = context.team[0]
    first = (context.worker * team.levels + level) * team.max_moves
    node.move_index = team.deferred_moves[first + frame.resumed]
    node.move = context.moves[node.moves_start + node.move_index]
    frame.resumed += 1
    return True


def start_move(frame: Frame, node: Node, context: Context) -> None:
    """Let other workers know that the present move is being searched."""
    team = context.team[0]
    if node.depth <= team.split_depth:
        return
    mark = move_mark(node, context)
    place = mark_place(mark, context)
    for way in range(WAYS):
        if atomic_load(team.busy, place + way) == 0:
            atomic_store(team.busy, place + way, mark)
            return
    atomic_store(team.busy, place, mark)


def finish_move(frame: Frame, node: Node, context: Context) -> None:
    """Let other workers know that the present move was searched."""
    team = context.team[0]
    if node.depth <= team.split_depth:
        return
    mark = move_mark(node, context)
    place = mark_place(mark, context)
    for way in range(WAYS):
        if atomic_load(team.busy, place + way) == mark:
            atomic_store(team.busy, place + way, 0)

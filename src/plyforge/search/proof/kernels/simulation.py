"""Simulation: does a result that was found on another path hold on this one, too?

The result was found by a tree of moves, of which the table still has the best ones.  The simulation
follows them (Kawano 1996): one move where the side that profits from the result is to move, every
move elsewhere.  The result holds if every line ends with it: at an end of the game, at a repetition
on the present path, or at a result that does not depend on the path.  No other node is searched, so
that this takes much less than a search; where it fails, the node is searched again.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    irreversible,
    keeps_turn,
    key,
    load_flag,
    move_limit,
    play,
    stuck,
)
from plyforge.game.kernels.path_ends import DRAWS, ILLEGAL
from plyforge.search.proof.kernels.context import MAX_RUN, NO_CYCLE, Frame, ProofContext
from plyforge.search.proof.kernels.ends import (
    disproof_of,
    drop_repeating_moves,
    enter_path,
    find_end,
    is_yes,
    leave_path,
    list_moves,
    node_key,
    prepare_child,
    proof_of,
)
from plyforge.search.proof.kernels.table import (
    DISPROOF_ELSEWHERE,
    PROOF_ELSEWHERE,
    base_key,
    cycle_at,
    disproof_at,
    elsewhere_at,
    find,
    longest_at,
    move_at,
    proof_at,
    run_at,
    store,
    twin_key,
)

_UNKNOWN = 2


def simulate(position: Any, level: int, wanted: int, context: ProofContext) -> int:
    """Return 1 if the answer `wanted` (1 for yes) is certain on this path, else 0.

    The node's frame says what the result depends on then.
    """
    frame = context.frames[level]
    known = known_answer(level, wanted, frame, context)
    if known != _UNKNOWN:
        return known
    index = context.before_root + level
    chosen = move_at(find(base_key(frame), context), context)
    context.simulation_budget -= 1
    if context.simulation_budget < 0 or load_flag(context) != 0:
        return 0
    if level + 3 >= context.levels or frame.start + move_limit() > context.children_size:
        return 0
    mine = frame.side == context.attacker
    picks = mine == (wanted == 1)
    enter_path(np.uint64(key(position)), index, context)
    holds = open_for_simulation(position, level, context)
    frame.cycle = NO_CYCLE if picks else frame.dropped
    run, longest = 0, 0
    if holds == _UNKNOWN:
        holds = 1
        if picks and not 0 <= chosen < frame.count:
            holds = 0
        for number in range(frame.count):
            if holds == 0 or (picks and number != chosen):
                continue
            move = context.moves[frame.start + number]
            child = play(position, move)
            flips = not keeps_turn(position, child)
            child_frame = context.frames[level + 1]
            prepare_child(position, move, flips, index, frame, child_frame)
            child_frame.key = node_key(child, child_frame.side, context)
            child_frame.run = child_frame.longest = 0
            if find_end(child, child_frame, level, context):
                holds = 1 if (child_frame.proof == 0) == (wanted == 1) else 0
            else:
                holds = simulate(child, level + 1, wanted, context)
            frame.cycle = min(frame.cycle, child_frame.cycle)
            if irreversible(position, move):
                longest = max(longest, child_frame.run, child_frame.longest)
            else:
                run = max(run, min(child_frame.run + 1, MAX_RUN))
                longest = max(longest, child_frame.longest)
    leave_path(index, context)
    if holds == 1:
        frame.run, frame.longest = run, longest
        keep_confirmed(chosen if picks else -1, wanted, index, frame, context)
    return holds


def known_answer(level: int, wanted: int, frame: Frame, context: ProofContext) -> int:
    """Whether the table confirms the answer, refutes it, or has at least a move to try."""
    place = find(base_key(frame), context)
    if place < 0:
        return 0
    frame.cycle = NO_CYCLE
    frame.run, frame.longest = run_at(place, context), longest_at(place, context)
    proof, disproof = proof_at(place, context), disproof_at(place, context)
    if proof == 0 or disproof == 0:
        return 1 if (proof == 0) == (wanted == 1) else 0
    elsewhere = elsewhere_at(place, context)
    twin = find(twin_key(frame), context)
    if twin >= 0:
        frame.cycle = cycle_at(twin, frame.first, context.before_root + level, context)
        frame.run, frame.longest = run_at(twin, context), longest_at(twin, context)
        return 1 if (proof_at(twin, context) == 0) == (wanted == 1) else 0
    bit = PROOF_ELSEWHERE if wanted == 1 else DISPROOF_ELSEWHERE
    return _UNKNOWN if elsewhere & bit != 0 else 0


def open_for_simulation(position: Any, level: int, context: ProofContext) -> int:
    """List a node's moves; return whether it holds if it has none, else `_UNKNOWN`."""
    frame = context.frames[level]
    index = context.before_root + level
    frame.dropped = NO_CYCLE
    frame.count = list_moves(position, frame.start, context)
    if context.repetition == ILLEGAL and frame.count > 0:
        frame.count = drop_repeating_moves(
            position, index, frame, context.frames[level + 1], context
        )
    context.frames[level + 1].start = frame.start + frame.count
    if frame.count == 0:
        is_yes(stuck(position), frame.side, context)
        # Rare, and left to the search.
        return 0
    return _UNKNOWN


def keep_confirmed(move: int, wanted: int, index: int, frame: Frame, context: ProofContext) -> None:
    """Store a result that a simulation has confirmed."""
    proof, disproof = frame.proof, frame.disproof
    if context.repetition == DRAWS and frame.cycle >= index:
        frame.cycle = NO_CYCLE
    frame.proof, frame.disproof = proof_of(wanted == 1), disproof_of(wanted == 1)
    frame.best, frame.work = move, 1
    if frame.cycle < NO_CYCLE:
        store(twin_key(frame), index, frame.cycle, 0, frame, context)
    else:
        store(base_key(frame), index, NO_CYCLE, 0, frame, context)
    frame.proof, frame.disproof = proof, disproof

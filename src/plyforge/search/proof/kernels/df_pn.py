"""Df-pn: depth-first proof-number search with a table (Nagai 2002).

A node is searched until its proof or disproof number reaches a limit.  The limit of the best child
lies a little above the second best (the 1 + ε trick of Pawlewicz and Lew 2007), so that the search
does not jump between two equal children.  Every call searches at least one child, so that it ends
in graphs with cycles, too, where numbers in the table may never reach the limits by themselves.

Results that depend on positions of the path are stored by path, and tested by simulation on other
paths; see `table` and `simulation`.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    context_at,
    has_cycles,
    irreversible,
    keeps_turn,
    key,
    load_flag,
    move_limit,
    play,
    stuck,
)
from plyforge.compilation.kernel import Kernel
from plyforge.game.kernels.path_ends import DRAWS, ILLEGAL
from plyforge.search.proof.kernels.context import (
    INFINITE,
    MAX_RUN,
    NO_CYCLE,
    TOO_DEEP,
    Frame,
    ProofContext,
)
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
    report_fault,
)
from plyforge.search.proof.kernels.numbers import combine, other_limit, own_limit
from plyforge.search.proof.kernels.simulation import simulate
from plyforge.search.proof.kernels.table import (
    DISPROOF_ELSEWHERE,
    PROOF_ELSEWHERE,
    base_key,
    collect_garbage,
    cycle_at,
    disproof_at,
    elsewhere_at,
    find,
    longest_at,
    needs_collection,
    proof_at,
    run_at,
    store,
    twin_key,
    work_at,
)

_SIMULATION_NODES = 10_000
"""The number of nodes after which a simulation gives up."""


def search(
    position: Any, level: int, proof_limit: int, disproof_limit: int, context: ProofContext
) -> int:
    """Search a node until one of its numbers reaches its limit; return the nodes visited.

    The result is in the node's frame.  Once the stop flag is set, it is meaningless.
    """
    frame = context.frames[level]
    index = context.before_root + level
    mine = frame.side == context.attacker
    before = context.nodes
    open_node(position, level, context)
    if load_flag(context) != 0:
        return 0
    if frame.count == 0:
        return 1
    enter_path(np.uint64(key(position)), index, context)
    look_at_children(position, level, context)
    second = combine(mine, frame, context)
    searched = False
    while frame.proof > 0 and frame.disproof > 0:
        if searched and (frame.proof >= proof_limit or frame.disproof >= disproof_limit):
            break
        place = frame.start + frame.best
        move = context.moves[place]
        child = play(position, move)
        flips = not keeps_turn(position, child)
        child_frame = context.frames[level + 1]
        prepare_child(position, move, flips, index, frame, child_frame)
        child_frame.key = node_key(child, child_frame.side, context)
        if mine:
            proof = own_limit(proof_limit, second, context)
            below = context.child_disproof[place]
            disproof = other_limit(disproof_limit, frame.disproof, below, context)
        else:
            disproof = own_limit(disproof_limit, second, context)
            below = context.child_proof[place]
            proof = other_limit(proof_limit, frame.proof, below, context)
        search(child, level + 1, proof, disproof, context)
        if load_flag(context) != 0:
            leave_path(index, context)
            return 0
        context.child_proof[place] = child_frame.proof
        context.child_disproof[place] = child_frame.disproof
        context.child_cycle[place] = child_frame.cycle
        context.child_work[place] += child_frame.work
        set_runs(position, move, place, child_frame.run, child_frame.longest, context)
        second = combine(mine, frame, context)
        searched = True
        if level == 0:
            context.root_proof, context.root_disproof = frame.proof, frame.disproof
    frame.work = context.nodes - before
    leave_path(index, context)
    close_node(mine, index, frame, context)
    return frame.work


def open_node(position: Any, level: int, context: ProofContext) -> None:
    """List a node's moves; if it has none, its answer is in the frame."""
    frame = context.frames[level]
    if needs_collection(context):
        collect_garbage(context)
    context.nodes += 1
    context.budget -= 1
    if context.budget <= 0:
        context.stop = 1
    frame.dropped = NO_CYCLE
    frame.cycle = NO_CYCLE
    frame.run = frame.longest = 0
    frame.work = 1
    frame.best = 0
    context.max_level = max(context.max_level, level)
    if level + 3 >= context.levels or frame.start + move_limit() > context.children_size:
        report_fault(TOO_DEEP, context)
        return
    frame.count = list_moves(position, frame.start, context)
    index = context.before_root + level
    if has_cycles() and context.repetition == ILLEGAL and frame.count > 0:
        # The node is part of its own path while its moves are tested.
        enter_path(np.uint64(key(position)), index, context)
        frame.count = drop_repeating_moves(
            position, index, frame, context.frames[level + 1], context
        )
        leave_path(index, context)
    if frame.count == 0:
        context.ends += 1
        yes = is_yes(stuck(position), frame.side, context)
        frame.proof, frame.disproof = proof_of(yes), disproof_of(yes)
        frame.cycle = frame.dropped
        store_result(index, frame, context)
        return
    context.frames[level + 1].start = frame.start + frame.count


def look_at_children(position: Any, level: int, context: ProofContext) -> None:
    """Set the numbers of all children: from ends of the game, from the table, or 1."""
    frame = context.frames[level]
    mine = frame.side == context.attacker
    child_frame = context.frames[level + 1]
    index = context.before_root + level
    for number in range(frame.count):
        place = frame.start + number
        move = context.moves[place]
        child = play(position, move)
        flips = not keeps_turn(position, child)
        prepare_child(position, move, flips, index, frame, child_frame)
        child_frame.key = node_key(child, child_frame.side, context)
        look_at_child(child, child_frame, level, context)
        run, longest = child_frame.run, child_frame.longest
        set_runs(position, move, place, run, longest, context)
        context.child_work[place] = child_frame.work
        context.child_proof[place] = child_frame.proof
        context.child_disproof[place] = child_frame.disproof
        context.child_cycle[place] = child_frame.cycle
        decisive = child_frame.proof if mine else child_frame.disproof
        if decisive == 0 and child_frame.cycle == NO_CYCLE:
            # The node is solved whatever the other children are.
            frame.count = number + 1
            return


def look_at_child(child: Any, frame: Frame, level: int, context: ProofContext) -> None:
    """Set the numbers in a child's frame; the path ends with its parent, at `level`."""
    index = context.before_root + level + 1
    frame.cycle = NO_CYCLE
    frame.run = frame.longest = frame.work = 0
    if find_end(child, frame, level, context):
        return
    frame.proof = frame.disproof = 1
    found = find(base_key(frame), context)
    elsewhere = 0
    if found >= 0:
        frame.proof, frame.disproof = proof_at(found, context), disproof_at(found, context)
        frame.run, frame.longest = run_at(found, context), longest_at(found, context)
        frame.work = work_at(found, context)
        elsewhere = elsewhere_at(found, context)
    if not has_cycles() or frame.proof == 0 or frame.disproof == 0 or context.treats_cycles == 0:
        return
    twin = find(twin_key(frame), context)
    if twin >= 0:
        frame.proof, frame.disproof = proof_at(twin, context), disproof_at(twin, context)
        frame.run, frame.longest = run_at(twin, context), longest_at(twin, context)
        frame.cycle = cycle_at(twin, frame.first, index, context)
        return
    if elsewhere == 0 or context.simulates == 0:
        return
    for wanted in range(2):
        bit = PROOF_ELSEWHERE if wanted == 1 else DISPROOF_ELSEWHERE
        if elsewhere & bit == 0:
            continue
        context.simulations += 1
        context.simulation_budget = _SIMULATION_NODES
        proof, disproof = frame.proof, frame.disproof
        if simulate(child, level + 1, wanted, context) != 0:
            context.confirmed += 1
            frame.proof, frame.disproof = proof_of(wanted == 1), disproof_of(wanted == 1)
            return
        frame.proof, frame.disproof = proof, disproof
        frame.cycle = NO_CYCLE


def set_runs(
    position: Any, move: int, place: int, run: int, longest: int, context: ProofContext
) -> None:
    """Set the runs without progress below a child, with the move that leads to it."""
    if has_cycles() and not irreversible(position, move):
        context.child_run[place] = min(run + 1, MAX_RUN)
        context.child_longest[place] = longest
    else:
        context.child_run[place] = 0
        context.child_longest[place] = max(run, longest)


def close_node(mine: bool, index: int, frame: Frame, context: ProofContext) -> None:
    """Find out on what a result depends, and store the node."""
    frame.cycle = NO_CYCLE
    frame.run = frame.longest = 0
    if frame.proof == 0 or frame.disproof == 0:
        if (frame.proof == 0) == mine:
            choose_solving_child(frame, frame.proof == 0, context)
        else:
            collect_dependencies(frame, context)
        if context.repetition == DRAWS and frame.cycle >= index:
            # Only positions from here on come back, whatever the path before; and where another
            # path makes more of them come back, that is no worse for the side that is content.
            frame.cycle = NO_CYCLE
    store_result(index, frame, context)


def choose_solving_child(frame: Frame, proves: bool, context: ProofContext) -> None:
    """Choose the child that solves a node: one whose result depends on the path least."""
    chosen, cycle = -1, -1
    for number in range(frame.count):
        place = frame.start + number
        value = context.child_proof[place] if proves else context.child_disproof[place]
        if value == 0 and context.child_cycle[place] > cycle:
            chosen, cycle = number, context.child_cycle[place]
    frame.best = chosen
    frame.cycle = cycle
    frame.run = context.child_run[frame.start + chosen]
    frame.longest = context.child_longest[frame.start + chosen]


def collect_dependencies(frame: Frame, context: ProofContext) -> None:
    """Let a node depend on everything that its children depend on; the best has most work."""
    frame.cycle = frame.dropped
    work = -1
    for number in range(frame.count):
        place = frame.start + number
        frame.cycle = min(frame.cycle, context.child_cycle[place])
        frame.run = max(frame.run, context.child_run[place])
        frame.longest = max(frame.longest, context.child_longest[place])
        if context.child_work[place] > work:
            work = context.child_work[place]
            frame.best = number


def store_result(index: int, frame: Frame, context: ProofContext) -> None:
    """Store a node: by its position, or by its path if the result depends on that."""
    depends = frame.cycle < NO_CYCLE
    if not depends or context.treats_cycles == 0:
        store(base_key(frame), index, NO_CYCLE, 0, frame, context)
        return
    context.twins += 1
    store(twin_key(frame), index, frame.cycle, 0, frame, context)
    proof, disproof = frame.proof, frame.disproof
    elsewhere = PROOF_ELSEWHERE if proof == 0 else DISPROOF_ELSEWHERE
    found = find(base_key(frame), context)
    frame.proof = frame.disproof = 1
    if found >= 0:
        frame.proof, frame.disproof = proof_at(found, context), disproof_at(found, context)
    if frame.proof > 0 and frame.disproof > 0:
        store(base_key(frame), index, NO_CYCLE, elsewhere, frame, context)
    frame.proof, frame.disproof = proof, disproof


def search_root(position: Any, address: Any) -> int:
    """Search until the question is answered: return 1 for yes, 0 for no, -1 if stopped."""
    context = context_at(address)
    frame = context.frames[0]
    answer = -1
    while load_flag(context) == 0:
        frame.side = context.root_side
        frame.flipped = 1
        frame.start = 0
        frame.path_hash = 0
        frame.first = 0
        frame.key = node_key(position, frame.side, context)
        search(position, np.int64(0), np.int64(INFINITE), np.int64(INFINITE), context)
        if load_flag(context) == 0 and frame.proof == 0:
            answer = 1
            break
        if load_flag(context) == 0 and frame.disproof == 0:
            answer = 0
            break
    return answer


DF_PN = Kernel(
    "df-pn",
    search_root,
    "int64(position, address)",
    {
        search: "int64(position, int64, int64, int64, context)",
        simulate: "int64(position, int64, int64, context)",
    },
    context=ProofContext,
)

"""All workers in virtual time: what a parallel search would do with many processors.

Workers take turns as in `workers`, each at the virtual time when its last one has ended.  A turn
lasts as long as its nodes, splits, joins and messages take on the machine that is simulated.  The
search of a subtree is carried out at once when it starts, and its value taken when it ends; a cut
above it meanwhile reaches the worker after the latency, and the rest of the turn is not charged:
that of the subtree, and before it that of messages.

What is simulated is the order of work and what it costs.  All processors use one table, and
looking up an entry takes no time beyond that of a node.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import atomic_load, atomic_store, context_at
from plyforge.search.kernels.context import Context
from plyforge.search.kernels.splits import become_idle
from plyforge.search.kernels.team import DONE, FINISHED, IDLE, OFFERS, TURNS, Team
from plyforge.search.kernels.workers import start_worker, take_turn
from plyforge.search.parallel.aphid import MASTER
from plyforge.search.parallel.policies import APHID

_NEVER = 1e300


def simulate(root: Any, context: Context) -> None:
    """Search with all workers in virtual time; `context` is that of the first."""
    team = context.team[0]
    team.heap_size = 0
    team.idle_count = 0
    team.wake_count = 0
    team.called_count = 0
    team.clock = 0.0
    for number in range(team.size):
        start_worker(root, context_at(team.contexts[number]))
        team.idle_since[number] = 0.0
        team.due[number] = _NEVER
        if team.workers[number].level >= 0:
            schedule_turn(number, 0.0, team)
        else:
            become_idle(team.workers[number], team)
            team.idle_list[team.idle_count] = number
            team.idle_count += 1
    turns = 0
    while team.heap_size > 0 and atomic_load(team.words, FINISHED) == 0:
        number = pop_turn(team)
        if number < 0:
            continue
        turns += 1
        run_turn(root, number, team)
    if atomic_load(team.words, FINISHED) == 0:
        team.finisher = -2
    atomic_store(team.words, TURNS, turns)
    for number in range(team.size):
        if team.due[number] >= _NEVER:
            team.idle_time[number] += team.clock - team.idle_since[number]
        elif team.method == APHID and team.due[number] > team.clock:
            # It is searching a leaf that is not needed any more.
            spare(number, team.due[number] - team.clock, team)


def run_turn(root: Any, number: int, team: Team) -> None:
    """Let a worker take its turn, and schedule what follows from it."""
    context = context_at(team.contexts[number])
    worker = team.workers[number]
    splits, joins, messages = worker.splits, worker.joins, worker.messages
    state = take_turn(root, np.int64(1), context)
    work = float(worker.nodes) * team.node_time
    overhead = float(worker.splits - splits) * team.split_time
    overhead += float(worker.joins - joins) * (team.join_time + 2.0 * team.latency)
    overhead += float(worker.messages - messages) * 2.0 * team.latency
    team.work_time[number] += work
    team.turn_work[number] = work
    team.overhead_time[number] += overhead
    now = team.clock
    if state == IDLE:
        team.due[number] = _NEVER
        team.idle_since[number] = now
        if worker.level < 0 and not is_master(number, team):
            team.idle_list[team.idle_count] = number
            team.idle_count += 1
    elif state != DONE:
        schedule_turn(number, now + work + overhead, team)
    call_workers(team)
    wake_workers(team)


def call_workers(team: Team) -> None:
    """Let cuts reach the workers below them; what they had not searched by then is not charged."""
    for place in range(team.called_count):
        number = team.called_list[place]
        reached = team.clock + team.latency
        if team.due[number] >= _NEVER:
            if team.workers[number].level >= 0:
                wake(number, team)
        elif reached < team.due[number]:
            spare(number, team.due[number] - reached, team)
            schedule_turn(number, reached, team)
    team.called_count = 0


def spare(number: int, time: float, team: Team) -> None:
    """Do not charge the rest of a worker's turn, which ends with its nodes, after messages."""
    work = min(time, team.turn_work[number])
    team.turn_work[number] -= work
    team.work_time[number] -= work
    team.overhead_time[number] -= time - work
    team.spared_time += time


def wake_workers(team: Team) -> None:
    """Let workers look for work that has just become available."""
    while team.wake_count > 0:
        team.wake_count -= 1
        owner = team.wake_list[team.wake_count]
        if team.workers[owner].level >= 0 or is_master(owner, team):
            wake(owner, team)
    offers = atomic_load(team.words, OFFERS)
    while offers > 0 and team.idle_count > 0:
        team.idle_count -= 1
        wake(team.idle_list[team.idle_count], team)
        offers -= 1


def is_master(number: int, team: Team) -> bool:
    """Whether a worker waits for results, not for work."""
    return team.method == APHID and number == MASTER


def wake(number: int, team: Team) -> None:
    if team.due[number] >= _NEVER:
        team.idle_time[number] += team.clock - team.idle_since[number]
        schedule_turn(number, team.clock, team)


# The turns to come, as a heap.  A worker whose turn was moved has an old entry, which is dropped.


def schedule_turn(number: int, time: float, team: Team) -> None:
    """Let a worker take its next turn at a time."""
    team.due[number] = time
    place = team.heap_size
    if place >= team.heap_limit:
        rebuild_heap(team)
        return
    team.heap_size = place + 1
    while place > 0:
        above = (place - 1) // 2
        if team.heap_times[above] <= time:
            break
        team.heap_times[place] = team.heap_times[above]
        team.heap_workers[place] = team.heap_workers[above]
        place = above
    team.heap_times[place] = time
    team.heap_workers[place] = number


def rebuild_heap(team: Team) -> None:
    """Make the heap anew without old entries; it has room for several of each worker."""
    team.heap_size = 0
    for number in range(team.size):
        if team.due[number] < _NEVER:
            schedule_turn(number, team.due[number], team)


def pop_turn(team: Team) -> int:
    """Advance the clock to the next turn and return its worker; -1 for an old entry."""
    time, number = team.heap_times[0], team.heap_workers[0]
    last = team.heap_size - 1
    team.heap_size = last
    if last > 0:
        sink(team.heap_times[last], team.heap_workers[last], team)
    if team.due[number] != time:
        return np.int64(-1)
    team.clock = time
    return number


def sink(time: float, number: int, team: Team) -> None:
    """Put an entry into the heap's first place, and restore the order."""
    place = 0
    while True:
        below = 2 * place + 1
        if below >= team.heap_size:
            break
        if below + 1 < team.heap_size and team.heap_times[below + 1] < team.heap_times[below]:
            below += 1
        if team.heap_times[below] >= time:
            break
        team.heap_times[place] = team.heap_times[below]
        team.heap_workers[place] = team.heap_workers[below]
        place = below
    team.heap_times[place] = time
    team.heap_workers[place] = number

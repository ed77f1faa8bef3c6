"""APHID: a master searches the plies near the root again and again, slaves search below its leaves.

The first worker is the master.  It searches the first plies of the tree by alpha-beta, in passes.
Where they end, it does not search on: it looks up what is known about that *leaf*.  If bounds to
the wanted depth decide it for the window at hand, they are its value.  Otherwise the master asks
for a search with this window, goes on with a guess, and marks everything that depends on the guess
as uncertain; such values are not stored in the transposition table.  The guess is the result of the
last search of the leaf, to this depth or to that of the iteration before, or else the evaluation.

The other workers, the slaves, search the leaves that were asked for, in that order, and return
bounds.  A new pass starts whenever results have arrived since the last one began.  Requests of
leaves that a pass does not visit any more are dropped, unless a slave has begun.  The search ends
with a pass in which nothing is uncertain, so that its value is that of any other method.

Nobody waits for a value that he could do without: that is the point of the method.  Two things are
simpler here than in the paper.  An iteration of the deepening begins when the last one has ended,
so that slaves do not search the next one in advance.  The master of a small team searches a leaf
itself when there is nothing new to look at.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import atomic_add, atomic_load, copy_record, cycles
from plyforge.compilation.keys import mix
from plyforge.search.kernels.context import ONE_PLY, PROVEN, Context
from plyforge.search.kernels.frames import frame_at, rebuild_states, start_at_root
from plyforge.search.kernels.locks import lock, unlock
from plyforge.search.kernels.splits import wake_owner
from plyforge.search.kernels.team import OFFERS, OPEN, PV_NODE, Frame, Leaf, Team, Worker

NAME = "aphid"
SUMMARY = (
    "a master searches the plies near the root with guesses for what is below, until the others"
    " have searched it"
)
PAPER = "Brockington, Schaeffer 1996 (asynchronous parallel hierarchical iterative deepening)"

MASTER = 0
LEAF_BITS = 18
PYTHON_LEAF_BITS = 10
"""The binary logarithm of the number of leaves, compiled and uncompiled; if there is no room for
one, the master searches it, and the others wait: four plies of chess fill 2^16 places."""
REQUEST_LEVELS = 24
"""The levels of leaves that are handed over; the master itself searches those further down."""
REQUESTS_EACH = 3
"""Requests that may wait or be carried out, for each worker."""
MAX_HELPING_TEAM = 8
"""A master of more workers does not search leaves: results would wait for it."""

# What the master knows about a leaf.
NO_PLACE = 0
"""The table of leaves is full here: the master has to search it."""
UNKNOWN = 1
"""Nothing: the master has to make a guess."""
ANSWERED = 2
"""Its value, or a guess."""

_WAYS = 16
"""Places in which a leaf may be."""
_OLD = 3 * ONE_PLY
"""Leaves of searches that were so much shallower may be overwritten: guesses need the others."""
_SALT = np.uint64(0x5D1CE5EED)


# Leaves


def path_mark(level: int, context: Context) -> Any:
    """A number for the moves from the root to a level."""
    mark = _SALT
    for above in range(level):
        step = 2 * context.nodes[above].move + frame_at(above, context).asked
        mark = mix(mark, np.int64(step).view(np.uint64))
    return mark


def leaf_mark(path: Any, depth: int) -> int:
    """The mark of a leaf, not 0: that of its path and of the depth below it."""
    mark: Any = np.uint64(mix(path, np.uint64(depth)) | np.uint64(1))
    return mark.view(np.int64)  # type: ignore[no-any-return]


def find_leaf(mark: int, team: Team) -> int:
    """The place of a leaf, or -1; the lock is held."""
    first = mark >> 8
    for way in range(_WAYS):
        place = (first + way) & team.leaf_mask
        if team.leaves[place].mark == mark:
            return place
    return -1


def make_leaf(mark: int, depth: int, team: Team) -> int:
    """The place of a leaf, which is new if need be; -1 if there is no room; the lock is held."""
    place = find_leaf(mark, team)
    if place >= 0:
        return place
    first = mark >> 8
    for way in range(_WAYS):
        place = (first + way) & team.leaf_mask
        leaf = team.leaves[place]
        if leaf.mark == 0 or (leaf.request < 0 and leaf.depth + _OLD <= depth):
            leaf.mark = mark
            leaf.depth = depth
            leaf.lower = -np.inf
            leaf.upper = np.inf
            leaf.known = 0
            leaf.request = -1
            return place
    return -1


def visit_leaf(frame: Frame, worker: Worker, context: Context) -> int:
    """Look the present leaf of the master up; return `ANSWERED`, `UNKNOWN` or `NO_PLACE`.

    If it is answered, the value is in `Worker.value`, and whether it is a guess in
    `Worker.uncertain`.  Then the leaf has been asked for.
    """
    team = context.team[0]
    level = worker.level
    if level >= REQUEST_LEVELS:
        return NO_PLACE
    path = path_mark(level, context)
    lock(worker, team)
    place = make_leaf(leaf_mark(path, frame.depth), frame.depth, team)
    state = NO_PLACE
    if place >= 0:
        state = ANSWERED if answer(path, place, frame, worker, context) else UNKNOWN
    unlock(team)
    return state


def answer(path: Any, place: int, frame: Frame, worker: Worker, context: Context) -> bool:
    """Answer a leaf by its bounds or by a guess; return False if there is neither."""
    team = context.team[0]
    leaf = team.leaves[place]
    node = context.nodes[worker.level]
    node.line_length = 0
    worker.uncertain = 0
    if leaf.lower >= frame.beta:
        worker.value = leaf.lower
        node.proven = leaf.lower_proven
        return True
    if leaf.upper <= frame.alpha:
        worker.value = leaf.upper
        node.proven = leaf.upper_proven
        return True
    if leaf.lower == leaf.upper:
        # The bounds may come from two searches.
        worker.value = leaf.lower
        node.proven = leaf.lower_proven & leaf.upper_proven
        return True
    if leaf.known == 0 and not guess_from_before(path, leaf, team):
        return False
    ask_for_leaf(place, frame, worker, context)
    worker.value = min(max(leaf.guess, leaf.lower), leaf.upper)
    worker.uncertain = 1
    node.proven = 0
    return True


def guess_from_before(path: Any, leaf: Leaf, team: Team) -> bool:
    """Guess the value of a leaf from searches that were one or two plies shallower."""
    for plies in range(1, 3):
        depth = leaf.depth - plies * ONE_PLY
        if depth > 0:
            place = find_leaf(leaf_mark(path, depth), team)
            if place >= 0 and team.leaves[place].known != 0:
                leaf.guess = team.leaves[place].guess
                leaf.known = 1
                return True
    return False


def take_guess(value: float, frame: Frame, worker: Worker, context: Context) -> None:
    """Take the value that the master found without searching; it may be the leaf's own."""
    team = context.team[0]
    path = path_mark(worker.level, context)
    proven = context.nodes[worker.level].proven
    lock(worker, team)
    place = make_leaf(leaf_mark(path, frame.depth), frame.depth, team)
    if place >= 0:
        leaf = team.leaves[place]
        leaf.guess = value
        leaf.known = 1
        if proven == PROVEN:
            # The game ends here: no depth changes that.
            leaf.lower = leaf.upper = value
            leaf.lower_proven = leaf.upper_proven = proven
    unlock(team)


# Requests


def ask_for_leaf(place: int, frame: Frame, worker: Worker, context: Context) -> None:
    """Ask for the search of the master's present leaf; the lock is held."""
    team = context.team[0]
    leaf = team.leaves[place]
    number = leaf.request
    if number < 0:
        if team.free_request_count == 0:
            return  # in another pass
        team.free_request_count -= 1
        number = team.free_requests[team.free_request_count]
        leaf.request = number
        write_request(number, place, frame, worker, context)
        waiting = atomic_load(team.words, OFFERS)
        team.waiting_requests[(team.first_waiting + waiting) % team.max_requests] = number
        atomic_add(team.words, OFFERS, 1)
        worker.splits += 1
    request = team.requests[number]
    request.last_pass = team.passes
    if request.begun == 0:
        request.alpha = frame.alpha
        request.beta = frame.beta


def write_request(number: int, place: int, frame: Frame, worker: Worker, context: Context) -> None:
    """Write where a leaf is: the nodes of its path, for the worker that will search it."""
    team = context.team[0]
    level = worker.level
    request = team.requests[number]
    request.leaf = place
    request.level = level
    request.depth = frame.depth
    request.begun = 0
    first = number * REQUEST_LEVELS
    for above in range(level + 1):
        copy_record(team.request_nodes[first + above], context.nodes[above])
        team.request_asked[first + above] = frame_at(above, context).asked
    start = context.plies_before_root
    for ply in range(context.nodes[level].ply):
        team.request_path[first + ply] = context.path[start + ply]


def find_leaf_to_search(root: Any, worker: Worker, context: Context) -> bool:
    """Start the next pass, or the search of a leaf; return False if there is nothing to do."""
    team = context.team[0]
    if context.worker == MASTER:
        if team.results != team.results_seen:
            start_pass(root, worker, context)
            return True
        if team.size > MAX_HELPING_TEAM:
            return False
    if atomic_load(team.words, OFFERS) <= 0:
        return False
    start = cycles()
    lock(worker, team)
    found = atomic_load(team.words, OFFERS) > 0
    if found:
        number = team.waiting_requests[team.first_waiting]
        team.first_waiting = (team.first_waiting + 1) % team.max_requests
        atomic_add(team.words, OFFERS, -1)
        read_request(number, worker, context)
    unlock(team)
    if found:
        rebuild_states(root, worker.level, context)
        worker.joins += 1
        worker.joining_cycles += cycles() - start
    return found


def read_request(number: int, worker: Worker, context: Context) -> None:
    """Make a leaf that was asked for the work of a worker; the lock is held."""
    team = context.team[0]
    request = team.requests[number]
    request.begun = 1
    level = request.level
    first = number * REQUEST_LEVELS
    for above in range(level + 1):
        copy_record(context.nodes[above], team.request_nodes[first + above])
        frame_at(above, context).asked = team.request_asked[first + above]
    start = context.plies_before_root
    for ply in range(context.nodes[level].ply):
        context.path[start + ply] = team.request_path[first + ply]
    worker.request = number
    worker.level = worker.base = level
    frame = frame_at(level, context)
    frame.phase = OPEN
    frame.depth = request.depth
    frame.alpha = request.alpha
    frame.beta = request.beta
    frame.kind = PV_NODE
    frame.asked = 0


def return_leaf(value: float, worker: Worker, context: Context) -> None:
    """Note the result of a leaf's search, and let the master know."""
    team = context.team[0]
    proven = context.nodes[worker.level].proven
    lock(worker, team)
    request = team.requests[worker.request]
    leaf = team.leaves[request.leaf]
    if value > request.alpha:
        leaf.lower = max(leaf.lower, value)
        leaf.lower_proven = proven
    if value < request.beta:
        leaf.upper = min(leaf.upper, value)
        leaf.upper_proven = proven
    if leaf.lower > leaf.upper:  # only searches that are not exact contradict each other
        leaf.lower = leaf.upper = value
    leaf.guess = value
    leaf.known = 1
    leaf.request = -1
    free_request(worker.request, team)
    team.results += 1
    wake_owner(MASTER, team)
    unlock(team)
    if context.worker != MASTER:
        worker.messages += 1
    worker.request = worker.level = worker.base = -1


def free_request(number: int, team: Team) -> None:
    team.free_requests[team.free_request_count] = number
    team.free_request_count += 1


# Passes


def start_pass(root: Any, worker: Worker, context: Context) -> None:
    """Let the master search its plies once more."""
    team = context.team[0]
    lock(worker, team)
    drop_old_requests(team)
    team.results_seen = team.results
    team.passes += 1
    unlock(team)
    start_at_root(root, worker, context)


def drop_old_requests(team: Team) -> None:
    """Drop requests that wait, and that the last pass has not repeated; the lock is held."""
    kept = 0
    waiting = atomic_load(team.words, OFFERS)
    for index in range(waiting):
        number = team.waiting_requests[(team.first_waiting + index) % team.max_requests]
        request = team.requests[number]
        if request.last_pass < team.passes:
            team.leaves[request.leaf].request = -1
            free_request(number, team)
        else:
            team.waiting_requests[(team.first_waiting + kept) % team.max_requests] = number
            kept += 1
    atomic_add(team.words, OFFERS, kept - waiting)

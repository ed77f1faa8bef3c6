"""The jobs and children of a process: which are free, which wait, and which is next."""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import offset
from plyforge.search.distributed.process import (
    FREE,
    QUEUED,
    WAITING,
    Child,
    Job,
    Process,
)
from plyforge.search.kernels.table import spread_key

NONE = -1
_MOVE_BITS = 5
_MAX_PLACE = (1 << _MOVE_BITS) - 1
_ORDERED_LEVELS = 12
_ORDER_BITS = _MOVE_BITS * _ORDERED_LEVELS
_DEPTH_SHIFT = np.uint64(48)
_HALF = np.uint64(32)


def reset_process(process: Process) -> None:
    """Forget all jobs, children and messages, before a search."""
    process.jobs[process.max_jobs].state = FREE
    for number in range(process.max_jobs):
        process.jobs[number].state = FREE
        process.free_jobs[number] = number
    for number in range(process.max_places):
        process.free_places[number] = number
    for number in range(process.max_children):
        process.children[number].job = NONE
        process.free_children[number] = number
    for number in range(process.size * process.max_children):
        process.inbound[number] = NONE
    for number in range(process.busy_size):
        process.busy[number] = NONE
    for number in range(process.size):
        process.sent[number] = process.received[number] = 0
        process.fences[number] = NONE
    process.free_job_count = process.max_jobs
    process.free_place_count = process.max_places
    process.free_child_count = process.max_children
    process.queue_size = process.job_count = 0
    process.loaded = process.running = process.root_job = NONE
    process.ended = process.finished = process.failed = process.handling = 0
    process.reported = process.all_nodes = 0
    process.value = 0.0
    process.out_tail = process.out_next = process.out_head = 0
    process.in_tail = process.in_head = process.in_seen = 0
    process.question = process.stealing = process.refusals = process.pause_turns = 0
    process.random_state = process.search * 8191 + process.number


# Jobs


def path_of(number: int, process: Process) -> Any:
    """The moves from the root to a job."""
    return offset(process.paths, number * process.levels)


def take_job(process: Process) -> int:
    """Return a free job, or `NONE`."""
    if process.free_job_count == 0:
        return NONE
    process.free_job_count -= 1
    number = process.free_jobs[process.free_job_count]
    clear_job(process.jobs[number])
    process.job_count += 1
    process.jobs[number].age = process.job_count
    return number


def clear_job(job: Job) -> None:
    job.place = job.first_child = job.entry = NONE
    job.waits_for = job.first_waiting = NONE
    job.children = 0


def free_job(number: int, process: Process) -> None:
    """Make a job available again; it is in no queue, and has no children."""
    job = process.jobs[number]
    if job.place >= 0:
        process.free_places[process.free_place_count] = job.place
        process.free_place_count += 1
    if process.loaded == number:
        process.loaded = NONE
    if job.source >= 0:
        entry = job.source * process.max_children + job.child
        if process.inbound[entry] == number:
            process.inbound[entry] = NONE
    stop_being_busy(number, job, process)
    job.state = FREE
    process.free_jobs[process.free_job_count] = number
    process.free_job_count += 1


def child_order(job: Job, tried: int) -> int:
    """The place of a job's child in the order of a search by one process.

    From the highest bits down, it is the place of each move on the path among the moves of its
    node.  A search by one process needs the work in this order, so what comes early in it is most
    likely to be needed.  Moves beyond the last bits, and late moves, share a place.
    """
    shift = max(_ORDER_BITS - _MOVE_BITS * (job.level + 1), 0)
    return job.order + (min(tried, _MAX_PLACE) << shift if job.level < _ORDERED_LEVELS else 0)


def comes_before(number: int, other: int, process: Process) -> bool:
    """Whether one queued job is opened before another."""
    mine, theirs = process.jobs[number], process.jobs[other]
    if mine.order != theirs.order:
        return mine.order < theirs.order
    return mine.age < theirs.age


def put_in_heap(number: int, place: int, process: Process) -> None:
    process.queue[place] = number
    process.jobs[number].heap_place = place


def rise(place: int, process: Process) -> None:
    """Move a job of the heap up to where it belongs."""
    number = process.queue[place]
    while place > 0:
        above = (place - 1) // 2
        other = process.queue[above]
        if not comes_before(number, other, process):
            break
        put_in_heap(other, place, process)
        place = above
    put_in_heap(number, place, process)


def sink(place: int, process: Process) -> None:
    """Move a job of the heap down to where it belongs."""
    number = process.queue[place]
    while True:
        below = 2 * place + 1
        if below >= process.queue_size:
            break
        right = below + 1
        if right < process.queue_size and comes_before(
            process.queue[right], process.queue[below], process
        ):
            below = right
        other = process.queue[below]
        if not comes_before(other, number, process):
            break
        put_in_heap(other, place, process)
        place = below
    put_in_heap(number, place, process)


def queue_job(number: int, process: Process) -> None:
    """Let a job be opened once its turn has come."""
    process.jobs[number].state = QUEUED
    place = process.queue_size
    process.queue_size = place + 1
    put_in_heap(number, place, process)
    rise(place, process)


def leave_queue(number: int, process: Process) -> None:
    """Take a queued job out of the queue."""
    place = process.jobs[number].heap_place
    last = process.queue_size - 1
    process.queue_size = last
    if place != last:
        put_in_heap(process.queue[last], place, process)
        rise(place, process)
        sink(process.jobs[process.queue[place]].heap_place, process)


def next_job(process: Process) -> int:
    """Return the job to open next, or `NONE`."""
    return process.queue[0] if process.queue_size > 0 else NONE


def find_inbound(source: int, child: int, serial: int, process: Process) -> int:
    """Return the job that was made for a child of another process, or `NONE`."""
    number = process.inbound[source * process.max_children + child]
    if number >= 0 and process.jobs[number].serial == serial:
        return number
    return NONE


# Jobs with the same position


def busy_entry(table_key: Any, depth: int, process: Process) -> int:
    """Where a job with this key and depth is noted."""
    mixed = spread_key(table_key ^ np.uint64(depth) << _DEPTH_SHIFT)
    return np.int64(mixed >> _HALF) & (process.busy_size - 1)


def find_busy(entry: int, job: Job, process: Process) -> int:
    """Return the open job with the same position and depth, or `NONE`."""
    other = process.busy[entry]
    if other < 0 or process.jobs[other].key != job.key or process.jobs[other].depth != job.depth:
        return NONE
    return other


def become_busy(number: int, entry: int, process: Process) -> None:
    """Note an open job, for others that come with the same position."""
    if process.busy[entry] < 0:
        process.busy[entry] = number
        process.jobs[number].entry = entry


def stop_being_busy(number: int, job: Job, process: Process) -> None:
    """Forget an open job, and let those that wait for it go on."""
    if job.entry >= 0:
        process.busy[job.entry] = NONE
        job.entry = NONE
    waiting = job.first_waiting
    job.first_waiting = NONE
    while waiting >= 0:
        following = process.jobs[waiting].next
        process.jobs[waiting].waits_for = NONE
        queue_job(waiting, process)
        waiting = following


def wait_for(number: int, other: int, process: Process) -> None:
    """Let a job wait until another one is finished or cancelled."""
    job = process.jobs[number]
    first = process.jobs[other].first_waiting
    job.state = WAITING
    job.waits_for = other
    job.previous = NONE
    job.next = first
    if first >= 0:
        process.jobs[first].previous = number
    process.jobs[other].first_waiting = number


def stop_waiting(number: int, process: Process) -> None:
    """Take a job out of those that wait for another one."""
    job = process.jobs[number]
    if job.previous >= 0:
        process.jobs[job.previous].next = job.next
    else:
        process.jobs[job.waits_for].first_waiting = job.next
    if job.next >= 0:
        process.jobs[job.next].previous = job.previous
    job.waits_for = NONE


# Children


def take_child(parent: int, process: Process) -> int:
    """Return a free child, which belongs to a job now, or `NONE`."""
    if process.free_child_count == 0:
        return NONE
    process.free_child_count -= 1
    number = process.free_children[process.free_child_count]
    child, job = process.children[number], process.jobs[parent]
    child.job = parent
    child.previous = NONE
    child.next = job.first_child
    if job.first_child >= 0:
        process.children[job.first_child].previous = number
    job.first_child = number
    job.children += 1
    return number


def free_child(number: int, process: Process) -> None:
    """Make a child available again; answers that are on their way are not for it."""
    child = process.children[number]
    job = process.jobs[child.job]
    if child.previous >= 0:
        process.children[child.previous].next = child.next
    else:
        job.first_child = child.next
    if child.next >= 0:
        process.children[child.next].previous = child.previous
    job.children -= 1
    child.job = NONE
    process.free_children[process.free_child_count] = number
    process.free_child_count += 1


def new_serial(child: Child, process: Process) -> None:
    """Give a child another serial number: it asks another question."""
    process.next_serial += 1
    child.serial = process.next_serial

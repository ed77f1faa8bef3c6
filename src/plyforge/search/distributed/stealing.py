"""Work stealing between processes: a process without work asks another one for a move.

Only moves that wait for nothing are handed over: the first move of their node has its value (young
brothers wait), and nobody has started to search them.  The parent stays where it is.
"""

from plyforge.search.distributed.children import moves_in_turn, send_work
from plyforge.search.distributed.jobs import NONE, comes_before, free_job, leave_queue
from plyforge.search.distributed.messages import HEADER, REFUSAL, STEAL, start_message
from plyforge.search.distributed.process import Process

_MAX_PAUSE = 8
"""Turns that a process waits, at most, once all others have refused."""


def ask_for_work(process: Process) -> None:
    """Ask a random process for work, unless a question is open or all have refused lately."""
    if process.size == 1 or process.stealing != 0:
        return
    if process.pause_turns > 0:
        process.pause_turns -= 1
        return
    process.random_state = process.random_state * 69069 + 12345 & 0xFFFFFFFF
    others = process.size - 1
    victim = (process.number + 1 + (process.random_state >> 16) % others) % process.size
    process.stealing = 1
    process.steal_requests += 1
    start_message(HEADER, STEAL, victim, process)


def take_refusal(process: Process) -> None:
    """Note that a process had no work; after as many refusals as processes, ask less often."""
    process.stealing = 0
    process.refusals += 1
    rounds = process.refusals // (process.size - 1)
    if rounds > 0:
        process.pause_turns = min(1 << min(rounds, 16), _MAX_PAUSE)


def give_work(thief: int, process: Process) -> None:
    """Hand a move over to the process that asks for work, or refuse."""
    number = NONE if process.failed != 0 else find_gift(process)
    if number < 0:
        start_message(HEADER, REFUSAL, thief, process)
        return
    place = process.jobs[number].child
    leave_queue(number, process)
    free_job(number, process)
    process.children[place].owner = thief
    process.given += 1
    send_work(place, process)


def find_gift(process: Process) -> int:
    """Return the queued job with the greatest depth that may be handed over, or `NONE`.

    It is the largest piece of work, and the one that this process needs last.
    """
    best = NONE
    for place in range(process.queue_size):
        number = process.queue[place]
        if not may_be_given(number, process):
            continue
        if best >= 0:
            depth, greatest = process.jobs[number].depth, process.jobs[best].depth
            if depth < greatest or (depth == greatest and comes_before(best, number, process)):
                continue
        best = number
    return best


def may_be_given(number: int, process: Process) -> bool:
    """Whether a queued job is a young brother that this process has queued for itself."""
    job = process.jobs[number]
    if job.source != process.number:
        return False
    child = process.children[job.child]
    if child.job < 0 or child.serial != job.serial:
        return False  # cancelled; the message is on its way
    return child.tried > moves_in_turn(process.jobs[child.job], process)

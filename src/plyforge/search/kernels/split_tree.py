"""Which splits lie within which, and which workers take part: lists, so that no cut scans them all.

A split lies within another one if its owner takes part in that.  Each split knows its children and
its members, the workers whose innermost split it is.  The lock is held in all of these functions.
"""

from plyforge.search.kernels.context import Context
from plyforge.search.kernels.team import Team, Worker


def add_child(number: int, parent: int, team: Team) -> None:
    """Put a new split below another one, or below none (-1)."""
    split = team.splits[number]
    split.parent = parent
    split.first_child = split.first_member = -1
    split.previous_child = split.next_child = -1
    if parent >= 0:
        above = team.splits[parent]
        split.next_child = above.first_child
        if above.first_child >= 0:
            team.splits[above.first_child].previous_child = number
        above.first_child = number


def remove_child(number: int, team: Team) -> None:
    """Take a split out of the tree.  Splits below it that are still open were cut before."""
    split = team.splits[number]
    child = split.first_child
    while child >= 0:
        below = team.splits[child]
        child = below.next_child
        below.parent = below.previous_child = below.next_child = -1
    if split.previous_child >= 0:
        team.splits[split.previous_child].next_child = split.next_child
    elif split.parent >= 0:
        team.splits[split.parent].first_child = split.next_child
    if split.next_child >= 0:
        team.splits[split.next_child].previous_child = split.previous_child


def set_innermost(number: int, worker: Worker, context: Context) -> None:
    """Make a split the innermost one of a worker; -1 if it takes part in none."""
    team = context.team[0]
    if worker.split >= 0:
        if worker.previous_member >= 0:
            team.workers[worker.previous_member].next_member = worker.next_member
        else:
            team.splits[worker.split].first_member = worker.next_member
        if worker.next_member >= 0:
            team.workers[worker.next_member].previous_member = worker.previous_member
    worker.split = number
    if number >= 0:
        split = team.splits[number]
        worker.previous_member = -1
        worker.next_member = split.first_member
        if split.first_member >= 0:
            team.workers[split.first_member].previous_member = context.worker
        split.first_member = context.worker


def next_within(number: int, top: int, team: Team) -> int:
    """The split that follows in a walk through a split and all below it; -1 at the end."""
    if team.splits[number].first_child >= 0:
        return team.splits[number].first_child
    while number != top:
        if team.splits[number].next_child >= 0:
            return team.splits[number].next_child
        number = team.splits[number].parent
    return -1

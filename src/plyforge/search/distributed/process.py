"""The memory of one process of a distributed search.

Each process has a context, a table and a `Process` of its own, and shares no memory with others.
A node near the root is a *job* of the process that owns its position.  A job whose moves are being
searched keeps its node, moves and line here, in a *place*; each move that was sent to its owner is
a *child* until its value returns.
"""

from typing import Final

from plyforge.compilation.records import Fixed, Reals, Record, Records, Words
from plyforge.search.kernels.context import Node

# States of a job.
FREE: Final = 0
QUEUED: Final = 1
"""It is not opened yet."""
OPEN: Final = 2
"""Its moves are being searched."""
WAITING: Final = 3
"""Another job searches the same position to the same depth."""

# What a process reports after a turn.
SEARCHED: Final = 0
"""It searched a subtree, or did other work."""
IDLE: Final = 1
"""It has nothing to do until a message arrives."""
DONE: Final = 2
"""The search has ended, and no message of it is on its way to this process."""
FULL: Final = 3
"""Messages must be taken from the outbox before it can go on."""

ROOT: Final = -1
"""Stands for the parent of the root."""


class Job(Record):
    """A node that this process has to search."""

    state: int
    source: int
    """The process that asked for it, or `ROOT`."""
    child: int
    """The number of the child there, and its serial number, which the result must name."""
    serial: int
    depth: int
    alpha: float
    beta: float
    kind: int
    """What the node is expected to be: `PV_NODE`, `CUT_NODE` or `ALL_NODE`."""
    order: int
    """Its place in the order of a search by one process; see `jobs.child_order`."""
    age: int
    """Counts the jobs of this process."""
    level: int
    """The number of moves from the root."""
    place: int
    """Where its node and moves are kept while it is open, or -1."""
    first_child: int
    """The first of its children, or -1."""
    children: int
    """Their number."""
    key: int
    """The key of its entry in the table."""
    entry: int
    """Where it is in `Process.busy`, or -1."""
    waits_for: int
    """The job that it waits for, or -1."""
    first_waiting: int
    """The first job that waits for it, or -1."""
    previous: int
    """Its neighbours among the jobs that wait for the same one; -1 if there is none."""
    next: int
    heap_place: int
    """Where it is in the queue, or -1."""


class Child(Record):
    """A move whose value another job finds, here or in another process."""

    job: int
    """The job of the parent; -1 if this record is free."""
    serial: int
    """Changes with every question, so that answers to old ones are recognised."""
    owner: int
    """The process that was asked."""
    move: int
    move_index: int
    tried: int
    """Its place among the moves of its parent, in the order of search."""
    flips: int
    """1 if the other side is to move after it."""
    kind: int
    """What the child is expected to be, and its place in the order of search; see `Job`."""
    order: int
    depth: int
    low: float
    """The window, from the parent's perspective."""
    high: float
    base: float
    """The lower end of the parent's window when the move was planned."""
    proven: int
    previous: int
    next: int


class Process(Record):
    """What one process of a distributed search knows."""

    number: Fixed[int]
    size: Fixed[int]
    """The number of processes."""
    search: Fixed[int]
    """The number of the search, which all its messages contain."""
    split_depth: Fixed[int]
    """Nodes with less depth left are searched by recursion."""
    max_moves: Fixed[int]
    levels: Fixed[int]
    root_depth: Fixed[int]
    alpha: Fixed[float]
    beta: Fixed[float]
    node_limit: Fixed[int]
    """The limit of nodes of all processes; 0 if there is none."""
    event_words: Fixed[int]
    """The words of all messages, at most, that one message or job can cause."""
    report_nodes: Fixed[int]
    """A process reports its nodes to the first one whenever it has visited so many."""
    brothers: Fixed[int]
    """Moves of a node where a cut is expected that are searched one after the other."""
    merges: Fixed[int]
    """1 if jobs wait for others that search the same position."""
    poll_nodes: Fixed[int]
    """Nodes of a recursion between two looks at the messages."""
    idle_turns: Fixed[int]
    """Turns without work after which a process rests between looks at the messages."""
    remote_depth: Fixed[int]
    """In a partitioned table: the depth from which on entries are at their owner."""

    jobs: Records[Job]
    """One more than `max_jobs`: the last is for work that finds no free job."""
    paths: Words
    """The moves from the root to each job."""
    free_jobs: Words
    queue: Words
    """The queued jobs as a heap, the one to open next at the top."""
    nodes: Records[Node]
    """For each place: the node, its moves and their order, and its line."""
    moves: Words
    move_order: Words
    move_scores: Reals
    lines: Words
    free_places: Words
    children: Records[Child]
    free_children: Words
    inbound: Words
    """For each process and each of its children: the job that was made for it."""
    busy: Words
    """Open jobs by their keys; -1 where there is none."""
    sent: Words
    """Messages of this search to each process, and from each; fences are not counted."""
    received: Words
    fences: Words
    """How many messages each process says it has sent here; -1 until it does."""

    max_jobs: Fixed[int]
    max_places: Fixed[int]
    max_children: Fixed[int]
    busy_size: Fixed[int]
    free_job_count: int
    free_place_count: int
    free_child_count: int
    queue_size: int
    """The number of queued jobs."""
    job_count: int
    next_serial: int
    loaded: int
    """The open job whose node is in the context, or -1."""
    root_job: int
    """The job of the root, or -1."""
    running: int
    """The job whose subtree is being searched by recursion, or -1."""
    ended: int
    """1 once the search has ended for this process."""
    failed: int
    """1 after a fault, 2 once that was reported: the process does not search any more."""
    handling: int
    """1 while the oldest message is being handled."""
    reported: int
    """Nodes that were reported to the first process."""
    all_nodes: int
    """Nodes that all processes have reported; known to the first one."""
    finished: int
    """1 once the root's value was found."""
    value: float
    contexts: Words
    """The address of this process's context."""
    peers: Words
    """In virtual time: the addresses of the contexts of all processes."""
    network: Fixed[int]
    """In tests: the simulated network."""

    # The partitioned table.
    question: int
    """The serial number of the look-up whose answer it waits for; 0 if there is none."""
    answer: int
    stealing: int
    """1 while it waits for work that it has asked for."""
    refusals: int
    """How often others have refused since it last received work."""
    pause_turns: int
    """Turns until it asks again."""
    random_state: int

    # Rings of messages; see `messages`.
    outbox: Words
    inbox: Words
    out_size: Fixed[int]
    in_size: Fixed[int]
    out_tail: int
    """The oldest message whose words are still needed."""
    out_next: int
    """The next message to hand to the network."""
    out_head: int
    """Where the next message is written."""
    in_tail: int
    in_head: int
    in_seen: int
    """Where messages start that were not looked at yet, or the first request that had to stay for
    want of room for its answer."""
    scratch: Words
    communicator: Fixed[int]
    datatype: Fixed[int]
    delay: Fixed[int]
    """In tests: messages are sent and received only once in so many times, on average."""
    delay_state: int
    error: int
    """An error of the MPI library; 0 if there was none."""

    # The account.
    start_nodes: int
    jobs_received: int
    jobs_opened: int
    subtrees: int
    merged: int
    cancelled: int
    aborts: int
    aborted_nodes: int
    narrowed: int
    messages: int
    words_sent: int
    remote_lookups: int
    remote_hits: int
    remote_stores: int
    steal_requests: int
    given: int
    """Moves that it handed over to others."""
    start_cycles: int
    end_cycles: int
    waiting_cycles: int
    messaging_cycles: int
    lookup_cycles: int
    aborted_cycles: int
    subtree_start: int
    subtree_nodes: int

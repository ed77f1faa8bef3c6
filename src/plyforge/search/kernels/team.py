"""The memory that the workers of a parallel search share.

A worker is a thread, or a processor of the simulation.  Each has a context of its own; the table is
shared.  Nodes near the root are not searched by recursion: a worker keeps a `Frame` for each of
them, so that it can offer the untried moves of one to other workers, as a `Split`.

`Team.words` holds what is read and written atomically.  Everything else that several workers use
is read and written only by the one that holds the lock (`LOCK`).
"""

from typing import Final

from plyforge.compilation.records import Fixed, Keys, Reals, Record, Records, Words
from plyforge.search.kernels.context import Node

# Phases of a frame.
OPEN: Final = 0
"""The node is not opened yet."""
EARLY: Final = 1
"""An early step is next."""
EXPAND: Final = 2
"""The moves are listed next."""
MOVES: Final = 3
"""The next move is to be chosen."""
RETURNED: Final = 4
"""The value of the child is in `Worker.value`."""
WAITING: Final = 5
"""No move is left to start; other workers search the last ones."""

# What a worker reports after a turn.
SEARCHED: Final = 0
"""It searched a subtree, or did other work."""
IDLE: Final = 1
"""It found nothing to do."""
DONE: Final = 2
"""The search has ended, or was stopped."""

# Indices of `Team.words`.  Words that are often written are not in a cache line with words that are
# often read: 16 words are two lines, which processors fetch together.
LOCK: Final = 0
FINISHED: Final = 16
"""1 once the search has ended, or was stopped."""
IDLE_WORKERS: Final = 17
OFFERS: Final = 18
"""The number of splits with moves that nobody has started; in `aphid`, that of waiting requests."""
NODES: Final = 32
"""The nodes of all workers, if their number is limited."""
TURNS: Final = 33
"""The turns of all workers, which number them in a record of the schedule."""
FIRST_CUT: Final = 48
"""From here on, for each split: `NOT_CUT`, `CUT` or `ABANDONED`."""

NOT_CUT: Final = 0
CUT: Final = 1
"""A move of the split has failed high."""
ABANDONED: Final = 2
"""A cut above the split makes it useless."""

# What a node is expected to be, after Knuth and Moore.
PV_NODE: Final = 0
CUT_NODE: Final = 1
ALL_NODE: Final = 2

NO_NODE_LIMIT: Final = 1 << 62

# Values of `Context.stop`.
STOP: Final = 1
"""The whole search stops; set by the engine, by a limit or by a fault."""
LOOK: Final = 2
"""The worker should look whether its split was cut."""


class Frame(Record):
    """What a worker has to do at one level."""

    phase: int
    depth: int
    """The depth and the window with which the node is searched."""
    alpha: float
    beta: float
    kind: int
    """What the node is expected to be: `PV_NODE`, `CUT_NODE` or `ALL_NODE`."""
    leftmost: int
    """1 if the first move of every node leads here."""
    step: int
    """The early step that is next, or whose search is open."""
    asked: int
    """1 if the child is a search that an early step asked for."""
    flips: int
    """1 if the other side is to move at the child."""
    split: int
    """The number of the split at this node, or -1."""
    joined: int
    """1 if the split belongs to another worker."""
    back: int
    """Where a split was joined: the level to which the worker returns, or -1."""
    back_base: int
    """The worker's `base` before it joined."""
    deferred: int
    """In `abdada`: the number of moves that were put off because another worker searched them."""
    resumed: int
    """In `abdada`: how many of them were searched since."""
    uncertain: int
    """In `aphid`: 1 if the value so far depends on a guess."""
    move_uncertain: int
    """The same for the searches of the present move."""


class Split(Record):
    """A node whose moves several workers search."""

    owner: int
    level: int
    parent: int
    """The split within whose subtree it lies, or -1."""
    first_child: int
    """The first of the splits within its subtree, or -1; see `split_tree`."""
    next_child: int
    previous_child: int
    first_member: int
    """The first of the workers whose innermost split it is, or -1."""
    workers: int
    """Workers that take part, the owner included; the last one to leave frees the split."""
    waits: int
    """1 while the owner waits for the others."""
    number: int
    """Counts all splits, the oldest first."""
    place: int
    """Its place in `Team.open_splits`."""
    offer_place: int
    """Its place in `Team.offered_splits`, while it has moves that nobody has started."""


class Leaf(Record):
    """In `aphid`: what is known about a node at which the master's part of the tree ends."""

    mark: int
    """A number for the path to it and for its depth; 0 if the place is empty."""
    depth: int
    lower: float
    """Bounds of its value, from the perspective of the side to move there."""
    upper: float
    lower_proven: int
    upper_proven: int
    guess: float
    known: int
    """1 if there is a guess."""
    request: int
    """The number of the request for its search, or -1."""


class Request(Record):
    """In `aphid`: a leaf that is to be searched."""

    leaf: int
    level: int
    depth: int
    alpha: float
    beta: float
    begun: int
    """1 once a worker searches it."""
    last_pass: int
    """The last pass of the master that has asked for it."""


class Worker(Record):
    """A thread, or a processor of the simulation."""

    level: int
    """The level of the frame that is next; -1 if there is none."""
    base: int
    """The first level that belongs to the present work."""
    split: int
    """The innermost split in which it takes part, or -1."""
    next_member: int
    """The next worker with the same innermost split, or -1."""
    previous_member: int
    value: float
    """The value of the last subtree."""
    searched: int
    """1 if that value is still to be returned to its parent."""
    uncertain: int
    """In `aphid`: 1 if the value that was returned last depends on a guess."""
    request: int
    """In `aphid`: the request that it carries out, or -1."""
    subtree_start: int
    """When the last subtree was started, in processor cycles."""
    subtree_nodes: int
    """How many nodes it had visited by then."""
    idle: int
    """1 if it is counted in `IDLE_WORKERS`."""
    nodes: int
    """The nodes of its last turn."""
    total_nodes: int
    aborted_nodes: int
    """Nodes of subtrees whose value was not needed any more."""
    splits: int
    joins: int
    aborts: int
    deferrals: int
    table_conflicts: int
    """Entries of the table that two threads had written at the same time."""
    messages: int
    """Moves and values that went between it and the owner of a split."""
    recursion_nodes: int
    """Nodes that were searched by recursion; the others are near the root."""
    # Processor cycles; what remains of the whole time goes from one of these to the next.
    start_cycles: int
    end_cycles: int
    recursion_cycles: int
    """Searching by recursion, aborted searches included."""
    near_root_cycles: int
    """Following the nodes near the root."""
    waiting_cycles: int
    splitting_cycles: int
    joining_cycles: int
    locking_cycles: int
    aborted_cycles: int


class Team(Record):
    """What the workers of a search share."""

    words: Words
    contexts: Words
    """The addresses of the workers' contexts."""
    workers: Records[Worker]
    frames: Records[Frame]
    """Those of the first worker, then those of the next."""
    splits: Records[Split]
    shared_nodes: Records[Node]
    """For each split, the node as all workers know it."""
    open_splits: Words
    """The numbers of the splits that are in use, then those of the others."""
    offered_splits: Words
    """The numbers of the splits that `OFFERS` counts."""
    busy: Words
    """In `abdada`: what is being searched; see `search.parallel.abdada`."""
    deferred_moves: Words
    leaves: Records[Leaf]
    """In `aphid`: see `search.parallel.aphid`."""
    requests: Records[Request]
    request_nodes: Records[Node]
    """For each request, the nodes from the root to the leaf."""
    request_asked: Words
    request_path: Keys
    waiting_requests: Words
    """A ring of the requests that nobody has begun, as many as `OFFERS` counts."""
    free_requests: Words
    schedule: Words
    """The numbers of the workers in the order of their turns, if the schedule is recorded."""

    size: Fixed[int]
    """The number of workers."""
    levels: Fixed[int]
    max_splits: Fixed[int]
    max_moves: Fixed[int]
    split_depth: Fixed[int]
    """The minimum depth of nodes that may be split; nodes below are searched by recursion."""
    method: Fixed[int]
    choice: Fixed[int]
    busy_bits: Fixed[int]
    leaf_mask: Fixed[int]
    max_requests: Fixed[int]
    schedule_size: Fixed[int]
    replays: Fixed[int]
    """1 if the turns follow `schedule`."""
    node_limit: Fixed[int]
    root_depth: Fixed[int]
    alpha: Fixed[float]
    beta: Fixed[float]
    seed: Fixed[int]

    open_count: int
    split_number: int
    first_waiting: int
    free_request_count: int
    results: int
    """In `aphid`: the number of leaves that were searched, and what it was when a pass began."""
    results_seen: int
    passes: int
    value: float
    """The result."""
    finisher: int
    """The worker that found it; -1 if the search was stopped."""

    # The simulation.  Times are in seconds.
    node_time: Fixed[float]
    """What a node takes."""
    split_time: Fixed[float]
    join_time: Fixed[float]
    latency: Fixed[float]
    """What a message takes."""
    due: Reals
    """When each worker takes its next turn."""
    idle_since: Reals
    idle_time: Reals
    work_time: Reals
    turn_work: Reals
    """What the nodes of each worker's present turn take."""
    overhead_time: Reals
    """Splitting, joining and messages."""
    heap_times: Reals
    heap_workers: Words
    idle_list: Words
    wake_list: Words
    """Owners of splits that may go on."""
    called_list: Words
    """Workers that a cut has called since the last turn."""
    heap_limit: Fixed[int]
    simulated: Fixed[int]
    """1 if the time is virtual."""
    heap_size: int
    idle_count: int
    wake_count: int
    called_count: int
    clock: float
    spared_time: float
    """What cuts have spared: the rest of turns that they have ended."""

"""The memory of a proof search: what it asks, the frames of its path, and its counters.

The question is whether the value of the root is at least `threshold` for the side `attacker`.  A
node's proof number is a lower bound on the leaves that must still be proved for the answer yes, its
disproof number one for the answer no.

One thread reads and writes a context, except for its first field, the stop flag.
"""

from typing import Final

from plyforge.compilation.records import Fixed, Keys, Record, Records, Words
from plyforge.core.scores import ONGOING

INFINITE: Final = (1 << 31) - 1
"""The proof number of a disproved node, and the disproof number of a proved one."""
MAX_NUMBER: Final = INFINITE - 1
"""Numbers of open nodes do not grow beyond this."""

NO_CYCLE: Final = 1 << 40
"""The `cycle` of a result that depends on no earlier position of the path."""
MAX_RUN: Final = 1023
"""Runs of moves without progress are counted up to this."""

NO_END: Final = 2.0 * ONGOING
"""Stands for the value of a position that is not an end of the game."""

# Reasons to stop, besides a limit.
TOO_MANY_MOVES: Final = 1
TOO_DEEP: Final = 2
OUT_OF_MEMORY: Final = 3
BAD_RESULT: Final = 4


class Frame(Record):
    """A node on the path of the search, the root's being the first."""

    key: int
    """The key of the position, salted by the question."""
    path_hash: int
    """A hash of the earlier positions on the path that can still come back."""
    first: int
    """The index on the path of the first of these."""
    side: int
    """The side to move."""
    flipped: int
    """1 if the other side made the last move."""
    start: int
    """Where the node's children start in the arrays of children."""
    count: int
    best: int
    """The index of the child that decides the node, or that was searched last."""
    proof: int
    disproof: int
    cycle: int
    """For a solved node: the lowest index on the path of a position that its result depends on."""
    dropped: int
    """The same for moves that are illegal because they repeat a position."""
    run: int
    """For a solved node: the maximum number of moves without progress from here to the first one
    with progress, or to the end."""
    longest: int
    """The maximum number of moves without progress anywhere below."""
    work: int
    """The nodes that the search below the node has visited."""


class ProofContext(Record):
    """Everything that a proof search reads and writes."""

    stop: int
    budget: int
    """Nodes left before the search stops by itself."""
    fault: int
    fault_count: int
    fault_value: float

    attacker: Fixed[int]
    threshold: Fixed[float]
    salt: Fixed[int]
    """Part of all keys in the table, so that the results of other questions are not found."""
    best_below: float
    """The highest value below the threshold that an end of a game has had in this search."""
    best_above: float
    """The lowest value of at least the threshold that an end of a game has had."""

    lowest: float
    """The lowest value for the attacker that an end of a game has had."""
    highest: float

    symmetry: Fixed[int]
    """1 if symmetric positions share an entry of the table."""
    frames: Records[Frame]
    levels: Fixed[int]
    """The number of frames."""
    path: Keys
    """The keys of the positions before the root and on the path from it."""
    before_root: Fixed[int]
    """The number of positions before the root, whose keys the path starts with."""
    root_side: Fixed[int]
    counts: Words
    """How many positions of the path from the root have a key with these low bits."""
    counts_size: Fixed[int]
    """The size of `counts`, a power of 2; 0 to look through the whole path instead."""
    repetition: Fixed[int]
    repetition_count: Fixed[int]

    moves: Words
    child_keys: Keys
    """The keys of the children's positions."""
    child_proof: Words
    child_disproof: Words
    child_cycle: Words
    child_run: Words
    child_longest: Words
    child_work: Words
    children_size: Fixed[int]

    entries: Keys
    """The table."""
    tree: Words
    """The nodes of a tree that is kept in memory."""
    capacity: Fixed[int]
    """The number of entries, or nodes."""
    sizes: Words
    """Memory for collecting garbage."""
    used: int
    collections: int
    """How often memory was freed."""

    weak: Fixed[int]
    """1 for weak proof and disproof numbers: the maximum of the children, plus one for each other
    open child, where the sum is usual."""
    epsilon: Fixed[float]
    """A child is searched until its number is so much greater than that of the second best."""
    treats_cycles: Fixed[int]
    """0 to store results that depend on the path as if they did not, which is wrong."""
    simulates: Fixed[int]
    """1 to test whether a result that was found on another path holds on this one, too."""
    simulation_budget: int

    nodes: int
    """Nodes whose moves were listed."""
    ends: int
    """Ends of games."""
    repetitions: int
    twins: int
    """Results stored by path."""
    simulations: int
    confirmed: int
    """Simulations that confirmed a result."""
    root_proof: int
    root_disproof: int
    max_level: int

    free: int
    """In a tree: the first node of the list of free ones, or 0."""
    ever_used: int
    """In a tree: the number of nodes that were ever in use; those behind are free, too."""

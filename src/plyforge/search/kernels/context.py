"""The memory of the kernel besides the position: the context, and a node for every level.

One thread reads and writes a context, except for its first field, the stop flag, which another
thread may set at any time.  `Context` declares what every search needs.  Each step of the search
adds fields for its switch, parameters, counters and arrays (see `search.steps`), such as
`context.etc` and `context.etc_depth`.
"""

from typing import TYPE_CHECKING, Any, Final

from plyforge.compilation.records import Fixed, Keys, Reals, Record, Records, Words
from plyforge.core.scores import ONGOING

ONE_PLY: Final = 16
"""Depths are counted in sixteenths of a ply."""

NO_VALUE: Final = 2.0 * ONGOING
"""Stands for a value that only a search can find."""
ASK: Final = 3.0 * ONGOING
"""Returned by a step that asks for a search; see `phases.before_moves`."""

# Bits of `Node.proven`.
NO_HORIZON: Final = 1
"""The value depends on no leaf at the horizon."""
SOUND: Final = 2
"""The value depends on no inexact step."""
PROVEN: Final = NO_HORIZON | SOUND

# Faults.
TOO_MANY_MOVES: Final = 1
BAD_EVALUATION: Final = 2
TOO_DEEP: Final = 3


class Node(Record):
    """The node at one level of the recursion.

    Levels count the searches that are open, the root's being 0.  A level is a ply unless a step
    searches a position again, at the same ply but on another level.
    """

    ply: int
    """Plies from the root."""
    depth: int
    """The remaining depth, in sixteenths of a ply."""
    side: int
    flipped: int
    """1 if the other side made the last move."""
    slot: int
    """The slot of the move that led here, or -1."""
    reversible_plies: int
    """Plies from the last irreversible move to this node."""
    path_hash: int

    alpha: float
    """The lower end of the window with which the node was opened."""
    beta: float
    low: float
    """The lower end of the window as it is now."""
    high: float
    best: float
    best_index: int
    proven: int
    """Bits: `NO_HORIZON` and `SOUND`."""
    table_proven: int
    """The same for the table's bound that narrowed the window."""
    line_length: int
    """The length of the node's principal variation."""

    move_count: int
    moves_start: int
    """Where the node's moves start in the move buffer."""
    table_move: int
    """The index of the move that the table proposes, or -1."""
    tried: int
    """The number of moves tried so far, the present one included."""
    skipped: int
    """The number of moves that steps have skipped."""
    move_index: int
    """The index of the present move, in the order of generation."""
    move: int

    score: float
    """While moves are sorted: the score of the present move."""
    estimate: float
    """While moves are sorted: an estimate of the child's value, from the node's perspective."""

    cut_source: int
    """At a cut: 1 once a step has counted it as its own."""

    to_end: int
    """1 if every game from here ends within the depth, so that no leaf needs an evaluation."""
    static: float
    """The evaluation of the position, once `static_value_of` has computed it; `NO_VALUE` before."""
    lists_all: int
    """Beyond the horizon: 1 if all moves are listed, 0 for noisy ones only."""
    passed: int
    """1 if a pass, or a search of the position itself, led here: no step passes again."""
    extended: int
    """By how much steps have extended the path from the root, in sixteenths of a ply."""
    table_value: float
    """The value of the table's entry, with wins counted from the root; see `table_bound`."""
    table_bound: int
    """What bound that value is; 0 if the table has no entry."""
    table_depth: int
    excluded: int
    """The number of moves that are left out, in a search that tests whether others are as good; see
    the step `singular`."""
    last_target: int
    """Where the capture that led here ended, or -1; see the step `recapture`."""
    reduction: int
    """By how much the plan for the present move is reduced."""

    child_depth: int
    """The plan for the present move: its depth and window, from the node's perspective."""
    child_low: float
    child_high: float
    child_proven: int

    probing: int
    """Where chance moves: 1 while its outcomes are probed, not searched; see `outcomes`."""
    max_tries: int
    """In a game of chance: the number of moves that a probe of the node tries; 0 for all."""

    asked_move: int
    """A search that a step asks for: the move to play, or -1 for the position itself."""
    asked_depth: int
    asked_low: float
    asked_high: float
    asked_excluded: int
    asked_number: int
    """Which of several searches it is, for the step that asks for them."""


class Visit(Record):
    """A node as it was opened, in the log."""

    key: int
    ply: int
    depth: int
    alpha: float
    beta: float


class Context(Record):
    """Everything that a search reads and writes."""

    stop: int
    budget: int
    """Nodes left before the kernel stops by itself; huge where there is no limit."""
    fault: int
    """A fault of the game, one of those above; 0 if there is none."""
    fault_level: int
    fault_count: int
    fault_value: float

    nodes: Records[Node]
    moves: Words
    move_order: Words
    move_scores: Reals
    path: Keys
    """The keys of the positions before the root and on the path from it."""
    variation: Words
    """The principal variation of every level, one row each."""
    entries: Keys
    stamps: Words
    distinct_keys: Keys
    log: Records[Visit]
    root_moves: Words
    states: Fixed[int]
    """The address of the evaluation's states, one for every level."""
    weights: Fixed[int]
    """The address of the evaluation's weights; 0 if they are constants of the kernel."""
    salt: Fixed[int]
    """Added to the keys in the table, so that values of other weights are not found."""

    levels: Fixed[int]
    """The number of nodes."""
    buckets: Fixed[int]
    """Places in the table: entries, or pairs of them under the rule `two-level`."""
    distinct_bits: Fixed[int]
    log_size: Fixed[int]
    root_move_count: Fixed[int]
    """The number of root moves to search; 0 for all."""

    plies_before_root: Fixed[int]
    """The number of positions before the root, whose keys the path starts with."""
    root_side: Fixed[int]
    root_reversible_plies: Fixed[int]
    """Plies from the last irreversible move to the root."""
    root_path_hash: Fixed[int]
    """The hash of the positions before the root that can still come back."""
    root_slot: Fixed[int]
    """The slot of the move that led to the root; -1 if there is none."""

    repetition: Fixed[int]
    repetition_count: Fixed[int]
    """The number of occurrences of a position that ends the game."""
    no_progress_limit: Fixed[int]
    """-1 where the game has none."""
    min_evaluation: Fixed[float]
    max_evaluation: Fixed[float]

    prune: Fixed[int]
    """0 for plain minimax: windows are not used."""
    needs_keys: Fixed[int]
    """Whether interior nodes need the keys of their positions."""
    now: int
    """The time stamp of the next entry."""
    generation: Fixed[int]
    sorts_moves: Fixed[int]
    uses_slots: Fixed[int]
    """Whether a step scores moves by their slots."""
    look_ahead_depth: Fixed[int]
    """The minimum remaining depth at which all children are looked at before the first is
    searched."""
    child_entry_depth: Fixed[int]
    """The minimum remaining depth at which the children's entries are looked up for that."""
    estimate_depth: Fixed[int]
    """The minimum remaining depth at which moves are sorted by estimates of their children."""
    estimate_weight: Fixed[float]
    history_weight: Fixed[float]

    leaves: int
    interior: int
    probes: int
    hits: int
    transpositions: int
    table_cuts: int
    cuts: int
    first_cuts: int
    researches: int
    distinct_interior: int
    logged: int

    if TYPE_CHECKING:
        # The fields of steps.
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...


PER_SEARCH: Final = frozenset(
    {
        "states",
        "weights",
        "salt",
        "buckets",
        "root_move_count",
        "plies_before_root",
        "root_side",
        "root_reversible_plies",
        "root_path_hash",
        "root_slot",
        "prune",
        "generation",
    }
)
"""The fixed fields that may differ between two searches with the same options."""

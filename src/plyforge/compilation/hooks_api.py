"""The functions that a kernel calls to use the game it is linked to.

A kernel is ordinary Python that imports these names: `for i in range(moves(position, out))`,
`child = play(position, move)`.  They are declarations without code.  When a kernel is built for a
game, the linker replaces each by the game's own hook, or by the hook's default, and converts its
types: `moves` always fills a buffer, `play` returns exactly the declared fields, scores are
float64, keys uint64.

Three groups follow: the hooks of the game contract, access to memory, and facts that are derived
from the contract (see `derived`).  Calling one of them in a kernel that is not linked raises
RuntimeError.
"""

from typing import Any


def _unlinked(name: str) -> RuntimeError:
    return RuntimeError(
        f"'{name}' belongs to a game: build the kernel for a game before calling it"
    )


def moves(position: Any, out: Any) -> int:
    """Write the legal moves to `out` and return their number, which may exceed MAX_MOVES."""
    raise _unlinked("moves")


def noisy_moves(position: Any, out: Any) -> int:
    """Write the moves of a quiescence search to `out` and return their number."""
    raise _unlinked("noisy_moves")


def play(position: Any, move: int) -> Any:
    """Return the position after a move."""
    raise _unlinked("play")


def outcome(position: Any) -> float:
    """Return `ONGOING`, or the result for the side to move."""
    raise _unlinked("outcome")


def stuck(position: Any) -> float:
    """Return the result for a side to move that has no moves."""
    raise _unlinked("stuck")


def can_move(position: Any) -> bool:
    """Whether the side to move is known to have a move; False means unknown."""
    raise _unlinked("can_move")


def drawn(position: Any) -> bool:
    """Whether the game is a draw by a rule that move counting ignores."""
    raise _unlinked("drawn")


def chance(position: Any) -> bool:
    """Whether chance moves next; always False in games without it."""
    raise _unlinked("chance")


def chance_outcomes(position: Any, out: Any, probabilities: Any) -> int:
    """Write outcomes and probabilities, and return their number, which may exceed MAX_MOVES."""
    raise _unlinked("chance_outcomes")


def turn(position: Any) -> int:
    """Return the side to move: 0 or 1."""
    raise _unlinked("turn")


def key(position: Any) -> Any:
    """Return the 64-bit key."""
    raise _unlinked("key")


def progress(position: Any) -> int:
    """Return the number of plies since the last progress."""
    raise _unlinked("progress")


def irreversible(position: Any, move: int) -> bool:
    """Whether no earlier position can recur after the move."""
    raise _unlinked("irreversible")


def scratch_key(position: Any) -> Any:
    """Compute the 64-bit key from scratch, for a game that updates its key incrementally."""
    raise _unlinked("scratch_key")


def begin(position: Any, states: Any, weights: Any) -> None:
    """Write the evaluation's state of the root to level 0 of the memory of states.

    `weights` is the block of the evaluation's weights, here and below; evaluations whose weights
    are constants do not use it.
    """
    raise _unlinked("begin")


def advance(states: Any, level: int, position: Any, move: int, child: Any, weights: Any) -> None:
    """Write the state after a move at `level` to the next level."""
    raise _unlinked("advance")


def copy_state(states: Any, level: int) -> None:
    """Copy the state of a level to the next level."""
    raise _unlinked("copy_state")


def evaluate(position: Any, states: Any, level: int, weights: Any) -> float:
    """Return an estimate for the side to move; `states` is not used by games without a state."""
    raise _unlinked("evaluate")


def move_kind(position: Any, move: int) -> int:
    """Return 0 for a quiet move, 1 for a tactical one, more for kinds that the game defines."""
    raise _unlinked("move_kind")


def move_gain(position: Any, move: int) -> float:
    """Return what a move gains at once, in the evaluation's units."""
    raise _unlinked("move_gain")


def exchange(position: Any, move: int) -> float:
    """Return what a move wins after the best captures on its square."""
    raise _unlinked("exchange")


def move_target(position: Any, move: int) -> int:
    """Return the number of the square where a move ends, or -1."""
    raise _unlinked("move_target")


def in_check(position: Any) -> bool:
    """Whether the side to move must answer a threat."""
    raise _unlinked("in_check")


def pass_move(position: Any) -> int:
    """Return a move that passes the turn, or -1."""
    raise _unlinked("pass_move")


def zugzwang_prone(position: Any) -> bool:
    """Whether zugzwang is likely."""
    raise _unlinked("zugzwang_prone")


def phase(position: Any) -> int:
    """Return the phase of the game."""
    raise _unlinked("phase")


def move_slot(position: Any, move: int) -> int:
    """Return the index of a move in history tables."""
    raise _unlinked("move_slot")


def plies_left(position: Any) -> int:
    """Return the number of plies after which every game has ended, or more than any depth."""
    raise _unlinked("plies_left")


def finish(position: Any, low: float, high: float, words: Any) -> float:
    """Return the final score of perfect play within a window, or `ONGOING`; count positions."""
    raise _unlinked("finish")


def max_score(position: Any) -> float:
    """Return a final score that the side to move cannot exceed."""
    raise _unlinked("max_score")


def mobility(position: Any) -> int:
    """Return how many replies the side to move has."""
    raise _unlinked("mobility")


def odd_region(position: Any, move: int) -> bool:
    """Whether a move is in a part of the board where its side would also have the last move."""
    raise _unlinked("odd_region")


def quick_value(position: Any) -> float:
    """Return `WIN - 1` or `LOSS + 2` if the next two plies decide the game, else `ONGOING`."""
    raise _unlinked("quick_value")


def loses_at_once(position: Any, move: int) -> bool:
    """Whether the other side can win with its next move after this one."""
    raise _unlinked("loses_at_once")


def move_priority(position: Any, move: int) -> int:
    """Return a number to sort moves by."""
    raise _unlinked("move_priority")


def canonical_key(position: Any) -> Any:
    """Return a 64-bit key that symmetric positions share."""
    raise _unlinked("canonical_key")


def probe(position: Any) -> float:
    """Return the exact value where the game knows it, else `ONGOING`."""
    raise _unlinked("probe")


def proven_result(position: Any) -> float:
    """Return the result of perfect play where a simple argument proves it, else `ONGOING`."""
    raise _unlinked("proven_result")


def index(position: Any) -> int:
    """Return the number of a position in a database, or -1 if it belongs to no slice."""
    raise _unlinked("index")


def unindex(position: Any, number: int) -> Any:
    """Return the position with a number; `position` gives the variant."""
    raise _unlinked("unindex")


def secured_score(position: Any) -> float:
    """Return the part of the final score that is decided and that `index` leaves out."""
    raise _unlinked("secured_score")


def pointer(address: Any) -> Any:
    """Return the int64 words at an address; uncompiled, the buffer itself."""
    raise _unlinked("pointer")


def floats(address: Any) -> Any:
    """Return the float64 words at an address; uncompiled, the buffer itself."""
    raise _unlinked("floats")


def unsigned(address: Any) -> Any:
    """Return the uint64 words at an address; uncompiled, the buffer itself."""
    raise _unlinked("unsigned")


def octets(address: Any) -> Any:
    """Return the unsigned bytes at an address; uncompiled, the buffer itself."""
    raise _unlinked("octets")


def shorts(address: Any) -> Any:
    """Return the int16 numbers at an address; uncompiled, the buffer itself."""
    raise _unlinked("shorts")


def halves(address: Any) -> Any:
    """Return the uint32 numbers at an address; uncompiled, the buffer itself."""
    raise _unlinked("halves")


def offset(words: Any, count: int) -> Any:
    """Return the words from index `count` on."""
    raise _unlinked("offset")


def load_flag(memory: Any) -> int:
    """Read the first word of an array or a record, which another thread may have written."""
    raise _unlinked("load_flag")


def atomic_load(words: Any, index: int) -> int:
    """Read a word that other threads write."""
    raise _unlinked("atomic_load")


def atomic_store(words: Any, index: int, value: int) -> None:
    """Write a word that other threads read; they see everything written before."""
    raise _unlinked("atomic_store")


def atomic_add(words: Any, index: int, change: int) -> int:
    """Add to a word that other threads write, too; return what it was before."""
    raise _unlinked("atomic_add")


def replace_if(words: Any, index: int, expected: int, value: int) -> bool:
    """Write a word if it is what is expected; return whether it was.  No thread comes between."""
    raise _unlinked("replace_if")


def pause() -> None:
    """Wait a moment in a loop that waits for another thread."""
    raise _unlinked("pause")


def yield_processor() -> None:
    """Let another thread use the processor."""
    raise _unlinked("yield_processor")


def sleep(microseconds: int) -> None:
    """Let the processor rest for so long."""
    raise _unlinked("sleep")


def cycles() -> int:
    """Return the processor's time stamp, which counts at a constant rate."""
    raise _unlinked("cycles")


def copy_record(target: Any, source: Any) -> None:
    """Copy all fields of a record to another one of the same type."""
    raise _unlinked("copy_record")


def prefetch(words: Any, index: int) -> None:
    """Start loading a word into the processor's cache, which takes as long as a node."""
    raise _unlinked("prefetch")


def context_at(address: Any) -> Any:
    """Return the kernel's context at an address; uncompiled, the object itself."""
    raise _unlinked("context_at")


def move_limit() -> int:
    """Return the game's `MAX_MOVES`, a constant once linked."""
    raise _unlinked("move_limit")


def slot_of(position: Any, move: int) -> int:
    """Return the `move_slot`, always below `MOVE_SLOTS`; by default a hash of the move."""
    raise _unlinked("slot_of")


def slot_limit() -> int:
    """Return the game's `MOVE_SLOTS`, a constant once linked."""
    raise _unlinked("slot_limit")


def value_limit() -> float:
    """Return the largest absolute value of the game's evaluation, a constant once linked."""
    raise _unlinked("value_limit")


def result_value(value: float) -> float:
    """Return the value of a result; in a game of chance a win is worth `value_limit`."""
    raise _unlinked("result_value")


def keeps_turn(position: Any, child: Any) -> bool:
    """Whether the same side is to move in both; always False where the sides alternate."""
    raise _unlinked("keeps_turn")


def has_cycles() -> bool:
    """Whether repetition or lack of progress can end the game, a constant once linked."""
    raise _unlinked("has_cycles")

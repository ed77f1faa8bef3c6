"""The names by which a kernel speaks of the game it will be linked to.

A kernel's source imports these; the linker puts the game's own functions in their place, with
types settled: `moves` always fills a buffer, `play` returns exactly the declared fields, scores
are float64, keys uint64.  Called unlinked, they raise.
"""

from typing import Any


def _unlinked(name: str) -> RuntimeError:
    return RuntimeError(f"'{name}' is a hole: a kernel runs only after it was linked to a game")


def moves(position: Any, out: Any) -> int:
    """Write the legal moves to `out`; return how many there are (maybe more than MAX_MOVES)."""
    raise _unlinked("moves")


def noisy_moves(position: Any, out: Any) -> int:
    """As `moves`, for the moves of a quiescence search."""
    raise _unlinked("noisy_moves")


def play(position: Any, move: int) -> Any:
    """The position after a move."""
    raise _unlinked("play")


def outcome(position: Any) -> float:
    """`ONGOING`, or the result for the side to move."""
    raise _unlinked("outcome")


def stuck(position: Any) -> float:
    """The result for a side to move without moves."""
    raise _unlinked("stuck")


def can_move(position: Any) -> bool:
    """Whether the side to move certainly has a move; False says nothing."""
    raise _unlinked("can_move")


def drawn(position: Any) -> bool:
    """Whether a rule outside of move generation makes it a draw."""
    raise _unlinked("drawn")


def turn(position: Any) -> int:
    """Whose turn it is: 0 or 1."""
    raise _unlinked("turn")


def key(position: Any) -> Any:
    """The 64-bit key."""
    raise _unlinked("key")


def progress(position: Any) -> int:
    """Plies already made without progress."""
    raise _unlinked("progress")


def irreversible(position: Any, move: int) -> bool:
    """Whether no earlier position can come back after the move."""
    raise _unlinked("irreversible")


def scratch_key(position: Any) -> Any:
    """The 64-bit key computed anew, of a game that carries its key."""
    raise _unlinked("scratch_key")


def begin(position: Any) -> Any:
    """The evaluation's running state at a position; 0 for an evaluation that has none."""
    raise _unlinked("begin")


def advance(state: Any, position: Any, move: int, child: Any) -> Any:
    """The running state after a move."""
    raise _unlinked("advance")


def evaluate(position: Any, state: Any) -> float:
    """A guess of the value for the side to move, given the running state."""
    raise _unlinked("evaluate")


def move_kind(position: Any, move: int) -> int:
    """0 for a quiet move, 1 for a tactical one, more for the game's own kinds."""
    raise _unlinked("move_kind")


def move_gain(position: Any, move: int) -> float:
    """What a move wins at once."""
    raise _unlinked("move_gain")


def in_check(position: Any) -> bool:
    """Whether the side to move must answer a threat."""
    raise _unlinked("in_check")


def pass_move(position: Any) -> int:
    """A move that gives up the turn, or -1."""
    raise _unlinked("pass_move")


def zugzwang_prone(position: Any) -> bool:
    """Whether having to move may be a burden."""
    raise _unlinked("zugzwang_prone")


def move_slot(position: Any, move: int) -> int:
    """An index that tells alike moves apart."""
    raise _unlinked("move_slot")


def probe(position: Any) -> float:
    """The exact value where the game knows it, else `ONGOING`."""
    raise _unlinked("probe")


def pointer(address: Any) -> Any:
    """The int64 words at an address; uncompiled, the buffer itself."""
    raise _unlinked("pointer")


def floats(address: Any) -> Any:
    """The float64 words at an address; uncompiled, the buffer itself."""
    raise _unlinked("floats")


def unsigned(address: Any) -> Any:
    """The uint64 words at an address; uncompiled, the buffer itself."""
    raise _unlinked("unsigned")


def offset(words: Any, count: int) -> Any:
    """The words from `count` on."""
    raise _unlinked("offset")


def load_flag(words: Any) -> int:
    """The first word, read afresh from memory: another thread may have written it."""
    raise _unlinked("load_flag")


def move_limit() -> int:
    """The game's `MAX_MOVES`, a constant once linked."""
    raise _unlinked("move_limit")


def slot_of(position: Any, move: int) -> int:
    """The `move_slot`, certainly below `MOVE_SLOTS`; a hash of the move where the game has none."""
    raise _unlinked("slot_of")


def slot_limit() -> int:
    """The game's `MOVE_SLOTS`, a constant once linked."""
    raise _unlinked("slot_limit")


def keeps_turn(position: Any, child: Any) -> bool:
    """Whether the same side is to move in both; constantly false where the sides alternate."""
    raise _unlinked("keeps_turn")


def has_cycles() -> bool:
    """Whether the game ends by repetition or for lack of progress, a constant once linked."""
    raise _unlinked("has_cycles")

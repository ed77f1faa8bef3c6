"""Random games from one position, with the figures that statistics need.

A game ends as `game.history` has it: by the rules, for want of a move, by `drawn`, by repetition,
for lack of progress; or by a limit on its length.  Game number `n` of a seed draws its moves from
the stream `randomness.Stream(hashing.mix(seed, n))`, so it is the same game in both
backends, on every machine, and however games are split into batches.

The control words are those of `kernels.perft`: 0 is set by another thread to stop, 1 is set by the
kernel to the number of moves of a position that has more than `MAX_MOVES`.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import (
    drawn,
    irreversible,
    key,
    load_flag,
    move_limit,
    moves,
    outcome,
    play,
    pointer,
    stuck,
    turn,
)
from plyforge.compilation.kernel import Kernel
from plyforge.compilation.keys import mix
from plyforge.core import hashing
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN

# The settings words.
REPETITION: Final = 0
REPETITION_COUNT: Final = 1
NO_PROGRESS_LIMIT: Final = 2
"""-1 where the game has none."""
PLY_LIMIT: Final = 3
PLIES_BEFORE: Final = 4
"""Moves made before the start; the keys of the positions they left stand in the path already."""
SINCE: Final = 5
"""Of these, the moves without progress, and what `progress` says of the first position."""
LAST_MOVER: Final = 6
"""Who made the last of them; -1 where there is none, or the game does not tell."""
SETTINGS: Final = 7

# What repetition means.
ALLOWED: Final = 0
DRAWS: Final = 1
LOSES: Final = 2
ILLEGAL: Final = 3

# How a game ended.
BY_RULES: Final = 0
NO_MOVE: Final = 1
DRAWN: Final = 2
REPEATED: Final = 3
NO_PROGRESS: Final = 4
TOO_LONG: Final = 5
BROKEN_OFF: Final = 6
"""Not a game: the kernel was stopped, or a position has too many moves."""

# The words of a game: its length in plies, how it ended, its value for the first player (a float).
GAME_WORDS: Final = 3
# The words of a ply: games that made a move there, and of the numbers of legal moves there the sum,
# the least, the greatest, and how often it was one.
PLY_WORDS: Final = 5

_GOLDEN = np.uint64(hashing.GOLDEN)
_ZERO = np.uint64(0)
_MOST = np.uint64(2**64 - 1)


def random_index(state: Any, bound: int) -> Any:
    """`Stream.below`: a number below `bound`, and the stream's next state."""
    size = np.uint64(bound)
    word = mix(state, _ZERO)
    state = state + _GOLDEN
    if word > _MOST - size:  # rare: only here a word may have to be drawn anew
        last_even = _MOST - (_ZERO - size) % size
        while word > last_even:
            word = mix(state, _ZERO)
            state = state + _GOLDEN
    return np.int64(word % size), state


def occurrences(path: Any, here: int) -> int:
    """How often the last of the keys at 0 to `here` stands among them."""
    count = 0
    for index in range(here + 1):
        if path[index] == path[here]:
            count += 1
    return count


def keep_new(position: Any, count: int, buffer: Any, path: Any, here: int) -> int:
    """Keep the moves that lead to positions not yet on the path; return how many these are."""
    kept = 0
    for index in range(count):
        path[here + 1] = key(play(position, buffer[index]))
        if occurrences(path, here + 1) == 1:
            buffer[kept] = buffer[index]
            kept += 1
    return kept


def side_told(position: Any, ply: int) -> int:
    return turn(position)


def side_counted(position: Any, ply: int) -> int:
    return ply & 1


side: Callable[[Any, int], int] = side_told
"""Whose turn it is; each of the two kernels has one of the functions above in its place."""


def end_with_moves(
    position: Any, here: int, since: int, last: int, settings: Any, path: Any
) -> Any:
    """How a game ends at a position that has moves, and its value there; `ONGOING` if it does not.

    The order is that of `History.verdict`.
    """
    if drawn(position):
        return DRAWN, float(DRAW)
    rule = settings[REPETITION]
    if rule in (DRAWS, LOSES) and occurrences(path, here) >= settings[REPETITION_COUNT]:
        if rule == DRAWS:
            return REPEATED, float(DRAW)
        # The side that made the last move has repeated; it may be to move again.
        return REPEATED, float(LOSS) if side(position, here) == last else float(WIN)
    if 0 <= settings[NO_PROGRESS_LIMIT] <= since:
        return NO_PROGRESS, float(DRAW)
    if here - settings[PLIES_BEFORE] >= settings[PLY_LIMIT]:
        return TOO_LONG, float(DRAW)
    return BROKEN_OFF, float(ONGOING)


def play_game(
    position: Any, state: Any, settings: Any, control: Any, buffer: Any, path: Any, widths: Any
) -> Any:
    """One game: its length, how it ended, its value for the first player.

    The numbers of legal moves on the way go to `widths`.
    """
    rule = settings[REPETITION]
    here = settings[PLIES_BEFORE]
    since = settings[SINCE]
    last = settings[LAST_MOVER]
    ply = 0
    while load_flag(control) == 0:
        if rule != ALLOWED:
            path[here] = key(position)
        reason, value, count = BY_RULES, outcome(position), 0
        if value == ONGOING:
            count = moves(position, buffer)
            if count > move_limit():
                control[1] = count
                break
            if rule == ILLEGAL:
                count = keep_new(position, count, buffer, path, here)
            if count == 0:
                reason, value = NO_MOVE, stuck(position)
            else:
                reason, value = end_with_moves(position, here, since, last, settings, path)
        if value != ONGOING:
            # Adding zero turns -0.0 into 0.0.
            return ply, reason, (value if side(position, here) == 0 else -value) + 0.0
        widths[ply] = count
        index, state = random_index(state, count)
        move = buffer[index]
        if settings[NO_PROGRESS_LIMIT] >= 0:
            since = 0 if irreversible(position, move) else since + 1
        if rule == LOSES:
            last = side(position, here)
        position = play(position, move)
        ply += 1
        here += 1
    return ply, BROKEN_OFF, 0.0


def add_plies(length: int, widths: Any, plies: Any) -> None:
    """Add the numbers of legal moves of a game to the figures of each ply."""
    for ply in range(length):
        row = PLY_WORDS * ply
        width = widths[ply]
        if plies[row] == 0 or width < plies[row + 2]:
            plies[row + 2] = width
        if width > plies[row + 3]:
            plies[row + 3] = width
        if width == 1:
            plies[row + 4] += 1
        plies[row] += 1
        plies[row + 1] += width


def playouts(
    position: Any,
    seed: Any,
    first: int,
    count: int,
    settings: Any,
    control: Any,
    buffer: Any,
    path: Any,
    widths: Any,
    plies: Any,
    games: Any,
) -> int:
    """Play the games numbered from `first` on; return how many were played to their ends.

    All but the first four arguments are addresses of words.  `plies` is added to, `games` written.
    """
    rules, flags, list_, keys = pointer(settings), pointer(control), pointer(buffer), pointer(path)
    branches, by_ply, results = pointer(widths), pointer(plies), pointer(games)
    for number in range(count):
        state = mix(np.uint64(seed), np.uint64(first + number))
        length, reason, value = play_game(position, state, rules, flags, list_, keys, branches)
        if reason == BROKEN_OFF:
            return number
        add_plies(length, branches, by_ply)
        row = GAME_WORDS * number
        results[row] = length
        results[row + 1] = reason
        results[row + 2] = np.float64(value).view(np.int64)
    return count


def _with_side(told: Callable[[Any, int], int]) -> FunctionType:
    """The entry, with `side` settled: a kernel must not mention `turn` for games that lack it."""
    scope = dict(globals(), side=told)
    for function in (end_with_moves, play_game, playouts):
        scope[function.__name__] = FunctionType(function.__code__, scope, function.__name__)
    entry: FunctionType = scope["playouts"]
    return entry


_SIGNATURE = (
    "int64(position, uint64, int64, int64, address, address, address, address, address, address,"
    " address)"
)
PLAYOUT_TOLD = Kernel("playout", _with_side(side_told), _SIGNATURE)
"""For games with `turn`."""
PLAYOUT_COUNTED = Kernel("playout", _with_side(side_counted), _SIGNATURE)
"""For games without it, whose sides alternate."""

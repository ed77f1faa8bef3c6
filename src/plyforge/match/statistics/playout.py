"""The kernel of random games from one position, with the figures that statistics need.

A game ends as in `game.history`: by the rules, without a legal move, by `drawn`, by repetition, by
lack of progress; or by a limit on its length.  Game number `n` of a seed draws its moves from the
stream `randomness.Stream(hashing.mix(seed, n))`, so it is the same game in both backends, on every
machine, and for every size of batch.

The control words are those of the perft kernel: another thread sets 0 to stop; the kernel sets 1 to
the number of moves of a position that has more than `MAX_MOVES`; 2 is the address of a buffer for
the probabilities of chance's outcomes; the kernel sets 3 to 1 where they are wrong.  Chance takes
one word of the stream, as in `game.chance.draw_outcome`; what it does is not a ply.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import (
    chance,
    chance_outcomes,
    drawn,
    floats,
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
    unsigned,
)
from plyforge.compilation.kernel import Kernel
from plyforge.compilation.keys import mix
from plyforge.core import hashing
from plyforge.core.scores import DRAW, ONGOING
from plyforge.game.kernels.path_ends import (
    ALLOWED,
    ILLEGAL,
    LOSES,
    drop_repeating_moves,
    is_repetition_end,
    lacks_progress,
    repetition_value,
)
from plyforge.game.kernels.probabilities import are_probabilities

# The settings words.
REPETITION: Final = 0
REPETITION_COUNT: Final = 1
NO_PROGRESS_LIMIT: Final = 2
"""-1 where the game has none."""
PLY_LIMIT: Final = 3
PLIES_BEFORE: Final = 4
"""Moves made before the start; the path already holds the keys of the positions before them."""
SINCE: Final = 5
"""Plies without progress at the start, including `progress` of the first position."""
LAST_MOVER: Final = 6
"""Who made the last of them; -1 where there is none, or the game has no `turn`."""
SETTINGS: Final = 7

# How a game ended.
BY_RULES: Final = 0
NO_MOVE: Final = 1
DRAWN: Final = 2
REPEATED: Final = 3
NO_PROGRESS: Final = 4
TOO_LONG: Final = 5
UNFINISHED: Final = 6
"""Not a game: the kernel was stopped, or a position has too many moves or wrong probabilities."""

# The words of a game: its length in plies, how it ended, its value for the first player (a float).
GAME_WORDS: Final = 3
# The words of a ply: the games that made a move there; the sum, minimum and maximum of the numbers
# of legal moves there; and the games with exactly one.
PLY_WORDS: Final = 5

_GOLDEN = np.uint64(hashing.GOLDEN)
_ZERO = np.uint64(0)
_MAX = np.uint64(2**64 - 1)
_FRACTION = np.uint64(11)


def random_index(state: Any, bound: int) -> Any:
    """Return a number below `bound`, as `Stream.below`, and the stream's next state."""
    size = np.uint64(bound)
    word = mix(state, _ZERO)
    state = state + _GOLDEN
    if word > _MAX - size:  # rare: only here may a word have to be drawn again
        last_even = _MAX - (_ZERO - size) % size
        while word > last_even:
            word = mix(state, _ZERO)
            state = state + _GOLDEN
    return np.int64(word % size), state


def random_outcome(state: Any, count: int, probabilities: Any) -> Any:
    """Return the index of an outcome of chance, as `draw_outcome`, and the stream's next state."""
    share = np.float64(mix(state, _ZERO) >> _FRACTION) * 2.0**-53
    state = state + _GOLDEN
    for index in range(count):
        share -= probabilities[index]
        if share < 0.0:
            return index, state
    return count - 1, state


def list_moves(position: Any, buffer: Any, control: Any) -> int:
    """Write the moves, or chance's outcomes, to `buffer` and return their number."""
    if not chance(position):
        return moves(position, buffer)
    probabilities = floats(control[2])
    count = chance_outcomes(position, buffer, probabilities)
    if count <= move_limit() and not are_probabilities(count, probabilities):
        control[3] = 1
    return count


def draw_move(position: Any, state: Any, count: int, control: Any) -> Any:
    """Return the index of a random move or outcome, and the stream's next state."""
    if chance(position):
        return random_outcome(state, count, floats(control[2]))
    return random_index(state, count)


def side_by_turn(position: Any, ply: int) -> int:
    return turn(position)


def side_by_ply(position: Any, ply: int) -> int:
    return ply & 1


side: Callable[[Any, int], int] = side_by_turn
"""Whose turn it is; each of the two kernels has one of the functions above in its place."""


def end_with_moves(
    position: Any, here: int, since: int, last: int, settings: Any, path: Any
) -> Any:
    """Return how a game ends at a position with moves, and its value (`ONGOING` if it does not).

    The order is that of `History.verdict`.
    """
    if drawn(position):
        return DRAWN, float(DRAW)
    rule = settings[REPETITION]
    if rule != ALLOWED:
        limit = settings[REPETITION_COUNT]
        if is_repetition_end(rule, limit, path[here], path, 0, here):
            return REPEATED, repetition_value(rule, side(position, here) == last)
    if lacks_progress(settings[NO_PROGRESS_LIMIT], since):
        return NO_PROGRESS, float(DRAW)
    if here - settings[PLIES_BEFORE] >= settings[PLY_LIMIT]:
        return TOO_LONG, float(DRAW)
    return UNFINISHED, float(ONGOING)


def play_game(
    position: Any, state: Any, settings: Any, control: Any, buffer: Any, path: Any, widths: Any
) -> Any:
    """Play one game; return its length, how it ended, and its value for the first player.

    `widths` receives the number of legal moves at each ply.
    """
    rule = settings[REPETITION]
    here = settings[PLIES_BEFORE]
    since = settings[SINCE]
    last = settings[LAST_MOVER]
    ply = 0
    while load_flag(control) == 0:
        if rule != ALLOWED:
            path[here] = np.uint64(key(position))
        reason, value, count = BY_RULES, outcome(position), 0
        if value == ONGOING:
            count = list_moves(position, buffer, control)
            if count > move_limit():
                control[1] = count
                break
            if control[3] != 0:
                break
            if rule == ILLEGAL:
                count = drop_repeating_moves(position, count, buffer, path, 0, here)
            if count == 0:
                reason, value = NO_MOVE, stuck(position)
            else:
                reason, value = end_with_moves(position, here, since, last, settings, path)
        if value != ONGOING:
            # Adding zero turns -0.0 into 0.0.
            return ply, reason, (value if side(position, here) == 0 else -value) + 0.0
        index, state = draw_move(position, state, count, control)
        if not chance(position):
            widths[ply] = count
            ply += 1
        move = buffer[index]
        if settings[NO_PROGRESS_LIMIT] >= 0:
            since = 0 if irreversible(position, move) else since + 1
        if rule == LOSES:
            last = side(position, here)
        position = play(position, move)
        here += 1
    return ply, UNFINISHED, 0.0


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
    """Play `count` games, numbered from `first`; return how many were finished.

    All but the first four arguments are addresses of words.  `plies` is added to, `games` written.
    """
    rules, flags, moves_, keys = (
        pointer(settings),
        pointer(control),
        pointer(buffer),
        unsigned(path),
    )
    branches, by_ply, results = pointer(widths), pointer(plies), pointer(games)
    for number in range(count):
        state = mix(np.uint64(seed), np.uint64(first + number))
        length, reason, value = play_game(position, state, rules, flags, moves_, keys, branches)
        if reason == UNFINISHED:
            return number
        add_plies(length, branches, by_ply)
        row = GAME_WORDS * number
        results[row] = length
        results[row + 1] = reason
        results[row + 2] = np.float64(value).view(np.int64)
    return count


def _with_side(side_function: Callable[[Any, int], int]) -> FunctionType:
    """Return the entry point with `side` replaced: games without `turn` cannot compile it."""
    scope = dict(globals(), side=side_function)
    for function in (end_with_moves, play_game, playouts):
        scope[function.__name__] = FunctionType(function.__code__, scope, function.__name__)
    entry: FunctionType = scope["playouts"]
    return entry


_SIGNATURE = (
    "int64(position, uint64, int64, int64, address, address, address, address, address, address,"
    " address)"
)
WITH_TURN = Kernel("playout", _with_side(side_by_turn), _SIGNATURE)
"""For games with `turn`."""
ALTERNATING = Kernel("playout", _with_side(side_by_ply), _SIGNATURE)
"""For games without it, whose sides alternate."""

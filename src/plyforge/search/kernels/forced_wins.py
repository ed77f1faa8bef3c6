"""Wins by force: a small df-pn search in which every move of the attacker makes a threat.

The attacker plays only moves after which the other side must answer a threat (`in_check`), and
moves that win at once or keep the turn; the defender plays any move.  Such a search sees a long
series of checks and nothing else: what it finds is a win, but there may be others, and faster ones.

A win must hold by the rules on the path to the node.  A position that comes back, from the path of
the main search or from that of this search, counts as no win, whatever the rule of repetition; so
does a win that may take longer than the limit of plies without progress allows.

Memory.  Each search has keys of its own in the table of numbers, because a result depends on the
path to its start; entries of earlier searches are never found, only replaced.  A second table has
the positions for which a search found nothing; they are not searched again from the same root.  The
path of a search is a list of moves, which are played again to go back up: positions of any game
fit in no array.  If the table is too small for the nodes of a search, it may find less, but nothing
wrong.
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import (
    drawn,
    in_check,
    keeps_turn,
    key,
    load_flag,
    move_limit,
    moves,
    offset,
    outcome,
    play,
    stuck,
)
from plyforge.compilation.keys import mix
from plyforge.core.scores import LOSS, ONGOING, WIN
from plyforge.game.kernels.path_ends import lacks_progress
from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.counting import count_interior, count_leaf
from plyforge.search.kernels.cycles import first_reversible, watches_cycles

TABLE_BITS: Final = 14
FAILURE_BITS: Final = 14
MAX_PLIES: Final = 39
"""The length of the longest win that can be found."""
NOT_FOUND: Final = -1
INFINITE: Final = 1 << 28

# The words of a level, one for each ply from the start.
ATTACKING: Final = 0
"""1 if the attacker is to move."""
KEY: Final = 1
COUNT: Final = 2
PROOF: Final = 3
DISPROOF: Final = 4
"""Where the win is proved: the plies to its end."""
PROOF_LIMIT: Final = 5
DISPROOF_LIMIT: Final = 6
BEST: Final = 7
"""The child to search next."""
SECOND: Final = 8
"""The lowest number of another child, of those that the side to move wants to lower."""
WIDTH: Final = 9

_HALF: Final = 32
_LOWER_HALF: Final = (1 << _HALF) - 1
_UNKNOWN: Final = (1 << _HALF) + 1
"""The numbers of a position that was not searched: 1 and 1."""
_ATTACKER = np.uint64(0x7C15_9E37_79B9_7F4B)
_NO_SEARCH: Final = 0


def find_forced_win(
    position: Any, attacking: int, max_nodes: int, node: Node, context: Context
) -> int:
    """Return the plies of a forced win that was found, or `NOT_FOUND`; there may be a faster one.

    `attacking` is 1 to search for a win of the side to move, and 0 for one of the other side.
    """
    failure = forced_key(np.uint64(key(position)), attacking, _NO_SEARCH)
    place = place_of(failure, FAILURE_BITS)
    if context.forced_failures[place] == failure:
        return NOT_FOUND
    context.mate_searches += 1
    plies = find_short_win(position, attacking, max_nodes, node, context)
    if plies != NOT_FOUND and exceeds_limit(plies, node, context):
        plies = NOT_FOUND
    if plies == NOT_FOUND and load_flag(context) == 0:
        context.forced_failures[place] = failure
    return plies


def exceeds_limit(plies: int, node: Node, context: Context) -> bool:
    """Whether the game may be drawn for lack of progress before so many plies are played."""
    if not watches_cycles(context):
        return False
    return lacks_progress(context.no_progress_limit, node.reversible_plies + plies - 1)


def find_short_win(
    position: Any, attacking: int, max_nodes: int, node: Node, context: Context
) -> int:
    """Return the plies of a win, or `NOT_FOUND`; nodes that are left look for a shorter one."""
    before, best, max_plies = context.mate_nodes, NOT_FOUND, MAX_PLIES
    while max_plies > 0:
        nodes = max_nodes - (context.mate_nodes - before)
        plies = prove_win(position, attacking, max_plies, nodes, node, context)
        if plies == NOT_FOUND:
            break
        best, max_plies = plies, plies - 1
    return best


def prove_win(
    position: Any, attacking: int, max_plies: int, max_nodes: int, node: Node, context: Context
) -> int:
    """Search by df-pn for a win within `max_plies`; return its plies, or `NOT_FOUND`."""
    context.forced_searches[0] += 1
    start = forced_key(np.uint64(key(position)), attacking, context.forced_searches[0])
    start_level(0, attacking, start, INFINITE, INFINITE, context)
    here, level, nodes, is_new = position, 0, 0, True
    while True:
        words = offset(context.forced_levels, WIDTH * level)
        if is_new:
            if nodes >= max_nodes:
                return NOT_FOUND
            nodes += 1
            context.mate_nodes += 1
            open_level(here, level, max_plies, words, node, context)
            if load_flag(context) != 0:
                return NOT_FOUND
        combine_numbers(level, words, context)
        if is_settled(words):
            numbers = (words[PROOF] << _HALF) + words[DISPROOF]
            keep_numbers(words[KEY], numbers, context)
            if level == 0:
                return words[DISPROOF] if words[PROOF] == 0 else NOT_FOUND
            level -= 1
            context.forced_numbers[best_place(level, context)] = numbers
            here = replay(position, level, context)
            is_new = False
        else:
            place = best_place(level, context)
            child = play(here, context.forced_moves[place])
            attacks = words[ATTACKING] if keeps_turn(here, child) else 1 - words[ATTACKING]
            mark = context.forced_keys[place]
            proof, disproof = child_limits(words, context.forced_numbers[place])
            level += 1
            start_level(level, attacks, mark, proof, disproof, context)
            here = child
            is_new = True


def start_level(
    level: int, attacking: int, mark: int, proof: int, disproof: int, context: Context
) -> None:
    words = offset(context.forced_levels, WIDTH * level)
    words[ATTACKING] = attacking
    words[KEY] = mark
    words[PROOF_LIMIT] = proof
    words[DISPROOF_LIMIT] = disproof


def best_place(level: int, context: Context) -> int:
    """The index of the child that a level searches, in the arrays of children."""
    return level * move_limit() + context.forced_levels[WIDTH * level + BEST]


def replay(position: Any, level: int, context: Context) -> Any:
    """Return the position at a level of the path."""
    here = position
    for above in range(level):
        here = play(here, context.forced_moves[best_place(above, context)])
    return here


def open_level(
    position: Any, level: int, max_plies: int, words: Any, node: Node, context: Context
) -> None:
    """List the moves to try; if there are none, set the numbers of the position itself."""
    words[COUNT] = 0
    wanted = WIN if words[ATTACKING] != 0 else LOSS
    value = outcome(position)
    if value != ONGOING:
        set_answer(value == wanted, words)
        count_leaf(context)
        return
    buffer = offset(context.forced_moves, level * move_limit())
    count = moves(position, buffer)
    if count == 0:
        set_answer(stuck(position) == wanted, words)
        count_leaf(context)
        return
    set_answer(False, words)
    count_interior(context)
    # A game that lists more moves than it declares is reported where the main search lists them.
    if level < max_plies and count <= move_limit() and not drawn(position):
        words[COUNT] = keep_forced(position, count, level, words, node, context)


def set_answer(won: bool, words: Any) -> None:
    """Set the numbers of a position without moves to try: won, or not."""
    words[PROOF] = 0 if won else INFINITE
    words[DISPROOF] = 0


def keep_forced(
    position: Any, count: int, level: int, words: Any, node: Node, context: Context
) -> int:
    """Keep the moves to try, and set the numbers of their children; return how many there are.

    A defender that can go back to an earlier position has escaped: there is nothing to try.
    """
    first = level * move_limit()
    buffer = offset(context.forced_moves, first)
    attacking = words[ATTACKING]
    kept = 0
    for index in range(count):
        child = play(position, buffer[index])
        same = keeps_turn(position, child)
        if attacking != 0 and not (same or in_check(child) or outcome(child) == LOSS):
            continue
        child_key = np.uint64(key(child))
        side = attacking if same else 1 - attacking
        mark = forced_key(child_key, side, context.forced_searches[0])
        if comes_back(child_key, mark, level, node, context):
            if attacking != 0:
                continue
            return 0
        buffer[kept] = buffer[index]
        context.forced_keys[first + kept] = mark
        context.forced_numbers[first + kept] = find_numbers(mark, context)
        kept += 1
    return kept


def comes_back(child_key: Any, mark: int, level: int, node: Node, context: Context) -> bool:
    """Whether a position is on the path already, of this search or of the main one."""
    for above in range(level + 1):
        if context.forced_levels[WIDTH * above + KEY] == mark:
            return True
    if watches_cycles(context):
        for index in range(first_reversible(node, context), context.plies_before_root + node.ply):
            if context.path[index] == child_key:
                return True
    return False


def combine_numbers(level: int, words: Any, context: Context) -> None:
    """Compute the numbers of a level from its children's, and choose the child to search next.

    The number that the other side wants to lower is a weak one, as in `proof.kernels.numbers`: the
    greatest of the children's, plus one for each other open child.
    """
    count = words[COUNT]
    if count == 0:
        return
    attacking = words[ATTACKING] != 0
    first = level * move_limit()
    lowest, second, highest, open_children, plies = INFINITE, INFINITE, 0, 0, 0
    for index in range(count):
        numbers = context.forced_numbers[first + index]
        proof, disproof = numbers >> _HALF, numbers & _LOWER_HALF
        if proof == 0:
            # A proved win has its length in place of the disproof number.
            length = disproof + 1
            disproof = INFINITE
            plies = length if plies == 0 or (length < plies) == attacking else plies
        own = proof if attacking else disproof
        other = disproof if attacking else proof
        if other > 0:
            highest = max(highest, other)
            open_children += 1
        if own < lowest:
            second, lowest = lowest, own
            words[BEST] = index
        elif own < second:
            second = own
    total = min(highest + max(open_children - 1, 0), INFINITE)
    words[SECOND] = second
    words[PROOF] = lowest if attacking else total
    words[DISPROOF] = total if attacking else lowest
    if words[PROOF] == 0:
        words[DISPROOF] = plies


def is_settled(words: Any) -> bool:
    """Whether a level is solved, or has reached one of its limits."""
    if words[PROOF] == 0 or words[PROOF] >= words[PROOF_LIMIT]:
        return True
    return words[DISPROOF] == 0 or words[DISPROOF] >= words[DISPROOF_LIMIT]


def child_limits(words: Any, numbers: int) -> tuple[int, int]:
    """Return the limits with which a child with these numbers is searched: 1 + ε, ε = 1/4."""
    second = min(words[SECOND] + words[SECOND] // 4 + 1, INFINITE)
    if words[ATTACKING] != 0:
        below = numbers & _LOWER_HALF
        other = other_limit(words[DISPROOF_LIMIT], words[DISPROOF], below)
        return min(words[PROOF_LIMIT], second), other
    other = other_limit(words[PROOF_LIMIT], words[PROOF], numbers >> _HALF)
    return other, min(words[DISPROOF_LIMIT], second)


def other_limit(limit: int, total: int, below: int) -> int:
    """The limit of a child's other number: until that of its parent reaches `limit`."""
    return limit if limit >= INFINITE else max(limit - max(total - below, 0), 1)


def forced_key(position_key: Any, attacking: int, number: int) -> int:
    """The key of a position in a search: another one if the other side attacks."""
    word = position_key
    if attacking != 0:
        word = word ^ _ATTACKER
    return np.uint64(mix(np.uint64(number), word)).view(np.int64)


def place_of(mark: int, bits: int) -> int:
    """The index of a key in a table of 2^bits places."""
    return mark & ((1 << bits) - 1)


def find_numbers(mark: int, context: Context) -> int:
    """The numbers of a position that this search has stored, else those of an unknown one."""
    place = 2 * place_of(mark, TABLE_BITS)
    if context.forced_table[place] == mark:
        return context.forced_table[place + 1]
    return _UNKNOWN


def keep_numbers(mark: int, numbers: int, context: Context) -> None:
    place = 2 * place_of(mark, TABLE_BITS)
    context.forced_table[place] = mark
    context.forced_table[place + 1] = numbers

"""The end of a game of Othello: its last cells, and what a search of it can know in advance.

`finish` searches the last empty cells.  It tries cells of regions with an odd number of empty cells
first, because there the side to move also has the last move.
"""

from math import ceil, floor
from typing import Any, Final

from plyforge.games.othello.evaluation import ends_of, safe_axes, sides_of, stable
from plyforge.games.othello.flipping import NEIGHBOURS, flips_at
from plyforge.games.othello.rules import NONE, ONE, Position, placements
from plyforge.rules import ONGOING, ctz, popcount, u64

FINISHED: Final = 7
"""The maximum number of empty cells that `finish` searches."""
NO_SCORE: Final = -65
"""Less than any final score."""
QUADRANTS: Final = (
    u64(0x0000_0000_0F0F_0F0F),
    u64(0x0000_0000_F0F0_F0F0),
    u64(0x0F0F_0F0F_0000_0000),
    u64(0xF0F0_F0F0_0000_0000),
)
CORNERS: Final = u64(0x8100_0000_0000_0081)
NODE_WORDS: Final = 9
"""The size of a node in memory."""


def plies_left(position: Position) -> int:
    """Two for each empty cell: there may be a pass before every disc."""
    return 2 * popcount(position.board & ~(position.mine | position.theirs))


def mobility(position: Position) -> int:
    """The cells where a disc can be placed; corners of the 8x8 board count twice."""
    targets = placements(position.mine, position.theirs, position.board)
    return popcount(targets) + popcount(targets & CORNERS)


def odd_region(position: Position, move: int) -> bool:
    empty = position.board & ~(position.mine | position.theirs)
    return bool(ONE << move & odd_cells(empty))


def odd_cells(empty: u64) -> u64:
    """The empty cells of the quadrants that have an odd number of them."""
    odd = NONE
    for quadrant in QUADRANTS:
        cells = empty & quadrant
        if popcount(cells) & 1:
            odd |= cells
    return odd


def max_score(position: Position) -> int:
    """All cells except for the other side's stable discs."""
    empty = position.board & ~(position.mine | position.theirs)
    sides, ends = sides_of(position.board), ends_of(position.board)
    safe = safe_axes(empty, sides, ends)
    return popcount(position.board) - 2 * popcount(stable(position.theirs, safe))


def finish(position: Position, low: float, high: float, words: Any) -> int:
    mine, theirs = position.mine, position.theirs
    empty = position.board & ~(mine | theirs)
    if popcount(empty) > FINISHED:
        return ONGOING
    takes = position.winner_takes
    words[0] += 1
    if empty == NONE:
        return final_score(mine, theirs, empty, takes)
    if empty & (empty - ONE) == NONE:
        return last_score(mine, theirs, empty, takes)
    # Scores are integers.
    alpha, beta = floor(max(low, -65.0)), ceil(min(high, 65.0))
    return search_last(mine, theirs, empty, alpha, beta, takes, words)


def final_score(mine: u64, theirs: u64, empty: u64, takes: int) -> int:
    """The score of a finished game."""
    score = popcount(mine) - popcount(theirs)
    if takes != 0 and score > 0:
        return score + popcount(empty)
    if takes != 0 and score < 0:
        return score - popcount(empty)
    return score


def last_score(mine: u64, theirs: u64, empty: u64, takes: int) -> int:
    """The score with one empty cell, for either side that can take it."""
    cell = ctz(empty)
    score = popcount(mine) - popcount(theirs)
    turned = flips_at(mine, theirs, cell)
    if turned != NONE:
        return score + 2 * popcount(turned) + 1
    turned = flips_at(theirs, mine, cell)
    if turned != NONE:
        return score - 2 * popcount(turned) - 1
    return final_score(mine, theirs, empty, takes)


def search_last(
    mine: u64, theirs: u64, empty: u64, alpha: int, beta: int, takes: int, words: Any
) -> int:
    """The score of perfect play with two or more empty cells, by alpha-beta.

    Nodes above the present one are kept in `words`.
    """
    level = 0
    best, sign = NO_SCORE, 1
    first = odd_cells(empty)
    second = empty ^ first
    while True:
        if first == NONE:
            first, second = second, NONE
        if first != NONE:
            disc = first & ~(first - ONE)
            first ^= disc
            cell = ctz(disc)
            if NEIGHBOURS[cell] & theirs == NONE:
                continue
            turned = flips_at(mine, theirs, cell)
            if turned == NONE:
                continue
            words[0] += 1
            rest = empty ^ disc
            if rest & (rest - ONE) != NONE:
                level += 1
                save_node(level, mine, theirs, empty, first, second, alpha, beta, best, sign, words)
                mine, theirs, empty = theirs ^ turned, mine | turned | disc, rest
                alpha, beta, best, sign = -beta, -max(alpha, best), NO_SCORE, 1
                first = odd_cells(empty)
                second = empty ^ first
                continue
            score = -last_score(theirs ^ turned, mine | turned | disc, rest, takes)
        else:
            if best == NO_SCORE and sign > 0:
                # A pass: the other side tries the same cells.
                mine, theirs = theirs, mine
                alpha, beta, sign = -beta, -alpha, -1
                first = odd_cells(empty)
                second = empty ^ first
                continue
            if best == NO_SCORE:
                best = final_score(mine, theirs, empty, takes)
            score = -sign * best
            if level == 0:
                return -score
            start = level * NODE_WORDS
            mine, theirs = u64(words[start + 1]), u64(words[start + 2])
            empty = u64(words[start + 3])
            first, second = u64(words[start + 4]), u64(words[start + 5])
            alpha, beta = int(words[start + 6]), int(words[start + 7])
            best, sign = int(words[start + 8]), int(words[start + 9])
            level -= 1
        best = max(best, score)
        if best >= beta:
            first, second = NONE, NONE


def save_node(
    level: int,
    mine: u64,
    theirs: u64,
    empty: u64,
    first: u64,
    second: u64,
    alpha: int,
    beta: int,
    best: int,
    sign: int,
    words: Any,
) -> None:
    start = level * NODE_WORDS
    words[start + 1], words[start + 2], words[start + 3] = mine, theirs, empty
    words[start + 4], words[start + 5] = first, second
    words[start + 6], words[start + 7] = alpha, beta
    words[start + 8], words[start + 9] = best, sign

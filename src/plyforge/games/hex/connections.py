"""Won positions that are recognised before the edges are joined.

Two chains that share two empty cells are as good as joined: if the enemy takes one of the cells,
the other one joins them.  The same is true of a chain and an edge.  A side whose edges are joined
by such links, no two of which need the same cell, wins even if the enemy is to move.  A side to
move wins if one more stone makes that so; and it loses if the enemy threatens that in several ways,
and no cell is in the way of all of them.

Cells are the bits of one word, so that this works on boards up to 7 x 7: the bit of a cell is
(rank - 1) * (size + 1) + file - 1.  The bit after the last file of a rank stays empty.
"""

from plyforge.games.hex.rules import (
    BLUE_TO_MOVE,
    MOVE_SLOTS,
    SIZE_WORDS,
    SWAP_OPEN,
    ZOBRIST,
    Position,
)
from plyforge.rules import LOSS, ONGOING, WIN, ctz, u64

MAX_SIZE_IN_WORD = 7
"""The size of the largest board that fits 63 bits, with room for shifts by a rank."""
NOT_LINKED = -1


def proven_result(position: Position) -> int:
    """Return who wins if links of two cells show it, else `ONGOING`."""
    size, side = position.size, position.side
    if size > MAX_SIZE_IN_WORD or position.swap:
        return ONGOING
    mine, theirs = stones_in_word(position, side), stones_in_word(position, 1 - side)
    empty = whole_board(size) & ~(mine | theirs)
    if link_edges(theirs, empty, 1 - side, size) != NOT_LINKED:
        return LOSS
    rest = empty
    while rest:
        cell = rest & -rest
        rest ^= cell
        if link_edges(mine | cell, empty ^ cell, side, size) != NOT_LINKED:
            return WIN
    return ONGOING if can_answer_threats(theirs, empty, 1 - side, size) else LOSS


def can_answer_threats(stones: int, empty: int, side: int, size: int) -> bool:
    """Whether one stone of the enemy can be in the way of every stone that would link the edges.

    It has to be on a cell that each of these threats needs.
    """
    needed, rest = empty, empty
    while rest and needed:
        cell = rest & -rest
        rest ^= cell
        cells = link_edges(stones | cell, empty ^ cell, side, size)
        if cells != NOT_LINKED:
            needed &= cells | cell
    return needed != 0


def stones_in_word(position: Position, side: int) -> int:
    """The stones of a side as the bits of a word."""
    stones, start = 0, side * (position.size + 2)
    for rank in range(position.size):
        stones |= (position.rows[start + rank + 1] >> 1) << rank * (position.size + 1)
    return stones


def whole_board(size: int) -> int:
    """All cells."""
    return first_edge(1, size) * ((1 << size) - 1)


def first_edge(side: int, size: int) -> int:
    """The cells at the upper edge for Red, at the left edge for Blue."""
    if side == 0:
        return (1 << size) - 1
    cells = 0
    for rank in range(size):
        cells |= 1 << rank * (size + 1)
    return cells


def neighbours(cells: int, size: int) -> int:
    """The cells around some cells, on or off the board."""
    below, above = cells << size + 1 | cells << size, cells >> size + 1 | cells >> size
    return cells << 1 | cells >> 1 | below | above


def chain_of(stone: int, stones: int, size: int) -> int:
    """The chain of a stone."""
    chain, before = stone, 0
    while chain != before:
        before = chain
        chain |= stones & neighbours(chain, size)
    return chain


def link_edges(stones: int, empty: int, side: int, size: int) -> int:
    """The cells of links that join the edges even if the enemy is to move, or `NOT_LINKED`.

    Chains are linked one by one, beginning at the first edge.  A pair of cells that links a chain
    is not used again; which pairs are used depends on the order, so some links are not found.
    """
    first = first_edge(side, size)
    last = first << (size - 1) * (size + 1 if side == 0 else 1)
    linked, free = 0, empty
    growing = True
    while growing:
        linked = chain_of(linked | stones & first, stones, size)
        if linked & last:
            return empty ^ free
        reached = free & (first | neighbours(linked, size))
        pair = two_of(reached & last)
        if pair:
            return empty ^ free | pair
        growing = False
        rest = stones & ~linked
        while rest and not growing:
            chain = chain_of(rest & -rest, stones, size)
            rest &= ~chain
            pair = two_of(reached & neighbours(chain, size))
            if pair:
                free ^= pair
                linked |= chain
                growing = True
    return NOT_LINKED


def two_of(cells: int) -> int:
    """Two of some cells; 0 if there are fewer."""
    others = cells & (cells - 1)
    return cells ^ (others & (others - 1)) if others else 0


def canonical_key(position: Position) -> u64:
    """The smaller of the keys of a position and of the same rotated by 180 degrees."""
    size = position.size
    word: u64 = ZOBRIST[SIZE_WORDS + size]
    if position.side == 1:
        word ^= ZOBRIST[BLUE_TO_MOVE]
    if position.swap:
        word ^= ZOBRIST[SWAP_OPEN]
    corner = 33 * (size + 1)
    for side in range(2):
        for rank in range(1, size + 1):
            cells = position.rows[side * (size + 2) + rank]
            while cells:
                word ^= ZOBRIST[side * MOVE_SLOTS + corner - 32 * rank - ctz(cells)]
                cells &= cells - 1
    return word if word < position.hash else position.hash

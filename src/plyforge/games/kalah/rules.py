"""Kalah with any number of pits and seeds that fits 63 bits a side.

A side's pits are one int, seven bits a pit from its left, so that sowing is one addition for each
stretch of pits.  Positions are seen from the side to move; a move is the number of its pit from 0.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ONGOING

WIDTH = 7
MAX_PITS = 63 // WIDTH
MAX_SEEDS = (1 << WIDTH) - 1
"""The maximum in the whole game, so that no pit can overflow into the next one."""
ONE_EACH = sum(1 << WIDTH * pit for pit in range(MAX_PITS))


class Position(NamedTuple):
    mine: int
    """The pits of the side to move."""
    theirs: int
    store: int
    """The store of the side to move."""
    their_store: int
    side: int
    """Whose turn it is."""
    pits: int


def initial(pits: int = 6, seeds: int = 4) -> Position:
    if not 1 <= pits <= MAX_PITS:
        raise ValueError(f"pits: {pits} is not between 1 and {MAX_PITS}")
    if not 1 <= seeds <= MAX_SEEDS // (2 * pits):
        raise ValueError(
            f"seeds: {seeds} is not between 1 and {MAX_SEEDS // (2 * pits)}; a game with"
            f" {pits} pits a side has at most {MAX_SEEDS} seeds in all"
        )
    row = seeds * first_pits(pits)
    return Position(row, row, 0, 0, 0, pits)


def moves(position: Position) -> Iterator[int]:
    row = position.mine
    for pit in range(position.pits):
        if row & MAX_SEEDS:
            yield pit
        row >>= WIDTH


def can_move(position: Position) -> bool:
    return position.mine != 0


def play(position: Position, move: int) -> Position:
    pits = position.pits
    mine, theirs, store = position.mine, position.theirs, position.store
    left = mine >> WIDTH * move & MAX_SEEDS
    mine -= left << WIDTH * move

    ring = 2 * pits + 1
    while left >= ring:
        mine += first_pits(pits)
        theirs += first_pits(pits)
        store += 1
        left -= ring
    last = move + left
    if last >= ring:
        last -= ring
    near = min(left, pits - 1 - move)
    mine += first_pits(near) << WIDTH * (move + 1)
    left -= near
    if left > 0:
        store += 1
        far = min(left - 1, pits)
        theirs += first_pits(far)
        mine += first_pits(left - 1 - far)

    if last < pits and mine >> WIDTH * last & MAX_SEEDS == 1:
        opposite = WIDTH * (pits - 1 - last)
        prey = theirs >> opposite & MAX_SEEDS
        if prey:
            mine -= 1 << WIDTH * last
            theirs -= prey << opposite
            store += 1 + prey

    their_store = position.their_store
    if mine == 0 or theirs == 0:
        store += total(mine)
        their_store += total(theirs)
        mine = 0
        theirs = 0
    if last == pits:
        return Position(mine, theirs, store, their_store, position.side, pits)
    return Position(theirs, mine, their_store, store, 1 - position.side, pits)


def first_pits(count: int) -> int:
    """One seed in each of the first `count` pits."""
    return ONE_EACH & ((1 << WIDTH * count) - 1)


def total(row: int) -> int:
    """The seeds in a row of pits."""
    seeds = 0
    while row:
        seeds += row & MAX_SEEDS
        row >>= WIDTH
    return seeds


def outcome(position: Position) -> int:
    """The final score once no pit holds a seed: `play` sweeps the pits when one side is empty."""
    if position.mine | position.theirs:
        return ONGOING
    return position.store - position.their_store


def turn(position: Position) -> int:
    return position.side


def move_slot(position: Position, move: int) -> int:
    return move


def irreversible(position: Position, move: int) -> bool:
    """Always: a move that sows into the other row also puts a seed into a store, for good.

    While the stores stay unchanged, every move takes seeds of one row further to the right.
    """
    return True

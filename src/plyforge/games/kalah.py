"""Kalah with any number of pits and seeds that fits 63 bits a side.

A side's pits are one int, seven bits a pit from its left, so that sowing is one addition for each
stretch of pits.  All is seen by the side to move; a move is the number of its pit from 0.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ONGOING, Geometry
from plyforge.rules import pits as mancala_board

NAME = "Kalah"
PLAYERS = ("South", "North")
VARIANTS = ("6,6", "3,2", "9,1")
MAX_MOVES = 9
MOVE_SLOTS = 9

WIDTH = 7
MOST_PITS = 63 // WIDTH
MOST_SEEDS = (1 << WIDTH) - 1
"""In the whole game: then no pit can overflow into the next one, and stores stay below it too."""
ONE_EACH = sum(1 << WIDTH * pit for pit in range(MOST_PITS))


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
    if not 1 <= pits <= MOST_PITS:
        raise ValueError(f"pits: {pits} is not from 1 to {MOST_PITS}")
    if not 1 <= seeds <= MOST_SEEDS // (2 * pits):
        raise ValueError(
            f"seeds: {seeds} is not from 1 to {MOST_SEEDS // (2 * pits)}; a game with {pits} pits"
            f" a side has at most {MOST_SEEDS} seeds in all"
        )
    row = seeds * first_pits(pits)
    return Position(row, row, 0, 0, 0, pits)


def moves(position: Position) -> Iterator[int]:
    row = position.mine
    for pit in range(position.pits):
        if row & MOST_SEEDS:
            yield pit
        row >>= WIDTH


def play(position: Position, move: int) -> Position:
    pits = position.pits
    mine, theirs, store = position.mine, position.theirs, position.store
    left = mine >> WIDTH * move & MOST_SEEDS
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

    if last < pits and mine >> WIDTH * last & MOST_SEEDS == 1:
        opposite = WIDTH * (pits - 1 - last)
        prey = theirs >> opposite & MOST_SEEDS
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
        seeds += row & MOST_SEEDS
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
    """Always: a seed that leaves its row puts one into a store, which none leaves.

    As long as the stores stay as they are, every move brings seeds of one row further to the right.
    """
    return True


def to_text(position: Position) -> str:
    """The pits and store of the side to move, those of the other side, and who is to move.

    >>> to_text(initial(3, 2))
    '2,2,2/0 2,2,2/0 S'
    """
    mine = _row_text(position.mine, position.store, position.pits)
    theirs = _row_text(position.theirs, position.their_store, position.pits)
    return f"{mine} {theirs} {PLAYERS[position.side][0]}"


def _row_text(row: int, store: int, pits: int) -> str:
    return f"{','.join(map(str, _counts(row, pits)))}/{store}"


def _counts(row: int, pits: int) -> list[int]:
    return [row >> WIDTH * pit & MOST_SEEDS for pit in range(pits)]


def from_text(text: str) -> Position:
    """Reads what `to_text` writes; `ValueError` if no start leads to such a number of seeds."""
    words = text.split()
    if len(words) != 3:
        raise ValueError(f"'{text}' is not 'mover's pits/store other pits/store side to move'")
    mine, store = _read_row("mover's pits", words[0])
    theirs, their_store = _read_row("other pits", words[1])
    side = {"S": 0, "N": 1}.get(words[2].upper())
    if side is None:
        raise ValueError(f"side to move: '{words[2]}' is neither S nor N")
    pits = len(mine)
    if len(theirs) != pits:
        raise ValueError(f"other pits: {len(theirs)} of them, but the mover has {pits}")
    seeds = sum(mine) + store + sum(theirs) + their_store
    if seeds == 0 or seeds > MOST_SEEDS or seeds % (2 * pits):
        raise ValueError(
            f"seeds: {seeds} with the stores, but a game with {pits} pits a side has a multiple of"
            f" {2 * pits}, at most {MOST_SEEDS}"
        )
    if (sum(mine) == 0) != (sum(theirs) == 0):
        field = "mover's pits" if sum(mine) == 0 else "other pits"
        raise ValueError(
            f"{field}: all are empty, so the game is over; the seeds that remain in the other row"
            " belong in its store"
        )
    return Position(_packed(mine), _packed(theirs), store, their_store, side, pits)


def _read_row(field: str, text: str) -> tuple[list[int], int]:
    row, slash, store = text.partition("/")
    counts = [*row.split(","), store]
    for count in counts:
        if not (slash and count.isascii() and count.isdigit() and len(count) <= 3):
            raise ValueError(f"{field}: '{text}' is not seeds separated by commas, / and a store")
    if len(counts) - 1 > MOST_PITS:
        raise ValueError(f"{field}: {len(counts) - 1} of them, but {MOST_PITS} at most fit")
    return [int(count) for count in counts[:-1]], int(store)


def _packed(counts: list[int]) -> int:
    return sum(count << WIDTH * pit for pit, count in enumerate(counts))


def move_text(position: Position, move: int) -> str:
    return str(move + 1)


def geometry(position: Position) -> Geometry:
    return mancala_board(position.pits)


def pieces(position: Position) -> dict[str, int]:
    """How many seeds lie in each pit (`a1`... South's, `b1`... North's) and store (`A`, `B`)."""
    rows = [(position.mine, position.store), (position.theirs, position.their_store)]
    if position.side == 1:
        rows.reverse()
    seeds = {}
    for letter, (row, store) in zip("ab", rows, strict=True):
        for pit, count in enumerate(_counts(row, position.pits), 1):
            seeds[f"{letter}{pit}"] = count
        seeds[letter.upper()] = store
    return seeds


def move_cells(position: Position, move: int) -> list[str]:
    """The pit that is emptied and the cells sown from it, in order, each once."""
    me, other = "ab" if position.side == 0 else "ba"
    numbers = range(1, position.pits + 1)
    circle = [*(f"{me}{n}" for n in numbers), me.upper(), *(f"{other}{n}" for n in numbers)]
    seeds = position.mine >> WIDTH * move & MOST_SEEDS
    return [circle[(move + step) % len(circle)] for step in range(min(seeds + 1, len(circle)))]

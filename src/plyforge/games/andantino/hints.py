"""Facts for selective search: who could win with the next stone."""

from collections.abc import Iterator

from plyforge.games.andantino.board import BOARD, ROWS
from plyforge.games.andantino.features import (
    count_winning_cells,
    five_makers,
    group_joiners,
    lanes,
)
from plyforge.games.andantino.rules import Position, encloses, near_two, turn
from plyforge.rules import ctz


def in_check(position: Position) -> bool:
    """Whether the other side could win at once if it were to move."""
    theirs = ROWS - turn(position) * ROWS
    return count_winning_cells(position, theirs, lanes(position, theirs), 1) > 0


def noisy_moves(position: Position) -> Iterator[int]:
    """Yield the moves that win at once."""
    mine = turn(position) * ROWS
    stones = position.stones
    cells = lanes(position, mine)
    trial = stones.copy()
    for row in range(1, ROWS - 1):
        above = stones[row - 1] | stones[ROWS + row - 1]
        here = stones[row] | stones[ROWS + row]
        below = stones[row + 1] | stones[ROWS + row + 1]
        legal = near_two(above, here, below) & ~here & BOARD[position.side * ROWS + row]
        if legal == 0:
            continue
        place = mine + row
        fives = legal & five_makers(cells, row)
        rings = legal & group_joiners(stones[place - 1], stones[place], stones[place + 1])
        candidates = fives | rings
        while candidates:
            cell = candidates & -candidates
            candidates ^= cell
            trial[place] = stones[place] | cell
            if fives & cell or encloses(trial, mine, row, ctz(cell)):
                yield row * 32 + ctz(cell)
        trial[place] = stones[place]

"""How far a side is from joining its edges, by two-distances over the board.

A side's chains cost nothing to cross: two empty cells are neighbours for it if they touch, or if
they touch the same of its chains.  A cell at an edge, or next to a chain at the edge, has distance
1 from it.  Any other cell has one more than the second smallest distance among its neighbours: the
enemy can always take the best one, but not two (J. van Rijswijck, "Computer Hex: are bees
better than fruitflies?", 2000).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyforge.games.hex.rules import Position
from plyforge.rules import ctz

# What an array of cells holds; a number >= 0 is the only neighbour that was reached so far.
EMPTY = -1
CLOSED = -2
"""An enemy's cell, one off the board, or a reached one."""
STONE = -3
"""A stone whose chain is not known yet."""
CHAIN = -4
"""A stone of chain 0; those of chain n are n less."""

CHAINS_AT_A_CELL = 3
"""Of the six cells around a cell, at most three belong to different chains."""
FIRST_EDGE, SECOND_EDGE = 1, 2
BOTH_EDGES = FIRST_EDGE | SECOND_EDGE


class Net(NamedTuple):
    """The board as one side sees it.

    A cell's number is rank * stride + file, with a border of cells around the board.
    """

    side: int
    stride: int
    cells: NDArray[np.int64]
    chains: int
    edges: NDArray[np.int64]
    """Which of the side's edges each chain touches: a sum of FIRST_EDGE and SECOND_EDGE."""
    beside: NDArray[np.int64]
    """The empty cells next to chain 0, each once, then those next to chain 1, and so on."""
    start: NDArray[np.int64]
    """Where each chain's cells start in `beside`, then where the last chain's end."""


def steps(stride: int) -> tuple[int, int, int, int, int, int]:
    """The offsets from a cell to the six around it."""
    return 1, -1, stride, -stride, stride - 1, 1 - stride


def edges_at(cell: int, side: int, stride: int) -> int:
    """The side's edges that a cell touches."""
    depth = cell // stride if side == 0 else cell % stride
    return (FIRST_EDGE if depth == 1 else 0) | (SECOND_EDGE if depth == stride - 2 else 0)


def cells_of(position: Position, side: int) -> NDArray[np.int64]:
    """Every cell as EMPTY, CLOSED or, where a stone of the side is, STONE."""
    stride = position.size + 2
    cells = np.full(stride * stride, CLOSED, dtype=np.int64)
    for rank in range(1, stride - 1):
        own = position.rows[side * stride + rank]
        other = position.rows[(1 - side) * stride + rank]
        for file in range(1, stride - 1):
            if own >> file & 1:
                cells[rank * stride + file] = STONE
            elif not other >> file & 1:
                cells[rank * stride + file] = EMPTY
    return cells


def net(position: Position, side: int) -> Net:
    """The chains of a side and the empty cells next to each."""
    stride = position.size + 2
    cells = cells_of(position, side)
    beside = np.empty(CHAINS_AT_A_CELL * len(cells), dtype=np.int64)
    start = np.zeros(len(cells), dtype=np.int64)
    edges = np.zeros(len(cells), dtype=np.int64)
    stack = np.empty(len(cells), dtype=np.int64)
    # The last chain that listed each empty cell.
    lister = np.full(len(cells), EMPTY, dtype=np.int64)
    chains, count = 0, 0
    for rank in range(1, stride - 1):
        row = position.rows[side * stride + rank]
        while row:
            stone = rank * stride + ctz(row)
            row &= row - 1
            if cells[stone] != STONE:
                continue
            cells[stone] = CHAIN - chains
            stack[0] = stone
            height = 1
            while height > 0:
                height -= 1
                stone = stack[height]
                edges[chains] |= edges_at(stone, side, stride)
                for step in steps(stride):
                    near = stone + step
                    if cells[near] == STONE:
                        cells[near] = CHAIN - chains
                        stack[height] = near
                        height += 1
                    elif cells[near] == EMPTY and lister[near] != chains:
                        lister[near] = chains
                        beside[count] = near
                        count += 1
            chains += 1
            start[chains] = count
    return Net(side, stride, cells, chains, edges, beside, start)


def distances(net: Net, edge: int, far: int) -> NDArray[np.int64]:
    """The two-distance of every empty cell from an edge; `far` where it has none.

    Cells are reached in order of their distance, so a cell's second neighbour to be reached sets
    its distance.  The loop repeats code instead of calling a function, since reference counts of
    arrays would cost half as much time again.
    """
    stride, beside, start = net.stride, net.beside, net.start
    cells = net.cells.copy()
    distance = np.full(len(cells), far, dtype=np.int64)
    queue = np.empty(len(cells), dtype=np.int64)
    end = at_edge(net, edge, queue)
    for index in range(end):
        cells[queue[index]] = CLOSED
        distance[queue[index]] = 1
    # How many reached cells each chain has heard of (two are enough), and the last of them.
    reports = np.zeros(net.chains + 1, dtype=np.int64)
    reporter = np.full(net.chains + 1, EMPTY, dtype=np.int64)
    head = 0
    while head < end:
        source = queue[head]
        head += 1
        further = distance[source] + 1
        for step in steps(stride):
            cell = source + step
            known = cells[cell]
            if known == EMPTY:
                cells[cell] = source
            elif known >= 0 and known != source:
                cells[cell] = CLOSED
                distance[cell] = further
                queue[end] = cell
                end += 1
            elif known <= CHAIN:
                chain = CHAIN - known
                if reports[chain] == 2 or reporter[chain] == source:
                    continue
                reports[chain] += 1
                reporter[chain] = source
                for index in range(start[chain], start[chain + 1]):
                    cell = beside[index]
                    known = cells[cell]
                    if known == EMPTY:
                        cells[cell] = source
                    elif known >= 0 and known != source:
                        cells[cell] = CLOSED
                        distance[cell] = further
                        queue[end] = cell
                        end += 1
    return distance


def at_edge(net: Net, edge: int, queue: NDArray[np.int64]) -> int:
    """Write the cells with distance 1 from an edge to `queue`; return how many there are."""
    count = 0
    seen = np.zeros(len(net.cells), dtype=np.int64)
    depth = 1 if edge == FIRST_EDGE else net.stride - 2
    for place in range(1, net.stride - 1):
        cell = depth * net.stride + place if net.side == 0 else place * net.stride + depth
        if net.cells[cell] == EMPTY:
            seen[cell] = 1
            queue[count] = cell
            count += 1
    for chain in range(net.chains):
        if net.edges[chain] & edge:
            for index in range(net.start[chain], net.start[chain + 1]):
                cell = net.beside[index]
                if not seen[cell]:
                    seen[cell] = 1
                    queue[count] = cell
                    count += 1
    return count


def potential(net: Net, far: int) -> tuple[int, int]:
    """The minimum sum of a cell's distances from both edges, and how many cells have it.

    `far` and 0 if no cell has less; 0 and 0 if the edges are joined.
    """
    for chain in range(net.chains):
        if net.edges[chain] == BOTH_EDGES:
            return 0, 0
    first = distances(net, FIRST_EDGE, far)
    second = distances(net, SECOND_EDGE, far)
    minimum, count = far, 0
    for cell in range(len(net.cells)):
        total = first[cell] + second[cell]
        if total < minimum:
            minimum, count = total, 1
        elif total == minimum and total < far:
            count += 1
    return minimum, count

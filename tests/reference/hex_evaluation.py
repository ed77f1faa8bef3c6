"""Hex's two-distances, slow and obvious: repeated until nothing changes."""

from math import inf

from tests.reference.hex import Cell, Game, around

STEP = 100
CELL = 1


def chain_of(game: Game, stone: Cell) -> set[Cell]:
    chain, waiting = {stone}, [stone]
    while waiting:
        for cell in around(waiting.pop()):
            if cell not in chain and game.stones.get(cell) == game.stones[stone]:
                chain.add(cell)
                waiting.append(cell)
    return chain


def empty_cells(game: Game) -> set[Cell]:
    span = range(1, game.size + 1)
    return {(file, rank) for file in span for rank in span} - set(game.stones)


def surroundings(game: Game, side: str, cell: Cell) -> set[Cell]:
    """All cells next to an empty cell or to a chain of the side at that cell."""
    chains = [chain_of(game, near) for near in around(cell) if game.stones.get(near) == side]
    return {near for start in [{cell}, *chains] for one in start for near in around(one)} - {cell}


def distances(game: Game, side: str, far_edge: bool) -> dict[Cell, float]:
    """The two-distance of every empty cell from the side's first edge, or from its far one."""
    axis = 1 if side == "R" else 0
    outside = game.size + 1 if far_edge else 0
    near = {cell: surroundings(game, side, cell) for cell in empty_cells(game)}
    found = {
        cell: 1.0 if any(other[axis] == outside for other in near[cell]) else inf for cell in near
    }
    changing = True
    while changing:
        changing = False
        for cell in near:
            ways = sorted(found[other] for other in near[cell] if other in found)
            value = min(found[cell], ways[1] + 1 if len(ways) > 1 else inf)
            changing |= value != found[cell]
            found[cell] = value
    return found


def potential(game: Game, side: str) -> tuple[int, int]:
    """The least sum of a cell's distances from both edges, and how many cells have it."""
    if game.joins_edges(side):
        return 0, 0
    first, second = distances(game, side, False), distances(game, side, True)
    sums = [first[cell] + second[cell] for cell in first]
    far = 2 * game.size + 2
    if min(sums, default=inf) >= far:
        return far, 0
    return int(min(sums)), sums.count(min(sums))


def evaluate(game: Game) -> int:
    enemy = "B" if game.mover == "R" else "R"
    least, count = potential(game, game.mover)
    enemy_least, enemy_count = potential(game, enemy)
    value = STEP * (enemy_least - least) + CELL * (count - enemy_count)
    return abs(value) if game.swap and game.plies == 1 else value

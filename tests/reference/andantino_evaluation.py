"""Andantino's evaluation, slow and obvious: cell by cell, on the twin's stones."""

import copy

from tests.reference.andantino import AXES, STEPS, Cell, Game, Stones, other

WEIGHTS = {2: 1, 3: 2, 4: 4}
WINNING = 10
WALLED = {4: 0, 5: 0, 6: 1}


def stretch(cell: Cell, step: tuple[int, int], wanted: set[Cell]) -> list[Cell]:
    """The wanted cells that follow a cell without a gap."""
    found = []
    while (cell := (cell[0] + step[0], cell[1] + step[1])) in wanted:
        found.append(cell)
    return found


def rows(game: Game, colour: str, count_blocked: bool) -> dict[int, int]:
    """The rows of exactly two, three and four stones that can become five, or all of them."""
    own = {cell for cell, stone in game.stones.items() if stone == colour}
    free = {cell for cell in game.board if game.stones.get(cell) in (colour, None)}
    found = {2: 0, 3: 0, 4: 0}
    for right, down in AXES:
        back = (-right, -down)
        for cell in own:
            if stretch(cell, back, own):
                continue  # not the first stone of its row
            length = 1 + len(stretch(cell, (right, down), own))
            room = 1 + len(stretch(cell, (right, down), free)) + len(stretch(cell, back, free))
            if length in found and (room >= 5 or count_blocked):
                found[length] += 1
    return found


def winning_cells(game: Game, colour: str) -> list[str]:
    """The cells that win at once for a side if it is to move."""
    found = []
    for name in sorted(game.moves()):
        trial = copy.copy(game)
        trial.stones = dict(game.stones)
        trial.mover = colour
        trial.play(name)
        if trial.winner == colour:
            found.append(name)
    return found


def count_walled(stones: Stones, board: frozenset[Cell], prey: str) -> dict[int, int]:
    """How many stones of a side have walls in four, five and six directions."""
    found = {4: 0, 5: 0, 6: 0}
    for (column, row), colour in stones.items():
        if colour != prey:
            continue
        count = 0
        for right, down in STEPS:
            ray = [(column + k * right, row + k * down) for k in range(1, 20)]
            if any(stones.get(cell) == other(prey) for cell in ray if cell in board):
                count += 1
        if count in found:
            found[count] += 1
    return found


def winning_feature(game: Game) -> int:
    if winning_cells(game, game.mover):
        return 1
    return -1 if len(winning_cells(game, other(game.mover))) >= 2 else 0


def score(game: Game, colour: str) -> int:
    """A side's score without winning features."""
    own = rows(game, colour, False)
    prey = count_walled(game.stones, game.board, other(colour))
    return sum(WEIGHTS[n] * own[n] for n in own) + sum(WALLED[n] * prey[n] for n in prey)


def evaluate(game: Game) -> int:
    enemy = other(game.mover)
    return score(game, game.mover) - score(game, enemy) + WINNING * winning_feature(game)

"""Evaluations of tic-tac-toe of every form, with random weights."""

from functools import cache
from typing import Any

import numpy as np

import plyforge
from plyforge.evaluate import Evaluation, linear, net, patterns, table
from plyforge.game.forms import read_evaluation
from plyforge.games.tictactoe import LINES, Position, open_lines
from plyforge.rules import popcount

game = plyforge.load("tictactoe")
_random = np.random.default_rng(20)
CENTRE, CORNERS = 1 << 4, 0b101_000_101
STAGE_COUNT, FULL = 3, 9


def centre(position: Position) -> int:
    return int(position.mine & CENTRE > 0) - int(position.theirs & CENTRE > 0)


def corners(position: Position) -> int:
    return popcount(position.mine & CORNERS) - popcount(position.theirs & CORNERS)


def share(position: Position) -> float:
    """A fraction, as features may be."""
    return popcount(position.mine) / (1 + popcount(position.mine | position.theirs))


def both(position: Position) -> tuple[int, int]:
    return centre(position), corners(position)


def stage(position: Position) -> int:
    return popcount(position.mine | position.theirs) // 4


def emptiness(position: Position) -> int:
    return 9 - popcount(position.mine | position.theirs)


def ternary(position: Position, line: int) -> int:
    """The content of a line as a number below 27."""
    index = 0
    for cell in range(9):
        if line >> cell & 1:
            index = 3 * index + (position.mine >> cell & 1) + 2 * (position.theirs >> cell & 1)
    return index


def middle_row(position: Position) -> int:
    return ternary(position, LINES[1])


def diagonals(position: Position) -> tuple[int, int]:
    return ternary(position, LINES[6]), ternary(position, LINES[7])


def line_at(position: Position, place: int) -> int:
    return ternary(position, LINES[place])


def squares(position: Position, table: Any) -> Any:
    """The sum of a table over the mover's cells minus that over the opponent's."""
    total = 0
    for cell in range(9):
        if position.mine >> cell & 1:
            total += table[cell]
        elif position.theirs >> cell & 1:
            total -= table[cell]
    return total


def squares_after(position: Position, move: int, child: Position, total: Any, table: Any) -> Any:
    """The sum of `squares` after a move."""
    return -(total + table[move])


def own_sum(position: Position, weights: Any) -> Any:
    value = weights[0] * centre(position) + weights[1] * corners(position)
    return abs(value) if popcount(position.mine) == 1 else value


def own_curve(position: Position, weights: Any) -> Any:
    inner = np.tanh(weights[0] * centre(position) + weights[1])
    return weights[2] * inner + max(weights[3] * corners(position), 0.25) / (2 + weights[0] ** 2)


def ints(*shape: int) -> Any:
    return _random.integers(-40, 40, shape)


def reals(*shape: int) -> Any:
    return _random.normal(0, 2, shape)


def _net(inputs: Any, hidden: tuple[int, ...], **options: Any) -> Evaluation:
    empty = net(inputs, hidden, **options)
    return empty.with_weights(_random.normal(0, 0.7, empty.form.size))


def _own(function: Any, weights: Any) -> Evaluation:
    found = read_evaluation({"evaluate": function, "WEIGHTS": weights}, "samples")
    assert found is not None
    return found


FEATURES = {"lines": open_lines, "centre": centre, "corners": corners}
MIXED = {**FEATURES, "share": share}
TABLES = {"middle": table(middle_row, 27), "diagonals": table(diagonals, 27, 2)}
SQUARES = {"squares": table(squares, 9)}
PLACES = {"by place": table(line_at, 27, places=8)}
RUNNING = {"running": table(squares, 9, update=squares_after)}

SAMPLES: dict[str, Evaluation] = {
    "one feature": linear({"lines": (open_lines, 1)}),
    "integers": linear(FEATURES, ints(3)),
    "reals": linear(MIXED, reals(4)),
    "group": linear(both, {"centre": 7, "corners": -3}),
    "unit and limit": linear(FEATURES, ints(3), unit=16, limit=3),
    "nearest": linear(FEATURES, ints(3), unit=10, rounding="nearest", limit=9),
    "towards zero": linear(FEATURES, ints(3), unit=7, rounding="zero"),
    "rounded reals": linear(MIXED, reals(4), unit=0.5, rounding="nearest"),
    "stages": linear(FEATURES, ints(3, 3), stages=(stage, STAGE_COUNT)),
    "stages of reals": linear(MIXED, reals(3, 4), stages=(stage, STAGE_COUNT), unit=2),
    "blend": linear(FEATURES | SQUARES, ints(2, 12), blend=(emptiness, FULL), rounding="zero"),
    "blend of reals": linear(MIXED | SQUARES, reals(2, 13), blend=(emptiness, FULL)),
    "patterns": patterns({"middle": (middle_row, 27), "diagonals": (diagonals, 27, 2)}, ints(54)),
    "patterns by stage": patterns(
        TABLES | FEATURES | PLACES, reals(3, 84), stages=(stage, STAGE_COUNT)
    ),
    "blended patterns": patterns(TABLES | PLACES, ints(2, 81), blend=(emptiness, FULL)),
    "table": linear(FEATURES | SQUARES, ints(12)),
    "table by stage": linear(SQUARES | FEATURES, ints(3, 12), stages=(stage, STAGE_COUNT)),
    "net": _net(MIXED, (5,), activation="tanh"),
    "net of tables": _net({**TABLES, **PLACES, ("c", "d"): both}, (6, 3), output="tanh", unit=0.1),
    "net of many": _net(MIXED, (4, 3), activation=("relu", "sigmoid"), output="sigmoid"),
    "own": _own(own_sum, {"centre": 5, "corners": -2}),
    "own curve": _own(own_curve, reals(4)),
    "running sum": linear(FEATURES | RUNNING, ints(12)),
    "running sum of reals": linear(FEATURES | RUNNING, reals(12), unit=2),
    "running sum by stage": linear(FEATURES | RUNNING, ints(3, 12), stages=(stage, STAGE_COUNT)),
    "running blend": linear(SQUARES | FEATURES | RUNNING, ints(2, 21), blend=(emptiness, FULL)),
}


@cache
def positions() -> tuple[Position, ...]:
    """All positions of some games."""
    found = []
    for line in ("b2 a3 c3 a1 a2 c2 b3 b1 c1", "a1 b1 c1 b2", "a3 a1 c1 c3 b3 b2"):
        position = game.initial()
        for move in line.split():
            position = game.play(position, game.parse_move(position, move))
            found.append(position)
    return (game.initial(), *found)

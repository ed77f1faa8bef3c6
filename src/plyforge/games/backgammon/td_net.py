"""The learned evaluation: a net with one hidden layer, as in TD-Gammon.

    G. Tesauro, Temporal difference learning and TD-Gammon, Communications of the ACM 38, 1995.

Inputs, for the side to move and then for the other: four for each of its points (at least 1, 2 and
3 checkers, and half of those above 3), half of its checkers on the bar, and the share borne off.
Outputs, for the side to move: the probabilities to win, to win a gammon, and to lose a gammon.
Backgammons count as gammons.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.games.backgammon.layout import BAR, CHECKERS, Position, checkers

NAME = "TD net"
HIDDEN = 40
SIDE_INPUTS = 24 * 4 + 2
INPUTS = 2 * SIDE_INPUTS
OUTPUTS = 3
SECOND_LAYER = (INPUTS + 1) * HIDDEN
SIZE = SECOND_LAYER + OUTPUTS * (HIDDEN + 1)
EVALUATION_RANGE = (-3.0, 3.0)
WEIGHTS = np.load(Path(__file__).parent / "weights" / "td_net.npy").astype(np.float64)
"""A row of `HIDDEN` for each input, the biases of the hidden units, then a row of `HIDDEN` and a
bias for each output."""


def sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))


def write_inputs(low: int, high: int, first: int, inputs: Any) -> None:
    """Write the inputs of a side from index `first` on."""
    left = 0
    for point in range(1, BAR):
        count = checkers(low, high, point)
        left += count
        place = first + 4 * (point - 1)
        inputs[place] = 1.0 if count >= 1 else 0.0
        inputs[place + 1] = 1.0 if count >= 2 else 0.0
        inputs[place + 2] = 1.0 if count >= 3 else 0.0
        inputs[place + 3] = 0.5 * (count - 3) if count > 3 else 0.0
    bar = checkers(low, high, BAR)
    inputs[first + 96] = 0.5 * bar
    inputs[first + 97] = (CHECKERS - left - bar) / CHECKERS


def write_position(position: Position, inputs: Any) -> None:
    """Write the inputs of a position, those of the side to move first."""
    white, black = (0, SIDE_INPUTS) if position.side == 0 else (SIDE_INPUTS, 0)
    write_inputs(position.white_low, position.white_high, white, inputs)
    write_inputs(position.black_low, position.black_high, black, inputs)


def forward(inputs: Any, weights: Any, hidden: Any, outputs: Any) -> None:
    """Compute the hidden units and the outputs."""
    for unit in range(HIDDEN):
        hidden[unit] = weights[INPUTS * HIDDEN + unit]
    for place in range(INPUTS):
        factor = inputs[place]
        if factor != 0.0:
            row = place * HIDDEN
            for unit in range(HIDDEN):
                hidden[unit] += factor * weights[row + unit]
    for unit in range(HIDDEN):
        hidden[unit] = sigmoid(hidden[unit])
    for output in range(OUTPUTS):
        row = SECOND_LAYER + output * (HIDDEN + 1)
        total = weights[row + HIDDEN]
        for unit in range(HIDDEN):
            total += hidden[unit] * weights[row + unit]
        outputs[output] = sigmoid(total)


def equity(outputs: Any) -> float:
    """The expected score, from the three probabilities."""
    return float(2.0 * outputs[0] - 1.0 + outputs[1] - outputs[2])


def evaluate(position: Position, weights: Any) -> float:
    inputs, hidden, outputs = np.empty(INPUTS), np.empty(HIDDEN), np.empty(OUTPUTS)
    write_position(position, inputs)
    forward(inputs, weights, hidden, outputs)
    return max(-3.0, min(3.0, equity(outputs))) * position.cube / position.max_cube

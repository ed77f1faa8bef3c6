"""Random walks: Sutton's example, in which temporal differences have values in closed form.

A walk starts in the middle of some states in a row and moves left or right with equal probability
until it leaves them, on the left with result -1, on the right with 1.  The expected result from
state i of n, counted from 1, is 2i / (n + 1) - 1 (Sutton and Barto, Reinforcement Learning, example
7.1: 19 states).
"""

from typing import Any

import numpy as np

from plyforge.core.randomness import Stream
from plyforge.learn.inputs import Inputs
from plyforge.learn.model import Model
from plyforge.learn.prediction import Prediction
from plyforge.learn.samples import Episode

PREDICTION = Prediction("identity", minimum=-1.0, maximum=1.0)


def model(states: int) -> Model:
    """Return a table of values: one weight for each state."""
    return Model.linear(states, PREDICTION)


def true_values(states: int) -> Any:
    return 2 * np.arange(1, states + 1) / (states + 1) - 1


def walk(states: int, stream: Stream) -> Episode:
    place, visited = states // 2, []
    while 0 <= place < states:
        visited.append(place)
        place += 1 if stream.below(2) else -1
    return episode(states, visited, 1.0 if place == states else -1.0)


def episode(states: int, visited: list[int], result: float) -> Episode:
    inputs = Inputs.from_rows(np.eye(states)[visited])
    return Episode(inputs, np.zeros(len(visited), np.int64), result)


def transition_values(states: int, episodes: list[Episode], trace: float) -> Any:
    """Return the values at which the expected change of offline TD(λ) over these episodes is 0.

    The change is linear in the values: b - A v, by the backward view, state by state.
    """
    matrix, right = np.zeros((states, states)), np.zeros(states)
    for one in episodes:
        visited = one.inputs.columns.tolist()
        eligibility = np.zeros(states)
        for t, state in enumerate(visited):
            eligibility *= trace
            eligibility[state] += 1
            here = np.eye(states)[state]
            if t + 1 < len(visited):
                after, reward = np.eye(states)[visited[t + 1]], 0.0
            else:
                after, reward = np.zeros(states), one.result
            matrix += np.outer(eligibility, here - after)
            right += eligibility * reward
    return np.linalg.lstsq(matrix, right, rcond=None)[0]

"""The kernel of self-play: games of a net against itself, and against the hand evaluation.

Positions before a roll are predicted, from side 0's view: the probabilities that it wins, wins a
gammon and loses a gammon.  With eligibility traces e for each of them,

    e_t = λ e_{t-1} + ∇y_t,   Δw = α Σ (y_{t+1} - y_t) e_t

where y at the end is what happened.  (Tesauro 1992, 1995; Sutton 1988.)  Moves are those with the
best prediction one ply ahead; dice make the games different, so there is no other exploration.
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import (
    chance,
    chance_outcomes,
    evaluate,
    floats,
    load_flag,
    moves,
    outcome,
    play,
    pointer,
    turn,
)
from plyforge.compilation.kernel import Kernel
from plyforge.core.scores import ONGOING
from plyforge.games.backgammon.td_net import (
    HIDDEN,
    INPUTS,
    OUTPUTS,
    SECOND_LAYER,
    SIZE,
    equity,
    forward,
    write_position,
)
from plyforge.match.statistics.playout import random_outcome

LEARN: Final = 0
COMPARE: Final = 1
CHOOSE: Final = 2
"""The tasks of the kernel."""
NET: Final = 0
HAND: Final = 1
MAX_PLIES: Final = 4000
"""A game that is longer has no result; such games do not occur in practice."""
_NEVER: Final = -1e9


def choose_move(
    position: Any, player: int, weights: Any, buffer: Any, work: Any, evaluation: Any
) -> int:
    """Return the move with the best value one ply ahead."""
    count = moves(position, buffer)
    best, best_value = np.int64(buffer[0]), _NEVER
    for index in range(count):
        child = play(position, buffer[index])
        value = outcome(child)
        if value == ONGOING and player == NET:
            value = predict(child, weights, work)
        elif value == ONGOING:
            value = evaluate(child, 0, 0, evaluation)
        if turn(child) != turn(position):
            value = -value
        if value > best_value:
            best, best_value = np.int64(buffer[index]), value
    return int(best)


def predict(position: Any, weights: Any, work: Any) -> float:
    """Return the equity that the net predicts; `work` then has inputs, hidden units and outputs."""
    inputs, hidden, outputs = work[:INPUTS], work[INPUTS : INPUTS + HIDDEN], work[-OUTPUTS:]
    write_position(position, inputs)
    forward(inputs, weights, hidden, outputs)
    return equity(outputs)


def first_side_view(side: int, outputs: Any, seen: Any) -> None:
    """Write what the outputs of the side to move say about side 0."""
    if side == 0:
        seen[0], seen[1], seen[2] = outputs[0], outputs[1], outputs[2]
    else:
        seen[0], seen[1], seen[2] = 1.0 - outputs[0], outputs[2], outputs[1]


def add_gradient(side: int, weights: Any, work: Any, traces: Any) -> None:
    """Add the gradients of side 0's predictions to their traces."""
    inputs, hidden, outputs = work[:INPUTS], work[INPUTS : INPUTS + HIDDEN], work[-OUTPUTS:]
    slopes = np.empty(HIDDEN)
    for output in range(OUTPUTS):
        slope = outputs[output] * (1.0 - outputs[output])
        target = output
        if side == 1:
            target = 0 if output == 0 else 3 - output
            if output == 0:
                slope = -slope
        trace = traces[target]
        row = SECOND_LAYER + output * (HIDDEN + 1)
        trace[row + HIDDEN] += slope
        for unit in range(HIDDEN):
            trace[row + unit] += slope * hidden[unit]
            slopes[unit] = slope * weights[row + unit] * hidden[unit] * (1.0 - hidden[unit])
            trace[INPUTS * HIDDEN + unit] += slopes[unit]
        for place in range(INPUTS):
            factor = inputs[place]
            if factor != 0.0:
                first = place * HIDDEN
                for unit in range(HIDDEN):
                    trace[first + unit] += factor * slopes[unit]


def change_weights(rate: float, errors: Any, weights: Any, traces: Any) -> None:
    one, two, three = rate * errors[0], rate * errors[1], rate * errors[2]
    for index in range(SIZE):
        weights[index] += one * traces[0, index] + two * traces[1, index] + three * traces[2, index]


def learn_game(
    position: Any, state: Any, rate: float, decay: float, weights: Any, buffer: Any, shares: Any
) -> Any:
    """Play one game, learn from it, and return its length and the next state of the dice."""
    traces, work = np.zeros((OUTPUTS, SIZE)), np.zeros(INPUTS + HIDDEN + OUTPUTS)
    seen, before, errors = np.zeros(OUTPUTS), np.zeros(OUTPUTS), np.zeros(OUTPUTS)
    started = False
    for ply in range(MAX_PLIES):
        value = outcome(position)
        over = value != ONGOING
        if chance(position) and not over:
            predict(position, weights, work)
            first_side_view(turn(position), work[-OUTPUTS:], seen)
        elif over:
            value = value if turn(position) == 0 else -value
            seen[0] = 1.0 if value > 0 else 0.0
            seen[1] = 1.0 if value > 1 else 0.0
            seen[2] = 1.0 if value < -1 else 0.0
        if over or chance(position):
            if started:
                for output in range(OUTPUTS):
                    errors[output] = seen[output] - before[output]
                change_weights(rate, errors, weights, traces)
            if over:
                return ply, state
            started = True
            predict(position, weights, work)
            first_side_view(turn(position), work[-OUTPUTS:], before)
            for output in range(OUTPUTS):
                for index in range(SIZE):
                    traces[output, index] *= decay
            add_gradient(turn(position), weights, work, traces)
            count = chance_outcomes(position, buffer, shares)
            index, state = random_outcome(state, count, shares)
            position = play(position, buffer[index])
        else:
            position = play(position, choose_move(position, NET, weights, buffer, work, weights))
    return MAX_PLIES, state


def play_game(
    position: Any,
    state: Any,
    net_side: int,
    weights: Any,
    buffer: Any,
    shares: Any,
    evaluation: Any,
) -> float:
    """Play the net against the hand evaluation; return the net's score."""
    work = np.zeros(INPUTS + HIDDEN + OUTPUTS)
    for _ in range(MAX_PLIES):
        value = outcome(position)
        if value != ONGOING:
            return value if turn(position) == net_side else -value
        if chance(position):
            count = chance_outcomes(position, buffer, shares)
            index, state = random_outcome(state, count, shares)
            position = play(position, buffer[index])
        else:
            player = NET if turn(position) == net_side else HAND
            move = choose_move(position, player, weights, buffer, work, evaluation)
            position = play(position, move)
    return 0.0


def self_play(
    position: Any,
    task: int,
    seed: Any,
    games: int,
    rate: float,
    decay: float,
    weights: Any,
    buffer: Any,
    shares: Any,
    scores: Any,
    control: Any,
) -> int:
    """Play games, to learn or in pairs with the same dice, or choose one move; return the last.

    `task` is LEARN, COMPARE or CHOOSE.  The last five arguments are addresses.  `scores` receives
    the net's score in each game.
    """
    numbers, words, probabilities = floats(weights), pointer(buffer), floats(shares)
    results, flags = floats(scores), pointer(control)
    if task == CHOOSE:
        work = np.zeros(INPUTS + HIDDEN + OUTPUTS)
        return choose_move(position, NET, numbers, words, work, weights)
    state = np.uint64(seed)
    plies = 0
    for game in range(games):
        if load_flag(flags) != 0:
            break
        if task == LEARN:
            length, state = learn_game(position, state, rate, decay, numbers, words, probabilities)
            plies += length
            flags[1] += 1
        else:
            start = state + np.uint64(game // 2) * np.uint64(0x9E3779B97F4A7C15)
            results[game] = play_game(
                position, start, game & 1, numbers, words, probabilities, weights
            )
            plies += 1
    return plies


SELF_PLAY: Final = Kernel(
    "backgammon self-play",
    self_play,
    "int64(position, int64, uint64, int64, float64, float64, address, address, address, address,"
    " address)",
)

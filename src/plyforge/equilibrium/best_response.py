"""Best responses and exploitability."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plyforge.equilibrium.sequence_form import Reals, SequenceForm


@dataclass(frozen=True)
class BestResponse:
    """The best that a player can do against a fixed plan of the other."""

    value: float
    """What the player wins."""
    strategy: Reals
    """The probability of each sequence's move in its set: 1 for one move of each set."""


def best_response(form: SequenceForm, player: int, plan: Reals) -> BestResponse:
    """Return a player's best response to a plan of the other player."""
    own = form.players[player]
    values = form.payoffs[player].times(plan)
    strategy = np.zeros(own.size)
    strategy[0] = 1.0
    for number in range(own.sets - 1, -1, -1):
        begin, end = int(own.starts[number]), int(own.starts[number + 1])
        best = begin + int(np.argmax(values[begin:end]))
        strategy[best] = 1.0
        values[own.parents[number]] += values[best]
    return BestResponse(float(values[0]), strategy)


def exploitability(form: SequenceForm, plans: Sequence[Reals]) -> float:
    """Return how much the players' best responses win on average, half of NashConv.

    It is 0 for an equilibrium.
    """
    gains = (best_response(form, player, plans[1 - player]).value for player in (0, 1))
    return sum(gains) / 2.0

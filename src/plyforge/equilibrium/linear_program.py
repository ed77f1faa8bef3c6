"""Equilibria of games with hidden information by a linear program over the sequence form.

The first player's plan x maximises what is left after the second player's best response:

    maximise q[0]  subject to  E x = e,  F' q <= A' x,  x >= 0

where A has the payoffs, the equations say that x is a plan, and q has a value for each information
set of the second player.  The dual solution is the second player's plan (Koller, Megiddo and von
Stengel 1996).
"""

from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium.game_tree import GameTree
from plyforge.equilibrium.optimization import minimize_linear
from plyforge.equilibrium.profile import Profile
from plyforge.equilibrium.sequence_form import Reals, SequenceForm, Sequences

METHOD: Final = "lp"
MAX_SEQUENCES: Final = 20_000
"""The default limit of sequences of both players together."""


def solve_sequence_form(
    tree: GameTree, form: SequenceForm | None = None, max_sequences: int = MAX_SEQUENCES
) -> Profile:
    """Return an equilibrium; raise an error if the linear program would be too large."""
    form = SequenceForm.of(tree) if form is None else form
    if form.size > max_sequences:
        raise PlyforgeError(
            f"{tree.game.name} is too large for the linear program: {form.size:,} sequences and"
            f" {form.entries:,} payoffs, the limit is {max_sequences:,} sequences; use --method"
            " cfr+, or raise the limit with --max-sequences"
        )
    first, second = form.players
    columns = first.size + 1 + second.sets
    objective = np.zeros(columns)
    objective[first.size] = -1.0
    found = minimize_linear(
        objective,
        upper=(_response_limits(form), np.zeros(second.size)),
        equal=_plan_equations(first, columns),
        bounds=[(0.0, None)] * first.size + [(None, None)] * (1 + second.sets),
    )
    plans = (
        _clean(first, found.x[: first.size]),
        _clean(second, -np.asarray(found.ineqlin.marginals)),
    )
    return Profile(tree, form, plans, METHOD)


def _plan_equations(player: Sequences, columns: int) -> tuple[Any, Reals]:
    """Return the equations of a plan: the moves of each set add up to the sequence before it."""
    from scipy.sparse import csr_array

    sets = np.arange(player.sets)
    rows = np.concatenate([[0], player.set_of[1:] + 1, sets + 1])
    places = np.concatenate([[0], np.arange(1, player.size), player.parents])
    values = np.concatenate([[1.0], np.ones(player.size - 1), -np.ones(player.sets)])
    right = np.zeros(player.sets + 1)
    right[0] = 1.0
    return csr_array((values, (rows, places)), shape=(player.sets + 1, columns)), right


def _response_limits(form: SequenceForm) -> Any:
    """Return the inequalities: no sequence of the second player is worth less than its set.

    The columns are the first player's sequences, the value of the game, and the values of the
    second player's sets, all for the first player.
    """
    from scipy.sparse import csr_array

    first, second = form.players
    payoffs = form.payoffs[1]
    numbers = np.repeat(np.arange(second.size), np.diff(payoffs.rows))
    # The value of a sequence: its payoffs and the values of the sets after it.
    rows = [numbers, second.parents]
    places = [payoffs.columns, first.size + 1 + np.arange(second.sets)]
    values = [payoffs.values, -np.ones(second.sets)]
    # It is compared with the value of its own set, or of the game.
    rows.append(np.arange(second.size))
    places.append(first.size + 1 + second.set_of)
    values.append(np.ones(second.size))
    return csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(places))),
        shape=(second.size, first.size + 1 + second.sets),
    )


def _clean(player: Sequences, plan: Reals) -> Reals:
    """Remove what is left of rounding: probabilities are at least 0 and add up."""
    clean = np.maximum(plan, 0.0)
    clean[0] = 1.0
    strategy = np.ones(player.size)
    for number in range(player.sets):
        begin, end = int(player.starts[number]), int(player.starts[number + 1])
        total = clean[begin:end].sum()
        strategy[begin:end] = clean[begin:end] / total if total > 0.0 else 1.0 / (end - begin)
    return player.plan(strategy)

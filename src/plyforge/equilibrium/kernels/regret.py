"""Counterfactual regret minimisation over the sequence form, as one kernel for all games.

M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, Regret minimization in games with incomplete
information, NIPS 2007 (CFR).  O. Tammelin, Solving large imperfect information games using CFR+,
2014: regrets below 0 are set to 0, and the average counts iteration t with weight t.

The counterfactual value of a sequence is what its payoffs are worth against the other player's
plan, plus the values of the sets that follow it.  So an iteration visits each pair of sequences
with a payoff once for each player, and each set once; it never walks the tree itself.  Players take
turns: the second one already meets the first one's new strategy.
"""

from typing import Any

from plyforge.compilation.hooks_api import context_at
from plyforge.compilation.kernel import Kernel
from plyforge.compilation.records import Fixed, Reals, Record, Words


class Regrets(Record):
    """A run: the game, the sums of regrets, and the sums of plans."""

    iterations: Fixed[int]
    """The number of iterations to do."""
    done: int
    """The number of iterations so far."""
    plus: Fixed[int]
    """Whether it is CFR+."""
    sets_1: Fixed[int]
    sets_2: Fixed[int]
    size_1: Fixed[int]
    size_2: Fixed[int]
    starts_1: Words
    starts_2: Words
    parents_1: Words
    parents_2: Words
    rows_1: Words
    rows_2: Words
    columns_1: Words
    columns_2: Words
    payoffs_1: Reals
    payoffs_2: Reals
    regrets_1: Reals
    regrets_2: Reals
    sums_1: Reals
    sums_2: Reals
    plan_1: Reals
    plan_2: Reals
    strategy_1: Reals
    strategy_2: Reals
    values_1: Reals
    values_2: Reals


def match_regrets(
    sets: int, starts: Any, parents: Any, regrets: Any, strategy: Any, plan: Any
) -> None:
    """Write the strategy in proportion to positive regrets, and its plan."""
    plan[0] = 1.0
    for number in range(sets):
        begin = starts[number]
        end = starts[number + 1]
        total = 0.0
        for s in range(begin, end):
            if regrets[s] > 0.0:
                total += regrets[s]
        before = plan[parents[number]]
        if total > 0.0:
            share = 1.0 / total
            for s in range(begin, end):
                strategy[s] = regrets[s] * share if regrets[s] > 0.0 else 0.0
                plan[s] = before * strategy[s]
        else:
            share = 1.0 / (end - begin)
            for s in range(begin, end):
                strategy[s] = share
                plan[s] = before * share


def add_payoffs(size: int, rows: Any, columns: Any, payoffs: Any, plan: Any, values: Any) -> None:
    """Write what the payoffs of each sequence are worth against a plan of the other player."""
    for s in range(size):
        total = 0.0
        for entry in range(rows[s], rows[s + 1]):
            total += payoffs[entry] * plan[columns[entry]]
        values[s] = total


def add_regrets(
    sets: int, starts: Any, parents: Any, strategy: Any, values: Any, regrets: Any, plus: int
) -> None:
    """Add how much better each move would have been than the strategy, the last sets first."""
    for k in range(sets):
        number = sets - 1 - k
        begin = starts[number]
        end = starts[number + 1]
        mean = 0.0
        for s in range(begin, end):
            mean += strategy[s] * values[s]
        for s in range(begin, end):
            regret = regrets[s] + values[s] - mean
            if plus and regret < 0.0:
                regret = 0.0
            regrets[s] = regret
        values[parents[number]] += mean


def best_value(sets: int, starts: Any, parents: Any, values: Any) -> float:
    """Return the value of the best response, from the payoffs of the sequences."""
    for k in range(sets):
        number = sets - 1 - k
        begin = starts[number]
        best = values[begin]
        for s in range(begin + 1, starts[number + 1]):
            if values[s] > best:
                best = values[s]
        values[parents[number]] += best
    return values[0]


def add_plan(size: int, plan: Any, sums: Any, weight: float) -> None:
    """Add a plan to the sums."""
    for s in range(size):
        sums[s] += weight * plan[s]


def update_first(run: Regrets, weight: float) -> None:
    """Let the first player learn from the second one's current plan."""
    add_payoffs(run.size_1, run.rows_1, run.columns_1, run.payoffs_1, run.plan_2, run.values_1)
    add_plan(run.size_1, run.plan_1, run.sums_1, weight)
    add_regrets(
        run.sets_1, run.starts_1, run.parents_1, run.strategy_1, run.values_1, run.regrets_1,
        run.plus,
    )  # fmt: skip
    match_regrets(
        run.sets_1, run.starts_1, run.parents_1, run.regrets_1, run.strategy_1, run.plan_1
    )


def update_second(run: Regrets, weight: float) -> None:
    """Let the second player learn from the first one's new plan."""
    add_payoffs(run.size_2, run.rows_2, run.columns_2, run.payoffs_2, run.plan_1, run.values_2)
    add_plan(run.size_2, run.plan_2, run.sums_2, weight)
    add_regrets(
        run.sets_2, run.starts_2, run.parents_2, run.strategy_2, run.values_2, run.regrets_2,
        run.plus,
    )  # fmt: skip
    match_regrets(
        run.sets_2, run.starts_2, run.parents_2, run.regrets_2, run.strategy_2, run.plan_2
    )


def average_exploitability(run: Regrets) -> float:
    """Return the exploitability of the average plans."""
    add_payoffs(run.size_1, run.rows_1, run.columns_1, run.payoffs_1, run.sums_2, run.values_1)
    add_payoffs(run.size_2, run.rows_2, run.columns_2, run.payoffs_2, run.sums_1, run.values_2)
    first = best_value(run.sets_1, run.starts_1, run.parents_1, run.values_1) / run.sums_2[0]
    second = best_value(run.sets_2, run.starts_2, run.parents_2, run.values_2) / run.sums_1[0]
    return 0.5 * (first + second)


def minimize_regret(nothing: Any, context: Any) -> float:
    """Do some iterations; return the exploitability of the average plans."""
    run = context_at(context)
    match_regrets(
        run.sets_1, run.starts_1, run.parents_1, run.regrets_1, run.strategy_1, run.plan_1
    )
    match_regrets(
        run.sets_2, run.starts_2, run.parents_2, run.regrets_2, run.strategy_2, run.plan_2
    )
    for _ in range(run.iterations):
        run.done += 1
        weight = 1.0 * run.done if run.plus else 1.0
        update_first(run, weight)
        update_second(run, weight)
    return average_exploitability(run)


REGRET = Kernel("regret", minimize_regret, "float64(position, address)", context=Regrets)

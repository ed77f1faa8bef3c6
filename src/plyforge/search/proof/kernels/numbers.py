"""Proof and disproof numbers of a node from those of its children.

The side to move wants one number of its own to become 0: at a node of the attacker the proof
number, the minimum of the children's; at the other nodes the disproof number.  The other number is
the sum of the children's; or, as a weak number (Ueda, Hashimoto, Hashimoto, Iida 2008), their
maximum plus one for each other open child, which counts a position that several children share
less often.
"""

import numpy as np

from plyforge.compilation.records import Words
from plyforge.search.proof.kernels.context import INFINITE, MAX_NUMBER, Frame, ProofContext


def own_numbers(mine: bool, context: ProofContext) -> Words:
    """The children's numbers that the side to move wants to lower."""
    return context.child_proof if mine else context.child_disproof


def other_numbers(mine: bool, context: ProofContext) -> Words:
    """The children's numbers that the other side wants to lower."""
    return context.child_disproof if mine else context.child_proof


def combine(mine: bool, frame: Frame, context: ProofContext) -> int:
    """Set the numbers of a node, and the best child; return the second lowest number of its own."""
    own, other = own_numbers(mine, context), other_numbers(mine, context)
    lowest, second, best = INFINITE, INFINITE, 0
    total, highest, open_children = 0, 0, 0
    best_other = INFINITE
    for index in range(frame.start, frame.start + frame.count):
        number, against = own[index], other[index]
        # Among equal children, the one that is closer to the opposite result.
        if number < lowest or (number == lowest and against < best_other):
            second, lowest = lowest, number
            best, best_other = index - frame.start, against
        elif number < second:
            second = number
        if against == INFINITE:
            total = INFINITE
        elif against > 0 and total < INFINITE:
            open_children += 1
            highest = max(highest, against)
            total = min(total + against, MAX_NUMBER)
    if context.weak != 0 and total < INFINITE and open_children > 0:
        total = min(highest + open_children - 1, MAX_NUMBER)
    frame.best = best
    frame.proof = lowest if mine else total
    frame.disproof = total if mine else lowest
    return second


def own_limit(limit: int, second: int, context: ProofContext) -> int:
    """The limit of the best child's own number: until another child is clearly better."""
    if second >= MAX_NUMBER:
        return limit
    more = max(np.int64(np.ceil(second * (1.0 + context.epsilon))), second + 1)
    return min(limit, more)


def other_limit(limit: int, total: int, child: int, context: ProofContext) -> int:
    """The limit of the best child's other number: until the node's own reaches `limit`."""
    if limit >= MAX_NUMBER:
        return limit
    # The others' share of the total; with weak numbers, of the number of open children.
    return max(limit - max(total - child, 0), 1)

"""The tree of a game with its equilibrium, as the tree inspector shows it.

Each node is visited once, depth first.  Its value is what the players win on average from there if
both follow the profile.
"""

from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium.game_tree import CHANCE, END, GameTree
from plyforge.equilibrium.profile import Profile
from plyforge.search.textbook.trace import Trace, Visit, probability_text
from plyforge.search.values import INFINITY

MAX_VISITS: Final = 20_000
"""The largest tree that is recorded."""
_ROUNDING: Final = 1e-12
"""A value below it is 0 but for rounding."""


def trace_profile(profile: Profile, max_visits: int = MAX_VISITS) -> Trace:
    """Return the visits of all nodes, with the probabilities of moves and the values of nodes."""
    tree = profile.tree
    if tree.size > max_visits:
        raise PlyforgeError(
            f"the tree of {tree.game.name} has {tree.size:,} nodes; at most {max_visits:,} can be"
            " drawn"
        )
    shares = _shares(profile)
    values = _values(tree, shares)
    trace = Trace()
    for node in range(tree.size):
        visit = _visit(profile, node, trace.visits, values[node])
        visit.probability = None if node == 0 else shares[node]
        trace.visits.append(visit)
        if visit.parent is not None:
            trace.visits[visit.parent].searched.append(visit.move)
    return trace


def _shares(profile: Profile) -> list[float]:
    """Return the probability of each node's move in its parent."""
    tree = profile.tree
    used = [0] * tree.size
    """The number of children of each node that have been seen."""
    shares = list(tree.probabilities)
    for node in range(1, tree.size):
        parent = tree.parents[node]
        if tree.kinds[parent] != CHANCE:
            one = tree.sets[tree.set_numbers[parent]]
            shares[node] = float(profile.strategies[one.player][one.first + used[parent]])
        used[parent] += 1
    return shares


def _values(tree: GameTree, shares: list[float]) -> list[float]:
    """Return the expected payoff of the first player from each node."""
    values = list(tree.payoffs)
    for node in range(tree.size - 1, 0, -1):
        values[tree.parents[node]] += shares[node] * values[node]
    return [value if abs(value) > _ROUNDING else 0.0 for value in values]


def _visit(profile: Profile, node: int, visits: list[Visit], value: float) -> Visit:
    tree, game = profile.tree, profile.tree.game
    kind = tree.kinds[node]
    side = kind if kind in (0, 1) else 0
    parent = visits[tree.parents[node]] if node else None
    position = game.initial() if parent is None else game.play(parent.position, tree.codes[node])
    visit = Visit(
        number=node,
        parent=None if parent is None else parent.number,
        path=() if parent is None else (*parent.path, tree.codes[node]),
        move=tree.moves[node],
        position=position,
        ply=0 if parent is None else parent.ply + 1,
        depth=0,
        side=side,
        alpha=-INFINITY,
        beta=INFINITY,
        research=0,
        value=(value if side == 0 else 0.0 - value) + 0.0,
        leaf=kind == END,
        chance=kind == CHANCE,
    )
    if kind == END:
        visit.own = visit.value
        visit.label, visit.entry, visit.note = "end", "an end of the game", "an end of the game"
    elif kind == CHANCE:
        visit.label, visit.entry = "chance", "entered, chance moves"
        visit.note = "the average of the outcomes of chance"
    else:
        _describe_choice(profile, node, visit)
    return visit


def _describe_choice(profile: Profile, node: int, visit: Visit) -> None:
    """Add the information set of a player's node."""
    tree = profile.tree
    number = tree.set_numbers[node]
    one = tree.sets[number]
    player = tree.game.players[one.player]
    count = tree.sizes[number]
    moves = ", ".join(
        f"{move} with probability {probability_text(share)}"
        for move, share in profile.moves(number).items()
    )
    visit.moves = list(one.moves)
    visit.information = f"{one.player} {one.label}"
    visit.label = one.label
    others = f"and cannot tell {count} nodes apart" if count > 1 else "and knows the node"
    visit.entry = f"entered, {player} to move, who knows '{one.label}' {others}"
    visit.note = f"{player} knows '{one.label}' {others}; chooses {moves}"

"""The minimal tree: the fewest leaves that prove a value, and the order of moves that meets them.

To prove the value V of a node takes a strategy of MAX that reaches at least V and one of MIN that
holds it to at most V; both share a leaf worth V (Knuth and Moore 1975).  Where a side has several
moves that do, the one with the fewest leaves below it is taken, and the leftmost of those.
Alpha-beta that tries these moves first visits this tree and no other node; in a uniform tree with b
moves and depth d it has b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves.  No table is thought of: a position that
occurs twice is proved twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from plyforge.game.game import Game
from plyforge.search.textbook.alpha_beta_table import alpha_beta_table
from plyforge.search.textbook.trace import Trace
from plyforge.search.textbook.view import MAX, Evaluation, Node, View, for_max
from plyforge.search.values import INFINITY

Claim = Literal["exactly", "at least", "at most"]
"""What is to be proved of a node, with the root's value in view of MAX."""

Order = dict[tuple[int, ...], int]
"""The move to try first, by the moves that lead from the root to a node."""

_STRATEGY_OF: Final = {MAX: "at least", 1 - MAX: "at most"}
"""What a side proves by one good move; the other side's claim takes all moves."""


@dataclass(frozen=True)
class Minimal:
    """The value in view of MAX, how many leaves prove it, and how alpha-beta finds them."""

    value: float
    leaves: int
    order: Order


def minimal_tree(view: View, root: Node, depth: int) -> Minimal:
    """The minimal tree of a node, `depth` plies deep; `view` records nothing."""
    value = for_max(root, alpha_beta_table(view, root, depth))
    proof = _Proof(view, value)
    leaves = proof.leaves(root, depth, "exactly")
    return Minimal(value, int(leaves), dict(proof.order(root, depth, "exactly", ())))


class Ordered(View):
    """A view that tries the moves of a given order first; a search that has one of its own, as
    from a table, keeps to that."""

    def __init__(
        self,
        game: Game,
        order: Order,
        evaluate: Evaluation | None = None,
        *,
        integer: bool = False,
        trace: Trace | None = None,
    ) -> None:
        super().__init__(game, evaluate, integer=integer, trace=trace)
        self._order = order
        self._path: list[int] = []

    def children(self, node: Node, first: int | None = None) -> Iterator[Node]:
        path = tuple(self._path[: node.ply])
        for child in super().children(node, self._order.get(path) if first is None else first):
            self._path[node.ply :] = [_move(child)]
            yield child


class _Proof:
    """Counts the leaves that claims about nodes need; what is false needs infinitely many."""

    def __init__(self, view: View, value: float) -> None:
        self._view = view
        self._value = value
        self._known: dict[tuple[int, int, int, Claim], float] = {}

    def leaves(self, node: Node, depth: int, claim: Claim) -> float:
        key = self._view.game.key(node.position), node.side, depth, claim
        if key not in self._known:
            self._known[key] = self._count(node, depth, claim)
        return self._known[key]

    def _count(self, node: Node, depth: int, claim: Claim) -> float:
        value = self._view.leaf(node, depth)
        if value is not None:
            return 1 if self._holds(for_max(node, value), claim) else INFINITY
        children = list(self._view.children(node))
        if claim == _STRATEGY_OF[node.side]:
            return min(self.leaves(child, depth - 1, claim) for child in children)
        if claim != "exactly":
            return self._sum(children, depth - 1, claim)
        return min(self._exactly(node, depth, children))

    def _exactly(self, node: Node, depth: int, children: list[Node]) -> list[float]:
        """The leaves if one child is worth the value and no other is better, by that child."""
        others = self._refutation(node)
        refuted = [self.leaves(child, depth - 1, others) for child in children]
        if INFINITY in refuted:
            return [INFINITY]
        every = sum(refuted)
        return [
            every - less + self.leaves(child, depth - 1, "exactly")
            for child, less in zip(children, refuted, strict=True)
        ]

    def _refutation(self, node: Node) -> Claim:
        """What is to be proved of the moves that are no better than the best."""
        return "at most" if node.side == MAX else "at least"

    def _sum(self, children: list[Node], depth: int, claim: Claim) -> float:
        total = 0.0
        for child in children:
            total += self.leaves(child, depth, claim)
            if total == INFINITY:
                break
        return total

    def _holds(self, value: float, claim: Claim) -> bool:
        if claim == "exactly":
            return value == self._value
        return value >= self._value if claim == "at least" else value <= self._value

    def order(
        self, node: Node, depth: int, claim: Claim, path: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """The move to try first at each node of the tree that proves a claim, if it matters."""
        if self._view.leaf(node, depth) is not None:
            return
        children = list(self._view.children(node))
        others: Claim = claim
        if claim == "exactly":
            others = self._refutation(node)
            needed = self._exactly(node, depth, children)
        elif claim == _STRATEGY_OF[node.side]:
            needed = [self.leaves(child, depth - 1, claim) for child in children]
        else:
            for child in children:
                yield from self.order(child, depth - 1, claim, (*path, _move(child)))
            return
        best = children[needed.index(min(needed))]
        yield path, _move(best)
        yield from self.order(best, depth - 1, claim, (*path, _move(best)))
        for child in children if claim == "exactly" else []:
            if child is not best:
                yield from self.order(child, depth - 1, others, (*path, _move(child)))


def _move(child: Node) -> int:
    assert child.move is not None
    return child.move

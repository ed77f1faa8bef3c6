"""The minimal tree: the fewest leaves that prove a value, and the order of moves that finds them.

A proof of the value V of a node needs a strategy of MAX that reaches at least V and one of MIN that
allows at most V; both share a leaf of value V (Knuth and Moore 1975).  Where a side has several
such moves, the one with the fewest leaves below it is taken, and the leftmost of those.  Alpha-beta
that tries these moves first visits exactly this tree; in a uniform tree with b moves and depth d it
has b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves.  There is no table: a position that occurs twice is proved twice.
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
"""A claim about a node: how its value compares with that of the root, for MAX."""

Order = dict[tuple[int, ...], int]
"""The move to try first, by the moves that lead from the root to a node."""

_STRATEGY_OF: Final = {MAX: "at least", 1 - MAX: "at most"}
"""The claim that a side proves by one good move; the other claim needs all moves."""


@dataclass(frozen=True)
class Minimal:
    """The value for MAX, the number of leaves that prove it, and the order that finds them."""

    value: float
    leaves: int
    order: Order


def minimal_tree(view: View, root: Node, depth: int) -> Minimal:
    """Find the minimal tree of a node, `depth` plies deep; `view` must have no trace."""
    value = for_max(root, alpha_beta_table(view, root, depth))
    proof = _Proof(view, value)
    leaves = proof.leaves(root, depth, "exactly")
    return Minimal(value, int(leaves), dict(proof.order(root, depth, "exactly", ())))


class OrderedView(View):
    """A view that tries the moves of an order first, unless the search has a first move itself."""

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
    """Counts the leaves that claims about nodes need; a false claim needs infinitely many."""

    def __init__(self, view: View, value: float) -> None:
        self._view = view
        self._value = value
        self._cache: dict[tuple[int, int, int, Claim], float] = {}

    def leaves(self, node: Node, depth: int, claim: Claim) -> float:
        key = self._view.game.key(node.position), node.side, depth, claim
        if key not in self._cache:
            self._cache[key] = self._count(node, depth, claim)
        return self._cache[key]

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
        """Return for each child the leaves of a proof that it has the value and none is better."""
        others = self._refutation(node)
        refuted = [self.leaves(child, depth - 1, others) for child in children]
        if INFINITY in refuted:
            return [INFINITY]
        total = sum(refuted)
        return [
            total - own + self.leaves(child, depth - 1, "exactly")
            for child, own in zip(children, refuted, strict=True)
        ]

    def _refutation(self, node: Node) -> Claim:
        """Return the claim about the moves that are no better than the best."""
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
        """Yield the first move of each node of the tree that proves a claim, where it matters."""
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

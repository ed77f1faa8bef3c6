"""The master's tree: positions from the root, and what the workers have reported about them.

A node has one search of its own, over the moves that have no child: all moves of a leaf, and "the
rest" of a node with children.  So every legal move is in exactly one search, that of the node or
that of the child.  The value of a node is the best of its children and of its own search.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from plyforge.engine.master.estimate import Estimate, best_of
from plyforge.game.game import History


class Node:
    """A position, its children, and the estimate of the moves that have no child."""

    def __init__(
        self, history: History, own: Estimate | None = None, parent: "Node | None" = None
    ) -> None:
        self.history = history
        self.turn = history.turn
        self.moves = tuple(history.legal_moves())
        """The legal moves; none if the game is over."""
        self.children: dict[int, Node] = {}
        """The children by their moves; change them only through the methods."""
        self.nodes = 0
        """Nodes that workers have searched here and below, children that are gone included."""
        self._parent = parent
        self._own = own
        self._value: tuple[Estimate | None] | None = None
        """The value, once it was computed, until something below changes."""

    @property
    def own(self) -> Estimate | None:
        """The estimate of the rest; None before the first report."""
        return self._own

    @own.setter
    def own(self, estimate: Estimate | None) -> None:
        self._own = estimate
        self._change()

    def _change(self) -> None:
        """Forget the values that depend on this node."""
        node: Node | None = self
        while node is not None:
            node._value = None
            node = node._parent

    @property
    def over(self) -> bool:
        """Whether the game is over here."""
        return not self.moves

    @property
    def rest(self) -> tuple[int, ...]:
        """The moves without a child, which the node's own search covers."""
        if not self.children:
            return self.moves
        return tuple(move for move in self.moves if move not in self.children)

    def estimate(self) -> Estimate | None:
        """Return the minimax value of the tree below; None if nothing is known."""
        if self._value is None:
            self._value = (self._compute_estimate(),)
        return self._value[0]

    def _compute_estimate(self) -> Estimate | None:
        if self.over:
            return Estimate(self.history.verdict().value, proved=True, finished=True)
        parts = [self.estimate_of(move) for move in self.children]
        return best_of([*parts, self.own] if self.rest else parts)

    def estimate_of(self, move: int) -> Estimate | None:
        """Return the value of a move that has a child, for the side to move here."""
        child = self.children[move]
        value = child.estimate()
        return None if value is None else value.lift(move, child.turn == self.turn)

    def is_finished(self) -> bool:
        """Return whether more search below would change nothing."""
        value = self.estimate()
        return value is not None and value.finished

    def is_rest_finished(self) -> bool:
        """Return whether the node's own search needs no worker."""
        return not self.rest or (self.own is not None and self.own.finished)

    # Changes

    def count_nodes(self, nodes: int) -> None:
        """Count nodes of a worker here and up to the root."""
        node: Node | None = self
        while node is not None:
            node.nodes += nodes
            node = node._parent

    def add_child(self, move: int, estimate: Estimate | None = None) -> "Node":
        """Take a move out of the rest; `estimate` is what is known about it, as seen from here."""
        history = self.history.copy()
        history.play(move)
        child = Node(history, parent=self)
        if estimate is not None and not child.over:
            child.own = estimate.descend(child.turn == self.turn)
        self.children[move] = child
        self._change()
        return child

    def promote(self, move: int) -> "Node":
        """Make the first move of the rest's line a child: of the others nothing is known then."""
        assert self.own is not None
        assert self.own.line[0] == move
        own, self.own = self.own, None
        return self.add_child(move, own)

    def demote(self, move: int) -> None:
        """Put a child's move back into the rest, with what is known about it."""
        estimate = self.estimate_of(move)
        had_rest = bool(self.rest)
        del self.children[move]
        self.own = best_of([self.own, estimate] if had_rest else [estimate])

    def forget_limits(self) -> None:
        """Let searches continue that a limit of depth had ended; proofs stay."""
        for node in self.walk():
            if node.own is not None and node.own.finished and not node.own.proved:
                node.own = replace(node.own, finished=False)

    # Walks

    def walk(self) -> Iterator["Node"]:
        """Yield the nodes of the tree, parents first."""
        yield self
        for child in self.children.values():
            yield from child.walk()

    def follow(self, moves: Iterable[int]) -> "Node":
        """Return the node after these moves as a root; a new one where the tree has none."""
        node = self
        for move in moves:
            if move in node.children:
                node = node.children[move]
                continue
            own = node.own if node.own is not None and node.own.line[:1] == (move,) else None
            node = Node(node.history, own).add_child(move, own)
        node._parent = None
        return node

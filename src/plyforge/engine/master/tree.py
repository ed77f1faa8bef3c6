"""The master's tree: positions from the root, and what the workers have reported about them.

A node has a search of its own over all moves, and children for the best moves, whose searches look
deeper.  The value of a node is that of its own search, refined by the children that were searched
at least as deep.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from plyforge.engine.master.estimate import Estimate, refine
from plyforge.game.game import History


class Node:
    """A position, the estimate of its own search, and its children."""

    def __init__(
        self, history: History, own: Estimate | None = None, parent: "Node | None" = None
    ) -> None:
        self.history = history
        self.turn = history.turn
        self.moves = tuple(history.legal_moves())
        """The legal moves; none if the game is over."""
        self.children: dict[int, Node] = {}
        """The children by their moves; change them only through the methods."""
        self._parent = parent
        self._own = own
        self._value: tuple[Estimate | None] | None = None
        """The value, once it was computed, until something below changes."""

    @property
    def own(self) -> Estimate | None:
        """The estimate of the own search; None before the first report."""
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
    def other_moves(self) -> tuple[int, ...]:
        """The moves without a child."""
        return tuple(move for move in self.moves if move not in self.children)

    def estimate(self) -> Estimate | None:
        """Return the value of the tree below; None if nothing is known."""
        if self._value is None:
            self._value = (self._compute_estimate(),)
        return self._value[0]

    def _compute_estimate(self) -> Estimate | None:
        if self.over:
            return Estimate(self.history.verdict().value, proved=True, finished=True)
        known = {move: self.estimate_of(move) for move in self.children}
        return refine(self.own, known, len(self.moves))

    def estimate_of(self, move: int) -> Estimate | None:
        """Return the value of a move that has a child, for the side to move here."""
        child = self.children[move]
        value = child.estimate()
        return None if value is None else value.lift(move, child.turn == self.turn)

    def is_finished(self) -> bool:
        """Return whether more search below would change nothing."""
        value = self.estimate()
        return value is not None and value.finished

    # Changes

    def add_child(self, move: int, estimate: Estimate | None = None) -> "Node":
        """Add a child; `estimate` is what is known about the move, as seen from here."""
        history = self.history.copy()
        history.play(move)
        child = Node(history, parent=self)
        if estimate is not None and not child.over:
            child.own = estimate.descend(child.turn == self.turn)
        self.children[move] = child
        self._change()
        return child

    def remove_child(self, move: int) -> None:
        """Forget a child and what lies below it."""
        del self.children[move]
        self._change()

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

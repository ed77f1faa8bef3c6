"""A game as a textbook algorithm sees it: nodes, their children, and the values of leaves.

Ends that depend on the path to a position, by repetition or lack of progress, are left out: with
them the value of a position would depend on its path, and no algorithm that stores values would be
exact.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import DRAW, ONGOING, SCORE_LIMIT
from plyforge.game.game import Game
from plyforge.search.values import from_root, next_above, next_below, to_float32

if TYPE_CHECKING:
    from plyforge.search.textbook.trace import Trace

Evaluation = Callable[[Any], float]
"""Estimates the value of a position for the side to move."""

MAX, MIN = 0, 1
"""The sides: MAX is the game's first player."""


class NotAnInteger(PlyforgeError):
    """A value is not an integer although `integer` was given."""


class Node(NamedTuple):
    """A position on a path from the root."""

    position: Any
    ply: int
    """The number of moves from the root."""
    side: int
    """Whose turn it is."""
    move: int | None
    """The move that led here; None at the root."""


class View:
    """A game and an evaluation, as an algorithm sees them.

    `evaluate` replaces the game's own evaluation.  `integer` promises that all values are
    integers, which makes null windows one wide.  Without `stuck_at_horizon` a position at depth 0
    is evaluated even if it has no moves, as by a search that generates no moves there.  `trace`
    records every visit.
    """

    def __init__(
        self,
        game: Game,
        evaluate: Evaluation | None = None,
        *,
        integer: bool = False,
        stuck_at_horizon: bool = True,
        trace: "Trace | None" = None,
    ) -> None:
        self.game = game
        self.trace = trace
        self._evaluate = evaluate or game.evaluation
        self._integer = integer
        self._stuck_at_horizon = stuck_at_horizon
        self._latest: tuple[Node, list[int]] | None = None

    def root(self, position: Any) -> Node:
        """Return the root node; in a game without `turn`, MAX is to move there."""
        return Node(position, 0, self.game.turn(position) or MAX, None)

    def leaf(self, node: Node, depth: int) -> float | None:
        """Return the value for the side to move where the game or the depth ends, else None."""
        result = self._result(node, depth)
        if result is not None:
            value = from_root(self._check(self.game.result_value(result)), node.ply)
        elif depth <= 0:
            value = self._evaluation(node.position)
        else:
            return None
        if self.trace is not None:
            self.trace.leaf(value)
        return value

    def _result(self, node: Node, depth: int) -> float | None:
        game, position = self.game, node.position
        outcome = game.outcome(position)
        if outcome != ONGOING:
            return outcome
        if (depth > 0 or self._stuck_at_horizon) and not self._moves(node):
            return game.stuck(position)
        return DRAW if game.drawn(position) else None

    def _evaluation(self, position: Any) -> float:
        value = self._evaluate(position)
        if not -SCORE_LIMIT <= value <= SCORE_LIMIT:
            raise PlyforgeError(f"the evaluation is {value}; it must lie within ±2^23")
        return self._check(value)

    def _check(self, value: float) -> float:
        if self._integer and value != int(value):
            raise NotAnInteger(f"the value {value} is not an integer; leave out integer=True")
        return to_float32(value)

    def children(self, node: Node, first: int | None = None) -> Iterator[Node]:
        """Yield the child nodes in the order of moves; that of the move `first` comes first."""
        moves = self._moves(node)
        if first is not None and first in moves:
            moves = [first, *(move for move in moves if move != first)]
        if self.trace is not None:
            self.trace.expand(self.game, moves)
        for move in moves:
            position = self.game.play(node.position, move)
            turn = self.game.turn(position)
            side = 1 - node.side if turn is None else turn
            yield Node(position, node.ply + 1, side, move)

    @property
    def limit(self) -> float:
        """The largest absolute value in a game of chance."""
        return self.game.evaluation_limit

    def is_chance(self, node: Node) -> bool:
        """Return whether chance moves at a node."""
        return self.game.is_chance(node.position)

    def outcomes(self, node: Node) -> Iterator[tuple[float, Node]]:
        """Yield the outcomes of chance, each with its probability."""
        probabilities = dict(self.game.chance_outcomes(node.position))
        for child in self.children(node):
            assert child.move is not None
            yield probabilities[child.move], child

    def expected(self, values: Iterable[tuple[float, float]]) -> float:
        """Return the expected value of pairs (probability, value)."""
        return self.rounded(sum(probability * value for probability, value in values))

    def rounded(self, value: float) -> float:
        """Return a value that was computed as float32, as all values are."""
        return self._check(value)

    def _moves(self, node: Node) -> list[int]:
        # `children` needs the moves that `leaf` has just generated.
        if self._latest is None or self._latest[0] is not node:
            self._latest = node, self.game.moves(node.position)
        return self._latest[1]

    def record_answer(
        self, child: Node, depth: int, alpha: float, beta: float, value: float
    ) -> None:
        """Record that a parent found the child's value in a table; all values are for MAX."""
        if self.trace is not None:
            if child.side == MIN:
                alpha, beta, value = -beta, -alpha, -value
            self.trace.enter(self, child, depth, alpha, beta)
            self.trace.leave(value)

    def above(self, alpha: float) -> float:
        """Return the upper end of the null window that starts at `alpha`."""
        return next_above(alpha, self._integer)

    def below(self, beta: float) -> float:
        """Return the lower end of the null window that ends at `beta`."""
        return next_below(beta, self._integer)


def window_below(node: Node, child: Node, alpha: float, beta: float) -> tuple[float, float]:
    """Return a node's window for its child: negated and swapped if the side to move changes."""
    return (0.0 - beta, 0.0 - alpha) if child.side != node.side else (alpha, beta)


def value_above(node: Node, child: Node, value: float) -> float:
    """Return a child's value for its parent: negated if the side to move changes."""
    return 0.0 - value if child.side != node.side else value


def for_max(node: Node, value: float) -> float:
    """Convert a value between the side to move and MAX, in either direction."""
    return value if node.side == MAX else 0.0 - value

"""What a textbook algorithm sees of a game: nodes, their children, and what leaves are worth.

A game's rules judge positions by themselves here.  Ends that depend on the way to a position, by
repetition or by lack of progress, are left out: with them the value of a position would depend on
its path, and none of these algorithms, once it remembers values, would be exact.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import DRAW, ONGOING, SCORE_LIMIT
from plyforge.game.game import Game
from plyforge.search.values import from_root, next_above, next_below, to_float32

if TYPE_CHECKING:
    from plyforge.search.textbook.trace import Trace

Evaluation = Callable[[Any], float]
"""A guess of a position's value in view of the side to move."""

MAX, MIN = 0, 1
"""The sides: MAX is the game's first player."""


class NotWhole(PlyforgeError):
    """A value is no whole number where all were promised to be."""


class Node(NamedTuple):
    """A position on a path from the root."""

    position: Any
    ply: int
    """How many moves it is below the root."""
    side: int
    """Whose turn it is."""
    move: int | None
    """The move that led here; None at the root."""


class View:
    """A game and an evaluation, as an algorithm sees them.

    `evaluate` takes the place of the game's own evaluation.  `integer` promises that all values
    are whole numbers, which makes null windows one wide.  Without `stuck_at_horizon` a position at
    depth 0 is evaluated even if it has no moves, as a search that does not generate moves there
    would do.  `trace` records every visit.
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
        """The node to start from; in a game that tells no turn, MAX is to move there."""
        return Node(position, 0, self.game.turn(position) or MAX, None)

    def leaf(self, node: Node, depth: int) -> float | None:
        """The value for the side to move where the game or the depth ends, else None."""
        result = self._result(node, depth)
        if result is not None:
            value = from_root(self._checked(result), node.ply)
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
        return self._checked(value)

    def _checked(self, value: float) -> float:
        if self._integer and value != int(value):
            raise NotWhole(f"the value {value} is no whole number; leave out integer=True")
        return to_float32(value)

    def children(self, node: Node, first: int | None = None) -> Iterator[Node]:
        """The nodes one move on, in the order of moves; that of the move `first` before all."""
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

    def _moves(self, node: Node) -> list[int]:
        # `children` asks for what `leaf` has just asked for.
        if self._latest is None or self._latest[0] is not node:
            self._latest = node, self.game.moves(node.position)
        return self._latest[1]

    def answered(self, child: Node, depth: int, alpha: float, beta: float, value: float) -> None:
        """For the trace: a parent found the child's value in a table; all in view of MAX."""
        if self.trace is not None:
            if child.side == MIN:
                alpha, beta, value = -beta, -alpha, -value
            self.trace.enter(self, child, depth, alpha, beta)
            self.trace.leave(value)

    def above(self, alpha: float) -> float:
        """The upper end of the null window that begins at `alpha`."""
        return next_above(alpha, self._integer)

    def below(self, beta: float) -> float:
        """The lower end of the null window that ends at `beta`."""
        return next_below(beta, self._integer)


def window_below(node: Node, child: Node, alpha: float, beta: float) -> tuple[float, float]:
    """A node's window as the child sees it: negated and swapped if the side to move changes."""
    return (0.0 - beta, 0.0 - alpha) if child.side != node.side else (alpha, beta)


def value_above(node: Node, child: Node, value: float) -> float:
    """A child's value as the node sees it: negated if the side to move changes."""
    return 0.0 - value if child.side != node.side else value


def for_max(node: Node, value: float) -> float:
    """A value for the side to move as MAX sees it; the same turns it back."""
    return value if node.side == MAX else 0.0 - value

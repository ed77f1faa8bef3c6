"""The result of perfect play in a graph with cycles: paths are followed to their ends.

Only moves after one that wins are left out, which saves much time.

The ends are those of `plyforge.game.history`, in the same order, except for lack of progress.  This
is slow: the number of paths grows exponentially with the number of positions.
"""

from typing import Any

from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN
from plyforge.game.game import Game, History


class TooManyPaths(Exception):
    """The graph has more paths than the limit."""


class PathSolver:
    """Solves one position; `limit` is the maximum number of paths."""

    def __init__(self, root: History, limit: int = 20_000) -> None:
        self.game: Game = root.game
        constant = self.game.rules.constant
        self.rule, self.count = constant("REPETITION"), constant("REPETITION_COUNT")
        self.left = limit
        self.moves: dict[Any, list[tuple[Any, bool]]] = {}
        self.ends: dict[Any, float] = {}
        self.path: dict[Any, int] = {}
        for position in root.positions[:-1]:
            self.path[position] = self.path.get(position, 0) + 1
        self.value = self._value(root.position, None)
        """The value for the side to move."""

    def _children(self, position: Any) -> list[tuple[Any, bool]]:
        """Return the children, each with whether the same side is to move there."""
        if position not in self.moves:
            game = self.game
            children = [game.play(position, move) for move in game.moves(position)]
            self.moves[position] = [(c, game.turn(c) == game.turn(position)) for c in children]
            self.ends[position] = game.outcome(position)
        return self.moves[position]

    def _value(self, position: Any, same_side: bool | None) -> float:
        """Return the value of a position at the end of the path; None at the root."""
        self.left -= 1
        if self.left < 0:
            raise TooManyPaths
        children = self._children(position)
        if self.ends[position] != ONGOING:
            return self.ends[position]
        occurrences = self.path.get(position, 0) + 1
        self.path[position] = occurrences
        try:
            if self.rule == "illegal":
                children = [child for child in children if not self.path.get(child[0])]
            if not children:
                return self.game.stuck(position)
            if (
                same_side is not None
                and self.rule in ("draw", "loss")
                and occurrences >= self.count
            ):
                if self.rule == "draw":
                    return DRAW
                return LOSS if same_side else WIN
            values = []
            for child, same in children:
                value = self._value(child, same)
                values.append(value if same else -value)
                if values[-1] == WIN:
                    break
            return max(values)
        finally:
            self.path[position] -= 1

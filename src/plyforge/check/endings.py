"""Check what a game says about its end against the games that were played.

`plies_left` and `max_score` are promises about every game from a position, so one game can refute
them.  `finish` is compared with all games, where few plies are left.
"""

import math
from typing import Any

from plyforge.check.backends import BothBackends
from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.node import Node
from plyforge.check.report import Recorder
from plyforge.core.scores import LOSS, ONGOING

_MAX_POSITIONS = 2000
"""Positions of a comparison with all games; where there are more, it is left out."""


class Endings:
    """Collects the positions of a game, and looks at them when it is over."""

    def __init__(self, hooks: GuardedHooks, backends: BothBackends, recorder: Recorder) -> None:
        self._hooks, self._backends, self._recorder = hooks, backends, recorder
        self._has_stuck = hooks.defines("stuck")
        self._path: list[Node] = []
        self._left = 0
        """Positions that the present comparison may still look at."""

    def begin(self) -> None:
        """Begin a game."""
        self._path = []

    def add(self, node: Node) -> None:
        """Add the next position of the game."""
        self._path.append(node)
        if not node.over and self._hooks.defines("finish"):
            self._check_finish(node)

    def conclude(self) -> None:
        """Look at the positions of a game that is over by the rules."""
        if not self._path or not self._path[-1].over:
            return
        last = self._path[-1]
        result = last.values.get("outcome", ONGOING)
        if result == ONGOING:
            result = last.values.get("stuck", ONGOING)
        for ply, node in enumerate(self._path[:-1]):
            self._recorder.set_context(node.text)
            self._check_plies(node, len(self._path) - 1 - ply)
            if result != ONGOING:
                self._check_score(node, result if node.side == last.side else -result)

    def _check_plies(self, node: Node, plies: int) -> None:
        left = node.values.get("plies_left")
        if left is not None and left < plies:
            self._recorder.problem(
                "plies_left",
                "too few",
                f"'plies_left' returns {left}, but a game from here lasted {plies} plies",
                self._backends.place("plies_left"),
            )

    def _check_score(self, node: Node, score: float) -> None:
        limit = node.values.get("max_score")
        if limit is not None and limit < score:
            self._recorder.problem(
                "max_score",
                "too low",
                f"'max_score' returns {limit:g}, but a game from here ended with {score:g} for the"
                " side to move",
                self._backends.place("max_score"),
            )

    def _check_finish(self, node: Node) -> None:
        self._recorder.set_context(node.text)
        try:
            found = self._backends.finish(node.position)
            if found == ONGOING:
                return
            self._left = _MAX_POSITIONS
            best = self._best(node.position)
        except CallFailed:
            return
        if not math.isnan(best) and best != found:
            self._recorder.problem(
                "finish",
                "wrong",
                f"'finish' returns {found:g}, but perfect play gives {best:g}",
                self._backends.place("finish"),
            )

    def _best(self, position: Any) -> float:
        """Return the result of perfect play by looking at every game; nan if there are too many."""
        self._left -= 1
        if self._left < 0:
            return math.nan
        if self._hooks.defines("outcome"):
            result = self._backends.value("outcome", position)
            if result != ONGOING:
                return float(result)
        moves = self._backends.uncompiled_moves(position)
        if not moves:
            return float(self._backends.value("stuck", position) if self._has_stuck else LOSS)
        best = -math.inf
        for move in moves:
            child = self._backends.uncompiled_play(position, move)
            value = self._best(child)
            if math.isnan(value):
                return value
            best = max(best, -value if self._passes_turn(position, child) else value)
        return best

    def _passes_turn(self, position: Any, child: Any) -> bool:
        if not self._hooks.defines("turn"):
            return True
        return bool(self._backends.value("turn", position) != self._backends.value("turn", child))

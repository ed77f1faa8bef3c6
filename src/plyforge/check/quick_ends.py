"""Check `quick_value` and `loses_at_once` by playing two plies."""

from typing import Any

from plyforge.check.backends import BothBackends
from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.node import Node
from plyforge.check.report import Recorder
from plyforge.core.scores import LOSS, ONGOING, WIN


class QuickEnds:
    """Compares what a game says about the next two plies with its rules."""

    def __init__(self, hooks: GuardedHooks, backends: BothBackends, recorder: Recorder) -> None:
        self._hooks = hooks
        self._backends = backends
        self._recorder = recorder

    def position(self, node: Node) -> None:
        """Check an unfinished position that has moves."""
        try:
            if self._hooks.defines("quick_value") and "quick_value" in node.values:
                self._check_value(node)
            if self._hooks.defines("loses_at_once"):
                self._check_moves(node)
        except CallFailed:
            return

    def _check_value(self, node: Node) -> None:
        expected: float = ONGOING
        if self._wins_at_once(node.position):
            expected = WIN - 1
        elif all(self._loses_after(node.position, move) for move in node.moves):
            expected = LOSS + 2
        found = node.values["quick_value"]
        if found != expected:
            self._recorder.problem(
                "quick_value",
                "wrong",
                f"'quick_value' returned {_name(found)}; it must be {_name(expected)} here",
                self._backends.place("quick_value"),
            )

    def _check_moves(self, node: Node) -> None:
        for move in node.moves:
            found = bool(self._hooks.call("loses_at_once", node.position, move))
            expected = self._loses_after(node.position, move)
            if found != expected:
                self._recorder.problem(
                    "loses_at_once",
                    "wrong",
                    f"'loses_at_once' returned {found} for move {move}; it must be {expected}",
                    self._backends.place("loses_at_once"),
                )
                return

    def _wins_at_once(self, position: Any) -> bool:
        """Whether a move wins for the side to move."""
        for move in self._backends.uncompiled_moves(position):
            child = self._backends.play(position, move)
            wanted = WIN if self._same_side(position, child) else LOSS
            if self._result(child) == wanted:
                return True
        return False

    def _loses_after(self, position: Any, move: int) -> bool:
        """Whether the other side can win with its next move after this one."""
        child = self._backends.play(position, move)
        if self._same_side(position, child) or self._result(child) != ONGOING:
            return False
        return self._wins_at_once(child)

    def _result(self, position: Any) -> float:
        """Return the value of a finished game, or `ONGOING`."""
        game = self._hooks.game
        result = self._hooks.run("outcome", game.outcome, position)
        if result == ONGOING and not self._backends.uncompiled_moves(position):
            return float(self._hooks.run("stuck", game.stuck, position))
        return float(result)

    def _same_side(self, position: Any, child: Any) -> bool:
        if not self._hooks.defines("turn"):
            return False
        turns = [self._backends.value("turn", one) for one in (position, child)]
        return bool(turns[0] == turns[1])


def _name(value: float) -> str:
    names = {ONGOING: "ONGOING", WIN - 1: "WIN - 1", LOSS + 2: "LOSS + 2"}
    return names.get(int(value), f"{value:.12g}")

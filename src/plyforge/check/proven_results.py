"""Check `proven_result` against the results that the next move leads to."""

from typing import Any

from plyforge.check.backends import BothBackends
from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.node import Node
from plyforge.check.report import Recorder
from plyforge.core.scores import ONGOING, outcome_name


class ProvenResults:
    """Compares what a game says about a position with what is known after each of its moves."""

    def __init__(self, hooks: GuardedHooks, backends: BothBackends, recorder: Recorder) -> None:
        self._hooks = hooks
        self._backends = backends
        self._recorder = recorder

    def position(self, node: Node) -> None:
        """Check an unfinished position that has moves."""
        known = node.values.get("proven_result", ONGOING)
        if known == ONGOING or not self._hooks.defines("proven_result"):
            return
        try:
            values = [self._value_after(node.position, move) for move in node.moves]
        except CallFailed:
            return
        found = [value for value in values if value is not None]
        best = max(found, default=known)
        if best > known:
            self._report("too low", known, "one of its moves", best)
        elif best < known and len(found) == len(values):
            self._report("too high", known, "the best of its moves", best)

    def _report(self, kind: str, known: float, which: str, value: float) -> None:
        self._recorder.problem(
            "proven_result",
            kind,
            f"'proven_result' returned {outcome_name(known)} ({known:g}), but {which} leads to"
            f" {outcome_name(value)} ({value:g})",
            self._backends.place("proven_result"),
        )

    def _value_after(self, position: Any, move: int) -> float | None:
        """Return the result after a move for the side that made it; None if it is not known."""
        child = self._backends.play(position, move)
        value = self._hooks.run("outcome", self._hooks.game.outcome, child)
        if value == ONGOING:
            if self._backends.uncompiled_moves(child):
                value = self._backends.value("proven_result", child)
            else:
                value = self._hooks.run("stuck", self._hooks.game.stuck, child)
        if value == ONGOING:
            return None
        return float(value) if self._same_side(position, child) else 0.0 - float(value)

    def _same_side(self, position: Any, child: Any) -> bool:
        if not self._hooks.defines("turn"):
            return False
        turns = [self._backends.value("turn", one) for one in (position, child)]
        return bool(turns[0] == turns[1])

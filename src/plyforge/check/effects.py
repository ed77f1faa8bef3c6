"""Check that moves differ: `play` must use its argument `move`."""

from typing import Any

from plyforge.check.node import Node, identity
from plyforge.check.report import Place, Recorder
from plyforge.core.positions import PositionType

_MIN_POSITIONS = 10


class Effects:
    """Counts positions in which all moves lead to one position."""

    def __init__(self, kind: PositionType, recorder: Recorder) -> None:
        self._kind = kind
        self._recorder = recorder
        self._positions = 0
        self._different = False
        self._first: str | None = None

    def add(self, node: Node, children: list[Any]) -> None:
        """Add a position, and those after its moves."""
        if self._different or len(children) < 2:
            return
        self._positions += 1
        self._first = self._first or node.text
        self._different = len({identity(self._kind, child) for child in children}) > 1

    def conclude(self, place: Place | None) -> None:
        """Report moves that never make a difference."""
        if self._different or self._positions < _MIN_POSITIONS:
            return
        self._recorder.set_context(self._first)
        self._recorder.problem(
            "play",
            "same",
            f"all moves of a position lead to the same position, here and in all"
            f" {self._positions:,} positions with several moves; does 'play' ignore its move?",
            place,
        )
        self._recorder.set_context(None)

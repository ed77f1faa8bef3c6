"""Check `index` and `unindex`: a position's number leads back to it, and fits its slice."""

from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.node import Node
from plyforge.check.report import Recorder
from plyforge.core.ranking import unpack_number


class Numbering:
    """Compares the number of a position with that of the position that `unindex` makes from it."""

    def __init__(self, hooks: GuardedHooks, recorder: Recorder) -> None:
        self._hooks = hooks
        self._recorder = recorder

    def position(self, node: Node) -> None:
        """Check the number of a position, if it has one."""
        if not self._hooks.defines("index"):
            return
        try:
            number = int(self._hooks.call("index", node.position))
            if number >= 0:
                self._check_number(node, number)
        except CallFailed:
            return

    def _check_number(self, node: Node, number: int) -> None:
        back = self._hooks.call("unindex", node.position, number)
        other = int(self._hooks.call("index", back))
        if other != number:
            self._recorder.problem(
                "unindex",
                "other position",
                f"'index' is {number}, and {other} for the position that 'unindex' gives for it",
            )
        code, place = unpack_number(number)
        slices = self._hooks.call("slices", node.position, "")
        for name, (own, size) in slices.items():
            if own != code or not 0 <= place < size:
                self._recorder.problem(
                    "slices",
                    "other slice",
                    f"'index' has the code {code} and the place {place}, but 'slices' gives"
                    f" {name} the code {own} and the size {size}",
                )

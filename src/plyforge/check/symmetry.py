"""Check `symmetries`: images of a position have the same value for their side to move."""

from typing import Any

from plyforge.check.backends import BothBackends
from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.node import Node
from plyforge.check.report import Recorder


class Symmetry:
    """Compares a position with its images."""

    def __init__(self, hooks: GuardedHooks, backends: BothBackends, recorder: Recorder) -> None:
        self._hooks = hooks
        self._backends = backends
        self._recorder = recorder

    def position(self, node: Node) -> None:
        """Compare the hooks of a position's images with its own."""
        if not self._hooks.defines("symmetries"):
            return
        try:
            for image in self._hooks.call("symmetries", node.position):
                self._check_image(node, image)
        except CallFailed:
            return

    def _check_image(self, node: Node, image: Any) -> None:
        text = self._hooks.run("to_text", self._hooks.game.text, image)
        if "outcome" in node.values:
            mine, theirs = node.values["outcome"], self._backends.value("outcome", image)
            if mine != theirs:
                self._problem("outcome", f"where 'outcome' is {theirs:g} instead of {mine:g}", text)
        mine = node.values.get("canonical_key")
        if mine is not None and mine != self._backends.value("canonical_key", image):
            self._problem("canonical_key", "which has another 'canonical_key'", text)
        if node.moves:
            count = len(self._backends.uncompiled_moves(image))
            if count != len(node.moves):
                self._problem(
                    "moves", f"which has {count} moves instead of {len(node.moves)}", text
                )
        if "turn" in node.values and "evaluate" in node.values:
            self._check_swapped(node, image, text)

    def _check_swapped(self, node: Node, image: Any, text: str) -> None:
        """Check an image with the colours swapped, which shows the perspective of `evaluate`."""
        mine = node.values["evaluate"]
        if mine == 0 or self._backends.value("turn", image) == node.values["turn"]:
            return
        if self._backends.value("evaluate", image) == -mine:
            self._recorder.problem(
                "evaluate",
                "fixed side",
                f"'evaluate' returns {mine:g} here and {-mine:g} for {text}, the same position with"
                " the colours swapped; it must be from the side to move's perspective",
            )

    def _problem(self, kind: str, difference: str, text: str) -> None:
        self._recorder.problem("symmetries", kind, f"'symmetries' gives {text}, {difference}")

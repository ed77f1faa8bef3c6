"""`symmetries`: images of a position are worth the same to their side to move."""

from typing import Any

from plyforge.check.author import Author, Failed
from plyforge.check.backends import BothBackends
from plyforge.check.node import Node
from plyforge.check.report import Recorder


class Symmetry:
    """Compares a position with its images."""

    def __init__(self, author: Author, backends: BothBackends, recorder: Recorder) -> None:
        self._author = author
        self._backends = backends
        self._recorder = recorder

    def position(self, node: Node) -> None:
        """Put a position's images to the questions that it answered itself."""
        if not self._author.defines("symmetries"):
            return
        try:
            for image in self._author.call("symmetries", node.position):
                self._image(node, image)
        except Failed:
            return

    def _image(self, node: Node, image: Any) -> None:
        shown = self._author.run("to_text", self._author.game.text, image)
        if "outcome" in node.values:
            mine, theirs = node.values["outcome"], self._backends.value("outcome", image)
            if mine != theirs:
                self._problem(
                    "outcome", f"of which 'outcome' says {theirs:g} instead of {mine:g}", shown
                )
        if node.moves:
            count = len(self._backends.uncompiled_moves(image))
            if count != len(node.moves):
                self._problem(
                    "moves", f"which has {count} moves instead of {len(node.moves)}", shown
                )
        if "turn" in node.values and "evaluate" in node.values:
            self._swapped(node, image, shown)

    def _swapped(self, node: Node, image: Any, shown: str) -> None:
        """An image with the colours swapped tells whose view an evaluation takes."""
        mine = node.values["evaluate"]
        if mine == 0 or self._backends.value("turn", image) == node.values["turn"]:
            return
        if self._backends.value("evaluate", image) == -mine:
            self._recorder.problem(
                "evaluate",
                "fixed side",
                f"'evaluate' says {mine:g} here and {-mine:g} of {shown}, the same position with"
                " the colours swapped; it must be in view of the side to move",
            )

    def _problem(self, kind: str, told: str, shown: str) -> None:
        self._recorder.problem("symmetries", kind, f"'symmetries' gives {shown}, {told}")

"""Texts: what is written can be read again, and no two moves are written alike."""

from typing import Any

from plyforge.check.author import Author, Failed
from plyforge.check.node import Node
from plyforge.check.report import Recorder
from plyforge.core.errors import MoveError, PlyforgeError, PositionError

_PARSED = 4
"""Moves of a position whose texts are read back; reading one may cost writing all."""


class Texts:
    """Round trips of positions and moves."""

    def __init__(self, author: Author, recorder: Recorder) -> None:
        self._author = author
        self._game = author.game
        self._recorder = recorder
        self._readable = "from_text" in self._game.rules.hooks or (
            "to_text" not in self._game.rules.hooks and self._game.position_type.compilable
        )

    def remark(self) -> None:
        """One half of a pair of hooks is missing."""
        for one, other in (("to_text", "from_text"), ("from_text", "to_text")):
            if self._author.defines(one) and not self._author.defines(other):
                self._recorder.remark(
                    other,
                    "missing",
                    f"'{one}' is defined without '{other}': what one writes, the other cannot read",
                )

    def text_of(self, position: Any) -> str:
        """The position's text; its fields, if the author's function fails."""
        self._recorder.elsewhere(_fields(position))
        try:
            return str(self._author.run("to_text", self._game.text, position))
        except Failed:
            return _fields(position)

    def position(self, node: Node) -> Any:
        """Read the position's text back; the same position, or None."""
        if not self._readable or self._author.hung("to_text"):
            return None
        try:
            read = self._author.run(
                "from_text",
                lambda p: self._game.parse(node.text),
                node.position,
                expected=(PositionError,),
            )
        except PositionError as error:
            reason = str(error.__cause__ or error)
            self._recorder.problem(
                "from_text", "refuses", f"'from_text' refuses what 'to_text' wrote: {reason}"
            )
            return None
        except Failed:
            return None
        differing = self._game.position_type.differing_fields(node.position, read)
        clocks = set(self._game.rules.constant("CLOCKS"))
        if set(differing) - clocks:
            self._recorder.problem(
                "from_text",
                "round trip",
                "the position's text does not lead back to it: "
                + _difference(self._game.position_type, node.position, read, differing)
                + " after 'to_text' and 'from_text'",
            )
            return None
        if differing:
            self._recorder.remark(
                "from_text", "clocks", f"the position's text leaves out {', '.join(differing)}"
            )
        return read

    def moves(self, node: Node, sample: list[int]) -> dict[int, str]:
        """The texts of all moves; those of the sample are read back."""
        texts: dict[int, str] = {}
        try:
            for move in node.moves:
                texts[move] = self._author.run(
                    "move_text", self._game.move_text, node.position, move
                )
        except Failed:
            return texts
        self._distinct(texts)
        for move in sample[:_PARSED]:
            self._recorder.move = texts[move]
            self._read_back(node, move, texts[move])
        self._recorder.move = None
        return texts

    def _distinct(self, texts: dict[int, str]) -> None:
        owners: dict[str, int] = {}
        for move, text in texts.items():
            if text in owners:
                self._recorder.problem(
                    "move_text",
                    "ambiguous",
                    f"'move_text' writes the moves {owners[text]} and {move} alike: '{text}'",
                )
            owners[text] = move

    def _read_back(self, node: Node, move: int, text: str) -> None:
        try:
            read = self._author.run(
                "parse_move", self._game.parse_move, node.position, text, expected=(MoveError,)
            )
        except MoveError as error:
            reason = str(error.__cause__ or error)
            self._recorder.problem(
                "parse_move",
                "refuses",
                f"'parse_move' refuses '{text}', the text of move {move}: {reason}",
            )
        except (Failed, PlyforgeError):
            return
        else:
            if read != move:
                self._recorder.problem(
                    "parse_move",
                    "round trip",
                    f"the text '{text}' of move {move} is read as move {read}",
                )


def _fields(position: Any) -> str:
    return repr(position)


def _difference(kind: Any, one: Any, other: Any, names: list[str]) -> str:
    if not kind.compilable:
        return f"{one!r} became {other!r}"
    name = names[0]
    return f"field '{name}' was {getattr(one, name)} and became {getattr(other, name)}"

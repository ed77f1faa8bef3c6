"""Check texts: positions and moves can be read back, and moves have different texts."""

from typing import Any

from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.node import Node
from plyforge.check.report import Recorder
from plyforge.core.errors import MoveError, PlyforgeError, PositionError

_MAX_PARSED = 4
"""Moves of a position whose texts are read back; to read one may mean to write all."""


class Texts:
    """Converts positions and moves to text and back."""

    def __init__(self, hooks: GuardedHooks, recorder: Recorder) -> None:
        self._hooks = hooks
        self._game = hooks.game
        self._recorder = recorder
        self._readable = "from_text" in self._game.rules.hooks or (
            "to_text" not in self._game.rules.hooks and self._game.position_type.compilable
        )

    def check_definitions(self) -> None:
        """Remark on one of `to_text` and `from_text` without the other."""
        for one, other in (("to_text", "from_text"), ("from_text", "to_text")):
            if self._hooks.defines(one) and not self._hooks.defines(other):
                self._recorder.remark(
                    other,
                    "missing",
                    f"'{one}' is defined without '{other}', so texts cannot be read back",
                )

    def text_of(self, position: Any) -> str:
        """Return the position's text, or its fields if the author's function fails."""
        self._recorder.set_context(_fields(position))
        try:
            return str(self._hooks.run("to_text", self._game.text, position))
        except CallFailed:
            return _fields(position)

    def position(self, node: Node) -> Any:
        """Read the position's text back; return the position, or None if it differs."""
        if not self._readable or self._hooks.has_hung("to_text"):
            return None
        try:
            read = self._hooks.run(
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
        except CallFailed:
            return None
        differing = self._game.position_type.differing_fields(node.position, read)
        clocks = set(self._game.rules.constant("CLOCKS"))
        if set(differing) - clocks:
            self._recorder.problem(
                "from_text",
                "round trip",
                "the position's text is read as another position: "
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
        """Return the texts of all moves, after reading those of the sample back."""
        texts: dict[int, str] = {}
        try:
            for move in node.moves:
                texts[move] = self._hooks.run(
                    "move_text", self._game.move_text, node.position, move
                )
        except CallFailed:
            return texts
        self._check_distinct(texts)
        for move in sample[:_MAX_PARSED]:
            self._recorder.move = texts[move]
            self._read_back(node, move, texts[move])
            if self._hooks.defines("readable_move"):
                readable = self._hooks.run(
                    "readable_move", self._game.readable_move, node.position, move
                )
                self._read_back(node, move, readable)
        self._recorder.move = None
        return texts

    def _check_distinct(self, texts: dict[int, str]) -> None:
        owners: dict[str, int] = {}
        for move, text in texts.items():
            if text in owners:
                self._recorder.problem(
                    "move_text",
                    "ambiguous",
                    f"'move_text' gives moves {owners[text]} and {move} the same text: '{text}'",
                )
            owners[text] = move

    def _read_back(self, node: Node, move: int, text: str) -> None:
        try:
            read = self._hooks.run(
                "parse_move", self._game.parse_move, node.position, text, expected=(MoveError,)
            )
        except MoveError as error:
            reason = str(error.__cause__ or error)
            self._recorder.problem(
                "parse_move",
                "refuses",
                f"'parse_move' refuses '{text}', the text of move {move}: {reason}",
            )
        except (CallFailed, PlyforgeError):
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

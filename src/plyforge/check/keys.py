"""Keys: one for each position, the same by whatever way it was reached."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyforge.check.node import Node, identity
from plyforge.check.report import Place, Recorder
from plyforge.game.game import Game

_WORD = (1 << 64) - 1
_KEPT = 200_000
"""Positions remembered; more would only cost memory."""


@dataclass(frozen=True)
class _Seen:
    identity: Any
    key: int
    position: Any
    text: str


class Keys:
    """Every key seen so far, and whose it is."""

    def __init__(self, game: Game, recorder: Recorder, future: Callable[[Any], Any]) -> None:
        self._game = game
        self._recorder = recorder
        self._future = future
        self._by_identity: dict[Any, _Seen] = {}
        self._by_key: dict[int, _Seen] = {}
        fields = game.position_type.fields
        # A carried key is a field as well; it is no part of what the key stands for.
        self._collided = False
        self._later: dict[str, tuple[str, str]] = {}
        self._first: int | None = None
        self._apart: set[Any] = set()
        self.constant = True
        """Whether every key was the same until now."""
        self._carried: set[str] = set()
        if "scratch_key" in game.rules.hooks:
            self._carried = {field.name for field in fields if field.kind in ("int64", "uint64")}

    def conclude(self, place: Place | None) -> None:
        """Judge what only many keys tell; the hook stands at `place`."""
        if self.constant and len(self._apart) > 1:
            self._recorder.elsewhere(None)
            self._recorder.problem(
                "key",
                "constant",
                f"'key' gives the same key, {self._first:#x}, to every position: all count as one,"
                " as repeated and as known; mix all fields that matter, or leave 'key' out",
                place,
            )
        elif not self._collided and self._later:
            kind = "collision" if "collision" in self._later else "alike"
            text, told = self._later[kind]
            self._recorder.elsewhere(text)
            tell = self._recorder.problem if kind == "collision" else self._recorder.remark
            tell("key", kind, told)

    def note(self, position: Any, key: int) -> None:
        """Look whether keys differ at all, as long as none did."""
        if self._first is None:
            self._first = key
        self.constant = key == self._first
        self._apart.add(self._identity(position))

    def _identity(self, position: Any) -> Any:
        without = frozenset(self._carried | set(self._game.rules.constant("CLOCKS")))
        return identity(self._game.position_type, position, without)

    def take(self, node: Node) -> None:
        """Compare a position with all before it."""
        key = node.values.get("key")
        if key is None:
            return
        if self.constant:
            self.note(node.position, key)
        scratch = node.values.get("scratch_key")
        if scratch is not None and scratch != key:
            self._recorder.problem(
                "scratch_key",
                "differs",
                f"the carried key is {key:#018x}, but 'scratch_key' computes {scratch:#018x};"
                " does 'play' update the key for every change?",
            )
            return
        self._find_carried(node.position, key)
        seen = _Seen(self._identity(node.position), key, node.position, node.text)
        known = self._by_identity.get(seen.identity)
        if known is not None and known.key != key:
            self._recorder.problem(
                "key",
                "path",
                f"'key' gives two keys, {known.key:#x} and {key:#x}, to positions that are alike"
                f" but for clocks or the way to them; the other one is {known.text}",
            )
            return
        other = self._by_key.get(key)
        if other is not None and other.identity != seen.identity:
            self._collision(seen, other)
        elif len(self._by_key) < _KEPT:
            self._by_identity[seen.identity] = self._by_key[key] = seen

    def reread(self, node: Node, key: int) -> None:
        """Compare the key of a position that was read back from its text."""
        mine = node.values.get("key")
        if mine is not None and key != mine:
            self._recorder.problem(
                "key",
                "text",
                f"the key is {mine:#x}, and {key:#x} after 'to_text' and 'from_text'",
            )

    def _find_carried(self, position: Any, key: int) -> None:
        kept = {name for name in self._carried if int(getattr(position, name)) & _WORD == key}
        if kept != self._carried:
            self._carried = kept
            self._by_identity.clear()
            self._by_key.clear()

    def _collision(self, seen: _Seen, other: _Seen) -> None:
        names = self._game.position_type.differing_fields(seen.position, other.position)
        fields = ", ".join(f"'{name}'" for name in names)
        told = (
            f"'key' gives one key to two positions that differ in {fields}: this one and"
            f" {other.text}"
        )
        mine, theirs = self._future(seen.position), self._future(other.position)
        if mine != theirs:
            told = f"{told}; they have different moves or results, so {fields} matters"
            if self.constant:  # the end will show whether it is one key for all
                self._later.setdefault("collision", (seen.text, told))
            else:
                self._collided = True
                self._recorder.problem("key", "collision", told)
        elif mine and isinstance(mine, list):
            # Of a finished position, whose future is no list, nothing matters any more.
            told = f"{told}; that is right only if {fields} never matters for the game"
            self._later.setdefault("alike", (seen.text, told))

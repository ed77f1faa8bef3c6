"""Check keys: different positions have different ones, and the path to a position has no effect."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyforge.check.node import Node, identity
from plyforge.check.report import Place, Recorder
from plyforge.game.game import Game

_WORD = (1 << 64) - 1
_MAX_POSITIONS = 200_000
"""Positions remembered; a limit on memory."""
_MAX_CLOCK_COMPARISONS = 500


@dataclass(frozen=True)
class _Seen:
    identity: Any
    key: int
    position: Any
    text: str


class Keys:
    """Every key so far and its position."""

    def __init__(self, game: Game, recorder: Recorder, future: Callable[[Any], Any]) -> None:
        self._game = game
        self._recorder = recorder
        self._future = future
        self._by_identity: dict[Any, _Seen] = {}
        self._by_key: dict[int, _Seen] = {}
        fields = game.position_type.fields
        self._collided = False
        self._clock_comparisons = 0
        self._postponed: dict[str, tuple[str, str]] = {}
        self._first: int | None = None
        self._distinct: set[Any] = set()
        self.constant = True
        """Whether every key so far is the same."""
        # A carried key is a field too, but not part of what the key identifies.
        self._carried: set[str] = set()
        if "scratch_key" in game.rules.hooks:
            self._carried = {field.name for field in fields if field.kind in ("int64", "uint64")}

    def conclude(self, place: Place | None) -> None:
        """Report what only many keys show; the hook is at `place`."""
        if self.constant and len(self._distinct) > 1:
            self._recorder.set_context(None)
            self._recorder.problem(
                "key",
                "constant",
                f"'key' gives the same key, {self._first:#x}, to every position, so that all"
                " count as one position; mix all fields that matter, or leave 'key' out",
                place,
            )
        elif not self._collided and self._postponed:
            kind = "collision" if "collision" in self._postponed else "alike"
            text, message = self._postponed[kind]
            self._recorder.set_context(text)
            record = self._recorder.problem if kind == "collision" else self._recorder.remark
            record("key", kind, message)

    def note(self, position: Any, key: int) -> None:
        """Note a key, as long as all keys are the same."""
        if self._first is None:
            self._first = key
        self.constant = key == self._first
        self._distinct.add(self._identity(position))

    def _identity(self, position: Any) -> Any:
        without = frozenset(self._carried | set(self._game.rules.constant("CLOCKS")))
        return identity(self._game.position_type, position, without)

    def add(self, node: Node) -> None:
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
                f"'key' gives two keys, {known.key:#x} and {key:#x}, to positions that differ only"
                f" in clocks or in the path to them; the other one is {known.text}",
            )
            return
        if known is not None:
            self._compare_clocks(seen, known)
        other = self._by_key.get(key)
        if other is not None and other.identity != seen.identity:
            self._collision(seen, other)
        elif len(self._by_key) < _MAX_POSITIONS:
            self._by_identity[seen.identity] = self._by_key[key] = seen

    def _compare_clocks(self, seen: _Seen, known: _Seen) -> None:
        """Report two positions that differ in clocks only and have different moves."""
        clocks = self._game.rules.constant("CLOCKS")
        if not clocks or self._clock_comparisons >= _MAX_CLOCK_COMPARISONS:
            return
        names = self._game.position_type.differing_fields(seen.position, known.position)
        names = [name for name in names if name in clocks]
        if not names:
            return
        self._clock_comparisons += 1
        mine, theirs = self._future(seen.position), self._future(known.position)
        # Results may depend on a clock, such as a draw after many moves; moves may not.
        moves, others = _first_moves(mine), _first_moves(theirs)
        if moves is not None and others is not None and moves != others:
            fields = ", ".join(f"'{name}'" for name in names)
            self._recorder.problem(
                "key",
                "clocks",
                f"CLOCKS leaves {fields} out of the key, but this position and {known.text}, which"
                f" differ in nothing else, have different moves; remove {fields} from CLOCKS",
            )

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
        message = (
            f"'key' gives one key to two positions that differ in {fields}: this one and"
            f" {other.text}"
        )
        mine, theirs = self._future(seen.position), self._future(other.position)
        if mine != theirs:
            message = f"{message}; they have different moves or results, so {fields} matters"
            if self.constant:  # `conclude` decides whether it is one key for all
                self._postponed.setdefault("collision", (seen.text, message))
            else:
                self._collided = True
                self._recorder.problem("key", "collision", message)
        elif mine and isinstance(mine, list):
            # The future of a finished position is not a list; nothing matters there any more.
            message = f"{message}; that is right only if {fields} never matters for the game"
            self._postponed.setdefault("alike", (seen.text, message))


def _first_moves(future: Any) -> list[int] | None:
    """Return the moves of a position, given its subtree; None if it is finished."""
    return sorted(move for move, _ in future) if future and isinstance(future, list) else None

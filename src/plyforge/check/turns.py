"""Find the field that holds the side to move, and check that the rules agree about it.

Without the hook `turn` the sides alternate.  A game that gives extra moves and forgets `turn` is
then searched as another game, without an error.  Its positions show it: the field that holds the
side to move has two values, and does not change after every move.
"""

import enum
import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyforge.check.fields import access, read_fields
from plyforge.check.node import Node
from plyforge.check.report import Place, Recorder

_SIDE_NAME = re.compile(
    r"side|turn|player|mover|to_?move|who|stm|colou?r|active|current|next", re.IGNORECASE
)
_MIN_CHANGES = 4
_MIN_SHARE = 0.25
"""The share of moves that must change a field whose name says nothing about sides."""


@dataclass
class _Field:
    """What the moves did to one field."""

    values: list[Any] = field(default_factory=list)
    """The distinct values, in the order in which they were seen."""
    changes: dict[Any, int] = field(default_factory=dict)
    """Moves that changed the field, by the value before."""
    kept: int = 0
    first_kept: tuple[str, str, Any] | None = None
    """Position, move and value where a move first left it as it was."""

    def add(self, before: Any, after: Any, position: str, move: str) -> None:
        for value in (before, after):
            if value not in self.values:
                self.values.append(value)
        if before != after:
            self.changes[before] = self.changes.get(before, 0) + 1
            return
        self.kept += 1
        if self.first_kept is None:
            self.first_kept = position, move, before

    @property
    def total(self) -> int:
        return sum(self.changes.values())

    @property
    def switches(self) -> bool:
        """Whether it switches between two values, to and fro."""
        return len(self.values) == 2 and len(self.changes) == 2 and self.total >= _MIN_CHANGES


class Turns:
    """Every field that could hold the side to move, with the moves that were tried."""

    def __init__(self, recorder: Recorder, has_turn: bool, place: Place | None) -> None:
        self._recorder = recorder
        self._has_turn = has_turn
        self._place = place
        self._fields: dict[str, _Field] | None = None

    def add(self, node: Node, move: str, child: Any) -> None:
        """Add a move that was tried."""
        before, after = read_fields(node.position), read_fields(child)
        if self._fields is None:
            self._fields = {name: _Field() for name, value in before.items() if _is_small(value)}
        for name, known in list(self._fields.items()):
            one, other = before.get(name), after.get(name)
            if _is_small(one) and _is_small(other):
                known.add(one, other, node.text, move)
            if not (_is_small(one) and _is_small(other)) or len(known.values) > 2:
                del self._fields[name]

    def other_values(self) -> dict[str, dict[Any, Any]]:
        """Return, for each field that switches between two values, the other of each."""
        switching = {n: f for n, f in (self._fields or {}).items() if f.switches}
        return {
            name: dict(zip(known.values, reversed(known.values), strict=True))
            for name, known in switching.items()
        }

    def conclude(self) -> None:
        """Report a field that holds the side to move and does not alternate, without `turn`."""
        switching = {n: f for n, f in (self._fields or {}).items() if f.switches}
        if self._has_turn or any(not known.kept for known in switching.values()):
            return
        named = {name: known for name, known in switching.items() if _SIDE_NAME.search(name)}
        for name, known in (named or switching).items():
            if not named and known.total < _MIN_SHARE * (known.total + known.kept):
                continue
            assert known.first_kept is not None
            position, move, value = known.first_kept
            self._recorder.set_context(position, move)
            record = self._recorder.problem if named else self._recorder.remark
            record(
                "turn",
                f"missing {name}",
                f"there is no 'turn', so the sides alternate after every move, but {access(name)}"
                f" is still {_plain(value)!r} after this one (as after {known.kept:,} of"
                f" {known.kept + known.total:,} moves); if it is the side to move, define"
                f" turn(position) and return {_turn_expression(name, known.values)}",
                self._place,
            )
        self._recorder.set_context(None)


def _is_small(value: Any) -> bool:
    """Whether a value could stand for a side."""
    return isinstance(value, (bool, int, str, np.integer, np.bool_, enum.Enum)) and isinstance(
        value, Hashable
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _turn_expression(name: str, values: list[Any]) -> str:
    """Return the body of `turn`: 0 for the side that is to move in the start position."""
    first, second = map(_plain, values)
    if first == 0 and second == 1:
        return f"int({access(name)})" if isinstance(first, bool) else access(name)
    return f"0 if {access(name)} == {first!r} else 1"

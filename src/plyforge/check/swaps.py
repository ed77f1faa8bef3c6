"""Find an extra move in positions that are relative to the side to move.

Such positions have no field for the side: `play` puts the fields of the mover and those of the
opponent in each other's place.  A game that gives an extra move leaves them in place then, and
without `turn` the sides alternate nevertheless.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from plyforge.check.fields import access, read_fields
from plyforge.check.node import Node
from plyforge.check.report import Place, Recorder

_MIN_SWAPS = 8
_MIN_SHARE = 0.5
"""The share of moves that must swap two fields which belong to the sides."""
_MAX_FIELDS = 16


@dataclass
class _Pair:
    """What the moves did to two fields whose values differed."""

    swapped: int = 0
    kept: int = 0
    first_kept: tuple[str, str] | None = None
    """Position and move where they first stayed in place."""


class Swaps:
    """All pairs of fields, with the moves that were tried."""

    def __init__(self, recorder: Recorder, place: Place | None) -> None:
        self._recorder = recorder
        self._place = place
        self._pairs: dict[tuple[str, str], _Pair] = {}

    def add(self, node: Node, move: str, child: Any) -> None:
        """Add a move that was tried."""
        before = {name: _to_value(value) for name, value in read_fields(node.position).items()}
        after = {name: _to_value(value) for name, value in read_fields(child).items()}
        for one, other in combinations(list(before)[:_MAX_FIELDS], 2):
            old, new = (before[one], before[other]), (after.get(one), after.get(other))
            if old[0] == old[1] or type(old[0]) is not type(old[1]):
                continue
            crossed = new[0] == old[1] or new[1] == old[0]
            straight = new[0] == old[0] or new[1] == old[1]
            if crossed == straight or new == old:
                continue
            pair = self._pairs.setdefault((one, other), _Pair())
            pair.swapped += crossed
            pair.kept += straight
            if straight and pair.first_kept is None:
                pair.first_kept = node.text, move

    def conclude(self) -> None:
        """Report two fields that most moves swap, and some moves do not."""
        for (one, other), pair in self._pairs.items():
            often = pair.swapped >= max(_MIN_SWAPS, _MIN_SHARE * (pair.swapped + pair.kept))
            if not often or pair.first_kept is None:
                continue
            self._recorder.set_context(*pair.first_kept)
            self._recorder.remark(
                "turn",
                f"missing {one}",
                f"there is no 'turn', so the sides alternate after every move, but {access(one)}"
                f" and {access(other)}, which {pair.swapped:,} moves have swapped, stay in place"
                f" after this one (as after {pair.kept:,} moves); if the same side moves again,"
                " add a field for the side to move and define turn(position)",
                self._place,
            )
            self._recorder.set_context(None)
            return


def _to_value(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) else value

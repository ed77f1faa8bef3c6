"""One position of a random game, with the values of its hooks."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyforge.core import hashing
from plyforge.core.errors import PlyforgeError
from plyforge.core.positions import PositionType


@dataclass
class Node:
    """A position that is checked."""

    position: Any
    text: str
    side: int
    """The side to move, by `turn` or by counting plies."""
    values: dict[str, Any] = field(default_factory=dict)
    """The values of the uncompiled hooks, by name."""
    moves: list[int] = field(default_factory=list)
    """The legal moves; empty when the game is over."""
    over: bool = False

    @property
    def chance(self) -> bool:
        """Whether chance moves next; `moves` are then its outcomes."""
        return bool(self.values.get("chance", False))


def identity(kind: PositionType, position: Any, without: frozenset[str] = frozenset()) -> Any:
    """Return a hashable form of a position, without some fields."""
    if not kind.compilable:
        try:
            hash(position)
        except TypeError:
            return _object_identity(position)
        return position
    return tuple(
        value.tobytes() if isinstance(value, np.ndarray) else value
        for field, value in zip(kind.fields, position, strict=True)
        if field.name not in without
    )


def same_position(kind: PositionType, one: Any, other: Any) -> bool:
    """Return whether two positions are equal; True for objects that cannot be compared."""
    if kind.compilable:
        return kind.equal(one, other)
    try:
        return hashing.object_key(one) == hashing.object_key(other)
    except PlyforgeError:
        by_identity = getattr(type(one), "__eq__", None) is object.__eq__
        return by_identity or bool(one == other)


def _object_identity(position: Any) -> Any:
    try:
        return hashing.object_key(position)
    except PlyforgeError:
        return id(position)

"""One position of a random game, with what its hooks said about it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyforge.core import hashing
from plyforge.core.errors import PlyforgeError
from plyforge.core.positions import PositionType


@dataclass
class Node:
    """A position that was looked at."""

    position: Any
    text: str
    side: int
    """Whose turn it is, as `turn` says or by counting plies."""
    values: dict[str, Any] = field(default_factory=dict)
    """By hook, the values that the uncompiled hooks gave."""
    moves: list[int] = field(default_factory=list)
    """The legal moves; empty when the game is over."""
    over: bool = False


def identity(kind: PositionType, position: Any, without: frozenset[str] = frozenset()) -> Any:
    """A hashable form of a position, some fields aside."""
    if not kind.compilable:
        try:
            hash(position)
        except TypeError:
            return _object(position)
        return position
    return tuple(
        value.tobytes() if isinstance(value, np.ndarray) else value
        for field, value in zip(kind.fields, position, strict=True)
        if field.name not in without
    )


def _object(position: Any) -> Any:
    try:
        return hashing.object_key(position)
    except PlyforgeError:
        return id(position)

"""The default notation of positions: the fields in order, separated by spaces.

The elements of an array are separated by commas.
"""

from typing import Any

import numpy as np

from plyforge.core.positions import Field, PositionType


def write(position: Any) -> str:
    """Return the fields of a position as text."""
    return " ".join(
        ",".join(map(str, value.ravel())) if isinstance(value, np.ndarray) else str(value)
        for value in position
    )


def read(kind: PositionType, example: Any, text: str) -> Any:
    """Return the position that `write` wrote; arrays have the shapes of those in `example`."""
    words = text.split()
    if len(words) != len(kind.fields):
        names = " ".join(field.name for field in kind.fields)
        raise ValueError(f"it must have {len(kind.fields)} fields: {names}")
    values = []
    for field, word, pattern in zip(kind.fields, words, example, strict=True):
        try:
            values.append(_value(field, word, pattern))
        except ValueError as error:
            raise ValueError(f"field '{field.name}' is '{word}': {error}") from None
    return kind.python_class(*values)


def _value(field: Field, word: str, pattern: Any) -> Any:
    if field.kind == "array":
        floats = np.dtype(field.dtype).kind == "f"
        parts = [float(part) if floats else int(part) for part in word.split(",")]
        return np.array(parts).reshape(pattern.shape)
    if field.kind == "boolean":
        if word not in ("True", "False"):
            raise ValueError("it must be True or False")
        return word == "True"
    return float(word) if field.kind == "float64" else int(word)

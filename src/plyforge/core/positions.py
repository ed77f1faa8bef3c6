"""Position types: the declared fields of a NamedTuple and their machine types.

A position class that is a NamedTuple annotated with `int` (int64), `u64`, `bool`, `float` or
`NDArray[...]` can be compiled.  Anything else is a Python object and runs uncompiled.
"""

import dataclasses
import math
import struct
import typing
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PositionError

_MACHINE_TYPES: dict[Any, str] = {
    int: "int64",
    np.int64: "int64",
    np.uint64: "uint64",
    bool: "boolean",
    float: "float64",
}
_INT64 = (-(2**63), 2**63 - 1)
_PACKED = {"int64": "q", "uint64": "Q", "boolean": "?", "float64": "d"}
_USUAL_NAMES = {"u64": np.uint64, "np": np, "numpy": np, "NDArray": NDArray}


@dataclass(frozen=True)
class Field:
    """A field of a position: its name and machine type; arrays also have an element type."""

    name: str
    kind: str
    """`int64`, `uint64`, `boolean`, `float64` or `array`."""
    dtype: str = ""
    ndim: int = 1

    def cast(self, value: Any) -> Any:
        """Return the value in its declared type; raise an exception if it does not fit."""
        if self.kind == "array":
            return self._cast_array(value)
        if self.kind == "float64":
            return float(value)
        if self.kind == "boolean":
            return bool(value)
        if isinstance(value, (float, np.floating)):
            raise TypeError(f"{value!r} is a float")
        if self.kind == "uint64":
            return np.uint64(value)
        number = int(value)
        if not _INT64[0] <= number <= _INT64[1]:
            raise OverflowError(f"{number} does not fit a signed 64-bit integer")
        return number

    def _cast_array(self, value: Any) -> Any:
        array = np.asarray(value)
        cast = np.ascontiguousarray(array, dtype=self.dtype)
        if array.ndim != self.ndim:
            raise ValueError(f"it has {array.ndim} dimensions instead of {self.ndim}")
        if array.dtype != cast.dtype and not np.array_equal(array, cast):
            raise OverflowError(f"its values do not fit {self.dtype}")
        return cast

    def equal(self, one: Any, other: Any) -> bool:
        """Return whether two values of this field are equal."""
        if self.kind == "array":
            return bool(np.array_equal(one, other))
        return bool(one == other)


@dataclass(frozen=True)
class PositionType:
    """The class of a game's positions, and its fields if it can be compiled."""

    python_class: type
    fields: tuple[Field, ...]
    obstacle: str = ""
    """Why positions of this class cannot be compiled; empty if they can."""
    remedy: str = ""
    """What to write so that they can."""

    @property
    def compilable(self) -> bool:
        return not self.obstacle

    def cast(self, position: Any) -> Any:
        """Return the position with each field in its declared type; other objects as they are."""
        if not self.compilable:
            return position
        names = tuple(field.name for field in self.fields)
        fits = isinstance(position, tuple) and len(position) == len(names)
        if not fits or getattr(position, "_fields", names) != names:
            raise PositionError(
                f"{position!r} is not a position; its fields are {', '.join(names)}"
            )
        values = []
        for field, value in zip(self.fields, position, strict=True):
            try:
                values.append(field.cast(value))
            except (TypeError, ValueError, OverflowError) as error:
                raise PositionError(
                    f"field '{field.name}' of a position is {value!r}, which is not"
                    f" {_with_article(field.kind)}: {error}"
                ) from error
        return self.python_class(*values)

    def copy(self, position: Any) -> Any:
        """Return the position with copies of its arrays, except those that are read-only."""
        if not any(field.kind == "array" for field in self.fields):
            return position
        return self.python_class(*map(_copy_array, position))

    def equal(self, one: Any, other: Any) -> bool:
        """Return whether two positions are equal, with arrays compared by content."""
        if not self.compilable:
            return bool(one == other)
        return all(f.equal(a, b) for f, a, b in zip(self.fields, one, other, strict=True))

    def differing_fields(self, one: Any, other: Any) -> list[str]:
        """Return the names of the fields in which two positions differ."""
        if not self.compilable:
            return [] if one == other else ["position"]
        pairs = zip(self.fields, one, other, strict=True)
        return [field.name for field, a, b in pairs if not field.equal(a, b)]

    def to_bytes(self, position: Any) -> bytes:
        """Return a position as bytes, the same on every machine; only if it can be compiled.

        Numbers come first, in the order of the fields; each array follows with its shape.  All are
        little-endian.
        """
        numbers = [v for f, v in zip(self.fields, position, strict=True) if f.kind != "array"]
        parts = [self._numbers.pack(*numbers)]
        for place, shape, dtype in self._arrays:
            array = position[place]
            parts += [shape.pack(*array.shape), array.astype(dtype, copy=False).tobytes()]
        return b"".join(parts)

    def from_bytes(self, data: bytes) -> Any:
        """Return the position that `to_bytes` packed; raise an error for any other bytes."""
        try:
            values: list[Any] = [
                np.uint64(value) if kind == "uint64" else value
                for kind, value in zip(
                    self._number_kinds, self._numbers.unpack_from(data), strict=True
                )
            ]
            end = self._numbers.size
            for place, shape, dtype in self._arrays:
                sizes = shape.unpack_from(data, end)
                flat = np.frombuffer(data, dtype, math.prod(sizes), end + shape.size)
                end += shape.size + flat.nbytes
                values.insert(place, flat.reshape(sizes).astype(dtype.newbyteorder("="), order="C"))
        except (struct.error, ValueError) as error:
            raise PositionError(f"these {len(data)} bytes are not a position: {error}") from None
        if end != len(data):
            raise PositionError(f"a position has {end} bytes, and these are {len(data)}")
        return self.python_class(*values)

    @cached_property
    def _number_kinds(self) -> tuple[str, ...]:
        return tuple(field.kind for field in self.fields if field.kind != "array")

    @cached_property
    def _numbers(self) -> struct.Struct:
        """The layout of the fields that are not arrays."""
        return struct.Struct("<" + "".join(_PACKED[kind] for kind in self._number_kinds))

    @cached_property
    def _arrays(self) -> list[tuple[int, struct.Struct, "np.dtype[Any]"]]:
        """The places of the fields that are arrays, with the layouts of shape and elements."""
        return [
            (place, struct.Struct(f"<{field.ndim}I"), np.dtype(field.dtype).newbyteorder("<"))
            for place, field in enumerate(self.fields)
            if field.kind == "array"
        ]

    def to_hashable(self, position: Any) -> tuple[Any, ...]:
        """Return a hashable form of the position."""
        if not self.compilable:
            return (position,)
        return tuple(v.tobytes() if isinstance(v, np.ndarray) else v for v in position)


def position_type(example: Any) -> PositionType:
    """Return the type of the positions of a game, given its start position."""
    kind = type(example)
    if not (isinstance(example, tuple) and hasattr(kind, "_fields")):
        what = f"its positions are {kind.__name__} objects, not NamedTuples"
        return PositionType(kind, (), what, _class_remedy(example))
    annotations = _annotations(kind)
    fields = []
    for name, value in zip(kind._fields, example, strict=True):
        field = _field(name, annotations.get(name), value)
        if field is None:
            declared = _annotation_name(annotations.get(name, "nothing"))
            return PositionType(
                kind,
                (),
                f"field '{name}' is declared {declared}, not int, u64, bool, float or NDArray",
                _field_remedy(name, value),
            )
        fields.append(field)
    return PositionType(kind, tuple(fields))


def _class_remedy(example: Any) -> str:
    """Return what to write instead of positions that are not NamedTuples."""
    written = "declare class Position(NamedTuple)"
    if isinstance(example, (list, tuple)) and example:
        if all(isinstance(value, (int, np.integer)) for value in example):
            board = (
                "a field 'board: NDArray[np.int8]' for all of them, or an int with a bit for each"
            )
            return f"{written} with 'name: int' for each of its {len(example)} entries, or {board}"
        return f"{written} with a name and a type for each of its {len(example)} entries"
    if dataclasses.is_dataclass(example):
        return f"derive {type(example).__name__} from NamedTuple instead of @dataclass"
    if isinstance(example, (dict, str)) or type(example).__module__ == "builtins":
        return f"{written} with int fields, and NDArray[np.int8] for a board"
    return f"derive {type(example).__name__} from NamedTuple, with int fields or NDArray[np.int8]"


def _field_remedy(name: str, value: Any) -> str:
    """Return what to declare instead of a type that cannot be compiled."""
    if isinstance(value, np.ndarray):
        return f"declare '{name}: NDArray[np.{value.dtype.name}]'"
    if isinstance(value, (bool, np.bool_)):
        return f"declare '{name}: bool'"
    if isinstance(value, (int, np.integer)):
        return f"declare '{name}: int'"
    if isinstance(value, (list, tuple, set, frozenset)):
        return f"declare '{name}: NDArray[np.int8]', or an int with a bit for each entry"
    if isinstance(value, dict):
        return f"declare '{name}: NDArray[np.int8]', with a number for each key"
    return f"declare '{name}: int', with a number for each value"


def _annotation_name(annotation: Any) -> str:
    """Return a type as the author wrote it: `list[int]`, `str`."""
    plain = isinstance(annotation, type) and not typing.get_args(annotation)
    return annotation.__name__ if plain else str(annotation)


def _field(name: str, annotation: Any, value: Any) -> Field | None:
    try:
        if annotation in _MACHINE_TYPES:
            return Field(name, _MACHINE_TYPES[annotation])
    except TypeError:
        return None
    dtype = _element_type(annotation)
    if dtype is None or dtype.kind not in "biuf":
        return None
    return Field(name, "array", dtype.name, np.ndim(value))


def _annotations(kind: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(kind)
    except (NameError, TypeError, SyntaxError):
        pass
    # Annotations may be strings of a module that is no longer imported, such as a game's helper.
    try:
        return typing.get_type_hints(kind, localns=_USUAL_NAMES)
    except (NameError, TypeError, SyntaxError):
        return dict(kind.__annotations__)


def _element_type(annotation: Any) -> "np.dtype[Any] | None":
    """Return the element type of `NDArray[...]`; None for any other annotation."""
    alias = getattr(typing.get_origin(annotation), "__value__", None)
    if alias is not None:  # since NumPy 2.5, NDArray is a type alias
        annotation = alias[typing.get_args(annotation)]
    if typing.get_origin(annotation) is not np.ndarray:
        return None
    try:
        (scalar,) = typing.get_args(typing.get_args(annotation)[1])
        dtype: np.dtype[Any] = np.dtype(scalar)
    except (TypeError, ValueError):
        return None
    return dtype


def _with_article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "ai" else f"a {kind}"


def _copy_array(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) and value.flags.writeable else value

"""Records: memory with named, typed fields, the same source for both backends.

A record is declared as a class with annotations.  `int` and `float` are 64-bit numbers.  `Words`,
`Reals` and `Keys` are arrays of int64, float64 and uint64, and `Records[R]` is an array of records
`R`; such a field holds the array's address.  Compiled code reads `node.best` with one load at a
constant offset (see `record_types`).  Uncompiled code uses objects with the same attributes, and an
array is a list.  A field that is declared with a value is a constant of compiled code, which then
does not read the memory.  A field of type `Fixed[int]` or `Fixed[float]` does not change while a
kernel runs; compiled code cannot assign it, and reads it as seldom as it likes.  The address of an
array is fixed, too.

Outside of kernels, a record of compiled code is a ctypes structure, so `context.stop = 1` works in
both backends.
"""

import ctypes
from collections.abc import Callable, Mapping
from functools import cache as _cache
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


def cache(function: F) -> F:
    """Remember results by argument; unlike `functools.cache`, keep the function's type."""
    return cast(F, _cache(function))


class Words(list[int]):
    """An array of int64."""


class Reals(list[float]):
    """An array of float64."""


class Keys(list[Any]):
    """An array of uint64."""


class Records(list[R], Generic[R]):
    """An array of records."""


_FIXED: Final = "fixed"
Fixed = Annotated[R, _FIXED]
"""The type of a field that does not change while a kernel runs."""


class Record:
    """The base class of declarations."""


_ARRAYS = {Words: "int64", Reals: "float64", Keys: "uint64"}


@cache
def fields_of(record: type[Record]) -> dict[str, Any]:
    """Return a record's fields in the order of declaration, those of base classes first."""
    hints = get_type_hints(record)
    names = [
        name for base in reversed(record.__mro__) for name in vars(base).get("__annotations__", {})
    ]
    fields = {name: hints[name] for name in names}
    for name, kind in fields.items():
        if kind not in (int, float) and kind not in _ARRAYS and get_origin(kind) is not Records:
            raise TypeError(f"{record.__name__}.{name}: a record has no fields of type {kind}")
    return fields


@cache
def fixed_fields(record: type[Record]) -> frozenset[str]:
    """Return the fields that do not change while a kernel runs."""
    hints = get_type_hints(record, include_extras=True)
    return frozenset(
        name
        for name, kind in fields_of(record).items()
        if kind not in (int, float) or _FIXED in getattr(hints[name], "__metadata__", ())
    )


def element_of(kind: Any) -> Any:
    """Return what an array holds: a machine type or a record; None for a number."""
    if get_origin(kind) is Records:
        return get_args(kind)[0]
    return _ARRAYS.get(kind)


def extend(record: type[R], fields: Mapping[str, Any]) -> type[R]:
    """Return a record with additional fields."""
    members = {"__annotations__": dict(fields), "__module__": record.__module__}
    return type(record.__name__, (record,), members)


def with_constants(record: type[R], values: Mapping[str, int | float]) -> type[R]:
    """Return a record of which some fields are constants of compiled code."""
    return type(record.__name__, (record,), {**values, "__module__": record.__module__})


def constants_of(record: type[Record]) -> dict[str, int | float]:
    """Return the fields that are declared with a value."""
    return {name: getattr(record, name) for name in fields_of(record) if hasattr(record, name)}


def describe(record: type[Record]) -> str:
    """Return the layout as a text, the same in every process."""
    parts = []
    for name, kind in fields_of(record).items():
        element = element_of(kind)
        if element is None:
            fixed = _FIXED if name in fixed_fields(record) else ""
            parts.append(f"{name}:{fixed}{kind.__name__}")
        elif isinstance(element, str):
            parts.append(f"{name}:{element}*")
        else:
            parts.append(f"{name}:({describe(element)})*")
    return f"{record.__name__}({','.join(parts)}){constants_of(record) or ''}"


@cache
def structure(record: type[Record]) -> type[ctypes.Structure]:
    """Return the ctypes structure of a record; arrays are addresses."""
    fields = [
        (name, ctypes.c_double if kind is float else ctypes.c_int64)
        for name, kind in fields_of(record).items()
    ]
    return type(record.__name__, (ctypes.Structure,), {"_fields_": fields})


@cache
def plain_class(record: type[Record]) -> type:
    """Return the class of a record's uncompiled objects, whose numbers start as 0."""
    fields = fields_of(record)
    reals = {name for name, kind in fields.items() if kind is float}

    def start(self: Any) -> None:
        for name in fields:
            setattr(self, name, 0.0 if name in reals else 0)

    return type(record.__name__, (), {"__slots__": tuple(fields), "__init__": start})

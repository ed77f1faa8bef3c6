"""Kernels that belong to no game: numbers and arrays in one context, compiled once for all."""

import sys
from collections.abc import Mapping
from ctypes import addressof
from typing import Any, Final, NamedTuple

import numpy as np

from plyforge.compilation.kernel import Backend, BuiltKernel, Kernel, build
from plyforge.compilation.records import (
    Record,
    cache,
    element_of,
    fields_of,
    plain_class,
    structure,
)
from plyforge.core.positions import position_type
from plyforge.core.rules import Rules


class Nothing(NamedTuple):
    """The position of a kernel that belongs to no game."""

    word: int


_NOTHING: Final = Nothing(0)
_built: dict[tuple[str, Backend], BuiltKernel] = {}


def _build(kernel: Kernel, backend: Backend) -> BuiltKernel:
    key = kernel.name, backend
    if key not in _built:
        rules = Rules("all games", sys.modules[__name__], {}, {})
        _built[key] = build(kernel, rules, position_type(_NOTHING), backend)
    return _built[key]


@cache
def _array_types(record: type[Record]) -> Mapping[str, type[np.generic]]:
    """Return the fields of a context that are arrays, and the types of their elements."""
    return {
        name: np.int64 if element_of(kind) == "int64" else np.float64
        for name, kind in fields_of(record).items()
        if element_of(kind) is not None
    }


class ArrayContext:
    """The numbers and the arrays of a task; arrays are passed without a copy, and kept alive."""

    def __init__(self, kernel: Kernel, backend: Backend = "compiled", **values: Any) -> None:
        self._kernel = _build(kernel, backend)
        self._types = _array_types(kernel.context)
        self._compiled = backend == "compiled"
        record = kernel.context
        self.record: Any = structure(record)() if self._compiled else plain_class(record)()
        self.arrays: dict[str, Any] = {}
        self.set(**values)

    def set(self, **values: Any) -> None:
        """Set fields of the context."""
        for name, value in values.items():
            if name not in self._types:
                setattr(self.record, name, value)
                continue
            if value.dtype != self._types[name] or not value.flags.c_contiguous:
                raise TypeError(
                    f"'{name}' must be a contiguous array of {self._types[name].__name__}"
                )
            self.arrays[name] = value
            setattr(
                self.record,
                name,
                value.__array_interface__["data"][0] if self._compiled else value.reshape(-1),
            )

    def run(self) -> float:
        """Do the task; return what it returns."""
        if self._compiled:
            return float(self._kernel.enter(_NOTHING, addressof(self.record)))
        return float(self._kernel.call(_NOTHING, self.record))

"""Run the kernel of learning: compiled, or as plain Python for comparison."""

import sys
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from plyforge.compilation.kernel import Backend, BuiltKernel, build
from plyforge.compilation.records import element_of, fields_of, plain_class, structure
from plyforge.core.positions import position_type
from plyforge.core.rules import Rules
from plyforge.learn.kernels.tasks import LEARN, Learning


class Nothing(NamedTuple):
    """The position of a kernel that belongs to no game."""

    word: int


_NOTHING: Final = Nothing(0)
_ARRAYS: Final = {
    name: np.int64 if element_of(kind) == "int64" else np.float64
    for name, kind in fields_of(Learning).items()
    if element_of(kind) is not None
}
"""The fields of the context that are arrays."""


@cache
def _built(backend: Backend) -> BuiltKernel:
    rules = Rules("learning", sys.modules[__name__], {}, {})
    return build(LEARN, rules, position_type(_NOTHING), backend)


class Context:
    """The numbers and the arrays of a task; arrays are passed without a copy, and kept alive."""

    def __init__(self, backend: Backend = "compiled", **values: Any) -> None:
        self._kernel = _built(backend)
        self._compiled = backend == "compiled"
        self.record: Any = structure(Learning)() if self._compiled else plain_class(Learning)()
        self.arrays: dict[str, Any] = {}
        self.set(**values)

    def set(self, **values: Any) -> None:
        """Set fields of the context."""
        for name, value in values.items():
            if name not in _ARRAYS:
                setattr(self.record, name, value)
                continue
            if value.dtype != _ARRAYS[name] or not value.flags.c_contiguous:
                raise TypeError(f"'{name}' must be a contiguous array of {_ARRAYS[name].__name__}")
            self.arrays[name] = value
            setattr(
                self.record,
                name,
                value.__array_interface__["data"][0] if self._compiled else value.reshape(-1),
            )

    def run(self) -> float:
        """Do the task; return what it returns."""
        if self._compiled:
            from ctypes import addressof

            return float(self._kernel.enter(_NOTHING, addressof(self.record)))
        return float(self._kernel.call(_NOTHING, self.record))

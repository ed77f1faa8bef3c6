"""Find negative indices, which wrap around to the end of an array without an error."""

import linecache
import numbers
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.check.report import Place

Report = Callable[[int, int, Place], None]
"""Called with the index, the length of the axis, and the line."""


class WatchedArray(np.ndarray):
    """An array that reports computed negative indices; `[-1]` in the source is intended."""

    _report: Report | None = None

    def __array_finalize__(self, other: Any) -> None:
        self._report = getattr(other, "_report", None)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Return what is computed from the array as plain NumPy does: a number or an array."""
        plain = np.asarray(array)
        return plain[()] if plain.ndim == 0 else plain

    def __getitem__(self, index: Any) -> Any:
        self._watch(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._watch(index)
        super().__setitem__(index, value)

    def _watch(self, index: Any) -> None:
        if self._report is None:
            return
        for axis, part in enumerate(index if isinstance(index, tuple) else (index,)):
            if isinstance(part, numbers.Integral) and part < 0 and axis < self.ndim:
                frame = sys._getframe(2)
                place = Place(frame.f_code.co_filename, frame.f_lineno)
                if "[-" not in linecache.getline(place.file, place.line).replace(" ", ""):
                    self._report(int(part), self.shape[axis], place)


def watch_arrays(position: Any, report: Report) -> Any:
    """Return a position whose arrays report negative indices."""

    def watch(value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        view = value.view(WatchedArray)
        view._report = report
        return view

    return type(position)(*map(watch, position))

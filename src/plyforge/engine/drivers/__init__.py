"""Drivers: each finds the value of a position by a sequence of searches with different windows.

A driver is a function of a `WindowSearch`, which runs the searches and records their results, of a
first guess and of the options.  It returns the value.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import UnknownName
from plyforge.engine.drivers.aspiration import aspiration
from plyforge.engine.drivers.full_window import full_window
from plyforge.engine.drivers.mtd import dual, mtdf, sss
from plyforge.engine.drivers.mtd_bi import mtd_bi
from plyforge.engine.drivers.mtd_step import mtd_step
from plyforge.engine.drivers.real_mtdf import real_mtdf
from plyforge.engine.drivers.window_search import Step, Stopped, WindowSearch
from plyforge.search.enhancements import DRIVERS as ROWS
from plyforge.search.enhancements import DriverRow
from plyforge.search.options import Options

Find = Callable[[WindowSearch, float, Options], float]

_FUNCTIONS: Final[dict[str, Find]] = {
    "minimax": full_window,
    "alphabeta": full_window,
    "aspiration": aspiration,
    "pvs": full_window,
    "mtdf": mtdf,
    "real-mtdf": real_mtdf,
    "mtd-bi": mtd_bi,
    "mtd-step": mtd_step,
    "sss": sss,
    "dual": dual,
}


@dataclass(frozen=True)
class Driver:
    """A driver: its row of the table, and its function."""

    row: DriverRow
    find: Find

    @property
    def name(self) -> str:
        return self.row.name


DRIVERS: Final[dict[str, Driver]] = {
    name: Driver(row, _FUNCTIONS[name]) for name, row in ROWS.items()
}


def driver(name: str) -> Driver:
    """Return a driver by its name, or raise an error with a suggestion."""
    if name not in DRIVERS:
        raise UnknownName("driver", name, list(DRIVERS))
    return DRIVERS[name]


__all__ = ["DRIVERS", "Driver", "Find", "Step", "Stopped", "WindowSearch", "driver"]

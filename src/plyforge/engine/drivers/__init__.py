"""Drivers: how a sequence of searches with different windows finds the value of a position.

A driver is a function of an inquiry, which asks the searches and notes their answers, of a first
guess and of the options; it returns the value.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import UnknownName
from plyforge.engine.drivers.aspiration import aspiration
from plyforge.engine.drivers.full_window import full_window
from plyforge.engine.drivers.inquiry import Inquiry, Step, Stopped
from plyforge.engine.drivers.mtd import dual, mtdf, sss
from plyforge.engine.drivers.mtd_bi import mtd_bi
from plyforge.engine.drivers.mtd_step import mtd_step
from plyforge.engine.drivers.real_mtdf import real_mtdf
from plyforge.search.options import Options


@dataclass(frozen=True)
class Driver:
    """One row of the table of drivers."""

    name: str
    find: Callable[[Inquiry, float, Options], float]
    summary: str
    paper: str
    guesses: bool = False
    """Whether it makes use of a first guess."""


_ROWS = [
    Driver("minimax", full_window, "every node, no windows; all enhancements off but those switched on by name", "Shannon 1950"),
    Driver("alphabeta", full_window, "one search with the full window", "Knuth, Moore 1975"),
    Driver("aspiration", aspiration, "a window around the guess, widened when the value lies outside", "documents 001, 003", True),
    Driver("pvs", full_window, "alphabeta with the switch pvs on", "Marsland, Campbell 1982"),
    Driver("mtdf", mtdf, "null windows alone, from the guess on", "Plaat, Schaeffer, Pijls, de Bruin 1996; documents 000, 001", True),
    Driver("real-mtdf", real_mtdf, "windows of width epsilon in steps of epsilon from the guess on", "document 000", True),
    Driver("mtd-bi", mtd_bi, "windows of width epsilon that bisect the range of values", "document 000"),
    Driver("mtd-step", mtd_step, "null windows in growing steps from the guess on, then one search between the bounds", "document 000", True),
    Driver("sss", sss, "SSS*: null windows from above all values down", "Stockman 1979; Plaat and others 1996"),
    Driver("dual", dual, "DUAL*: null windows from below all values up", "Marsland, Reinefeld, Schaeffer 1987"),
]  # fmt: skip

DRIVERS: Final[dict[str, Driver]] = {row.name: row for row in _ROWS}


def driver(name: str) -> Driver:
    """A driver by its name, or an error with a suggestion."""
    if name not in DRIVERS:
        raise UnknownName("driver", name, list(DRIVERS))
    return DRIVERS[name]


__all__ = ["DRIVERS", "Driver", "Inquiry", "Step", "Stopped", "driver"]

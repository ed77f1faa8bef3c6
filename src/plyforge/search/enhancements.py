"""The tables of steps, parameters and drivers of the search.

A step is declared in its own module (`search.steps`); this table collects them.  From it come the
fields of the kernel's context and its counters (`search.steps.linking`, `search.counts`), the
validation of options and whether they are exact (`search.options`), the help of `--driver`, `--on`
and `--replace` and the output of `plyforge options`, the choices of the web page, the page
`docs/reference/search.md` and the variations of `plyforge lab ablate`.
"""

from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import UnknownName
from plyforge.search.parameters import MAX_PLIES, YES_NO, Parameter
from plyforge.search.steps import BUILT_IN
from plyforge.search.steps.step import Step
from plyforge.search.steps.table import REPLACEMENTS

GUESSES: Final = {"zero": 0, "last": 1, "two-back": 2}

ENHANCEMENTS: Final[dict[str, Step]] = {step.name: step for step in BUILT_IN}
SOURCES: Final = {"table": 0, "wins": 1, "killers": 2, "history": 3, "child-eval": 4}
"""What puts moves in front, by the names that the parameter `order` uses."""

ORDER: Final = Parameter(
    "order",
    ("table", "wins", "killers", "history", "child-eval"),
    "the order in which moves are tried: table move, wins and killers come in this sequence; history and evaluation sort the rest, the later of the two only breaks ties",
    choices=SOURCES,
    sequence=True,
)
DISTINCT: Final = Parameter(
    "distinct",
    "no",
    "count different positions among interior nodes, up to about 14 million; takes 128 MiB",
    choices=YES_NO,
)
DRIVER_PARAMETERS: Final = (
    Parameter("guess", "two-back", "the first guess of drivers that take one: 0, the value of the last iteration, or that of the one before it", choices=GUESSES),
    Parameter("epsilon", 0.01, "real-mtdf: the maximum error; mtd-bi: the width of a window", 0.0, 2.0**23, real=True),
    Parameter("closing", "yes", "real-mtdf: whether a last search makes the value exact", choices=YES_NO),
    Parameter("mtd-step", 1.0, "mtd-step: the first step, in units of the evaluation", 0.0, 2.0**23, real=True),
    Parameter("mtd-step-growth", 2.0, "mtd-step: the factor by which the step grows", 1.0, 1024.0, real=True),
    Parameter("aspiration", 0.0, "aspiration: half the width of the first window; 0 for a hundredth of the evaluation's range", 0.0, 2.0**23, real=True),
    Parameter("aspiration-growth", 4.0, "aspiration: the factor by which the width grows after a failure", 1.0, 1024.0, real=True),
)  # fmt: skip


@dataclass(frozen=True)
class DriverRow:
    """A driver of the search: a row of the table; `engine.drivers` holds its function."""

    name: str
    summary: str
    paper: str


_DRIVER_ROWS = [
    DriverRow("minimax", "every node, no windows; enhancements only where switched on by name", "Shannon 1950"),
    DriverRow("alphabeta", "one search with the full window", "Knuth, Moore 1975"),
    DriverRow("aspiration", "a window around the guess, widened when the value lies outside", "Kishimoto, Müller, tutorial on alpha-beta"),
    DriverRow("pvs", "alphabeta with the switch pvs on", "Marsland, Campbell 1982"),
    DriverRow("mtdf", "null windows only, starting at the guess", "Plaat, Schaeffer, Pijls, de Bruin 1996; Mańdziuk, Osman 2004"),
    DriverRow("real-mtdf", "windows of width epsilon in steps of epsilon, starting at the guess", "Mańdziuk, Osman 2004"),
    DriverRow("mtd-bi", "windows of width epsilon that bisect the range of values", "Mańdziuk, Osman 2004"),
    DriverRow("mtd-step", "null windows in growing steps from the guess, then one search between the bounds", "Mańdziuk, Osman 2004"),
    DriverRow("sss", "SSS*: null windows, starting above all values", "Stockman 1979; Plaat and others 1996"),
    DriverRow("dual", "DUAL*: null windows, starting below all values", "Marsland, Reinefeld, Schaeffer 1987"),
]  # fmt: skip

DRIVERS: Final[dict[str, DriverRow]] = {row.name: row for row in _DRIVER_ROWS}

PARAMETERS: Final[dict[str, Parameter]] = {
    parameter.name: parameter
    for parameter in [
        *(parameter for step in BUILT_IN for parameter in step.parameters),
        ORDER,
        DISTINCT,
        *DRIVER_PARAMETERS,
    ]
}


def enhancement(name: str) -> Step:
    """Return a row by its name, or raise an error with a suggestion."""
    if name not in ENHANCEMENTS:
        raise UnknownName("switch", name, ENHANCEMENTS)
    return ENHANCEMENTS[name]


def parameter(name: str) -> Parameter:
    """Return a parameter by its name, or raise an error with a suggestion."""
    if name not in PARAMETERS:
        raise UnknownName("parameter", name, PARAMETERS)
    return PARAMETERS[name]


__all__ = [
    "DISTINCT",
    "DRIVERS",
    "DRIVER_PARAMETERS",
    "ENHANCEMENTS",
    "MAX_PLIES",
    "ORDER",
    "PARAMETERS",
    "REPLACEMENTS",
    "SOURCES",
    "DriverRow",
    "enhancement",
    "parameter",
]

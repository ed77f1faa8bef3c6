"""The tables of steps and parameters of the search.

A step is declared in its own module (`search.steps`); this table collects them.  From it come the
fields of the kernel's context and its counters (`search.steps.linking`, `search.counts`), the
validation of options and whether they are exact (`search.options`), the help of `--on` and
`--replace` and the output of `plyforge options`, the choices of the web page, the page
`docs/reference/search.md` and the variations of `plyforge lab ablate`.  Drivers declare themselves
(`engine.drivers`).
"""

from typing import Final

from plyforge.core.errors import UnknownName
from plyforge.search.kernels.splits import MOST_WORK, QUEUE
from plyforge.search.parameters import YES_NO, Parameter, plies
from plyforge.search.steps import BUILT_IN
from plyforge.search.steps.step import Step
from plyforge.search.steps.table import REPLACEMENTS

ENHANCEMENTS: Final[dict[str, Step]] = {step.name: step for step in BUILT_IN}
SOURCES: Final = {
    "table": 0,
    "wins": 1,
    "killers": 2,
    "history": 3,
    "child-eval": 4,
    "gains": 5,
}
"""What puts moves in front, by the names that the parameter `order` uses."""

ORDER: Final = Parameter(
    "order",
    ("table", "wins", "gains", "killers", "history", "child-eval"),
    "the order in which moves are tried: table move, wins, gains and killers come in this sequence; history and evaluation sort the rest, the later of the two only breaks ties",
    choices=SOURCES,
    sequence=True,
)
DISTINCT: Final = Parameter(
    "distinct",
    "no",
    "count different positions among interior nodes, up to about 14 million; takes 128 MiB",
    choices=YES_NO,
)

SPECIALISE: Final = Parameter(
    "specialise",
    "auto",
    "compile a kernel for these options alone, which is 5 to 11 % faster; `auto` does so for a game's usual options only, since other options need another kernel; `no` shares one kernel among all choices of selective steps",
    choices={"auto": 0, "yes": 1, "no": 2},
)
SPLIT_DEPTH: Final = plies(
    "split-depth",
    0,
    "in a parallel search: the minimum remaining depth of nodes that threads share; 0 for half of the whole depth, between 2 and 8 (6 for processes)",
)
SPLIT_CHOICE: Final = Parameter(
    "split-choice",
    "most-work",
    "in a parallel search: which node a thread without work joins: the one with the greatest depth left, offered when it is needed, or the first of a queue of all that are ready",
    choices={"most-work": MOST_WORK, "queue": QUEUE},
)
MASTER_DEPTH: Final = plies(
    "master-depth",
    4,
    "in a parallel search with `aphid`: the plies that the master searches, at most half of the whole depth",
)
REMOTE_DEPTH: Final = plies(
    "remote-depth",
    0,
    "with `partitioned-table`: the minimum remaining depth of nodes whose entries are in the part of the process that owns them; 0 for the split depth",
)
GENERAL: Final = (
    *(ORDER, DISTINCT, SPECIALISE, SPLIT_DEPTH, SPLIT_CHOICE, MASTER_DEPTH, REMOTE_DEPTH),
)
"""The parameters that belong to no step."""

PARAMETERS: Final[dict[str, Parameter]] = {
    parameter.name: parameter
    for parameter in [
        *(parameter for step in BUILT_IN for parameter in step.parameters),
        *GENERAL,
    ]
}


def enhancement(name: str) -> Step:
    """Return a row by its name, or raise an error with a suggestion."""
    if name not in ENHANCEMENTS:
        raise UnknownName("switch", name, ENHANCEMENTS)
    return ENHANCEMENTS[name]


__all__ = [
    "ENHANCEMENTS",
    "GENERAL",
    "ORDER",
    "PARAMETERS",
    "REPLACEMENTS",
    "SOURCES",
    "enhancement",
]

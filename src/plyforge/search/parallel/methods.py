"""The methods of parallel search, by name."""

from dataclasses import dataclass
from types import ModuleType
from typing import Final

from plyforge.core.errors import UnknownName
from plyforge.search.parallel import abdada, aphid, dynamic, policies, pv_split, root_split, ybwc


@dataclass(frozen=True)
class Method:
    """A method: which nodes are split, and what threads do when they have no work."""

    name: str
    summary: str
    paper: str
    code: int
    """Its number in the kernel; -1 for threads that share only the table."""
    needs_table: bool = False
    distributed: bool = False
    """Whether it uses processes that share no memory, instead of threads."""

    @property
    def is_team(self) -> bool:
        """Whether the threads search one tree together; otherwise they share only the table."""
        return self.code >= 0


SHARED_TABLE: Final = "shared-table"
LAZY: Final = "lazy"
DEFAULT: Final = SHARED_TABLE


def _of(module: ModuleType, code: int) -> Method:
    return Method(module.NAME, module.SUMMARY, module.PAPER, code, module is abdada)


METHODS: Final = {
    method.name: method
    for method in (
        Method(
            SHARED_TABLE,
            "each thread searches the whole tree; they share the table, and every other one is a"
            " step of the deepening ahead",
            "after Feldmann 1993, Brudno 1998",
            -1,
        ),
        Method(
            LAZY,
            "like shared-table, with depths that differ from thread to thread",
            "lazy SMP, as in current chess programs",
            -1,
            needs_table=True,
        ),
        _of(abdada, policies.ABDADA),
        _of(root_split, policies.ROOT_SPLIT),
        _of(pv_split, policies.PV_SPLIT),
        _of(ybwc, policies.YBWC),
        _of(dynamic, policies.DYNAMIC),
        _of(aphid, policies.APHID),
    )
}


TDSAB: Final = "tdsab"
PARTITIONED_TABLE: Final = "partitioned-table"
DISTRIBUTED_METHODS: Final = {
    method.name: method
    for method in (
        Method(
            TDSAB,
            "work goes to the process that owns the position's entry in the table, and nobody"
            " waits",
            "Kishimoto, Schaeffer 2002",
            -1,
            distributed=True,
        ),
        Method(
            PARTITIONED_TABLE,
            "each process looks up entries in the parts of others, and steals moves from them when"
            " it has no work",
            "Feldmann 1993",
            -1,
            distributed=True,
        ),
    )
}
"""Methods for several processes, which may be on several machines."""


def find_method(name: str) -> Method:
    """Return the method of a name."""
    known = {**METHODS, **DISTRIBUTED_METHODS}
    if name not in known:
        raise UnknownName("parallel method", name, known, lists_all=True)
    return known[name]

"""The counts of a search."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from plyforge.search.steps.step import Step


@dataclass(frozen=True)
class Counts:
    """Totals over searches.

    A leaf is a position that was evaluated or is finished, an interior node one whose moves were
    generated, a transposition a probe whose value replaced a search.  The counters that steps
    declare are in `steps`, and can be read as attributes: `counts.etc_cuts`.
    """

    leaves: int = 0
    interior: int = 0
    probes: int = 0
    hits: int = 0
    """Probes that found the position."""
    transpositions: int = 0
    table_cuts: int = 0
    """Nodes answered by their own entry."""
    cuts: int = 0
    """Nodes where a searched move failed high."""
    first_cuts: int = 0
    """Cuts by the first move."""
    researches: int = 0
    """Moves searched again after a null window."""
    distinct_interior: int = 0
    """Different positions among interior nodes; 0 unless `distinct` is on."""
    steps: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, context: Any, steps: Iterable[Step]) -> "Counts":
        """Read the counts from a searcher's context."""
        own = {name: int(getattr(context, name)) for step in steps for name in step.counters}
        core = {name: int(getattr(context, name)) for name in CORE_COUNTS}
        return cls(**core, steps=own)

    def __getattr__(self, name: str) -> int:
        if name.startswith("_") or name not in self.steps:
            raise AttributeError(f"no step counts '{name}'")
        return self.steps[name]

    @property
    def nodes(self) -> int:
        return self.leaves + self.interior

    @property
    def first_share(self) -> float:
        """The share of cuts at the first move."""
        return self.first_cuts / self.cuts if self.cuts else 0.0

    def plus(self, other: "Counts") -> "Counts":
        """Return the sum of two counts."""
        own = {
            name: self.steps.get(name, 0) + other.steps.get(name, 0)
            for name in [*self.steps, *(name for name in other.steps if name not in self.steps)]
        }
        core = {name: getattr(self, name) + getattr(other, name) for name in CORE_COUNTS}
        return Counts(**core, steps=own)


CORE_COUNTS = tuple(column.name for column in fields(Counts) if column.name != "steps")
"""The counters of every search, which are fields of the context."""

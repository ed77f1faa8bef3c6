"""The counts of a search."""

from dataclasses import asdict, dataclass
from typing import Any

from plyforge.search.kernels import context as c


@dataclass(frozen=True)
class Counts:
    """Totals over searches.

    A leaf is a position that was evaluated or is finished, an interior node one whose moves were
    generated, a transposition a probe whose value replaced a search.
    """

    leaves: int = 0
    interior: int = 0
    probes: int = 0
    hits: int = 0
    """Probes that found the position."""
    transpositions: int = 0
    table_cuts: int = 0
    """Nodes answered by their own entry."""
    etc_cuts: int = 0
    """Nodes cut by a child's entry before any child was searched."""
    cuts: int = 0
    """Nodes where a searched move failed high."""
    first_cuts: int = 0
    """Cuts by the first move."""
    cuts_by_table_move: int = 0
    cuts_by_win: int = 0
    cuts_by_killer: int = 0
    researches: int = 0
    """Moves searched again after a null window."""
    distinct_interior: int = 0
    """Different positions among interior nodes; 0 unless `distinct` is on."""

    @classmethod
    def of(cls, context: Any) -> "Counts":
        """Read the counts from a searcher's context."""
        return cls(*(int(context[word]) for word in _WORDS))

    @property
    def nodes(self) -> int:
        return self.leaves + self.interior

    @property
    def first_share(self) -> float:
        """The share of cuts at the first move."""
        return self.first_cuts / self.cuts if self.cuts else 0.0

    def plus(self, other: "Counts") -> "Counts":
        """Return the sum of two counts."""
        mine, theirs = asdict(self), asdict(other)
        return Counts(**{name: mine[name] + theirs[name] for name in mine})


_WORDS = (
    c.LEAVES,
    c.INTERIOR,
    c.PROBES,
    c.HITS,
    c.TRANSPOSITIONS,
    c.TABLE_CUTS,
    c.ETC_CUTS,
    c.CUTS,
    c.FIRST_CUTS,
    c.CUTS_BY_TABLE_MOVE,
    c.CUTS_BY_WIN,
    c.CUTS_BY_KILLER,
    c.RESEARCHES,
    c.DISTINCT_INTERIOR,
)
"""The word of the context for each field, in order."""

"""The methods of proof search."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from plyforge.compilation.kernel import Kernel
from plyforge.search.proof.kernels.context import OUT_OF_MEMORY, TOO_DEEP
from plyforge.search.proof.kernels.df_pn import DF_PN
from plyforge.search.proof.kernels.pn import PN
from plyforge.search.proof.kernels.pn2 import PN2
from plyforge.search.proof.kernels.table import ENTRY_WORDS
from plyforge.search.proof.kernels.tree import NODE_WORDS

_FAULTS: Final = {
    TOO_DEEP: "a line of play is longer than {levels} plies",
    OUT_OF_MEMORY: "the memory is full; raise --hash",
}


@dataclass(frozen=True)
class ProofMethod:
    """A method of proof search."""

    name: str
    summary: str
    kernel: Kernel
    entry_words: int
    """The number of words of an entry of its table, or of a node of its tree."""
    memory: str = "entries"
    """The field of the context that holds them."""
    faults: Mapping[int, str] = field(default_factory=lambda: _FAULTS)


METHODS: Final = {
    method.name: method
    for method in [
        ProofMethod(
            "proof-number",
            "best-first proof-number search; the whole tree is in memory",
            PN,
            NODE_WORDS,
            "tree",
        ),
        ProofMethod(
            "pn2",
            "proof-number search whose leaves are evaluated by a second one; less memory",
            PN2,
            NODE_WORDS,
            "tree",
        ),
        ProofMethod(
            "df-pn",
            "depth-first proof-number search with a table; memory of any size",
            DF_PN,
            ENTRY_WORDS,
        ),
    ]
}

"""Proof search with an endgame database: positions that are in it are ends of the game."""

from dataclasses import replace
from typing import Any, Final

from plyforge.compilation.kernel import Kernel
from plyforge.compilation.records import Words, extend
from plyforge.core.scores import LOSS, ONGOING, SCORE_LIMIT, WIN
from plyforge.database.kernels.probing import database_value
from plyforge.search.proof.kernels.context import NO_END
from plyforge.search.proof.kernels.ends import known_end

_kernels: Final[dict[str, Kernel]] = {}
"""The kernels that were made, by the names of those without a database."""


def database_end(position: Any, context: Any) -> float:
    """The value of a position that is in the database, as one of the game's results; or `NO_END`.

    A position that is left out leads to others that are there.
    """
    value = database_value(position, context.database)
    if abs(value) == ONGOING:  # it is not there, or left out
        return NO_END
    if value > SCORE_LIMIT:
        return float(WIN)
    if value < -SCORE_LIMIT:
        return float(LOSS)
    return value


def with_database(kernel: Kernel) -> Kernel:
    """Return a kernel of proof search that uses a database."""
    if kernel.name not in _kernels:
        _kernels[kernel.name] = replace(
            kernel,
            name=f"{kernel.name} with a database",
            context=extend(kernel.context, {"database": Words}),
            replacements={**kernel.replacements, known_end: database_end},
        )
    return _kernels[kernel.name]

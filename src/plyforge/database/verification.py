"""Verification of a database: every value must follow from those of its children.

Together with the distances this is a proof: wins and losses lead to each other at smaller
distances, down to ends of the game, and what cannot be forced is a draw.  A slice without distances
is built again instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from plyforge.database.builder import Finished, SliceBuilder
from plyforge.database.building import load_finished
from plyforge.database.files import DatabaseError, Header
from plyforge.database.folder import Database
from plyforge.database.kernels.values import INVALID, LEFT_OUT


@dataclass(frozen=True)
class SliceCheck:
    """The result of verifying one slice."""

    header: Header
    positions: int
    wrong: int
    wrong_number: int
    counts_differ: bool
    """Whether the header's number of positions is not the number that was found."""

    @property
    def right(self) -> bool:
        return self.wrong == 0 and not self.counts_differ


def verify_slices(database: Database, names: list[str] | None = None) -> Iterator[SliceCheck]:
    """Verify the slices of a database one after the other, or those with these names."""
    headers = {file.header.name: file.header for file in database.files.values()}
    for name in names or list(headers):
        if name not in headers:
            raise DatabaseError(f"there is no slice {name} in '{database.folder}'")
    builder = SliceBuilder(database.game)
    for name in names or list(headers):
        yield _verify(database, builder, headers[name])


def _verify(database: Database, builder: SliceBuilder, header: Header) -> SliceCheck:
    finished = {}
    for code in header.needed:
        file = database.files.get(code)
        if file is None:
            raise DatabaseError(
                f"slice {header.name} needs a slice with the code {code}, which is not in"
                f" '{database.folder}'; build {header.name} again"
            )
        finished[code] = load_finished(file, header.distances)
    if not header.distances:
        return _build_again(database, builder, header, finished)
    values = database.files[header.code].values()
    target = Finished(header.slice, values, header.leaves_out)
    builder.restore(target, finished)
    result = builder.verify(header.slice, values, finished)
    differ = result.positions != header.positions
    return SliceCheck(header, result.positions, result.wrong, result.wrong_number, differ)


def _build_again(
    database: Database, builder: SliceBuilder, header: Header, finished: dict[int, Finished]
) -> SliceCheck:
    """Compare a file without distances with the slice as it is built from those it leads to.

    Wins and losses can follow from each other without an end; distances exclude that.
    """
    values = builder.build(header.slice, finished).values
    positions = int(np.count_nonzero(values != INVALID))
    if header.leaves_out:
        builder.leave_out(header.slice, values)
    kept = (values != INVALID) & (values != LEFT_OUT)
    differing = kept & (np.sign(values) != np.sign(database.files[header.code].values()))
    wrong = int(np.count_nonzero(differing))
    number = header.slice.number(int(np.argmax(differing))) if wrong else -1
    return SliceCheck(header, positions, wrong, number, positions != header.positions)

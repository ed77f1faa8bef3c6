"""Source text of weighted sums."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.game.forms.rows import Feature, Row, Table
from plyforge.game.forms.source import Reference, loop_over_places, row_values
from plyforge.game.forms.weights import Numbers

PACK: Final = 32
"""Where a table has two sets of integers, an entry holds both: the first one in the upper bits."""
MAX_PACKED: Final = 1 << 20
"""Smaller weights are packed: over a thousand of them add up before one sum reaches the other."""


def pack_tables(rows: Sequence[Row], numbers: Numbers) -> Numbers:
    """Return two sets of integers, and after them the entries of all tables, packed."""
    first, second = numbers.astype(np.int64).reshape(2, -1)
    parts, column = [first, second], 0
    for row in rows:
        place = slice(column, column + row.size)
        column += row.size
        if isinstance(row, Table):
            parts.append((first[place] << PACK) + second[place])
    return np.concatenate(parts)


@dataclass(frozen=True)
class SumSource:
    """Writes the source that adds up the rows of a form, in their order."""

    rows: Sequence[Row]
    reference: Reference
    scope: dict[str, Any]
    running: bool = False
    """Whether the sums of tables with an update are read from the state."""

    def sums(self, names: Sequence[str]) -> list[str]:
        """Return source for one sum or several, each with its own set of weights."""
        width = sum(row.size for row in self.rows)
        lines = [f"{name} = 0" for name in names]
        for number, row, column in self._numbered():
            places = [self._place(f"{n * width + column}") for n in range(len(names))]
            lines += self._row_lines(number, row, names, places)
        return lines

    def by_stage(self) -> list[str]:
        """Return source for the sum `total` with the set of weights that begins at `start`."""
        lines = ["total = 0"]
        for number, row, column in self._numbered():
            place = self._place(f"start + {column}")
            lines += self._row_lines(number, row, ["total"], [place])
        return lines

    def packed(self, names: Sequence[str]) -> list[str]:
        """Return source for two sums, with the entries of tables added up at once."""
        width = sum(row.size for row in self.rows)
        lines = [f"{name} = 0" for name in (*names, "packed")]
        packed = 2 * width
        for number, row, column in self._numbered():
            if isinstance(row, Feature):
                places = [self._place(f"{n * width + column}") for n in range(2)]
                lines += self._row_lines(number, row, names, places)
            else:
                lines += self._row_lines(number, row, ["packed"], [self._place(f"{packed}")])
                packed += row.size
        half, mask = 1 << PACK - 1, (1 << PACK) - 1
        if packed > 2 * width:
            lines.append(f"{names[0]} += (packed + {half}) >> {PACK}")
            lines.append(f"{names[1]} += ((packed + {half}) & {mask}) - {half}")
        return lines

    def running_sums(self, packed: bool) -> tuple[list[str], list[str]]:
        """Return the source of `begin` and `advance`, a line for each sum in the state."""
        begin: list[str] = []
        advance: list[str] = []
        packed_start = 2 * sum(row.size for row in self.rows)
        for number, row, column in self._numbered():
            if not isinstance(row, Table):
                continue
            if row.update:
                index, update = len(begin), f"update_{number}"
                self.scope[f"row_{number}"], self.scope[update] = row.function, row.update
                entries = self._place(f"{packed_start if packed else column}").part(row.size)
                begin.append(f"int64s(state, 0)[{index}] = row_{number}(position, {entries})")
                arguments = f"position, move, child, int64s(state, 0)[{index}], {entries}"
                advance.append(f"int64s(child_state, 0)[{index}] = {update}({arguments})")
            packed_start += row.size
        return begin, advance

    def _numbered(self) -> list[tuple[int, Row, int]]:
        """Return the rows with their numbers and first columns."""
        columns = np.cumsum([0, *(row.size for row in self.rows)]).tolist()
        return [(number, row, columns[number]) for number, row in enumerate(self.rows)]

    def _place(self, start: str) -> "_Place":
        return _Place(self.reference, start)

    def _row_lines(
        self, number: int, row: Row, names: Sequence[str], places: Sequence["_Place"]
    ) -> list[str]:
        name = f"row_{number}"
        self.scope[name] = row.function
        pairs = list(zip(names, places, strict=True))
        if self.running and isinstance(row, Table) and row.update:
            before = [other for other in self.rows[:number] if isinstance(other, Table)]
            index = sum(other.update is not None for other in before)
            return [f"{total} += int64s(state, 0)[{index}]" for total in names]
        if isinstance(row, Table) and not row.count:
            calls = [(total, f"{name}(position, {place.part(row.size)})") for total, place in pairs]
            return [f"{total} += {call}" for total, call in calls]
        if isinstance(row, Table) and row.by_place:
            body = [f"{total} += {place.at('index')}" for total, place in pairs]
            return loop_over_places(row, name, body)
        values, lines = row_values(row, name)
        for index, value in enumerate(values):
            if isinstance(row, Feature):
                lines += [f"{total} += {value} * {place.one(index)}" for total, place in pairs]
            else:
                lines += [f"{total} += {place.at(value)}" for total, place in pairs]
        return lines


@dataclass(frozen=True)
class _Place:
    """Where the weights of a row begin: a number, or an expression."""

    reference: Reference
    start: str

    def one(self, index: int) -> str:
        if self.start.isdecimal():
            return self.reference.one(int(self.start) + index)
        return self.reference.at(f"{self.start} + {index}")

    def at(self, index: str) -> str:
        return self.reference.at(f"{self.start} + {index}")

    def part(self, size: int) -> str:
        return self.reference.part(self.start, size)

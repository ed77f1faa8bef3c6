"""How pieces on cells appear in the fields of positions, and an index generated from that.

A slice has the positions with equal numbers of each kind of piece, and either side to move.
"""

import itertools
import math
import re
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.bits import popcount
from plyforge.core.ranking import (
    MAX_PLACES,
    SLICE_SHIFT,
    choose,
    gather_bits,
    rank_bits,
    spread_bits,
    unrank_bits,
)
from plyforge.game.game import Game

EMPTY: Final = "empty"
"""The name of the slice without pieces."""
CODE_BITS: Final = 26


@dataclass
class PieceLayout:
    """How pieces appear in the fields of a position."""

    game: Game
    cells: list[str]
    letters: list[str]
    masks: dict[str, NDArray[np.int64]]
    """For integer fields: the bits of each cell, by side and cell."""
    bits: dict[str, NDArray[np.int64]]
    """For integer fields: the bits of each piece, by side, letter and cell; -1 if not allowed."""
    rest: dict[str, NDArray[np.int64]]
    """For integer fields that are not clocks: the bits that no piece has, by side."""
    entries: dict[str, NDArray[np.int64]]
    """For array fields: the entry of each cell."""
    contents: dict[str, NDArray[np.int64]]
    """For array fields: the content of the entry, by side, letter and cell."""
    blank: dict[str, NDArray[np.int64]]
    """For array fields: the content of the entry of an empty cell, by side and cell."""
    allowed: NDArray[np.bool_]
    """Whether a piece may stand on a cell, by side, letter and cell."""

    @property
    def width(self) -> int:
        """The bits of a code for the number of pieces of one kind."""
        return CODE_BITS // len(self.letters)

    def hooks(self) -> dict[str, Any]:
        """Return the hooks of the database."""
        scope = self._scope()
        exec(self._source(), scope)
        names = ("index", "unindex")
        return {name: scope[name] for name in names} | {"slices": self.slices}

    def slices(self, position: Any, text: str) -> dict[str, tuple[int, int]]:
        """The slices of a number of pieces, as `4` or `0-4`, or of pieces, as `XXO`."""
        if not text:
            found = list(self.game.pieces(position).values())
            return dict([self._slice(tuple(found.count(letter) for letter in self.letters))])
        numbers = re.fullmatch("([0-9]+)(?:-([0-9]+))?", text)
        if numbers:
            low, high = int(numbers[1]), int(numbers[2] or numbers[1])
            if not 0 <= low <= high <= len(self.cells):
                raise ValueError(f"the board has between 0 and {len(self.cells)} pieces")
            kinds = range(len(self.letters))
            return dict(
                self._slice(tuple(chosen.count(kind) for kind in kinds))
                for count in range(low, high + 1)
                for chosen in itertools.combinations_with_replacement(kinds, count)
            )
        if text == EMPTY:
            text = ""
        if any(letter not in self.letters for letter in text):
            raise ValueError(
                f"a slice is a number of pieces (4, 0-4), or pieces out of {''.join(self.letters)}"
            )
        return dict([self._slice(tuple(text.count(letter) for letter in self.letters))])

    def _slice(self, counts: tuple[int, ...]) -> tuple[str, tuple[int, int]]:
        size, free, code = 2, len(self.cells), 0
        for count in counts:
            if count >= 1 << self.width or count > free:
                raise ValueError(f"{count} pieces of a kind are too many")
            size *= math.comb(free, count)
            free -= count
            code = code << self.width | count
        if size > MAX_PLACES:
            raise ValueError(f"{sum(counts)} pieces have too many positions")
        pairs = zip(self.letters, counts, strict=True)
        name = "".join(letter * count for letter, count in pairs) or EMPTY
        return name, (code, size)

    def _scope(self) -> dict[str, Any]:
        scope: dict[str, Any] = {
            "__name__": "plyforge_ranking",
            "__file__": self.game.rules.file,
            "Position": self.game.position_type.python_class,
            "rank_bits": rank_bits,
            "unrank_bits": unrank_bits,
            "gather_bits": gather_bits,
            "spread_bits": spread_bits,
            "choose": choose,
            "count_bits": popcount,
            "np": np,
            "ALLOWED": self.allowed,
        }
        if "turn" in self.game.rules.hooks:
            scope["turn"] = self.game.rules.hooks["turn"]
        for name in self.bits:
            scope |= {f"BITS_{name}": self.bits[name], f"MASK_{name}": self.masks[name]}
            scope[f"ALL_{name}"] = int(np.bitwise_or.reduce(self.masks[name], axis=None))
        for name, array in self.rest.items():
            scope[f"REST_{name}"] = array
        for name in self.entries:
            scope[f"ENTRY_{name}"] = self.entries[name]
            scope[f"CONTENT_{name}"] = self.contents[name]
            scope[f"BLANK_{name}"] = self.blank[name]
        return scope

    def _source(self) -> str:
        """Return the source of `index` and `unindex`."""
        kinds = range(len(self.letters))
        cells, width = len(self.cells), self.width
        same = [
            *(
                f"position.{n} & MASK_{n}[side, cell] == BITS_{n}[side, kind, cell]"
                for n in self.bits
            ),
            *(
                f"position.{n}[ENTRY_{n}[cell]] == CONTENT_{n}[side, kind, cell]"
                for n in self.entries
            ),
        ]
        blank = [
            *(f"position.{n} & MASK_{n}[side, cell] == 0" for n in self.bits),
            *(f"position.{n}[ENTRY_{n}[cell]] == BLANK_{n}[side, cell]" for n in self.entries),
        ]
        lines = [
            "def index(position):",
            "    side = turn(position)" if "turn" in self.game.rules.hooks else "    side = 0",
        ]
        for name in self.rest:
            mask = f" & ~ALL_{name}" if name in self.bits else ""
            lines += [f"    if position.{name}{mask} != REST_{name}[side]:", "        return -1"]
        lines += [f"    set_{kind} = 0" for kind in kinds]
        lines += [
            f"    for cell in range({cells}):",
            f"        if {' and '.join(blank)}:",
            "            continue",
            "        found = -1",
            f"        for kind in range({len(self.letters)}):",
            f"            if ALLOWED[side, kind, cell] and {' and '.join(same)}:",
            "                found = kind",
            "        if found < 0:",
            "            return -1",
        ]
        for kind in kinds:
            lines += [f"        if found == {kind}:", f"            set_{kind} |= 1 << cell"]
        lines += [f"    free, left, place, code, half = {(1 << cells) - 1}, {cells}, 0, 0, 1"]
        for kind in kinds:
            lines += [
                f"    count = count_bits(set_{kind})",
                f"    if count >= {1 << width}:",
                "        return -1",
                f"    rank = rank_bits(gather_bits(set_{kind}, free))",
                "    place = place * choose(left, count) + rank",
                "    half *= choose(left, count)",
                f"    free &= ~set_{kind}",
                "    left -= count",
                f"    code = code << {width} | count",
            ]
        lines += [f"    return code << {SLICE_SHIFT} | place + side * half", ""]
        lines += self._unindex(kinds, cells, width)
        return "\n".join(lines)

    def _unindex(self, kinds: range, cells: int, width: int) -> list[str]:
        mask = (1 << width) - 1
        lines = [
            "def unindex(position, number):",
            f"    code, place = number >> {SLICE_SHIFT}, number & {(1 << SLICE_SHIFT) - 1}",
            f"    left, half = {cells}, 1",
        ]
        for kind in kinds:
            shift = width * (len(self.letters) - 1 - kind)
            lines += [
                f"    count_{kind} = code >> {shift} & {mask}",
                f"    half *= choose(left, count_{kind})",
                f"    left -= count_{kind}",
            ]
        lines += ["    side = 0", "    if place >= half:", "        side, place = 1, place - half"]
        for kind in reversed(kinds):
            lines += [
                f"    left += count_{kind}",
                f"    size = choose(left, count_{kind})",
                f"    set_{kind} = unrank_bits(place % size, count_{kind}, left)",
                "    place //= size",
            ]
        lines += [f"    free = {(1 << cells) - 1}"]
        lines += [f"    {name} = REST_{name}[side]" for name in self.rest]
        for name in self.entries:
            lines += [f"    {name} = np.copy(position.{name})", f"    for cell in range({cells}):"]
            lines += [f"        {name}[ENTRY_{name}[cell]] = BLANK_{name}[side, cell]"]
        for kind in kinds:
            lines += [
                f"    set_{kind} = spread_bits(set_{kind}, free)",
                f"    free &= ~set_{kind}",
                f"    for cell in range({cells}):",
                f"        if set_{kind} >> cell & 1:",
                f"            if not ALLOWED[side, {kind}, cell]:",
                "                place = 1",
                "            else:",
                "                place += 0",
            ]
            for name in self.bits:
                lines.append(f"                {name} |= BITS_{name}[side, {kind}, cell]")
            for name in self.entries:
                content = f"CONTENT_{name}[side, {kind}, cell]"
                lines.append(f"                {name}[ENTRY_{name}[cell]] = {content}")
        fields = [field.name for field in self.game.position_type.fields]
        empties = [n if n in self.rest or n in self.entries else f"position.{n}" for n in fields]
        wrong = [self._wrong(name) for name in fields]
        lines += [
            "    if place > 0:",
            f"        return Position({', '.join(wrong)})",
            f"    return Position({', '.join(empties)})",
            "",
        ]
        return lines

    def _wrong(self, name: str) -> str:
        """Return source for a field of a position that stands for a number without a position."""
        if name in self.entries:
            return name
        return f"~{name}" if name in self.rest else f"position.{name}"

"""An index for games that have none: a ranking of pieces on cells, found by setting pieces up.

`arrange` puts each kind of piece on each cell of an empty board, for either side to move.  From how
the fields of the position change, `index` and `unindex` are generated: each piece must add the same
bits to integer fields, or write one entry of an array, wherever the other pieces are.  A slice has
the positions with equal numbers of each kind of piece, and either side to move.
"""

import itertools
import math
import random
import re
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.bits import popcount
from plyforge.core.errors import PlyforgeError
from plyforge.core.ranking import (
    MAX_PLACES,
    SLICE_SHIFT,
    choose,
    gather_bits,
    rank_bits,
    spread_bits,
    unrank_bits,
)
from plyforge.database.slices import has_index
from plyforge.game.arranging import known_pieces
from plyforge.game.game import Game

MAX_CELLS: Final = 62
"""Cells fit the bits of an int."""
_CODE_BITS: Final = 26
_SAMPLES: Final = 50


class NoRanking(PlyforgeError):
    """A game whose positions are not the sum of their pieces."""


def with_index(game: Game) -> Game:
    """Return a game with an index: its own, or a ranking of pieces on cells if that is possible."""
    if has_index(game) or not {"arrange", "pieces", "geometry"} <= set(game.rules.hooks):
        return game
    try:
        layout = _Learner(game).learn()
    except NoRanking:
        return game
    hooks = game.rules.hooks | layout.hooks()
    return game.with_rules(replace(game.rules, hooks=hooks))


@dataclass
class _Layout:
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
        return _CODE_BITS // len(self.letters)

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
        name = "".join(letter * count for letter, count in pairs) or "empty"
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


class _Learner:
    """Finds how pieces appear in the fields of a game's positions."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._start = game.initial()
        geometry = game.geometry(self._start)
        if geometry is None:
            raise NoRanking("no board")
        self._cells = [str(cell) for cell in geometry.cells]
        self._letters = [p for p in known_pieces(game, self._start) if isinstance(p, str)]
        self._clocks = set(game.rules.constant("CLOCKS"))
        fields = game.position_type.fields
        kinds = {"int64", "array"}
        usable = all(f.kind in kinds and f.ndim == 1 for f in fields)
        few = 0 < len(self._cells) <= MAX_CELLS and 0 < len(self._letters) <= _CODE_BITS // 2
        if not fields or not usable or not few or any(len(one) != 1 for one in self._letters):
            raise NoRanking("the board is too large, or a field is not an int or a row of numbers")

    def learn(self) -> _Layout:
        """Return the layout; raise `NoRanking` if positions are not the sum of their pieces."""
        bases = self._arrange({}, 0), self._arrange({}, 1)
        if bases[0] is None or bases[1] is None:
            raise NoRanking("the empty board is no position")
        shape = 2, len(self._letters), len(self._cells)
        names = [f.name for f in self._game.position_type.fields if f.name not in self._clocks]
        arrays = [n for n in names if isinstance(getattr(bases[0], n), np.ndarray)]
        ints = [n for n in names if n not in arrays]
        bits = {n: np.zeros(shape, np.int64) for n in ints}
        contents = {n: np.zeros(shape, np.int64) for n in arrays}
        entries = {n: np.full(len(self._cells), -1, np.int64) for n in arrays}
        allowed = np.zeros(shape, np.bool_)
        for side, kind, cell in itertools.product(*map(range, shape)):
            one = self._arrange({self._cells[cell]: self._letters[kind]}, side)
            if one is None:
                continue
            allowed[side, kind, cell] = True
            for n in ints:
                bits[n][side, kind, cell] = self._added(getattr(bases[side], n), getattr(one, n))
            for n in arrays:
                changed = np.flatnonzero(getattr(one, n) != getattr(bases[side], n))
                if len(changed) > 1 or (len(changed) and entries[n][cell] not in (-1, changed[0])):
                    raise NoRanking("a piece changes several entries of an array")
                if len(changed):
                    entries[n][cell] = changed[0]
        arrays = [n for n in arrays if np.any(entries[n] >= 0)]
        if any(np.any(entries[n] < 0) for n in arrays):
            raise NoRanking("a cell has no entry in an array")
        for n in arrays:
            for side, kind, cell in np.argwhere(allowed).tolist():
                piece = {self._cells[cell]: self._letters[kind]}
                board = getattr(self._arrange(piece, side), n)
                contents[n][side, kind, cell] = board[entries[n][cell]]
        used = [n for n in ints if np.any(bits[n])]
        masks = {n: np.bitwise_or.reduce(bits[n], axis=1) for n in used}
        rest = {n: np.array([getattr(base, n) for base in bases], np.int64) for n in ints}
        blank = {
            n: np.array([getattr(base, n)[entries[n]] for base in bases], np.int64) for n in arrays
        }
        layout = _Layout(
            self._game,
            self._cells,
            self._letters,
            masks,
            {n: bits[n] for n in used},
            rest,
            {n: entries[n] for n in arrays},
            {n: contents[n] for n in arrays},
            blank,
            allowed,
        )
        self._check(layout)
        return layout

    def _arrange(self, pieces: dict[str, str], side: int) -> Any:
        try:
            return self._game.position_type.cast(
                self._game.rules.hooks["arrange"](self._start, pieces, side)
            )
        except ValueError:
            return None

    def _added(self, before: int, after: int) -> int:
        if before & after != before:
            raise NoRanking("a piece takes bits of a field away")
        return after ^ before

    def _check(self, layout: _Layout) -> None:
        """Compare positions of several pieces with the sums of these; one must have one number."""
        hooks = layout.hooks()
        stream = random.Random(1)
        for sample in range(_SAMPLES):
            count = stream.randrange(min(4, len(self._cells)) + 1)
            chosen = stream.sample(self._cells, count)
            pieces = {cell: stream.choice(self._letters) for cell in chosen}
            position = self._arrange(pieces, sample % 2)
            if position is None:
                continue
            try:
                number = int(hooks["index"](position))
                back = hooks["unindex"](self._start, number)
            except (IndexError, ValueError, OverflowError):
                raise NoRanking("positions are not the sum of their pieces") from None
            fields = set(self._game.position_type.differing_fields(position, back)) - self._clocks
            if number < 0 or fields:
                raise NoRanking("positions are not the sum of their pieces")

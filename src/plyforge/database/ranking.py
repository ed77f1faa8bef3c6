"""An index for games that have none: a ranking of pieces on cells, found from positions.

Positions of random games, and variations of them by `arrange`, show how the pieces on cells appear
in the fields: each bit of an integer field, and each entry of an array, must depend on the content
of one cell, or on nothing but the side to move.  From that, `index` and `unindex` are generated.  A
slice has the positions with equal numbers of each kind of piece, and either side to move.
"""

import itertools
import math
import random
import re
from dataclasses import dataclass, replace
from typing import Any, Final
from weakref import WeakKeyDictionary

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
EMPTY: Final = "empty"
"""The name of the slice without pieces."""
_CODE_BITS: Final = 26
_PLAYED, _ARRANGED, _MAX_PLIES = 600, 1000, 200
"""Positions of random games, attempts to vary them, and plies of such a game."""


class NoRanking(PlyforgeError):
    """A game whose positions are not the sum of their pieces."""


_known: WeakKeyDictionary[Game, Game] = WeakKeyDictionary()
"""Games whose ranking was looked for."""


def with_index(game: Game) -> Game:
    """Return a game with an index: its own, or a ranking of pieces on cells if that is possible."""
    if has_index(game):
        return game
    if game not in _known:
        _known[game] = _find_index(game)
    return _known[game]


def _find_index(game: Game) -> Game:
    if not {"pieces", "geometry"} <= set(game.rules.hooks):
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


class _Learner:
    """Finds how pieces appear in the fields of a game's positions, from many positions."""

    def __init__(self, game: Game) -> None:
        self._game = game
        start = game.initial()
        geometry = game.geometry(start)
        if geometry is None:
            raise NoRanking("no board")
        self._cells = [str(cell) for cell in geometry.cells]
        self._letters = [p for p in known_pieces(game, start) if isinstance(p, str)]
        clocks = set(game.rules.constant("CLOCKS"))
        fields = [f for f in game.position_type.fields if f.name not in clocks]
        usable = all(f.kind in ("int64", "array") and f.ndim == 1 for f in fields)
        if not fields or not usable or not 0 < len(self._cells) <= MAX_CELLS:
            raise NoRanking("the board is too large, or a field is not an int or a row of numbers")
        self._clocks = clocks
        self._ints = [f.name for f in fields if f.kind == "int64"]
        self._arrays = [f.name for f in fields if f.kind == "array"]
        self._stream = random.Random(1)
        self._positions = self._collect(start)
        seen = {piece for one in self._positions for piece in game.pieces(one).values()}
        self._letters += sorted(str(piece) for piece in seen - set(self._letters))
        few = 0 < len(self._letters) <= _CODE_BITS // 2
        if not few or any(len(one) != 1 for one in self._letters):
            raise NoRanking("pieces are not letters, or there are too many kinds of them")
        self._sides = np.array([game.turn(one) or 0 for one in self._positions])
        self._contents = np.array([self._content(one) for one in self._positions])

    def _collect(self, start: Any) -> list[Any]:
        """Return positions of random games, and variations of them that `arrange` allows."""
        found = [start]
        while len(found) < _PLAYED:
            history = self._game.history()
            for _ in range(_MAX_PLIES):
                moves = history.legal_moves()
                if not moves:
                    break
                history.play(self._stream.choice(moves))
                found.append(history.position)
        if "arrange" in self._game.rules.hooks:
            for _ in range(_ARRANGED):
                varied = self._vary(self._stream.choice(found))
                if varied is not None:
                    found.append(varied)
        return found

    def _vary(self, position: Any) -> Any:
        """Return the position with another piece, or none, on some cells; None if not allowed."""
        pieces = {str(cell): piece for cell, piece in self._game.pieces(position).items()}
        for cell in self._stream.sample(self._cells, self._stream.randrange(1, 4)):
            pieces.pop(cell, None)
            if self._stream.random() < 0.5:
                pieces[cell] = self._stream.choice(self._letters)
        side = self._stream.randrange(2)
        try:
            varied = self._game.rules.hooks["arrange"](self._game.initial(), pieces, side)
            return self._game.position_type.cast(varied)
        except ValueError:
            return None

    def _content(self, position: Any) -> list[int]:
        """Return the kind of piece on each cell: 0 for none, else its place in the letters + 1."""
        pieces = {str(cell): piece for cell, piece in self._game.pieces(position).items()}
        kinds = {letter: number + 1 for number, letter in enumerate(self._letters)}
        return [kinds[pieces[cell]] if cell in pieces else 0 for cell in self._cells]

    def learn(self) -> _Layout:
        """Return the layout; raise `NoRanking` if positions are not the sum of their pieces."""
        shape = 2, len(self._letters), len(self._cells)
        allowed = np.zeros(shape, np.bool_)
        for side in (0, 1):
            for kind in range(len(self._letters)):
                seen = self._contents[self._sides == side] == kind + 1
                allowed[side, kind] = seen.any(axis=0)
        bits, rest = self._learn_ints(shape)
        used = [name for name in self._ints if np.any(bits[name])]
        entries, contents, blank = self._learn_arrays(shape)
        layout = _Layout(
            self._game,
            self._cells,
            self._letters,
            {name: np.bitwise_or.reduce(bits[name], axis=1) for name in used},
            {name: bits[name] for name in used},
            rest,
            entries,
            contents,
            blank,
            allowed,
        )
        if not used and not entries:
            raise NoRanking("no field depends on the pieces")
        self._check(layout)
        return layout

    def _owner(self, column: NDArray[Any], contents: NDArray[Any]) -> dict[int, int] | None:
        """Return the values of a column by the contents of a cell, if these decide it."""
        values = {}
        for kind in np.unique(contents).tolist():
            chosen = column[contents == kind]
            if np.any(chosen != chosen[0]):
                return None
            values[kind] = int(chosen[0])
        return values if len(set(values.values())) > 1 else None

    def _find_owner(
        self, column: NDArray[Any], contents: NDArray[Any]
    ) -> tuple[int, dict[int, int]]:
        for cell in range(len(self._cells)):
            values = self._owner(column, contents[:, cell])
            if values is not None:
                return cell, values
        raise NoRanking("a field depends on more than the pieces")

    def _learn_ints(
        self, shape: tuple[int, int, int]
    ) -> tuple[dict[str, NDArray[np.int64]], dict[str, NDArray[np.int64]]]:
        bits = {name: np.zeros(shape, np.int64) for name in self._ints}
        rest = {name: np.zeros(2, np.int64) for name in self._ints}
        for name, side in itertools.product(self._ints, (0, 1)):
            chosen = self._sides == side
            if not chosen.any():
                continue
            values = np.array([getattr(one, name) for one in self._positions], np.int64)[chosen]
            contents = self._contents[chosen]
            for bit in range(63):
                column = values >> bit & 1
                if np.all(column == column[0]):
                    rest[name][side] |= int(column[0]) << bit
                    continue
                cell, by_kind = self._find_owner(column, contents)
                if by_kind.get(0, 0):
                    raise NoRanking("an empty cell has a bit")
                for kind, value in by_kind.items():
                    if kind:
                        bits[name][side, kind - 1, cell] |= value << bit
        return bits, rest

    def _learn_arrays(
        self, shape: tuple[int, int, int]
    ) -> tuple[dict[str, NDArray[np.int64]], ...]:
        entries: dict[str, NDArray[np.int64]] = {}
        contents: dict[str, NDArray[np.int64]] = {}
        blank: dict[str, NDArray[np.int64]] = {}
        for name in self._arrays:
            table = np.array([getattr(one, name) for one in self._positions], np.int64)
            if np.all(table == table[0]):
                continue
            places = np.full(shape[2], -1, np.int64)
            inside, empty = np.zeros(shape, np.int64), np.zeros((2, shape[2]), np.int64)
            for entry in np.flatnonzero(np.any(table != table[0], axis=0)).tolist():
                for side in (0, 1):
                    chosen = self._sides == side
                    if not chosen.any() or np.all(table[chosen, entry] == table[chosen][0, entry]):
                        continue
                    cell, by_kind = self._find_owner(table[chosen, entry], self._contents[chosen])
                    if places[cell] not in (-1, entry) or 0 not in by_kind:
                        raise NoRanking("a cell has several entries of an array")
                    places[cell] = entry
                    empty[side, cell] = by_kind[0]
                    for kind, value in by_kind.items():
                        if kind:
                            inside[side, kind - 1, cell] = value
            if np.any(places < 0):
                raise NoRanking("a cell has no entry in an array")
            entries[name], contents[name], blank[name] = places, inside, empty
        return entries, contents, blank

    def _check(self, layout: _Layout) -> None:
        """Check that every position that was seen has a number, which leads back to it."""
        hooks = layout.hooks()
        start = self._game.initial()
        for position in self._positions:
            try:
                number = int(hooks["index"](position))
                back = hooks["unindex"](start, number) if number >= 0 else start
            except (IndexError, ValueError, OverflowError):
                raise NoRanking("positions are not the sum of their pieces") from None
            differing = set(self._game.position_type.differing_fields(position, back))
            if number < 0 or differing - self._clocks:
                raise NoRanking("positions are not the sum of their pieces")

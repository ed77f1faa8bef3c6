"""An index for games that have none: a ranking of pieces on cells, found from positions.

Positions of random games, and variations of them by `arrange`, show how the pieces on cells appear
in the fields: each bit of an integer field, and each entry of an array, must depend on the content
of one cell, or on nothing but the side to move.  From that, `index` and `unindex` are generated.  A
slice has the positions with equal numbers of each kind of piece, and either side to move.
"""

import itertools
import random
from dataclasses import replace
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError
from plyforge.database.piece_layout import CODE_BITS, PieceLayout
from plyforge.database.slices import has_index
from plyforge.game.arranging import known_pieces
from plyforge.game.game import Game
from plyforge.game.random_games import play_random_games

MAX_CELLS: Final = 62
"""Cells fit the bits of an int."""
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
        self._positions = self._collect()
        seen = {piece for one in self._positions for piece in game.pieces(one).values()}
        self._letters += sorted(str(piece) for piece in seen - set(self._letters))
        few = 0 < len(self._letters) <= CODE_BITS // 2
        if not few or any(len(one) != 1 for one in self._letters):
            raise NoRanking("pieces are not letters, or there are too many kinds of them")
        self._sides = np.array([game.turn(one) or 0 for one in self._positions])
        self._contents = np.array([self._content(one) for one in self._positions])

    def _collect(self) -> list[Any]:
        """Return positions of random games, and variations of them that `arrange` allows."""
        games = play_random_games(self._game, _PLAYED, _MAX_PLIES, self._stream.choice)
        found = [one.position for one in games]
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

    def learn(self) -> PieceLayout:
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
        layout = PieceLayout(
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

    def _check(self, layout: PieceLayout) -> None:
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

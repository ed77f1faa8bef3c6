"""Finding out where a game stores the content of its cells, from positions of random games.

What the picture of the board shows (`pieces`) is compared with every bit of every field.  Where the
same bit is set in all positions in which a cell holds certain pieces, and in no others, it stores
them.  A game without a picture gets a cell for each bit that changes, and no places.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError
from plyforge.evaluate.automatic.layout import Layer, Layout, Slot
from plyforge.evaluate.automatic.random_games import (
    Columns,
    Sample,
    cells_of,
    play_games,
    read_slot,
)
from plyforge.game.game import Game

_MIN_GAMES: Final = 3
"""A bit is taken for a cell if it agrees in positions of so many games."""
_MIN_COVERAGE: Final = 0.8
"""A layer is used if it has this share of the cells of the one that has most."""
_FEW_PIECES: Final = 4
"""With at most this many kinds of pieces, every set of them is looked for."""
_WIDTHS: Final = (8, 7, 6, 5, 4, 16, 3)
"""How many bits a number of seeds may take."""
MAX_DIGIT: Final = 11
"""Larger numbers of seeds count as this one."""
MAX_PIECES: Final = 15
"""The contents of a cell beyond this number count as one."""
_MAX_SHAPES: Final = 6
"""So many kinds of pieces are combined with each other."""
_MAX_CELLS: Final = 4096
_MAX_VALUES: Final = 512
"""A field with more values does not hold the number of a cell."""

Slots = list[Slot | None]
"""The slot of each cell; None where none was found."""


def find_layout(game: Game, seed: int = 0) -> Layout:
    """Return where the game's positions store their cells."""
    if not hasattr(game.initial(), "_fields"):
        raise PlyforgeError(
            f"the positions of {game.name} have no fields; an automatic evaluation needs positions"
            " that are NamedTuples"
        )
    sample = play_games(game, seed)
    layers, cells = _picture_layers(game, sample)
    places = {cell: cells_of(game)[cell] for cell in cells}
    if not cells:
        layers, cells = _bit_layers(sample)
    if not cells:
        raise PlyforgeError(
            f"no field of the positions of {game.name} changes in random games; an automatic"
            " evaluation has nothing to read"
        )
    codes = _codes(layers, sample)
    by_side = _belongs_to_players(codes, cells, sample)
    if by_side and "turn" not in game.rules.hooks:
        raise PlyforgeError(
            f"{game.name} stores pieces by player, and has no hook 'turn' that tells who is to"
            " move; define it for an automatic evaluation"
        )
    return Layout(
        tuple(cells),
        tuple((float(x), float(y)) for x, y in places.values()),
        tuple(layers),
        _digits(layers, codes),
        by_side,
    )


def _bits(columns: Columns, rows: NDArray[np.int64]) -> dict[bytes, Slot]:
    """Return where each vector of bits is stored; the first of several places."""
    found: dict[bytes, Slot] = {}
    for (field, element), column in columns.items():
        slots = [Slot(field, element, bit) for bit in range(64)]
        values = np.unique(column[rows].view(np.int64))
        if len(values) <= _MAX_VALUES:
            slots += [Slot(field, element, int(value), equals=True) for value in values]
        for slot in slots:
            vector = read_slot(column[rows], slot, 1).astype(np.bool_)
            if vector.any() and not vector.all():
                found.setdefault(vector.tobytes(), slot)
    return found


def _picture_layers(game: Game, sample: Sample) -> tuple[list[Layer], list[str]]:
    """Return layers that tell what the picture shows, and the cells that they cover."""
    cells = list(sample.shown)
    # Where the board is turned around for the other side, this finds it as the first one sees it.
    rows = np.flatnonzero(sample.sides == 0)
    shown = np.array([sample.shown[cell][rows] for cell in cells], object)
    contents = {piece for piece in shown.reshape(-1).tolist() if piece != ""}
    if not contents:
        return [], []
    if all(isinstance(piece, int) for piece in contents):
        return _number_layers(sample, shown, rows)
    bits, games = _bits(sample.columns, rows), sample.games[rows]
    found = []
    for pieces in _sets_of(sorted(map(str, contents)), game.rules.constant("PIECES")):
        targets = np.isin(shown.astype(str), pieces)
        slots: Slots = []
        for target in targets:
            # In few games, another bit may have changed at the same time.
            often = len(np.unique(games[target])) >= _MIN_GAMES
            slots.append(bits.get(target.tobytes()) if often else None)
        if any(slots):
            found.append(_Candidate(slots, targets))
    chosen = _choose([_complete(one, found, sample, rows) for one in found], shown.astype(str))
    keep = [n for n in range(len(cells)) if chosen and all(one.slots[n] for one in chosen)]
    layers = [Layer(tuple(slot for n in keep if (slot := one.slots[n])), 1) for one in chosen]
    return (layers, [cells[n] for n in keep]) if keep else ([], [])


def _sets_of(pieces: Sequence[str], looks: Any) -> list[list[str]]:
    """Return sets of pieces that a game may store together, small ones first."""
    if len(pieces) <= _FEW_PIECES:
        sizes = range(1, len(pieces) + 1)
        return [list(one) for size in sizes for one in combinations(pieces, size)]
    sides: dict[Any, list[str]] = {None: list(pieces)}
    shapes: dict[str, list[str]] = {}
    for piece in pieces:
        side, shape = looks.get(piece, (None, piece))[:2]
        if side is not None:
            sides.setdefault(side, []).append(piece)
        shapes.setdefault(str(shape), []).append(piece)
    found: set[tuple[str, ...]] = {(piece,) for piece in pieces}
    kinds = sorted(shapes)[:_MAX_SHAPES]
    for size in range(1, len(kinds) + 1):
        for some in combinations(kinds, size):
            for mine in sides.values():
                found.add(
                    tuple(p for p in pieces if p in mine and any(p in shapes[k] for k in some))
                )
    return sorted((list(one) for one in found if one), key=lambda one: (len(one), one))


@dataclass(frozen=True)
class _Candidate:
    """A layer that may be chosen: the slots that were found for cells, and what they must hold."""

    slots: Slots
    targets: NDArray[np.bool_]

    @property
    def coverage(self) -> int:
        """The number of cells with a slot."""
        return sum(slot is not None for slot in self.slots)


def _choose(found: Sequence[_Candidate], shown: NDArray[np.str_]) -> list[_Candidate]:
    """Return layers until they tell the contents, those that cover most cells first."""
    ranked = sorted(found, key=lambda one: -one.coverage)
    _, contents = np.unique(shown, return_inverse=True)
    contents = contents.reshape(shown.shape)
    codes = np.zeros(shown.shape, np.int64)
    chosen: list[_Candidate] = []
    classes = 1
    for one in ranked:
        if one.coverage < _MIN_COVERAGE * ranked[0].coverage:
            break
        refined = 2 * codes + one.targets
        more = len(np.unique(refined))
        if more > classes:
            codes, classes = refined, more
            chosen.append(one)
        if len(np.unique(codes * (contents.max() + 1) + contents)) == classes:
            break
    return chosen


def _complete(
    one: _Candidate, found: Sequence[_Candidate], sample: Sample, rows: NDArray[np.int64]
) -> _Candidate:
    """Fill in cells that were seldom seen, where another layer stores cells in the same order."""
    filled = list(one.slots)
    for other in found:
        pairs = [(a, b) for a, b in zip(one.slots, other.slots, strict=True) if a and b]
        offsets = {_offset(a, b) for a, b in pairs}
        if other is one or len(offsets) != 1:
            continue
        ((field, element, shift),) = offsets
        for n, slot in enumerate(other.slots):
            if filled[n] is None and slot is not None and len(slot.element) == len(element):
                moved = tuple(a + b for a, b in zip(slot.element, element, strict=True))
                guess = Slot(field, moved, slot.shift + shift, slot.equals)
                if _holds(guess, one.targets[n], sample, rows):
                    filled[n] = guess
    return _Candidate(filled, one.targets)


def _holds(slot: Slot, target: NDArray[np.bool_], sample: Sample, rows: NDArray[np.int64]) -> bool:
    """Whether a slot holds the target in all positions."""
    column = sample.columns.get(slot[:2])
    if column is None or not (slot.equals or 0 <= slot.shift < 64):
        return False
    return bool((read_slot(column[rows], slot, 1) == target).all())


def _offset(one: Slot, other: Slot) -> tuple[str, tuple[int, ...], int]:
    if len(one.element) != len(other.element) or one.equals != other.equals:
        return "", (), 0
    steps = tuple(a - b for a, b in zip(one.element, other.element, strict=True))
    return one.field, steps, one.shift - other.shift


def _number_layers(
    sample: Sample, shown: NDArray[Any], rows: NDArray[np.int64]
) -> tuple[list[Layer], list[str]]:
    """Return the layer of a board whose cells hold numbers."""
    numbers = np.where(shown == "", 0, shown).astype(np.int64)
    for width in _WIDTHS:
        values: dict[bytes, Slot] = {}
        for (field, element), column in sample.columns.items():
            for shift in range(64 - width + 1):
                part = column[rows] >> np.uint64(shift) & np.uint64((1 << width) - 1)
                values.setdefault(part.astype(np.int64).tobytes(), Slot(field, element, shift))
        slots = {
            cell: values[row.tobytes()]
            for cell, row in zip(sample.shown, numbers, strict=True)
            if row.any() and row.tobytes() in values
        }
        if 2 * len(slots) > len(numbers):
            return [Layer(tuple(slots.values()), (1 << width) - 1)], list(slots)
    return [], []


def _bit_layers(sample: Sample) -> tuple[list[Layer], list[str]]:
    """Return the layer of a game without a picture: a cell for each bit."""
    found = _bits(sample.columns, np.arange(len(sample.sides))).values()
    slots = [slot for slot in found if not slot.equals][:_MAX_CELLS]
    names = [".".join(map(str, (slot.field, *slot.element, slot.shift))) for slot in slots]
    return ([Layer(tuple(slots), 1)] if slots else []), names


def _codes(layers: Sequence[Layer], sample: Sample) -> NDArray[np.int64]:
    """Return the combination of the layers' values: a row for each cell."""
    codes, unit = np.zeros((len(layers[0].slots), len(sample.sides)), np.int64), 1
    for layer in layers:
        codes += unit * sample.values(layer)
        unit *= layer.mask + 1
    return codes


def _belongs_to_players(codes: NDArray[np.int64], cells: Sequence[str], sample: Sample) -> bool:
    """Whether a code stands for the same pieces when the other side is to move.

    If not, it stands for pieces of the side to move, perhaps on a board that is turned around.
    """
    if not all(cell in sample.shown for cell in cells):
        return False
    shown = np.array([sample.shown[cell] for cell in cells], object).astype(str)
    meanings: list[set[tuple[int, str]]] = []
    for side in (0, 1):
        rows = sample.sides == side
        pairs = zip(
            codes[:, rows].reshape(-1).tolist(), shown[:, rows].reshape(-1).tolist(), strict=True
        )
        meanings.append(set(pairs))
    known = {code for code, _ in meanings[0]}
    return {one for one in meanings[1] if one[0] in known} <= meanings[0]


def _digits(layers: Sequence[Layer], codes: NDArray[np.int64]) -> tuple[int, ...]:
    """Return the digit of each combination: 0 for the most frequent one, and so on."""
    total = int(np.prod([layer.mask + 1 for layer in layers], dtype=np.int64))
    counts = np.bincount(codes.reshape(-1), minlength=total)
    if len(layers) == 1 and layers[0].mask > 1:  # a number
        largest = min(MAX_DIGIT, int(np.flatnonzero(counts).max()))
        return tuple(min(number, largest) for number in range(total))
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda code: (-counts[code], code))
    digits = [0] * total
    for digit, code in enumerate(order):
        digits[code] = min(digit, MAX_PIECES)
    return tuple(digits)

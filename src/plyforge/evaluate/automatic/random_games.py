"""Positions of random games, with their fields as columns of integers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.randomness import Stream
from plyforge.evaluate.automatic.layout import Layer, Slot
from plyforge.game.game import Game
from plyforge.game.random_games import play_random_games

POSITIONS: Final = 3000
_MAX_PLIES: Final = 300

Element = tuple[str, tuple[int, ...]]
"""A field, and the indices of an element if it is an array."""
Columns = dict[Element, NDArray[np.uint64]]
"""The integers of positions that change, as 64-bit words."""


@dataclass(frozen=True)
class Sample:
    """Positions of random games."""

    games: NDArray[np.int64]
    """The number of the game of each position."""
    sides: NDArray[np.int64]
    """Who is to move."""
    shown: dict[str, NDArray[Any]]
    """What the picture shows on each cell: letters of pieces, or numbers."""
    columns: Columns

    def values(self, layer: Layer) -> NDArray[np.int64]:
        """Return the values of a layer: a row for each cell, a column for each position."""
        return np.array(
            [read_slot(self.columns[slot[:2]], slot, layer.mask) for slot in layer.slots]
        )


def cells_of(game: Game) -> dict[str, Any]:
    """Return the places of the cells that pieces can be on, by name."""
    if "pieces" not in game.rules.hooks or "geometry" not in game.rules.hooks:
        return {}
    return dict(game.rules.hooks["geometry"](game.initial()).cells)


def play_games(game: Game, seed: int) -> Sample:
    """Play random games until there are enough positions."""
    stream = Stream(seed).split("automatic evaluation")
    played = [
        one
        for one in play_random_games(game, POSITIONS, _MAX_PLIES, stream.choice)
        if not one.ended
    ]
    show, cells = game.rules.hooks.get("pieces"), cells_of(game)
    positions = [one.position for one in played]
    pictures = [show(position) for position in positions] if show else []
    return Sample(
        np.array([one.game for one in played], np.int64),
        np.array([one.side for one in played], np.int64),
        {cell: np.array([one.get(cell, "") for one in pictures], object) for cell in cells},
        dict(_columns(positions)),
    )


def _columns(positions: Sequence[Any]) -> Iterator[tuple[Element, NDArray[np.uint64]]]:
    """Yield the integers of positions that change."""
    for field in positions[0]._fields if positions else ():
        values = [getattr(position, field) for position in positions]
        shape = np.shape(values[0])
        if len(shape) > 2 or any(np.shape(value) != shape for value in values):
            continue
        numbers = np.array([np.asarray(value).reshape(-1) for value in values])
        if numbers.dtype.kind not in "iub":
            continue
        for place, column in enumerate(numbers.T):
            if (column != column[0]).any():
                indices = np.unravel_index(place, shape) if shape else ()
                wide = np.uint64 if column.dtype == np.uint64 else np.int64
                element = tuple(int(index) for index in indices)
                yield (field, element), column.astype(wide).view(np.uint64)


def read_slot(column: NDArray[np.uint64], slot: Slot, mask: int) -> NDArray[np.int64]:
    """Return the values of a slot."""
    if slot.equals:
        equal: NDArray[np.int64] = (column.view(np.int64) == slot.shift).astype(np.int64)
        return equal
    return (column >> np.uint64(slot.shift) & np.uint64(mask)).astype(np.int64)

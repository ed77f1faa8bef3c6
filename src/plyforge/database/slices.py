"""Slices: the parts of a database, each with the values of all positions of one kind."""

from dataclasses import dataclass
from typing import Any

from plyforge.core.errors import GameFileError, PlyforgeError, clip
from plyforge.core.ranking import MAX_CODE, MAX_PLACES, SLICE_SHIFT
from plyforge.game.game import Game


@dataclass(frozen=True)
class Slice:
    """The positions of one kind, such as two kings against one."""

    name: str
    code: int
    size: int
    """The number of places, of which some may stand for no position."""

    def number(self, place: int) -> int:
        """Return the number of a position, as `index` gives it."""
        return self.code << SLICE_SHIFT | place


class SliceError(PlyforgeError):
    """A slice that a game does not have."""


def has_index(game: Game) -> bool:
    """Whether positions of a game can be numbered."""
    return "index" in game.rules.hooks


def require_index(game: Game) -> None:
    """Raise an error if positions of a game cannot be numbered."""
    if not has_index(game):
        raise SliceError(
            f"{game.name} has no database: its file defines neither 'slices', 'index' and"
            " 'unindex', nor pieces on a board from which they can be derived"
        )


def find_slices(game: Game, text: str, position: Any = None) -> list[Slice]:
    """Return the slices that a text names, or the slice of a position for an empty text."""
    require_index(game)
    root = game.initial() if position is None else position
    try:
        found = game.rules.hooks["slices"](root, text)
    except ValueError as error:
        raise SliceError(f"slice '{clip(text)}' of {game.name}: {error}") from None
    with game.rules.blame("slices"):
        slices = [Slice(str(name), int(code), int(size)) for name, (code, size) in found.items()]
    for one in slices:
        if not (0 <= one.code <= MAX_CODE and 0 < one.size <= MAX_PLACES):
            raise GameFileError(
                f"{game.rules.file}: 'slices' gave {one.name} the code {one.code} and the size"
                f" {one.size}; a code must be at most {MAX_CODE}, a size between 1 and {MAX_PLACES}"
            )
        if not one.name or not all(c.isalnum() or c in "-_+" for c in one.name):
            raise GameFileError(
                f"{game.rules.file}: 'slices' gave the name {clip(repr(one.name))}; it must consist"
                " of letters, digits, '-', '_' and '+', because files are named after it"
            )
    return slices


def slice_of(game: Game, position: Any) -> Slice | None:
    """Return the slice of a position; None if it belongs to none."""
    if number_of(game, position) < 0:
        return None
    return find_slices(game, "", position)[0]


def number_of(game: Game, position: Any) -> int:
    """Return the number of a position; -1 if it belongs to no slice."""
    with game.rules.blame("index"):
        return int(game.call_hook("index", position))


def position_at(game: Game, number: int) -> Any:
    """Return the position with a number; None if there is none."""
    with game.rules.blame("unindex"):
        root = game.initial()
        position = game.position_type.cast(game.call_hook("unindex", root, number))
    return position if number_of(game, position) == number else None

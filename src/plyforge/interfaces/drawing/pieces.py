"""Side and shape of each piece: from the `PIECES` of the game, or guessed from its letter.

A shape is drawn around (0, 0) in a cell of 100 by 100.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from plyforge.game.base import BaseGame
from plyforge.interfaces.drawing.chessmen import CHESSMEN
from plyforge.interfaces.drawing.svg import element, picture, text

COLOURS: Final = ("white", "black", "red", "blue", "yellow", "green")
_PLAIN_COLOURS: Final = ("light", "dark")
"""Colours of players whose names are not colours."""
_EMPTY: Final = ("", " ", ".", None)
"""Values that mean an empty cell."""
_MARKS: Final = {"x": "cross", "o": "nought"}
_CELL: Final = 100.0
_STONE_RADIUS: Final = 38
_NAMES: Final = {"disc": "man", "crowned": "king"}
"""Shapes whose pieces have another name."""


@dataclass(frozen=True)
class Look:
    """The look of a piece: its letter or number, its side (if any) and its shape."""

    letter: str
    side: int | None
    shape: str

    def describe(self, players: tuple[str, str]) -> str:
        """Describe the piece in words, such as `White knight`."""
        if self.side is not None and (
            self.shape in ("cross", "nought") or self.letter == players[self.side]
        ):
            return players[self.side]
        has_letter = self.shape in ("letter", "number")
        name = self.letter if has_letter else _NAMES.get(self.shape, self.shape)
        return name if self.side is None else f"{players[self.side]} {name}"


@lru_cache(256)
def colours(players: tuple[str, str]) -> tuple[str, str]:
    """Return the colours of the sides: those in their names, else light and dark.

    >>> colours(("Black", "White")), colours(("Anna", "Ben"))
    (('black', 'white'), ('light', 'dark'))
    """
    first, second = (_colour(name, side) for side, name in enumerate(players))
    return (first, second) if first != second else _PLAIN_COLOURS


def _colour(name: str, side: int) -> str:
    word = name.strip().lower()
    return word if word in COLOURS else _PLAIN_COLOURS[side]


def occupied_cells(pieces: Mapping[str, Any]) -> dict[str, str]:
    """Return the occupied cells and their pieces."""
    return {cell: str(piece) for cell, piece in pieces.items() if piece not in _EMPTY}


def looks(game: BaseGame, pieces: Iterable[str]) -> dict[str, Look]:
    """Return the look of each piece of a position."""
    declared: dict[str, tuple[int | None, str]] = game.rules.constant("PIECES")
    distinct = set(pieces)
    guess = _Guess.of(game.players, {piece for piece in distinct if not _is_number(piece)})
    return {
        piece: _declared_look(piece, *declared[piece], game.players)
        if piece in declared
        else Look(piece, None, "number")
        if _is_number(piece)
        else guess.look(piece)
        for piece in distinct
    }


@lru_cache(256)
def _declared_look(piece: str, side: int | None, shape: str, players: tuple[str, str]) -> Look:
    """Return the look of a piece in `PIECES`; a stone of a side named X shows an X."""
    named = shape == "stone" and side is not None and players[side] == piece
    return Look(piece, side, "letter" if named else shape)


def _is_number(piece: str) -> bool:
    try:
        float(piece)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class _Guess:
    """A guess at what the letters of a game without `PIECES` mean.

    Initials of the players' names, X and O belong to a side. If there are other letters on the
    board, and some in both cases, upper and lower case are the two sides, as in chess.
    """

    sides: dict[str, int]
    coloured: bool
    """Whether the names of both sides are colours."""
    both_cases: bool
    by_case: bool

    @classmethod
    def of(cls, players: tuple[str, str], letters: set[str]) -> "_Guess":
        first, second = (name[:1].lower() for name in players)
        initials = {first: 0, second: 1} if first != second else {}
        sides = {"x": 0, "o": 1} | initials
        both_cases = any(letter.lower() in letters - {letter} for letter in letters)
        all_known = all(letter.lower() in sides for letter in letters)
        coloured = set(colours(players)) <= set(COLOURS)
        return cls(sides, coloured, both_cases, both_cases and not all_known)

    def look(self, letter: str) -> Look:
        lower = letter.lower()
        if self.by_case:
            case = 0 if letter[0].isupper() else 1 if letter[0].islower() else None
            return Look(letter, case, "letter")
        side = self.sides.get(lower)
        if side is None:
            return Look(letter, None, "letter")
        if self.both_cases:
            return Look(letter, side, "disc" if letter == lower else "crowned")
        is_mark = lower in _MARKS and not self.coloured
        return Look(letter, side, _MARKS[lower] if is_mark else "stone")


def draw_piece(look: Look) -> str:
    """Draw the shape of a piece."""
    return _SHAPES[look.shape](look)


def colour_of(look: Look, players: tuple[str, str]) -> str:
    """Return the CSS class for the colour of a piece."""
    return "neutral" if look.side is None else colours(players)[look.side]


def symbol(look: Look, players: tuple[str, str]) -> str:
    """Draw a single piece as a picture of one cell, for a palette of pieces."""
    half = _CELL / 2
    return picture(
        element("g", draw_piece(look), class_=f"piece {colour_of(look, players)}"),
        (-half, -half, _CELL, _CELL),
        class_="board squares symbol",
        label=look.describe(players),
        standalone=False,
        role="img",
    )


def _stone(look: Look) -> str:
    return element("circle", r=_STONE_RADIUS) + element(
        "ellipse", cx=-11, cy=-14, rx=13, ry=9, class_="shine"
    )


def _disc(look: Look) -> str:
    rims = (element("circle", r=radius, class_="detail") for radius in (29, 20))
    return element("circle", r=_STONE_RADIUS) + "".join(rims)


def _crowned(look: Look) -> str:
    crown = "M-19 14 L-23 -12 L-10 0 L0 -19 L10 0 L23 -12 L19 14 Z"
    return (
        element("circle", r=_STONE_RADIUS)
        + element("circle", r=31, class_="detail")
        + element("path", d=crown, class_="crown")
    )


def _cross(look: Look) -> str:
    return element("path", d="M-27 -27 L27 27 M27 -27 L-27 27", class_="mark")


def _nought(look: Look) -> str:
    return element("circle", r=29, class_="mark")


def _chessman(look: Look) -> str:
    return CHESSMEN[look.shape]


def _letter(look: Look) -> str:
    return element("circle", r=_STONE_RADIUS) + _inscription(look, "letter")


def _number(look: Look) -> str:
    return _inscription(look, "number")


def _inscription(look: Look, class_: str) -> str:
    """Write the letter of a piece; long texts get a smaller font."""
    size = "" if len(look.letter) <= 2 else " long"
    return text(look.letter, 0, 0, class_ + size)


_SHAPES: Final[dict[str, Callable[[Look], str]]] = {
    "stone": _stone,
    "disc": _disc,
    "crowned": _crowned,
    "cross": _cross,
    "nought": _nought,
    "letter": _letter,
    "number": _number,
    **dict.fromkeys(CHESSMEN, _chessman),
}

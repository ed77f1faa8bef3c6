"""How a piece looks: its side and shape from the game's `PIECES`, or the best guess.

A shape is drawn around (0, 0) in a cell of 100 by 100.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from plyforge.game.base import BaseGame
from plyforge.interfaces.drawing.chessmen import CHESSMEN
from plyforge.interfaces.drawing.svg import element, picture, text

COLOURS: Final = ("white", "black", "red", "blue", "yellow", "green")
_PLAIN_COLOURS: Final = ("light", "dark")
"""For players that are not called by a colour."""
_NOTHING: Final = ("", " ", ".", None)
"""What a game may say of an empty cell."""
_MARKS: Final = {"x": "cross", "o": "nought"}
_CELL: Final = 100.0
_STONE_RADIUS: Final = 38
_NAMES: Final = {"disc": "man", "crowned": "king"}
"""What a shape is called, where that is not its own name."""


@dataclass(frozen=True)
class Look:
    """A piece: its letter or number, its side if it has one, its shape."""

    letter: str
    side: int | None
    shape: str

    def told(self, players: tuple[str, str]) -> str:
        """In words, as `White knight`."""
        if self.side is not None and self.shape in ("cross", "nought"):
            return players[self.side]
        plain = self.shape in ("letter", "number")
        what = self.letter if plain else _NAMES.get(self.shape, self.shape)
        return what if self.side is None else f"{players[self.side]} {what}"


def colours(players: tuple[str, str]) -> tuple[str, str]:
    """The sides' colours: those they are called by, else light and dark.

    >>> colours(("Black", "White")), colours(("Anna", "Ben"))
    (('black', 'white'), ('light', 'dark'))
    """
    first, second = (_colour(name, side) for side, name in enumerate(players))
    return (first, second) if first != second else _PLAIN_COLOURS


def _colour(name: str, side: int) -> str:
    word = name.strip().lower()
    return word if word in COLOURS else _PLAIN_COLOURS[side]


def standing(pieces: Mapping[str, Any]) -> dict[str, str]:
    """What really stands on the board: cells that a game calls empty are left out."""
    return {cell: str(piece) for cell, piece in pieces.items() if piece not in _NOTHING}


def looks(game: BaseGame, pieces: Iterable[str]) -> dict[str, Look]:
    """How each piece of a position looks."""
    told: dict[str, tuple[int | None, str]] = game.rules.constant("PIECES")
    found = set(pieces)
    guess = _Guess.of(game.players, {piece for piece in found if not _is_number(piece)})
    return {
        piece: Look(piece, *told[piece])
        if piece in told
        else Look(piece, None, "number")
        if _is_number(piece)
        else guess.look(piece)
        for piece in found
    }


def _is_number(piece: str) -> bool:
    try:
        float(piece)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class _Guess:
    """What letters mean in a game that does not tell.

    Initials of the players' names, X and O belong to a side.  Where other letters stand on the
    board, too, and some of them in both cases, the case tells the side as in chess.
    """

    sides: dict[str, int]
    coloured: bool
    """Whether both sides are called by a colour."""
    both_cases: bool
    by_case: bool

    @classmethod
    def of(cls, players: tuple[str, str], letters: set[str]) -> "_Guess":
        first, second = (name[:1].lower() for name in players)
        initials = {first: 0, second: 1} if first != second else {}
        sides = {"x": 0, "o": 1} | initials
        both_cases = any(letter.lower() in letters - {letter} for letter in letters)
        known = all(letter.lower() in sides for letter in letters)
        coloured = set(colours(players)) <= set(COLOURS)
        return cls(sides, coloured, both_cases, both_cases and not known)

    def look(self, letter: str) -> Look:
        small = letter.lower()
        if self.by_case:
            case = 0 if letter[0].isupper() else 1 if letter[0].islower() else None
            return Look(letter, case, "letter")
        side = self.sides.get(small)
        if side is None:
            return Look(letter, None, "letter")
        if self.both_cases:
            return Look(letter, side, "disc" if letter == small else "crowned")
        marked = small in _MARKS and not self.coloured
        return Look(letter, side, _MARKS[small] if marked else "stone")


def drawn(look: Look) -> str:
    """A piece's shape."""
    return _SHAPES[look.shape](look)


def colour_of(look: Look, players: tuple[str, str]) -> str:
    """The class of a piece that gives it its side's colour."""
    return "neutral" if look.side is None else colours(players)[look.side]


def symbol(look: Look, players: tuple[str, str]) -> str:
    """A piece by itself, as a picture of one cell: for a choice of pieces."""
    half = _CELL / 2
    return picture(
        element("g", drawn(look), class_=f"piece {colour_of(look, players)}"),
        (-half, -half, _CELL, _CELL),
        class_="board squares symbol",
        label=look.told(players),
        alone=False,
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
    """Long texts are written smaller."""
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

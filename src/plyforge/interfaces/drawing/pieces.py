"""How a piece looks: its side and shape from the game's `PIECES`, or the best guess.

A shape is drawn around (0, 0) in a cell of 100 by 100.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from plyforge.core.game import Game
from plyforge.interfaces.drawing.chessmen import CHESSMEN
from plyforge.interfaces.drawing.svg import element, text

COLOURS: Final = ("white", "black", "red", "blue", "yellow", "green")
_PLAIN_COLOURS: Final = ("light", "dark")
"""For players that are not called by a colour."""
_NOTHING: Final = ("", " ", ".", None)
"""What a game may say of an empty cell."""
_MARKS: Final = ("x", "o")
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


def standing(pieces: dict[str, Any]) -> dict[str, Any]:
    """What really stands on the board: cells that a game calls empty are left out."""
    return {cell: piece for cell, piece in pieces.items() if piece not in _NOTHING}


def looks(game: Game, pieces: Iterable[Any]) -> dict[Any, Look]:
    """How each piece of a position looks."""
    told: dict[str, tuple[int | None, str]] = game.rules.constant("PIECES")
    found = set(pieces)
    guess = _guess(game, {str(piece) for piece in found if not _is_number(piece)})
    return {
        piece: Look(str(piece), *told[piece]) if piece in told else _untold(piece, guess)
        for piece in found
    }


Guess = Callable[[str], tuple[int | None, str]]


def _untold(piece: Any, guess: Guess) -> Look:
    if _is_number(piece):
        return Look(str(piece), None, "number")
    return Look(str(piece), *guess(str(piece)))


def _is_number(piece: Any) -> bool:
    try:
        float(piece)
    except (TypeError, ValueError):
        return False
    return True


def _guess(game: Game, letters: set[str]) -> Guess:
    """What letters mean in a game that does not tell: a player's initial, X and O, upper case
    and lower case; any other is a letter of no side."""
    initials = [name[:1].lower() for name in game.players]
    distinct = initials[0] != initials[1]
    lower = {letter.lower() for letter in letters}
    both_cases = any(letter != letter.lower() and letter.lower() in letters for letter in letters)
    by_case = both_cases and not (distinct and lower <= set(initials))
    marks = "stone" if set(colours(game.players)) <= set(COLOURS) else ""

    def guess(letter: str) -> tuple[int | None, str]:
        small = letter.lower()
        if by_case:
            return (0 if letter != small else 1), "letter"
        if distinct and small in initials and not (small in _MARKS and not marks):
            crowned = both_cases and letter != small
            return initials.index(
                small
            ), "crowned" if crowned else "disc" if both_cases else "stone"
        if small in _MARKS:
            side = _MARKS.index(small)
            return side, marks or ("cross", "nought")[side]
        return None, "letter"

    return guess


def drawn(look: Look) -> str:
    """A piece's shape."""
    return _SHAPES[look.shape](look)


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

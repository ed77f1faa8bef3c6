"""How things show themselves in a notebook: as SVG or HTML text.

Who draws them lies in a layer above, which this one must not import: it is found by its name, as a
game is, and only when something is to be shown.
"""

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.game.base import BaseGame

_DRAWER: Final = "plyforge.interfaces.notebook"


def render(thing: object) -> str:
    """A thing as SVG or HTML text, whichever its kind has."""
    text: str = importlib.import_module(_DRAWER).render(thing)
    return text


@dataclass(frozen=True)
class Picture:
    """A board: shows itself in a notebook, and can be saved."""

    game: BaseGame
    position: Any
    last: tuple[str, ...] = ()
    """The cells of the last move, which are marked."""
    arrows: tuple[tuple[str, str, int], ...] = ()
    """From a cell to a cell (a ring if they are one), and the rank: 0 is the strongest."""

    def _repr_svg_(self) -> str:
        return render(self)

    @property
    def svg(self) -> str:
        """The picture as SVG text that stands alone."""
        return render(self)

    def save(self, path: str | Path) -> None:
        """Write an SVG file."""
        file = Path(path)
        if file.suffix.lower() != ".svg":
            raise PlyforgeError(f"'{clip(str(file))}': a picture is SVG; name it .svg")
        try:
            file.write_text(self.svg, encoding="utf-8", newline="\n")
        except OSError as error:
            told = clip(str(file))
            raise PlyforgeError(f"'{told}' cannot be written: {error.strerror}") from error

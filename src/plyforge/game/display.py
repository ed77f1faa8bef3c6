"""The display of objects in a notebook, as SVG or HTML text.

The renderer is in a layer above, which this one must not import; it is imported by name when
a value is displayed.
"""

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.core.writing import write_atomically
from plyforge.game.base import BaseGame

_RENDERER: Final = "plyforge.interfaces.notebook"


def render(value: object) -> str:
    """Return an object as SVG or HTML text, depending on its type."""
    text: str = importlib.import_module(_RENDERER).render(value)
    return text


@dataclass(frozen=True)
class Picture:
    """A picture of a board, which a notebook displays and `save` writes to a file."""

    game: BaseGame
    position: Any
    last: tuple[str, ...] = ()
    """The cells to mark as those of the last move."""
    arrows: tuple[tuple[str, str, int], ...] = ()
    """Triples of two cells (a ring if they are equal) and a rank, 0 for the strongest."""

    def _repr_svg_(self) -> str:
        return render(self)

    @property
    def svg(self) -> str:
        """The picture as the text of an SVG file."""
        return render(self)

    def save(self, path: str | Path) -> None:
        """Write an SVG file."""
        file = Path(path)
        if file.suffix.lower() != ".svg":
            raise PlyforgeError(f"'{clip(str(file))}': the name of a picture must end in .svg")
        write_atomically(file, self.svg.encode())

"""What all pictures have in common: colours, axes, files."""

import io
from pathlib import Path
from typing import Any, Final

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from plyforge.core.errors import PlyforgeError

INK: Final = "#1f4e79"
ACCENT: Final = "#b4540a"
_CANVASES: Final = {".png": FigureCanvasAgg, ".svg": FigureCanvasSVG}


def figure(width: float, height: float) -> Figure:
    """A figure without pyplot: no window system is asked for, and no global state is left."""
    return Figure(figsize=(width, height), dpi=120, layout="constrained")


def tidy(axes: Any, grid: str = "y") -> None:
    """Axes with no more ink than they need."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)


def save(picture: Figure, path: Path) -> None:
    """Write a .png or .svg; the same picture gives the same file."""
    try:
        _print(picture, path, path.suffix.lower())
    except OSError as error:
        raise PlyforgeError(f"plot '{path}' cannot be written: {error.strerror}") from error


def svg(picture: Figure) -> bytes:
    """A picture as the bytes of an SVG file."""
    out = io.BytesIO()
    _print(picture, out, ".svg")
    return out.getvalue()


def _print(picture: Figure, to: Path | io.BytesIO, kind: str) -> None:
    metadata: dict[str, Any] = {"Date": None} if kind == ".svg" else {}
    canvas = _CANVASES[kind](picture)
    with rc_context({"svg.hashsalt": "plyforge"}):
        canvas.print_figure(to, format=kind[1:], metadata=metadata)

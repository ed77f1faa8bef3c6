"""Colours, axes and files that all plots share."""

import io
import re
from pathlib import Path
from typing import Any, Final

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from plyforge.core.errors import PlyforgeError
from plyforge.core.writing import write_atomically

INK: Final = "#1f4e79"
ACCENT: Final = "#b4540a"
_CANVASES: Final = {".png": FigureCanvasAgg, ".svg": FigureCanvasSVG}
_SVG_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "plyforge",
    "svg.fonttype": "none",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
}
"""Keep text as text, and give elements the same ids in every run."""
_INDENTATION: Final = re.compile(rb"\n +")
_NO_ROTATION: Final = re.compile(rb' transform="rotate\(-?0 [^"]*"')
_COORDINATES: Final = re.compile(rb' (?:d|x|y)="[^"]*"')
_DECIMALS: Final = re.compile(rb"(\.\d\d)\d+")


def figure(width: float, height: float) -> Figure:
    """Make a figure without pyplot, which needs a window system and keeps global state."""
    return Figure(figsize=(width, height), dpi=120, layout="constrained")


def tidy(axes: Any, grid: str = "y") -> None:
    """Remove the frame from the axes and add a light grid."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)


def save(picture: Figure, path: Path) -> None:
    """Write a .png or .svg file; the same picture gives the same file."""
    kind = path.suffix.lower()
    try:
        write_atomically(path, svg(picture) if kind == ".svg" else _render(picture, kind))
    except PlyforgeError as error:
        raise PlyforgeError(f"plot {error}") from error


def svg(picture: Figure) -> bytes:
    """Return the bytes of an SVG file."""
    with rc_context(_SVG_STYLE):
        return _shorten(_render(picture, ".svg", {"Date": None, "Creator": None}))


def _shorten(content: bytes) -> bytes:
    """Drop indentation, rotations by 0 degrees, and decimals too small to see."""
    for pattern, replacement in ((_INDENTATION, b"\n"), (_NO_ROTATION, b"")):
        content = pattern.sub(replacement, content)
    return _COORDINATES.sub(lambda match: _DECIMALS.sub(rb"\1", match.group()), content)


def _render(picture: Figure, kind: str, metadata: dict[str, Any] | None = None) -> bytes:
    out = io.BytesIO()
    _CANVASES[kind](picture).print_figure(out, format=kind[1:], metadata=metadata)
    return out.getvalue()

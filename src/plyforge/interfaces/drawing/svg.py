"""SVG as text: elements, numbers and escaping."""

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final
from xml.sax.saxutils import escape as _escape

_XMLNS: Final = "http://www.w3.org/2000/svg"
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not allow, even escaped."""
_QUOTES: Final = {'"': "&quot;", "'": "&#39;"}
_DECIMALS: Final = 2
_CACHE_SIZE: Final = 4096

Value = str | int | float | None


def escape(text: object) -> str:
    """Escape a text for an element or an attribute.

    >>> escape('<a href="x">')
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return _escape_cached(str(text))


@lru_cache(_CACHE_SIZE)
def _escape_cached(text: str) -> str:
    # Most texts are names of cells and classes, which every picture repeats.
    return _escape(_NOT_XML.sub("\ufffd", text), _QUOTES)


def number(value: float) -> str:
    """Format a coordinate with at most two decimals.

    >>> number(12.0), number(0.12345), number(-0.0001)
    ('12', '0.12', '0')
    """
    text = f"{value:.{_DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def points(places: list[tuple[float, float]]) -> str:
    """Format corners for the attribute `points`."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def element(tag: str, *content: str, **attributes: Value) -> str:
    """Return an SVG element; `class_` becomes `class`, and `data_cell` becomes `data-cell`.

    Attributes that are None are left out, and empty ones too, except `data-`.

    >>> element("g", element("circle", r=2.5), class_="piece", data_cell="e<4")
    '<g class="piece" data-cell="e&lt;4"><circle r="2.5"/></g>'
    """
    formatted = "".join([_attribute(name, value) for name, value in attributes.items()])
    text = "".join(content)
    return f"<{tag}{formatted}>{text}</{tag}>" if text else f"<{tag}{formatted}/>"


@lru_cache(maxsize=_CACHE_SIZE, typed=True)
def _attribute(name: str, value: Value) -> str:
    """Return an attribute; remembered, because the pictures of a game have mostly the same ones."""
    if value is None or (value == "" and not name.startswith("data_")):
        return ""
    text = number(value) if isinstance(value, float) else escape(value)
    return f' {name.rstrip("_").replace("_", "-")}="{text}"'


def text(content: object, x: float, y: float, class_: str) -> str:
    """Return a text element centred at a point."""
    return element("text", escape(content), x=float(x), y=float(y), class_=class_)


def title(content: object) -> str:
    """Return a title element, shown as a tooltip and read by screen readers."""
    return element("title", escape(content))


def picture(
    inside: str,
    box: tuple[float, float, float, float],
    *,
    class_: str,
    label: str,
    standalone: bool,
    scale: float = 1.0,
    role: str = "group",
) -> str:
    """Return the outermost element; `box` is left, top, width and height.

    A standalone picture has a size (`scale` pixels per unit), a background and the stylesheet.
    Otherwise the page provides these.
    """
    left, top, width, height = box
    background = ""
    if standalone:
        area = element("rect", x=left, y=top, width=width, height=height, class_="ground")
        background = element("style", escape(stylesheet())) + area
    return element(
        "svg",
        background + inside,
        xmlns=_XMLNS,
        class_=class_,
        viewBox=" ".join(map(number, box)),
        width=width * scale if standalone else None,
        height=height * scale if standalone else None,
        role=role,
        aria_label=label,
    )


@cache
def stylesheet() -> str:
    """Return the stylesheet of all drawings."""
    return files(__package__).joinpath("drawing.css").read_text(encoding="utf-8")

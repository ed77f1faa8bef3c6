"""SVG as text: elements, numbers and escaping."""

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final
from xml.sax.saxutils import escape as _escape

_XMLNS: Final = "http://www.w3.org/2000/svg"
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, even escaped."""
_QUOTES: Final = {'"': "&quot;", "'": "&#39;"}
_DECIMALS: Final = 2
_REMEMBERED: Final = 4096
"""Short texts whose escaped form is remembered."""

Value = str | int | float | None


def escape(text: object) -> str:
    """Text to stand in an element or an attribute.

    >>> escape('<a href="x">')
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return _escaped(str(text))


@lru_cache(_REMEMBERED)
def _escaped(text: str) -> str:
    # Most texts are names of cells and classes, which come again in every picture.
    return _escape(_NOT_XML.sub("\ufffd", text), _QUOTES)


def number(value: float) -> str:
    """A coordinate, as short as it can be.

    >>> number(12.0), number(0.12345), number(-0.0001)
    ('12', '0.12', '0')
    """
    text = f"{value:.{_DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def points(places: list[tuple[float, float]]) -> str:
    """Corners for `points=`."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def element(tag: str, *inside: str, **attributes: Value) -> str:
    """An element around SVG text; `class_` is the class, `data_cell` is `data-cell`.

    Attributes that are None are left out, and so are empty ones but for `data-`.

    >>> element("g", element("circle", r=2.5), class_="piece", data_cell="e<4")
    '<g class="piece" data-cell="e&lt;4"><circle r="2.5"/></g>'
    """
    told = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None and (value != "" or name.startswith("data_"))
    )
    content = "".join(inside)
    return f"<{tag}{told}>{content}</{tag}>" if content else f"<{tag}{told}/>"


def _value(value: str | int | float) -> str:
    return number(value) if isinstance(value, float) else escape(value)


def text(content: object, x: float, y: float, class_: str) -> str:
    """A short text around a point."""
    return element("text", escape(content), x=float(x), y=float(y), class_=class_)


def title(content: object) -> str:
    """What a pointer that rests on an element, or a screen reader, tells."""
    return element("title", escape(content))


def picture(
    inside: str,
    box: tuple[float, float, float, float],
    *,
    class_: str,
    label: str,
    alone: bool,
    scale: float = 1.0,
    role: str = "group",
) -> str:
    """The outermost element.  `box` is left, top, width and height.

    A picture that stands alone has a size (`scale` pixels to the unit), a ground and the
    stylesheet inside; in a page all three are the page's.
    """
    left, top, width, height = box
    ground = ""
    if alone:
        area = element("rect", x=left, y=top, width=width, height=height, class_="ground")
        ground = element("style", escape(stylesheet())) + area
    return element(
        "svg",
        ground + inside,
        xmlns=_XMLNS,
        class_=class_,
        viewBox=" ".join(map(number, box)),
        width=width * scale if alone else None,
        height=height * scale if alone else None,
        role=role,
        aria_label=label,
    )


@cache
def stylesheet() -> str:
    """The colours and lines of all drawings."""
    return files(__package__).joinpath("drawing.css").read_text(encoding="utf-8")

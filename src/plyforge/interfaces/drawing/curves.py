"""Curves over a common axis, such as the loss of two runs by games, as a line chart."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from plyforge.interfaces.drawing.svg import element, number, picture, text, title

COLOURS: Final = 8
DASHES: Final = 5
"""Colours and patterns of lines in the stylesheet."""
_LEFT: Final = 56.0
_RIGHT: Final = 18.0
_TOP: Final = 30.0
_BOTTOM: Final = 42.0
_RATIO: Final = 0.5
_MIN_HEIGHT: Final = 210.0
_MAX_HEIGHT: Final = 340.0
_X_SPACE: Final = 70.0
_Y_SPACE: Final = 44.0
"""Pixels between ticks, at least."""
_MAX_MARKED: Final = 40
"""Lines with more points are drawn without circles at the points."""
_MAX_VALUE: Final = 1e100
"""Values beyond it are drawn at the border."""
_FLAT: Final = 1e-9
"""A smaller range, as a share of the values, is drawn as a flat line."""
_STEPS: Final = (1.0, 2.0, 5.0)
_MARGIN: Final = 0.06
"""Space above and below the lines, as a share of their range."""


@dataclass(frozen=True)
class Line:
    """A line of a chart."""

    label: str
    points: Sequence[tuple[float, float]]
    style: str = "c0"
    """Classes of the stylesheet: a colour `c0`, and perhaps a pattern `d1`."""
    intervals: Sequence[tuple[float, float]] = ()
    """The interval at each point; empty for none."""


@dataclass(frozen=True)
class Axis:
    """What the values of a chart are: their name, and the range if it does not follow from them."""

    label: str
    limits: tuple[float, float] | None = None
    percent: bool = False
    reference: float | None = None
    """A value with a line of its own."""

    def text(self, value: float) -> str:
        """Return a value as a tick or a tooltip shows it."""
        return f"{100.0 * value:.3g} %" if self.percent else f"{value:.4g}"


def line_style(place: int) -> str:
    """Return the classes of the line at a place, so that the first forty can be told apart."""
    dash = place // COLOURS % DASHES
    return f"c{place % COLOURS}" + (f" d{dash}" if dash else "")


def value_range(lines: Sequence[Line]) -> tuple[float, float]:
    """Return a range with all points and intervals, and with 0 if it is near."""
    values = [y for line in lines for _, y in line.points]
    values += [limit for line in lines for pair in line.intervals for limit in pair]
    low = max(min(values, default=0.0), -_MAX_VALUE)
    high = min(max(values, default=1.0), _MAX_VALUE)
    size = max(abs(low), abs(high))
    if high - low <= _FLAT * size:
        margin = 0.1 * size if size > 1 / _MAX_VALUE else 1.0
        return low - margin, high + margin
    margin = _MARGIN * (high - low)
    return (
        0.0 if 0.0 <= low < high / 2 else low - margin,
        0.0 if low / 2 < high <= 0.0 else high + margin,
    )


def curves(lines: Sequence[Line], y_axis: Axis, x_axis: str = "games", width: float = 600.0) -> str:
    """Draw lines in a picture of a width in pixels; its text has the same size at any width.

    Each line is a `g.series` with its label as `data-line`.
    """
    height = min(max(_RATIO * width, _MIN_HEIGHT), _MAX_HEIGHT)
    low, high = y_axis.limits or value_range(lines)
    end = max((x for line in lines for x, _ in line.points), default=1.0) or 1.0
    scale = _Scale(end, low, high, width, height)
    return picture(
        "".join(
            [
                element("g", *_axes(scale, y_axis, x_axis), class_="axes"),
                *(_series(scale, line, y_axis, x_axis) for line in lines),
            ]
        ),
        (0.0, 0.0, width, height),
        class_="curves",
        label=f"{y_axis.label} by {x_axis}: {', '.join(line.label for line in lines)}",
        standalone=False,
        role="img",
    )


@dataclass(frozen=True)
class _Scale:
    """Converts values to coordinates."""

    end: float
    low: float
    high: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return self.height - _BOTTOM

    @property
    def right(self) -> float:
        return self.width - _RIGHT

    def x(self, value: float) -> float:
        return _LEFT + value / self.end * (self.right - _LEFT)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.bottom - min(max(share, 0.0), 1.0) * (self.bottom - _TOP)


def _axes(scale: _Scale, y_axis: Axis, x_axis: str) -> Iterator[str]:
    for value in ticks(scale.low, scale.high, int((scale.bottom - _TOP) / _Y_SPACE)):
        y = scale.y(value)
        class_ = "zero" if value == 0.0 else "grid"
        yield element("line", x1=_LEFT, y1=y, x2=scale.right, y2=y, class_=class_)
        yield text(y_axis.text(value), _LEFT - 8, y, "tick value")
    if y_axis.reference is not None:
        y = scale.y(y_axis.reference)
        yield element("line", x1=_LEFT, y1=y, x2=scale.right, y2=y, class_="reference")
    for value in ticks(0.0, scale.end, int((scale.right - _LEFT) / _X_SPACE)):
        yield text(f"{value:,.4g}" if value < 1 else f"{value:,.0f}", *_below(scale, value), "tick")
    yield text(y_axis.label, 4.0, _TOP / 2, "axis")
    yield text(x_axis, scale.right, scale.height - 12, "axis end")


def _below(scale: _Scale, value: float) -> tuple[float, float]:
    return scale.x(value), scale.bottom + 14


def ticks(low: float, high: float, count: int) -> list[float]:
    """Return round numbers in a range: about `count`, and not many more.

    >>> ticks(0.0, 300.0, 5), ticks(-1.2, 1.1, 4)
    ([0.0, 100.0, 200.0, 300.0], [-1.0, 0.0, 1.0])
    """
    rough = (high - low) / max(count, 1)
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next((one * unit for one in _STEPS if one * unit >= rough * (1 - 1e-9)), 10.0 * unit)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [place * step + 0.0 for place in range(first, last + 1)]


def _series(scale: _Scale, line: Line, y_axis: Axis, x_axis: str) -> str:
    marked = len(line.points) <= _MAX_MARKED and (bool(line.intervals) or len(line.points) < 3)
    path = "L".join(f"{number(scale.x(x))} {number(scale.y(y))}" for x, y in line.points)
    parts = [title(line.label)]
    if len(line.points) > 1:
        parts += [element("path", d=f"M{path}", class_=class_) for class_ in ("hit", "curve")]
    for (x, _), (low, high) in zip(line.points, line.intervals, strict=False):
        place = scale.x(x)
        parts.append(
            element("line", x1=place, y1=scale.y(low), x2=place, y2=scale.y(high), class_="bar")
        )
    if marked:
        for place, (x, y) in enumerate(line.points):
            tooltip = f"{line.label}, {x:,.0f} {x_axis}: {y_axis.text(y)}"
            if line.intervals:
                low, high = line.intervals[place]
                tooltip += f" ({y_axis.text(low)} to {y_axis.text(high)})"
            dot = element("circle", cx=scale.x(x), cy=scale.y(y), r=3.5, class_="dot")
            parts.append(element("g", title(tooltip), dot))
    return element("g", *parts, class_=f"series {line.style}", data_line=line.label)

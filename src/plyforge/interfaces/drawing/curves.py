"""Curves over a common axis, such as the loss of two runs by games, as a line chart."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from plyforge.interfaces.drawing.svg import element, number, picture, text, title

COLOURS: Final = 8
DASHES: Final = 5
"""Colours and patterns of lines in the stylesheet."""
_LEFT: Final = 56.0
_RIGHT: Final = 18.0
_TOP: Final = 34.0
_BOTTOM: Final = 42.0
_RATIO: Final = 0.5
_MIN_HEIGHT: Final = 210.0
_MAX_HEIGHT: Final = 340.0
_X_SPACE: Final = 56.0
_Y_SPACE: Final = 36.0
"""Pixels between ticks, at least."""
_MAX_MARKED: Final = 40
"""Lines with more points are drawn without circles at the points."""
_MAX_VALUE: Final = 1e100
"""Values beyond it are drawn at the border."""
_FLAT: Final = 1e-6
"""A smaller range, as a share of the values, is drawn as a flat line."""
_MIN_PLAIN: Final = 1e-4
_MAX_PLAIN: Final = 1e6
"""Outside of these, ticks are written with exponents."""
_STEPS: Final = (1.0, 2.0, 5.0, 10.0, 20.0)
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
    shift: float = 0.0
    """Pixels to the right, so that intervals of two lines at one place can be told apart."""


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
    clipped = [min(max(value, -_MAX_VALUE), _MAX_VALUE) for value in values]
    low, high = min(clipped, default=0.0), max(clipped, default=1.0)
    size = max(abs(low), abs(high))
    if high - low <= max(_FLAT * size, 1 / _MAX_VALUE):
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
    values = ticks(scale.low, scale.high, int((scale.bottom - _TOP) / _Y_SPACE))
    for value, label in zip(values, tick_texts(values), strict=True):
        y = scale.y(value)
        class_ = "zero" if value == 0.0 else "grid"
        yield element("line", x1=_LEFT, y1=y, x2=scale.right, y2=y, class_=class_)
        yield text(y_axis.text(value) if y_axis.percent else label, _LEFT - 8, y, "tick value")
    if y_axis.reference is not None:
        y = scale.y(y_axis.reference)
        yield element("line", x1=_LEFT, y1=y, x2=scale.right, y2=y, class_="reference")
    places = ticks(0.0, scale.end, int((scale.right - _LEFT) / _X_SPACE))
    for value, label in zip(places, tick_texts(places), strict=True):
        yield text(label, *_below(scale, value), "tick")
    yield text(y_axis.label, 4.0, _TOP / 2, "axis")
    yield text(x_axis, scale.right, scale.height - 12, "axis end")


def tick_texts(values: Sequence[float]) -> list[str]:
    """Return numbers at equal distances with as many decimals as they need to differ.

    >>> tick_texts([0.0, 0.05, 0.1]), tick_texts([0.0, 50000.0])
    (['0', '0.05', '0.10'], ['0', '50,000'])
    """
    step = min((after - before for before, after in pairwise(values)), default=1.0)
    if step < _MIN_PLAIN or max(map(abs, values), default=0.0) >= _MAX_PLAIN:
        return [f"{value:.4g}" for value in values]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return [f"{value:,.{decimals}f}" if value else "0" for value in values]


def _below(scale: _Scale, value: float) -> tuple[float, float]:
    return scale.x(value), scale.bottom + 14


def ticks(low: float, high: float, count: int) -> list[float]:
    """Return round numbers in a range: at most `count`, or one more rather than less than two.

    >>> ticks(0.0, 300.0, 5), ticks(-1.2, 1.1, 4), ticks(1.1, 1.9, 3)
    ([0.0, 100.0, 200.0, 300.0], [-1.0, 0.0, 1.0], [1.2, 1.4, 1.6, 1.8])
    """
    count = max(count, 2)
    unit = 10.0 ** math.floor(math.log10((high - low) / count))
    found: list[float] = []
    for step in (factor * unit for factor in _STEPS):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if found and last - first < 1:
            break
        if last - first <= count:
            found = [float(f"{place * step:.15g}") + 0.0 for place in range(first, last + 1)]
        if last - first < count:
            break
    return found


def _series(scale: _Scale, line: Line, y_axis: Axis, x_axis: str) -> str:
    marked = len(line.points) <= _MAX_MARKED and (bool(line.intervals) or len(line.points) < 3)
    places = [(scale.x(x) + line.shift, scale.y(y)) for x, y in line.points]
    path = "L".join(f"{number(x)} {number(y)}" for x, y in places)
    parts = [title(line.label)]
    if len(places) > 1:
        parts += [element("path", d=f"M{path}", class_=class_) for class_ in ("hit", "curve")]
    for (x, _), (low, high) in zip(places, line.intervals, strict=False):
        parts.append(element("line", x1=x, y1=scale.y(low), x2=x, y2=scale.y(high), class_="bar"))
    if marked:
        for index, (x, y) in enumerate(places):
            dot = element("circle", cx=x, cy=y, r=3.5, class_="dot")
            parts.append(element("g", title(_tooltip(line, index, y_axis, x_axis)), dot))
    return element("g", *parts, class_=f"series {line.style}", data_line=line.label)


def _tooltip(line: Line, place: int, y_axis: Axis, x_axis: str) -> str:
    x, y = line.points[place]
    value = y_axis.text(y)
    if line.intervals:
        low, high = line.intervals[place]
        value += f" ({y_axis.text(low)} to {y_axis.text(high)})"
    return f"{line.label}, {x:,.0f} {x_axis}: {value}"

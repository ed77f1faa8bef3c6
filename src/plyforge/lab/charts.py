"""Charts as data; `interfaces.plots.charts` draws them."""

from collections.abc import Sequence
from dataclasses import dataclass

from plyforge.lab.statistics import Estimate


@dataclass(frozen=True)
class Series:
    """A line of points; published ones are drawn in another style."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    published: bool = False
    origin: str = "published"
    """The word in parentheses after the label of a published series."""

    @classmethod
    def of(cls, label: str, points: Sequence[tuple[float, Estimate | None]]) -> "Series":
        """Make a series of points with intervals, without those that were not measured."""
        measured = [(x, estimate) for x, estimate in points if estimate is not None]
        return cls(
            label,
            tuple(x for x, _ in measured),
            tuple(estimate.value for _, estimate in measured),
            tuple(estimate.low for _, estimate in measured),
            tuple(estimate.high for _, estimate in measured),
        )


@dataclass(frozen=True)
class Chart:
    """Lines over numbers, or bars over names."""

    name: str
    """The last part of its file's name, without the ending."""
    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_names: tuple[str, ...] | None = None
    """With names, the x of a series are indices of names, and bars are drawn."""
    log_y: bool = False
    log_x: bool = False
    origin: float | None = None
    """The value that means no difference: a line is drawn there, and bars start from it."""
    points: bool = False
    """Draw points instead of bars, since many series take less space."""
    stacked: bool = False
    """Draw the bars of a name behind each other: the series are parts of a sum."""

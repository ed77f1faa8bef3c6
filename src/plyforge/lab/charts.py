"""Pictures as data; `interfaces.plots.charts` draws them."""

from collections.abc import Sequence
from dataclasses import dataclass

from plyforge.lab.statistics import Estimate


@dataclass(frozen=True)
class Series:
    """A line of points; a published one is drawn apart from ours."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    published: bool = False
    origin: str = "published"
    """What a series that is drawn apart is called."""

    @classmethod
    def of(cls, label: str, points: Sequence[tuple[float, Estimate | None]]) -> "Series":
        """Points with intervals; those that were not measured are left out."""
        there = [(x, estimate) for x, estimate in points if estimate is not None]
        return cls(
            label,
            tuple(x for x, _ in there),
            tuple(estimate.value for _, estimate in there),
            tuple(estimate.low for _, estimate in there),
            tuple(estimate.high for _, estimate in there),
        )


@dataclass(frozen=True)
class Chart:
    """Lines over numbers, or bars over names."""

    name: str
    """Of its file, without ending."""
    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_names: tuple[str, ...] | None = None
    """With names the x of a series count them from 0, and bars are drawn."""
    log_y: bool = False
    log_x: bool = False
    origin: float | None = None
    """A value that stands for no difference: a line is drawn there, and bars begin at it."""
    points: bool = False
    """Over names, points in place of bars: many series take less room."""

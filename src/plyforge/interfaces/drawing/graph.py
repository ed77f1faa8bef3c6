"""The evaluation over a game, as a line chart."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine import score_text
from plyforge.interfaces.drawing.svg import element, number, picture, text, title

_WIDTH: Final = 640.0
_HEIGHT: Final = 220.0
_LEFT: Final = 64.0
_RIGHT: Final = 16.0
_TOP: Final = 30.0
_BOTTOM: Final = 44.0
_MAX_TICKS: Final = 10
_MAX_RADIUS: Final = 4.5
_MIN_RADIUS: Final = 1.2
_STEPS: Final = (1, 2, 5)
"""Plies between ticks, times a power of ten."""


def graph(
    scores: Sequence[float | None], limit: float, label: str = "score", standalone: bool = False
) -> str:
    """Draw scores from the first side's perspective, one per position; None is unknown.

    Scores are clipped to ±`limit`. `label` names the axis, also for screen readers. Each known
    score is a `g.point` with its `data-ply`.
    """
    if not (limit > 0 and math.isfinite(limit)):
        raise PlyforgeError(f"limit of a graph must be positive and finite, not {limit!r}")
    known = [None if s is None or math.isnan(s) else float(s) for s in scores]
    scale = _Scale(max(len(known) - 1, 1), limit)
    return picture(
        "".join(
            [
                element("g", *_axes(scale, limit, label), class_="axes"),
                element("g", *_areas(scale, known), class_="areas"),
                element("g", *_lines(scale, known), class_="lines"),
                element("g", *_points(scale, known), class_="points"),
            ]
        ),
        (0.0, 0.0, _WIDTH, _HEIGHT),
        class_="graph",
        label=label,
        standalone=standalone,
    )


class _Scale:
    """Converts plies and scores to coordinates."""

    def __init__(self, plies: int, limit: float) -> None:
        self.plies = plies
        self.limit = limit
        self.step = (_WIDTH - _LEFT - _RIGHT) / plies
        """The distance between two plies."""
        self.zero = self.y(0.0)

    def x(self, ply: float) -> float:
        return _LEFT + ply * self.step

    def y(self, score: float) -> float:
        clipped = max(-self.limit, min(self.limit, score)) / self.limit
        return _TOP + (1 - clipped) / 2 * (_HEIGHT - _TOP - _BOTTOM)


def _axes(scale: _Scale, limit: float, label: str) -> Iterator[str]:
    for score, class_ in ((limit, "grid"), (0.0, "zero"), (-limit, "grid")):
        y = scale.y(score)
        yield element("line", x1=_LEFT, y1=y, x2=_WIDTH - _RIGHT, y2=y, class_=class_)
        yield text(f"{score:+.4g}" if score else "0", _LEFT - 8, y, "tick score")
    for ply in range(0, scale.plies + 1, _tick_step(scale.plies)):
        yield text(ply, scale.x(ply), _HEIGHT - _BOTTOM + 14, "tick")
    yield text(label, _LEFT, _TOP / 2, "axis score")
    yield text("ply", _WIDTH - _RIGHT, _HEIGHT - 12, "axis ply")


def _tick_step(plies: int) -> int:
    """Return the smallest round number of plies that gives at most `_MAX_TICKS` ticks."""
    unit = 1
    while True:
        for step in _STEPS:
            if plies / (step * unit) <= _MAX_TICKS:
                return step * unit
        unit *= 10


def _runs(known: Sequence[float | None]) -> Iterator[list[tuple[int, float]]]:
    """Yield runs of known scores."""
    run: list[tuple[int, float]] = []
    for ply, score in enumerate([*known, None]):
        if score is not None:
            run.append((ply, score))
        elif run:
            yield run
            run = []


def _lines(scale: _Scale, known: Sequence[float | None]) -> Iterator[str]:
    for run in _runs(known):
        if len(run) > 1:
            yield element("path", d=_path(scale, run), class_="curve")


def _areas(scale: _Scale, known: Sequence[float | None]) -> Iterator[str]:
    """Fill the areas between the line and zero."""
    for run in _runs(known):
        if len(run) > 1:
            start, end = (number(scale.x(run[n][0])) for n in (0, -1))
            zero = number(scale.zero)
            line = _path(scale, run)
            yield element("path", d=f"{line}L{end} {zero}L{start} {zero}Z", class_="area")


def _path(scale: _Scale, run: list[tuple[int, float]]) -> str:
    places = (f"{number(scale.x(ply))} {number(scale.y(score))}" for ply, score in run)
    return "M" + "L".join(places)


def _points(scale: _Scale, known: Sequence[float | None]) -> Iterator[str]:
    """Draw each point with a column around it that is easy to click."""
    radius = max(_MIN_RADIUS, min(_MAX_RADIUS, scale.step / 3))
    width = min(scale.step, _WIDTH - _LEFT - _RIGHT)
    for ply, score in enumerate(known):
        if score is None:
            continue
        x = scale.x(ply)
        column = element(
            "rect",
            x=x - width / 2,
            y=_TOP,
            width=width,
            height=_HEIGHT - _TOP - _BOTTOM,
            class_="hit",
        )
        dot = element("circle", cx=x, cy=scale.y(score), r=radius, class_="dot")
        tooltip = title(f"ply {ply}: {score_text(score)}")
        yield element("g", tooltip, column, dot, class_="point", data_ply=ply)

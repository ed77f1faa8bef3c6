"""What an analysis tells."""

from dataclasses import dataclass, field
from typing import Any

from plyforge.core.scores import SCORE_LIMIT, WIN, outcome_name
from plyforge.engine.drivers.window_search import Step
from plyforge.game.display import render
from plyforge.game.game import History
from plyforge.search.counts import Counts


@dataclass(frozen=True)
class Line:
    """A move and what follows it."""

    score: float
    """In view of the side to move at the root; wins are counted from there."""
    pv: tuple[int, ...]
    proved: bool
    """Whether the score is the result of perfect play, not a guess at some depth."""
    depth: int
    """Plies of the iteration that found it; more than `Info.depth` if that one was stopped."""


@dataclass(frozen=True)
class Info:
    """How things stand after an iteration, or at the end."""

    depth: int
    """Plies of the last completed iteration; 0 if there is none."""
    bound: str
    """What the first line's score is: `exact`; `lower` where the search was stopped before it knew
    more; `none` where it was stopped before it knew anything, and just names a legal move."""
    lines: tuple[Line, ...]
    """The best line first; more than one with `multipv`."""
    counts: Counts
    steps: tuple[Step, ...]
    """Every search of the driver, of all iterations."""
    seconds: float
    root: History | None = field(default=None, kw_only=True, compare=False, repr=False)
    """The game as it stood: with it a notebook shows board and moves."""

    def _repr_html_(self) -> str:
        return render(self)

    @property
    def score(self) -> float:
        return self.lines[0].score

    @property
    def move(self) -> int:
        """The best move."""
        return self.lines[0].pv[0]

    @property
    def pv(self) -> tuple[int, ...]:
        """The principal variation."""
        return self.lines[0].pv

    @property
    def proved(self) -> bool:
        return self.lines[0].proved

    @property
    def nodes(self) -> int:
        return self.counts.nodes


@dataclass(frozen=True)
class Progress:
    """How far a search has got within an iteration."""

    depth: int
    """Plies of the iteration under way."""
    lower: float
    upper: float
    """What is known of its first line's score; infinite where nothing is."""
    nodes: int
    seconds: float


@dataclass(frozen=True)
class SearchResult(Info):
    """The end of an analysis."""

    driver: str
    stopped: bool
    """Whether a limit or an interrupt ended it before the depth was reached."""
    line_nodes: int
    """Nodes searched to complete the principal variation; not among the counts."""
    interrupted: bool = False
    """Whether Ctrl-C ended it; the result is what was reached until then."""

    def fields(self, lines: list[list[str]]) -> dict[str, Any]:
        """As the command line prints it; the moves of the lines are given as texts."""
        counts, pv = self.counts, lines[0]
        return {
            "best": pv[0],
            "score": plain(self.score),
            "score_text": score_text(self.score),
            "outcome": outcome_name(self.score) if self.proved else None,
            "bound": self.bound,
            "depth": self.depth,
            "proved": self.proved,
            "pv": pv,
            "nodes": counts.nodes,
            "leaves": counts.leaves,
            "interior": counts.interior,
            "transpositions": counts.transpositions,
            "iterations": len(self.steps),
            "seconds": self.seconds,
            "driver": self.driver,
            "distinct_interior": counts.distinct_interior or None,
            "probes": counts.probes,
            "hits": counts.hits,
            "cuts": {
                "all": counts.cuts,
                "first_share": counts.first_share,
                "by_table_move": counts.cuts_by_table_move,
                "by_win": counts.cuts_by_win,
                "by_killer": counts.cuts_by_killer,
                "table": counts.table_cuts,
                "etc": counts.etc_cuts,
            },
            "researches": counts.researches,
            "line_nodes": self.line_nodes,
            "stopped": self.stopped,
            "lines": [
                {
                    "score": plain(line.score),
                    "proved": line.proved,
                    "depth": line.depth,
                    "pv": texts,
                }
                for line, texts in zip(self.lines, lines, strict=True)
            ],
            "steps": [
                {
                    "depth": step.depth,
                    "low": finite(step.low),
                    "high": finite(step.high),
                    "value": plain(step.value),
                    "bound": step.bound,
                    "nodes": step.nodes,
                }
                for step in self.steps
            ],
        }


def plain(value: float) -> float | int:
    """A whole number as an int."""
    return int(value) if value == int(value) else value


def finite(value: float) -> float | int | None:
    """JSON knows no infinity: None stands for it."""
    return None if value in (float("inf"), float("-inf")) else plain(value)


def score_text(score: float) -> str:
    """A score for people: `+0.25`, `win in 7`, `loss in 4`.

    >>> score_text(0.25), score_text(9_999_993.0), score_text(-9_999_996.0)
    ('+0.25', 'win in 7', 'loss in 4')
    """
    if score > SCORE_LIMIT:
        return f"win in {WIN - score:.0f}"
    if score < -SCORE_LIMIT:
        return f"loss in {WIN + score:.0f}"
    return f"{score:+.6g}" if score else "0"

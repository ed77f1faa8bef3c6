"""The results of an analysis."""

import math
from dataclasses import dataclass, field
from typing import Any

from plyforge.core.scores import SCORE_LIMIT, outcome_name, plies_to_end
from plyforge.engine.window_search import Step
from plyforge.game.display import render
from plyforge.game.game import History
from plyforge.search.counts import Counts
from plyforge.search.parallel.account import Account
from plyforge.search.steps import BUILT_IN


@dataclass(frozen=True)
class Line:
    """A principal variation with its score."""

    score: float
    """The score for the side to move at the root; wins are counted from there."""
    pv: tuple[int, ...]
    proved: bool
    """Whether the score is the result of perfect play, not an estimate at some depth."""
    depth: int
    """The depth of the iteration that found it; more than `Info.depth` if that was stopped."""
    bound: str = "exact"
    """The kind of the score: `exact`; `lower` if the search of the line was stopped; `none` if
    nothing was searched."""

    @property
    def score_text(self) -> str:
        """The score in words: `+0.25`, `win in 7` or `loss in 4`, counted in plies."""
        return score_text(self.score)

    @property
    def moves_to_end(self) -> int | None:
        """The plies to the end of the game if the score is a win or a loss, else None."""
        return plies_to_end(self.score)


@dataclass(frozen=True)
class Info:
    """The state of an analysis after an iteration."""

    depth: int
    """The depth of the last completed iteration, in plies; 0 if there is none."""
    bound: str
    """The kind of the first line's score: `exact`; `lower` if the last iteration was stopped;
    `none` if the search was stopped before it had a score, and the move is just a legal one."""
    lines: tuple[Line, ...]
    """The best lines, highest score first; more than one with `multipv`.

    After a stop within an iteration they may have different depths: see `Line.depth`.
    """
    counts: Counts
    steps: tuple[Step, ...]
    """All searches of the driver, of all iterations."""
    seconds: float
    thread_nodes: tuple[int, ...] = field(default=(), kw_only=True)
    """The nodes of each thread, if there are several."""
    account: Account | None = field(default=None, kw_only=True)
    """What the threads of a parallel search did, if they searched one tree together."""
    root: History | None = field(default=None, kw_only=True, compare=False, repr=False)
    """The game that was analysed, from which a notebook shows board and moves."""

    def _repr_html_(self) -> str:
        return render(self)

    @property
    def score(self) -> float:
        return self.lines[0].score

    @property
    def score_text(self) -> str:
        """The score in words: `+0.25`, `win in 7` or `loss in 4`, counted in plies."""
        return self.lines[0].score_text

    @property
    def moves_to_end(self) -> int | None:
        """The plies to the end of the game if the score is a win or a loss, else None."""
        return self.lines[0].moves_to_end

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
    """The state of an analysis within an iteration."""

    depth: int
    """The depth of the running iteration, in plies."""
    lower: float
    upper: float
    """The bounds of its first line's score so far; infinite where none is known."""
    nodes: int
    seconds: float
    move: int | None = None
    """The root move that is being searched; None if that is not known."""
    move_number: int = 0
    """Its place in the order of search, from 1."""
    thread_nodes: tuple[int, ...] = ()
    """The nodes of each thread, if there are several."""


@dataclass(frozen=True)
class SearchResult(Info):
    """The result of an analysis: `move` is the best move, `score` its value, `pv` its line.

    After a stop or an interrupt it is what was reached by then; `bound` says what `score` is.
    """

    driver: str
    stopped: bool
    """Whether a limit or an interrupt ended the analysis before the depth was reached."""
    line_nodes: int
    """Nodes searched to complete the principal variation; not among the counts."""
    interrupted: bool = False
    """Whether Ctrl-C ended the analysis."""
    kernel_seconds: float = 0.0
    """Processor time of the searches themselves in the main thread: `seconds` without the time of
    other processes, of starting searches, and of completing the principal variation."""
    failure: str = ""
    """What ended a search by several processes before its time: the result is the one so far."""

    @property
    def step_counts(self) -> dict[str, int]:
        """The counters of steps in users' files, by name."""
        built_in = {name for step in BUILT_IN for name in step.counters}
        return {name: n for name, n in self.counts.steps.items() if name not in built_in}

    def fields(self, lines: list[list[str]]) -> dict[str, Any]:
        """Return the fields that the command line prints; `lines` are the moves as texts."""
        counts, pv = self.counts, lines[0]
        return {
            "best": pv[0],
            "score": int_if_whole(self.score),
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
            "step_counts": self.step_counts,
            "threads": None if self.account is None else self.account.fields(),
            "line_nodes": self.line_nodes,
            "stopped": self.stopped,
            "lines": [
                {
                    "score": int_if_whole(line.score),
                    "bound": line.bound,
                    "proved": line.proved,
                    "depth": line.depth,
                    "pv": texts,
                }
                for line, texts in zip(self.lines, lines, strict=True)
            ],
            "steps": [
                {
                    "depth": step.depth,
                    "low": finite_or_none(step.low),
                    "high": finite_or_none(step.high),
                    "value": int_if_whole(step.value),
                    "bound": step.bound,
                    "nodes": step.nodes,
                }
                for step in self.steps
            ],
        }


def int_if_whole(value: float) -> float | int:
    """Return a whole number as an int."""
    return int(value) if value == int(value) else value


def finite_or_none(value: float) -> float | int | None:
    """Return None for infinity, which JSON does not have."""
    return None if value in (float("inf"), float("-inf")) else int_if_whole(value)


def score_text(score: float) -> str:
    """Format a score: `+0.25`, `win in 7`, `loss in 4`, or `win` at an unknown distance.

    >>> score_text(0.25), score_text(9_999_993.0), score_text(-9_999_996.0), score_text(8_999_990.0)
    ('+0.25', 'win in 7', 'loss in 4', 'win')
    """
    if SCORE_LIMIT < abs(score) < math.inf:
        plies = plies_to_end(score)
        return outcome_name(score) + ("" if plies is None else f" in {plies}")
    return f"{score:+.6g}" if score else "0"

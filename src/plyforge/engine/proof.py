"""The value of a position by proofs: each answers whether it is at least a threshold.

The first question is whether the side to move wins, the second whether it does not lose.  That is
all in a game of wins, draws and losses; and one question is enough if no game that the search saw
ended in a draw.  A game with final scores needs more questions, each of which halves the interval
between the bounds: an answer is as good as the values that ends of games have had in that search,
so that `at least 1` becomes `at least 4` if no game ended with 1, 2 or 3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from plyforge.core.scores import LOSS, WIN
from plyforge.search.proof.prover import ProofResult, Prover
from plyforge.search.request import SearchRoot

POSITIVE: Final = 2.0**-149
"""The lowest value that is better than a draw: the smallest float32."""
_STEP: Final = 2.0**-20
"""Less than the difference of two scores: for the question whether a value is any greater."""


@dataclass(frozen=True)
class Question:
    """A question that was asked, and its answer."""

    threshold: float
    result: ProofResult


@dataclass
class Bounds:
    """What is known about the value of a position, for the side that the questions are about."""

    lower: float = LOSS
    upper: float = WIN
    lowest: float = WIN
    """The lowest value that an end of a game had; more than `highest` if none was seen."""
    highest: float = LOSS
    lower_run: int = 0
    """The maximum number of moves without progress in the proof of the lower bound."""
    upper_run: int = 0
    move: int | None = None
    """The best move known."""

    @property
    def solved(self) -> bool:
        return self.lower >= self.upper

    def next_threshold(self) -> float:
        """Return the threshold of the next question: above the lower bound, up to the upper."""
        for threshold in (POSITIVE, 0.0):
            if self.lower < threshold <= self.upper:
                return threshold
        low, high = max(self.lower, self.lowest), min(self.upper, self.highest)
        if self.lower < high:
            middle = (low + high) / 2
            return middle if middle > self.lower else high
        return self.upper if self.upper < WIN else self.lower + _STEP

    def take(self, result: ProofResult) -> None:
        """Take an answer into account."""
        lowest, highest = result.seen
        self.lowest, self.highest = min(self.lowest, lowest), max(self.highest, highest)
        if result.answer is None:
            return
        if result.answer and result.lower > self.lower:
            self.lower, self.lower_run = result.lower, result.longest_run
        if not result.answer and result.upper < self.upper:
            self.upper, self.upper_run = result.upper, result.longest_run
        if result.answer or self.move is None:
            self.move = result.move


def find_bounds(
    prover: Prover,
    root: SearchRoot,
    nodes: int | None = None,
    report: Callable[[], None] | None = None,
    *,
    bounds: Bounds | None = None,
    questions: list[Question] | None = None,
) -> tuple[Bounds, list[Question]]:
    """Ask until the value for the side to move is known, or the search is stopped.

    `nodes` limits all searches together.  `report` is called after each answer.  `bounds` and
    `questions` take the results as they come.
    """
    bounds = Bounds() if bounds is None else bounds
    questions = [] if questions is None else questions
    left = nodes
    while not bounds.solved:
        threshold = bounds.next_threshold()
        result = prover.prove(root, threshold, root.side, left)
        questions.append(Question(threshold, result))
        bounds.take(result)
        if report is not None:
            report()
        if result.answer is None:
            break
        if left is not None:
            left = max(left - result.nodes, 1)
    return bounds, questions

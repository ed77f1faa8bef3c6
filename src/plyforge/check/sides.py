"""Check that results and evaluations are from the side to move's perspective.

One position cannot show this, but many moves can.  From the perspective of the side to move, a
good position becomes a bad one for the next side, so values before and after a move have opposite
signs; from the perspective of a fixed player they stay much the same.
"""

from dataclasses import dataclass
from typing import Any

from plyforge.check.node import Node
from plyforge.check.report import Recorder
from plyforge.core.rules import Rules
from plyforge.core.scores import ONGOING, outcome_name

_MIN_PAIRS = 100
_MIN_CORRELATION = 0.8
_MIN_DECIDED = 8
_MIN_MOVES = 20


@dataclass(frozen=True)
class _End:
    mover: int
    won: bool
    """Whether the side to move after the last move has won."""


class Sides:
    """Collects values before and after moves."""

    def __init__(self, rules: Rules, recorder: Recorder) -> None:
        self._rules = rules
        self._recorder = recorder
        self._pairs: tuple[list[tuple[float, float]], ...] = ([], [])
        """Evaluations before and after a move, by the side that moved."""
        self._last: list[tuple[float, float]] = []
        self._ends: list[_End] = []
        self._moves = 0
        self._kept = 0
        """Moves after which the same side moves again."""
        self.evaluate_is_fixed = False
        """Whether `conclude` found `evaluate` to be from a fixed perspective."""

    def add(self, node: Node, child: Node) -> None:
        """Add one move of a game; only moves that pass the turn are used."""
        self._moves += 1
        if child.side == node.side:
            self._kept += 1
            return
        before, after = node.values.get("evaluate"), child.values.get("evaluate")
        if before is not None and after is not None:
            self._pairs[node.side].append((before, after))
        result = child.values.get("outcome", ONGOING)
        if result not in (ONGOING, 0):
            self._ends.append(_End(node.side, result > 0))
            if before is not None:
                self._last.append((before, 1.0 if result > 0 else -1.0))

    def check_probe(self, node: Node, move: str, child_outcome: Any, turned: bool) -> None:
        """Compare the value of `probe` with a move that ends the game."""
        known = node.values.get("probe")
        if known is None or known == ONGOING or child_outcome in (None, ONGOING):
            return
        reached = -child_outcome if turned else child_outcome
        if reached > known:
            self._recorder.problem(
                "probe",
                "too low",
                f"'probe' returns {outcome_name(known)} ({known:g}) for the side to move, but its"
                f" move {move} ends the game with {outcome_name(reached)} ({reached:g})",
            )

    def conclude(self) -> None:
        """Report what the collected moves show."""
        self._recorder.set_context(None)
        if self._moves >= _MIN_MOVES and self._kept == self._moves:
            self._recorder.remark(
                "turn",
                "never changes",
                f"after each of the {self._moves} moves that were made, 'turn' says that the same"
                " side moves again; does 'play' forget to switch sides?",
            )
        self._check_results()
        # Centring the values of each side's moves removes the advantage of being to move.
        before = [value for pairs in self._pairs for value in center([b for b, _ in pairs])]
        after = [value for pairs in self._pairs for value in center([a for _, a in pairs])]
        likeness = correlation(before, after)
        if len(before) >= _MIN_PAIRS and likeness is not None and likeness > _MIN_CORRELATION:
            self.evaluate_is_fixed = True
            self._recorder.problem(
                "evaluate",
                "fixed side",
                "'evaluate' seems to be from the perspective of a fixed player, not of the side to"
                " move: its values before and after a move are similar (correlation"
                f" {likeness:.2f} over {len(before)} moves) instead of opposite",
            )
            return
        agreement = correlation([v for v, _ in self._last], [r for _, r in self._last])
        if len(self._last) >= _MIN_PAIRS and agreement is not None and agreement > _MIN_CORRELATION:
            self._recorder.remark(
                "outcome",
                "against evaluate",
                "'outcome' and 'evaluate' seem to have different perspectives: before the last move"
                f" the evaluation is high where the next side wins (correlation {agreement:.2f})",
            )

    def _check_results(self) -> None:
        ends = self._ends
        if len(ends) < _MIN_DECIDED:
            return
        movers = {end.mover for end in ends}
        first_won = {end.won == (end.mover == 1) for end in ends}
        players = self._rules.constant("PLAYERS")
        if all(end.won for end in ends):
            self._recorder.remark(
                "outcome",
                "self-inflicted",
                f"in all {len(ends)} games that 'outcome' decided, the player who moved last lost;"
                " 'outcome' is for the side to move: should it return LOSS, not WIN?",
            )
        elif movers == {0, 1} and len(first_won) == 1:
            winner = players[0 if first_won == {True} else 1]
            self._recorder.remark(
                "outcome",
                "one winner",
                f"in all {len(ends)} games that 'outcome' decided, {winner} won, whichever side"
                " moved last; is 'outcome' for a fixed player instead of the side to move?",
            )


def center(values: list[float]) -> list[float]:
    """Subtract the mean from the values."""
    mean = sum(values) / len(values) if values else 0.0
    return [value - mean for value in values]


def correlation(one: list[float], other: list[float]) -> float | None:
    """Return Pearson's coefficient; None if a list does not vary."""
    if len(one) < 2:
        return None
    mine, theirs = center(one), center(other)
    spread = sum(a * a for a in mine) * sum(b * b for b in theirs)
    if spread == 0:
        return None
    return float(sum(a * b for a, b in zip(mine, theirs, strict=True)) / spread**0.5)

"""Check the sizes and signs of evaluations and final scores, which only many positions show."""

from plyforge.check.node import Node
from plyforge.check.report import Place, Recorder
from plyforge.core.rules import Rules
from plyforge.core.scores import ONGOING

_MIN_POSITIONS = 60
_MIN_SIDE = 20
"""Evaluated positions of each side."""


class Scales:
    """Every evaluation and every result so far."""

    def __init__(self, rules: Rules, recorder: Recorder) -> None:
        self._rules = rules
        self._recorder = recorder
        self._evaluations: tuple[list[float], list[float]] = ([], [])
        """Evaluations of unfinished positions, by the side to move."""
        self._results: set[float] = set()
        self._largest: tuple[float, str] = (0.0, "")
        """The evaluation furthest from 0, and its position."""

    def add(self, node: Node) -> None:
        """Add a position of a game."""
        value = node.values.get("evaluate")
        if value is not None and not node.over:
            self._evaluations[node.side].append(value)
            if abs(value) > abs(self._largest[0]):
                self._largest = value, node.text
        for hook in ("outcome", "stuck"):
            result = node.values.get(hook, ONGOING)
            if result != ONGOING:
                self._results.add(result)

    def conclude(self, outcome: Place | None, evaluate: Place | None) -> None:
        """Report what all values show together; the hooks are at these places."""
        self._check_results(outcome)
        self._check_signs(evaluate)
        self._recorder.set_context(None)

    def _check_results(self, place: Place | None) -> None:
        """Report results of 1 and -1 beside larger evaluations: WIN and LOSS are meant."""
        value, position = self._largest
        if not self._results & {1.0, -1.0} or self._results - {1.0, 0.0, -1.0} or abs(value) <= 1:
            return
        self._recorder.set_context(position)
        self._recorder.problem(
            "outcome",
            "small",
            f"every result is 1, 0 or -1, but 'evaluate' returns {value:g} here, so a search"
            " prefers some unfinished positions to a win; return WIN, DRAW and LOSS from"
            " plyforge.rules, or final scores in the unit of 'evaluate'",
            place,
        )

    def _check_signs(self, place: Place | None) -> None:
        values = [value for side in self._evaluations for value in side]
        code = getattr(self._rules.hooks.get("evaluate"), "__code__", None)
        if code is None or code.co_filename.startswith("<"):
            return  # made from a form, whose weights may be anything
        points = self._rules.constant("EVALUATION_MEANING") == "points"
        few = len(values) < _MIN_POSITIONS or any(len(s) < _MIN_SIDE for s in self._evaluations)
        if few or not points or not any(values):
            return
        if min(values) >= 0 or max(values) <= 0:
            sign = "negative" if min(values) >= 0 else "positive"
            self._recorder.remark(
                "evaluate",
                "one sign",
                f"'evaluate' was never {sign} in {len(values):,} positions; it must be the"
                " difference between the sides, so that what is good for one is bad for the"
                " other",
                place,
            )

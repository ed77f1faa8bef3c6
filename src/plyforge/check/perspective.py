"""Check that results at the ends of games are for the side to move.

Two observations need no knowledge of the game.  If `evaluate` is the final score up to its sign at
every end, then the signs must agree.  And if the rules depend on the side to move, then a result
that favours either side must depend on it too: a position with the other side to move has another
result.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from plyforge.check.fields import access, read_fields, replace_field
from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.movelists import read_raw
from plyforge.check.node import Node
from plyforge.check.report import Place, Recorder
from plyforge.check.turns import Turns
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN, outcome_name

_MIN_ENDS = 6
_MIN_EVALUATIONS = 60
_MAX_SAMPLES = 400
"""Positions of which a copy with the other side to move is examined."""
_MAX_COMPARED = 50
_MIN_DIFFERING = 0.5
"""The share of positions whose moves must depend on the side to move."""


@dataclass(frozen=True)
class _End:
    """The end of a game, by `outcome` or by `stuck`."""

    node: Node
    hook: str
    result: float
    evaluation: float | None


@dataclass
class _Sample:
    """Positions that were kept for a comparison with the other side to move."""

    ongoing: list[Node] = field(default_factory=list)
    ends: list[_End] = field(default_factory=list)


class Perspective:
    """Collects the ends of games, and some positions before them."""

    def __init__(self, hooks: GuardedHooks, recorder: Recorder, turns: Turns) -> None:
        self._hooks = hooks
        self._rules = hooks.game.rules
        self._recorder = recorder
        self._turns = turns
        self._sample = _Sample()
        self.evaluate_is_wrong = False
        """Whether another check has found `evaluate` to be from a fixed perspective."""

    def add(self, node: Node) -> None:
        """Add a position of a game."""
        hook = next((name for name in ("outcome", "stuck") if self._ends(node, name)), None)
        if hook is None:
            if not node.over and len(self._sample.ongoing) < _MAX_SAMPLES:
                self._sample.ongoing.append(node)
        elif len(self._sample.ends) < _MAX_SAMPLES:
            result = node.values[hook]
            self._sample.ends.append(_End(node, hook, result, self._evaluate(node.position)))

    def _ends(self, node: Node, hook: str) -> bool:
        return bool(node.values.get(hook, ONGOING) != ONGOING)

    def conclude(self, place: Callable[[str], Place | None]) -> None:
        """Report what the ends show; `place` returns where a hook is defined."""
        for hook in ("outcome", "stuck"):
            ends = [end for end in self._sample.ends if end.hook == hook and end.result != DRAW]
            reported = self._compare_with_evaluation(hook, ends, place(hook))
            if not reported and not self._recorder.has(hook):
                self._check_dependence(hook, ends, place)
        self._check_evaluation(place)
        self._recorder.set_context(None)

    def _compare_with_evaluation(self, hook: str, ends: list[_End], place: Place | None) -> bool:
        """Report ends where `evaluate` is the final score with the opposite sign."""
        scores = [end for end in ends if end.result not in (WIN, LOSS)]
        if len(scores) < _MIN_ENDS or self.evaluate_is_wrong:
            return False
        if any(end.evaluation is None or abs(end.evaluation) != abs(end.result) for end in scores):
            return False
        opposite = [end for end in scores if end.evaluation != end.result]
        if len({abs(end.result) for end in scores}) < 2 or not opposite:
            return False
        first = opposite[0]
        players = self._rules.constant("PLAYERS")
        self._recorder.set_context(first.node.text)
        self._recorder.problem(
            hook,
            "opposite score",
            f"'{hook}' returned {first.result:g} at this end, where {players[first.node.side]} is"
            f" to move, and 'evaluate' returns {first.evaluation:g}: the same score from the other"
            f" perspective (at {len(opposite)} of {len(scores)} ends); both must be for the side to"
            f" move{self._guess(hook, scores, opposite, players)}",
            place,
        )
        return True

    @staticmethod
    def _guess(hook: str, scores: list[_End], opposite: list[_End], players: Any) -> str:
        sides = {end.node.side for end in opposite}
        if len(sides) == 1 and len(opposite) < len(scores):
            return f"; is '{hook}' always for {players[1 - sides.pop()]}?"
        if len(opposite) < len(scores):
            return ""
        return f"; is '{hook}' for the side that moved last, or for a fixed player?"

    def _check_dependence(
        self, hook: str, ends: list[_End], place: Callable[[str], Place | None]
    ) -> None:
        """Remark on results for both sides that do not depend on the side to move."""
        both = len({end.result > 0 for end in ends}) == 2
        # A result for the first player is right if the first player is to move at every end.
        if len(ends) < _MIN_ENDS or not both or not any(end.node.side for end in ends):
            return
        for name, other in self._turns.other_values().items():
            if not self._decides_turn(name, other):
                continue
            results = [
                (end, self._flipped_value(hook, end.node.position, name, other)) for end in ends
            ]
            if all(result == end.result for end, result in results) and self._matters(name, other):
                end = ends[0]
                self._recorder.set_context(end.node.text)
                self._recorder.remark(
                    hook,
                    "fixed side",
                    f"'{hook}' returns {_format_result(end.result)} here, and the same with the"
                    f" other side to move (as at all {len(ends)} ends that are not draws); is it"
                    f" for a fixed player? It must be for the side to move, {access(name)}",
                    place(hook),
                )
                return

    def _check_evaluation(self, place: Callable[[str], Place | None]) -> None:
        """Remark on an evaluation that does not depend on the side to move."""
        nodes = [node for node in self._sample.ongoing if node.values.get("evaluate")]
        signs = {node.values["evaluate"] > 0 for node in nodes}
        if self.evaluate_is_wrong or len(nodes) < _MIN_EVALUATIONS or len(signs) < 2:
            return
        for name, other in self._turns.other_values().items():
            if not self._decides_turn(name, other):
                continue
            values = (
                self._flipped_value("evaluate", node.position, name, other)
                == node.values["evaluate"]
                for node in nodes
            )
            if all(values) and self._matters(name, other):
                self._recorder.set_context(nodes[0].text)
                self._recorder.remark(
                    "evaluate",
                    "fixed side",
                    f"'evaluate' returns {nodes[0].values['evaluate']:g} here, and the same with"
                    f" the other side to move (as in all {len(nodes)} positions examined); is it"
                    f" for a fixed player? It must be for the side to move, {access(name)}",
                    place("evaluate"),
                )
                return

    # The same position with the other side to move

    def _decides_turn(self, name: str, other: dict[Any, Any]) -> bool:
        """Whether a field is the one that `turn` reads; without `turn`, any may be."""
        if not self._hooks.defines("turn"):
            return True
        position = self._sample.ongoing[0].position if self._sample.ongoing else None
        if position is None:
            return False
        value = self._try("turn", self._flip(position, name, other))
        return value is not None and value != self._try("turn", position)

    def _matters(self, name: str, other: dict[Any, Any]) -> bool:
        """Whether moves, or what they do, depend on the side to move.

        They do not if positions are relative to it, as with fields `mine` and `theirs`.
        """
        nodes = self._sample.ongoing[:: max(1, len(self._sample.ongoing) // _MAX_COMPARED)]
        differing = sum(self._differs(node, name, other) for node in nodes)
        # Not every position: a clock or a rare rule may depend on the side as well.
        return differing >= _MIN_DIFFERING * len(nodes)

    def _differs(self, node: Node, name: str, other: dict[Any, Any]) -> bool:
        flipped = self._flip(node.position, name, other)
        moves, others = self._moves(node.position), self._moves(flipped)
        if moves is None or others is None:
            return False
        if set(moves) != set(others):
            return True
        ignored = {name, *self._rules.constant("CLOCKS")}
        for move in moves[:4]:
            child = self._try("play", node.position, move)
            across = self._try("play", flipped, move)
            if child is None or across is None:
                continue
            # A carried key depends on the side, however positions are written.
            key = node.values.get("key")
            mine, theirs = read_fields(child), read_fields(across)
            fields = read_fields(node.position)
            if any(
                str(mine[n]) != str(theirs[n])
                for n in set(mine) & set(theirs) - ignored
                if not _is_key(fields.get(n), key)
            ):
                return True
        return False

    def _flip(self, position: Any, name: str, other: dict[Any, Any]) -> Any:
        return replace_field(position, name, other[read_fields(position)[name]])

    def _flipped_value(self, hook: str, position: Any, name: str, other: dict[Any, Any]) -> Any:
        flipped = self._flip(position, name, other)
        return self._evaluate(flipped) if hook == "evaluate" else self._try(hook, flipped)

    def _evaluate(self, position: Any) -> float | None:
        if not self._hooks.defines("evaluate"):
            return None
        value = self._run("evaluate", self._rules.evaluate_from_scratch, position)
        try:
            return None if value is None else float(value)
        except (TypeError, ValueError):
            return None

    def _moves(self, position: Any) -> list[Any] | None:
        function = self._rules.hooks["moves"]
        moves = self._run("moves", lambda p: read_raw(function, p)[0], position)
        return None if moves is None else [move for move in moves if isinstance(move, int)]

    def _try(self, hook: str, position: Any, *rest: Any) -> Any:
        return self._run(hook, self._rules.hooks[hook], position, *rest)

    def _run(self, hook: str, function: Callable[..., Any], position: Any, *rest: Any) -> Any:
        """Call a hook on a position that may be impossible: an error is not the rules' mistake."""
        try:
            return self._hooks.run(hook, function, position, *rest, expected=(Exception,))
        except CallFailed:
            return None
        except Exception:
            return None


def _is_key(value: Any, key: int | None) -> bool:
    try:
        return key is not None and int(value) & ((1 << 64) - 1) == key
    except (TypeError, ValueError):
        return False


def _format_result(value: float) -> str:
    return outcome_name(value).upper() if value in (WIN, LOSS) else f"{value:g}"

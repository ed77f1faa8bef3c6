"""Call a game's hooks in both backends and compare.

The compiled hook is called only after the uncompiled one succeeded, so that an endless loop or an
index out of range is reported with its line, not as a crash.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyforge.check import values
from plyforge.check.guard import Guard
from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.movelists import MoveLists
from plyforge.check.node import Node, same_position
from plyforge.check.observer import STATEFUL, Compiled
from plyforge.check.outcomes import Outcomes
from plyforge.check.plays import Plays
from plyforge.check.report import Place, Recorder
from plyforge.compilation import interpreted
from plyforge.core.contract import FINISH_WORDS, HOOKS
from plyforge.core.errors import CompileError, clip
from plyforge.game.game import Game

_MAX_REPEATS = 200


class BothBackends:
    """Calls hooks and records where the backends differ or a value is not allowed."""

    def __init__(self, game: Game, hooks: GuardedHooks, recorder: Recorder) -> None:
        self._game = game
        self._hooks = hooks
        self._recorder = recorder
        self._lists = MoveLists(hooks, recorder)
        self._plays = Plays(hooks, recorder)
        self._outcomes = Outcomes(hooks, recorder)
        self._compiled: Compiled | None = None
        self._plain_key = interpreted.hook("key", game.rules, game.position_type)
        self._repeats: Counter[str] = Counter()
        """Calls that were repeated, by hook."""
        self.stateful = game.rules.constant("STATE") is not None and hooks.defines("evaluate")
        """Whether `evaluate` takes a state that `begin` writes."""

    def compile(self, guard: Guard, cache: Path) -> float | None:
        """Build the compiled backend, record the lint's findings, return the seconds it took."""
        kind = self._game.position_type
        if not kind.compilable:
            self._recorder.set_context(None)
            self._recorder.remark(
                "rules",
                "uncompiled",
                f"the rules run uncompiled, 100 to 1000 times slower: {kind.obstacle}; to compile"
                f" them, {kind.remedy}",
                self.place("initial"),
            )
            return None
        try:
            self._compiled = Compiled(self._game, guard, cache)
        except CompileError as error:
            place, message = _split_place(str(error))
            self._recorder.problem("rules", "compile", f"cannot be compiled: {message}", place)
            return None
        for finding in self._compiled.findings:
            place, message = _split_place(finding)
            where = f"line {place.line}: " if place else ""
            self._recorder.problem("rules", finding, where + message, place)
        return self._compiled.seconds

    def observe(self, hook: str, node: Node, move: int | None = None) -> Any:
        """Return a hook's value, or None on failure.  Values of a position are kept in its node."""
        rest = () if move is None else (move,)
        try:
            value = self.value(hook, node.position, *rest)
            if self._repeat(hook):
                self._compare_again(hook, value, self.value(hook, node.position, *rest))
        except CallFailed:
            return None
        complaint = values.complaint(hook, value, self._game.rules)
        if complaint:
            self._recorder.problem(hook, "range", complaint, self.place(hook))
        elif move is None:
            node.values[hook] = value
        self._compare(hook, hook, value, node.position, *rest)
        return value

    def value(self, hook: str, position: Any, *rest: int) -> Any:
        """Return the value of the uncompiled hook in its declared type."""
        raw = self._call(hook, position, rest)
        try:
            return values.read(hook, HOOKS[hook].returns, raw)
        except values.WrongType as error:
            self._recorder.problem(hook, "type", str(error), self.place(hook))
            raise CallFailed from None

    def _call(self, hook: str, position: Any, rest: tuple[int, ...]) -> Any:
        if hook == "key":
            return self._hooks.run("key", self._plain_key, position)
        if hook == "evaluate":
            return self._hooks.run(hook, self._game.rules.evaluate_from_scratch, position)
        return self._hooks.call(hook, position, *rest)

    def moves(self, hook: str, position: Any) -> list[int]:
        """Return the usable moves of `moves` or `noisy_moves`, each once."""
        count, usable = self._lists.read(hook, position)
        if self._repeat(hook):
            again = self._lists.read_again(hook, position)
            if again != usable:
                self._report_chance(hook, f"{_format_moves(usable)}, then {_format_moves(again)}")
        if self._compiled is None or count > self._lists.max_moves:
            return usable
        try:
            other = self._compiled.moves(hook, self._hooks.copy(position))[1]
        except Exception as error:
            self._report_raised(hook, error)
            return usable
        if list(dict.fromkeys(other)) != usable:
            self._report_difference(
                hook, f"gives the moves {_format_moves(usable)}", _format_moves(other)
            )
        return usable

    def outcomes(self, position: Any) -> list[int]:
        """Return the outcomes of chance, after a check of their probabilities."""
        hook = "chance_outcomes"
        pairs = self._outcomes.read(position)
        if self._repeat(hook) and not _are_same_outcomes(self._outcomes.read(position), pairs):
            self._report_chance(hook, f"{clip(str(pairs))}, then other outcomes or probabilities")
        usable = [outcome for outcome, _ in pairs]
        if self._compiled is None:
            return usable
        try:
            other = self._compiled.outcomes(self._hooks.copy(position))
        except Exception as error:
            self._report_raised(hook, error)
            return usable
        if not _are_same_outcomes(pairs, other):
            self._report_difference(hook, f"gives {clip(str(pairs))}", clip(str(other)))
        return usable

    def uncompiled_moves(self, position: Any) -> list[int]:
        """Return the moves, without a comparison."""
        if self._game.has_chance() and self.value("chance", position):
            return [outcome for outcome, _ in self._outcomes.read(position)]
        return self._lists.read("moves", position)[1]

    def play(self, position: Any, move: int) -> Any:
        """Return the position after a move."""
        child = self._plays.play(position, move)
        if self._repeat("play"):
            again = self._hooks.call("play", position, move)
            if not same_position(self._game.position_type, child, again):
                self._report_chance("play", f"{child!r}, then {again!r}")
        if self._compiled is None:
            return child
        try:
            other = self._compiled.play(self._hooks.copy(position), move)
        except Exception as error:
            self._report_raised("play", error)
            return child
        for name in self._game.position_type.differing_fields(child, other):
            uncompiled, compiled = getattr(child, name), getattr(other, name)
            self._report_difference("play", f"makes field '{name}' {uncompiled}", str(compiled))
        return child

    def uncompiled_play(self, position: Any, move: int) -> Any:
        """Return the position after a move, without a comparison."""
        return self._plays.play(position, move)

    def finish(self, position: Any) -> float:
        """Return the value of `finish` with an open window."""
        raw = self._hooks.call("finish", position, -math.inf, math.inf, [0] * FINISH_WORDS)
        value = float(values.read("finish", "score", raw))
        self._compare("finish", "finish", value, position)
        return value

    def advance(self, node: Node, move: int, child: Any) -> None:
        """Check that a state advanced over a move evaluates like a state begun after it."""
        rules = self._game.rules

        def carried(position: Any) -> Any:
            before = rules.begin_state(position)
            return rules.evaluate(child, rules.advance_state(before, position, move, child))

        value = float(self._hooks.run("advance", carried, node.position))
        expected = self.value("evaluate", child)
        if not values.same(value, expected):
            self._recorder.problem(
                "advance",
                "differs",
                f"'evaluate' returns {value:g} with the state from 'advance' after this move, and"
                f" {expected:g} with a new state from 'begin'",
            )
        self._compare("advance", STATEFUL, value, node.position, move)

    def _compare(self, hook: str, task: str, value: Any, position: Any, *rest: int) -> None:
        if self._compiled is None:
            return
        try:
            other = self._compiled.value(task, self._hooks.copy(position), *rest)
        except Exception as error:
            self._report_raised(hook, error)
            return
        if not values.same(value, other):
            self._report_difference(hook, f"returns {_format_value(value)}", _format_value(other))

    def _repeat(self, hook: str) -> bool:
        """Return whether to call a hook again, to compare; only its first calls are repeated."""
        self._repeats[hook] += 1
        return self._repeats[hook] <= _MAX_REPEATS

    def _compare_again(self, hook: str, value: Any, again: Any) -> None:
        if not values.same(value, again):
            self._report_chance(hook, f"{_format_value(value)}, then {_format_value(again)}")

    def _report_chance(self, hook: str, results: str) -> None:
        self._recorder.problem(
            hook,
            "chance",
            f"'{hook}' returns another result when it is called again with the same arguments:"
            f" {clip(results, 300)}; it must depend on its arguments only",
            self.place(hook),
        )

    def _report_difference(self, hook: str, uncompiled: str, compiled: str) -> None:
        self._recorder.problem(
            hook,
            "backends",
            f"the backends differ: '{hook}' {uncompiled} uncompiled, {compiled} compiled (compiled"
            " integers have 64 bits and wrap)",
            self.place(hook),
        )

    def _report_raised(self, hook: str, error: Exception) -> None:
        self._recorder.problem(
            hook,
            "raises compiled",
            f"the backends differ: compiled, '{hook}' raises {type(error).__name__} ({error});"
            " uncompiled it does not",
            self.place(hook),
        )

    def place(self, hook: str) -> Place | None:
        """Return where the hook is defined."""
        code = getattr(self._game.rules.hooks.get(hook), "__code__", None)
        return Place(code.co_filename, code.co_firstlineno) if code else None


def _are_same_outcomes(
    some: Sequence[tuple[int, float]], others: Sequence[tuple[int, float]]
) -> bool:
    """Return whether outcomes and probabilities are the same; NaN, an error of its own, is."""
    return len(some) == len(others) and all(
        one == other and values.same(share, other_share)
        for (one, share), (other, other_share) in zip(some, others, strict=True)
    )


def _format_moves(moves: list[int]) -> str:
    text = ", ".join(map(str, moves[:12]))
    return f"[{text}, ... {len(moves)} in all]" if len(moves) > 12 else f"[{text}]"


def _format_value(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _split_place(text: str) -> tuple[Place | None, str]:
    """Split `file, line N: message` or `file:N: message` into its parts."""
    match = re.match(r"(?P<file>.+?)(?:, line |:)(?P<line>\d+): (?P<message>.*)", text, re.DOTALL)
    if match is None:
        return None, text
    return Place(match["file"], int(match["line"])), match["message"]

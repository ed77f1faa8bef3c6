"""The expected value of a position where chance moves: an analysis after each outcome."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.engine.engine import Engine, Root
from plyforge.game.game import History


@dataclass(frozen=True)
class OutcomeValue:
    """The value of one outcome of chance."""

    outcome: int
    probability: float
    score: float
    """For the side to move before chance does."""
    best: int | None
    """The best move after the outcome; None if the game is over there, or chance moves again."""
    proved: bool


@dataclass(frozen=True)
class Expectation:
    """The values of all outcomes of chance in a position."""

    outcomes: tuple[OutcomeValue, ...]
    nodes: int
    seconds: float

    @property
    def score(self) -> float:
        """The expected value, for the side to move before chance does."""
        return math.fsum(one.probability * one.score for one in self.outcomes) + 0.0

    @property
    def proved(self) -> bool:
        """Whether it is the result of perfect play, not an estimate at some depth."""
        return all(one.proved for one in self.outcomes)


def expect(
    engine: Engine,
    position: Root = None,
    *,
    report: Callable[[OutcomeValue], Any] = lambda one: None,
    time: float | None = None,
    nodes: int | None = None,
    **limits: Any,
) -> Expectation:
    """Analyse the position after each outcome of chance; `limits` are those of `Engine.analyse`.

    Each outcome has an equal share of `time` and `nodes`.
    """
    root = engine.root(position)
    outcomes = root.chance_outcomes()
    if not outcomes:
        raise PlyforgeError("chance does not move in this position; analyse it instead")
    share: dict[str, Any] = dict(limits)
    if time is not None:
        share["time"] = time / len(outcomes)
    if nodes is not None:
        share["nodes"] = max(1, nodes // len(outcomes))
    values: list[OutcomeValue] = []
    total, seconds = 0, 0.0
    for outcome, probability in outcomes:
        after = root.copy()
        after.play(outcome)
        value, searched, took = _value(engine, after, share)
        score = value.score if after.turn == root.turn else 0.0 - value.score
        values.append(OutcomeValue(outcome, probability, score, value.best, value.proved))
        total, seconds = total + searched, seconds + took
        report(values[-1])
    return Expectation(tuple(values), total, seconds)


def _value(
    engine: Engine, history: History, limits: dict[str, Any]
) -> tuple[OutcomeValue, int, float]:
    """Return the value after an outcome for the side to move there, with nodes and seconds."""
    verdict = history.verdict()
    if verdict.over:
        result = history.game.result_value(verdict.value)
        return OutcomeValue(0, 1.0, result, None, True), 0, 0.0
    if history.chance_outcomes():
        below = expect(engine, history, **limits)
        value = OutcomeValue(0, 1.0, below.score, None, below.proved)
        return value, below.nodes, below.seconds
    found = engine.analyse(history, **limits)
    value = OutcomeValue(0, 1.0, found.score, found.pv[0], found.proved)
    return value, found.nodes, found.seconds

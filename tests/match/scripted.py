"""Players with scripted answers."""

from collections.abc import Callable
from itertools import cycle
from typing import Any

from plyforge.engine.clock import Clock
from plyforge.game.game import History
from plyforge.match.players import Choice

Answer = Any
"""A move, a `Choice`, an exception to raise, or a function of the history and the clock."""


class Scripted:
    """A player that repeats a list of answers."""

    def __init__(self, *answers: Answer, seconds: float | None = None) -> None:
        self._answers = cycle(answers)
        self.seconds = seconds
        self.clocks: list[Clock | None] = []

    def begin(self, seed: int) -> None:
        pass

    def choose(self, history: History, clock: Clock | None) -> Choice:
        self.clocks.append(clock)
        answer = next(self._answers)
        if isinstance(answer, Callable):
            answer = answer(history, clock)
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, Choice) else Choice(answer)

    def close(self) -> None:
        pass

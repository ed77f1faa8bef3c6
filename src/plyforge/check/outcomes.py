"""Check the outcomes of chance: ints, each once, with probabilities that add up to 1."""

from typing import Any

from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.report import Place, Recorder
from plyforge.core.errors import GameFileError
from plyforge.game.chance import find_problem, list_outcomes

_HOOK = "chance_outcomes"


class Outcomes:
    """Reads the results of `chance_outcomes`."""

    def __init__(self, hooks: GuardedHooks, recorder: Recorder) -> None:
        self._hooks = hooks
        self._recorder = recorder

    def read(self, position: Any) -> list[tuple[int, float]]:
        """Return the outcomes and their probabilities; raise `CallFailed` if there are none."""
        game = self._hooks.game
        try:
            outcomes: list[tuple[int, float]] = self._hooks.run(
                _HOOK, lambda p: list_outcomes(game, p), position, expected=(GameFileError,)
            )
            problem = find_problem(outcomes)
        except GameFileError as error:
            problem, outcomes = str(error).partition(": ")[2] or str(error), []
        if problem:
            code = game.rules.hooks[_HOOK].__code__
            place = Place(code.co_filename, code.co_firstlineno)
            message = problem if _HOOK in problem else f"'{_HOOK}': {problem}"
            self._recorder.problem(_HOOK, "outcomes", message, place)
        if problem and not outcomes:
            raise CallFailed
        return outcomes

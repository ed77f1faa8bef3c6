"""Another evaluation for a game: from a file, from the game's own list, or a function.

An evaluation's file looks like a game's: it defines `evaluate(position)`, and may define `terms`,
`begin` and `advance`, EVALUATION_RANGE and EVALUATION_MEANING.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

from plyforge.core.contract import HOOKS
from plyforge.core.errors import GameFileError, PlyforgeError, UnknownName
from plyforge.game.game import Game
from plyforge.game.loading import import_file
from plyforge.game.validation import A_RANGE, MEANINGS, is_range

Evaluation = str | ModuleType | Callable[..., Any]

_PARTS: Final = ("evaluate", "terms", "begin", "advance")
_A_FILE: Final = "the path of a Python file with a function evaluate(position)"
_CONSTANTS: Final = ("EVALUATION_RANGE", "EVALUATION_MEANING")
NONE: Final = "none"
"""The evaluation that knows nothing: only the ends of games count."""


def _nothing(position: Any) -> float:
    return 0.0


def with_evaluation(game: Game, evaluation: Evaluation) -> Game:
    """The same game with another evaluation: a file's path, a name that the game lists in
    EVALUATIONS, `none`, a module, or a function of a position."""
    source, told = _found(game, evaluation)
    hooks = {name: hook for name, hook in game.rules.hooks.items() if name not in _PARTS}
    constants = {k: v for k, v in game.rules.constants.items() if k not in _CONSTANTS}
    for name in _PARTS:
        if name in source:
            hooks[name] = _function(told, name, source[name], "begin" in source)
    if "evaluate" not in hooks:
        raise GameFileError(f"{told}: it defines no function 'evaluate(position)'")
    if ("begin" in hooks) != ("advance" in hooks):
        raise GameFileError(f"{told}: 'begin' and 'advance' belong together; define both")
    for name in _CONSTANTS:
        if name in source:
            constants[name] = source[name]
    rules = replace(game.rules, hooks=hooks, constants=constants)
    changed = Game(rules, game.variant, game.backend, game.notices)
    _try(changed, told)
    return changed


def _found(game: Game, evaluation: Evaluation) -> tuple[Mapping[str, Any], str]:
    if isinstance(evaluation, ModuleType):
        return vars(evaluation), evaluation.__name__
    if isinstance(evaluation, FunctionType):
        return {"evaluate": evaluation}, f"function '{evaluation.__name__}'"
    if not isinstance(evaluation, str):
        raise PlyforgeError(f"{evaluation!r} is no evaluation: give a file, a name or a function")
    if evaluation == NONE:
        return {"evaluate": _nothing}, NONE
    if evaluation.endswith(".py"):
        return vars(import_file(Path(evaluation), f"give {_A_FILE}")), evaluation
    listed = game.rules.constant("EVALUATIONS")
    if evaluation not in listed:
        if not listed:
            raise PlyforgeError(
                f"'{evaluation}' is no evaluation: {game.name} lists none by name; give {_A_FILE}"
            )
        raise UnknownName("evaluation", evaluation, listed)
    return vars(listed[evaluation]), f"{game.name}'s evaluation '{evaluation}'"


def _function(told: str, name: str, function: Any, stateful: bool) -> Callable[..., Any]:
    wanted = len(HOOKS[name].arguments) + (name == "evaluate" and stateful)
    if not isinstance(function, FunctionType):
        raise GameFileError(f"{told}: '{name}' must be a plain function, not {function!r}")
    if len(inspect.signature(function).parameters) != wanted:
        arguments = "(position, state)" if wanted == 2 else f"({', '.join(HOOKS[name].arguments)})"
        raise GameFileError(f"{told}: '{name}' must take {arguments}")
    return function


def _try(game: Game, told: str) -> None:
    """Evaluate the start position once: what does not fit the game shows there."""
    bounds = game.rules.constant("EVALUATION_RANGE")
    if not is_range(bounds):
        raise GameFileError(f"{told}: EVALUATION_RANGE is {bounds!r}; it must be {A_RANGE}")
    meaning = game.rules.constant("EVALUATION_MEANING")
    if meaning not in MEANINGS:
        raise GameFileError(
            f"{told}: EVALUATION_MEANING is {meaning!r}; it must be one of {MEANINGS}"
        )
    try:
        game.evaluation(game.initial())
    except PlyforgeError as error:
        raise GameFileError(f"{told} does not fit {game.name}: {error}") from error
    except Exception as error:
        raise GameFileError(f"{told} does not fit {game.name}: {error!r}") from error

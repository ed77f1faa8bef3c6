"""Replacing a game's evaluation: by a file, by one that the game lists, or by a function.

The file of an evaluation defines `evaluate(position)`, and may define `terms`, `begin` and
`advance` with STATE, EVALUATION_RANGE and EVALUATION_MEANING.
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
from plyforge.game.validation import A_RANGE, MEANINGS, check_state, is_range

Evaluation = str | ModuleType | Callable[..., Any]

_HOOKS: Final = ("evaluate", "terms", "begin", "advance")
_A_FILE: Final = "the path of a Python file with a function evaluate(position)"
_CONSTANTS: Final = ("EVALUATION_RANGE", "EVALUATION_MEANING", "STATE")
NONE: Final = "none"
"""The name of the evaluation that is always 0: only the ends of games count."""


def _zero(position: Any) -> float:
    return 0.0


def with_evaluation(game: Game, evaluation: Evaluation) -> Game:
    """Return the game with another evaluation.

    `evaluation` is the path of a file, a name that the game lists in EVALUATIONS, `none`, a module,
    or a function of a position.
    """
    source, label = _find_evaluation(game, evaluation)
    hooks = {name: hook for name, hook in game.rules.hooks.items() if name not in _HOOKS}
    constants = {k: v for k, v in game.rules.constants.items() if k not in _CONSTANTS}
    for name in _HOOKS:
        if name in source:
            hooks[name] = _check_function(label, name, source[name], "STATE" in source)
    if "evaluate" not in hooks:
        raise GameFileError(f"{label}: it defines no function 'evaluate(position)'")
    for name in _CONSTANTS:
        if name in source:
            constants[name] = source[name]
    check_state(label, hooks, constants.get("STATE"))
    rules = replace(game.rules, hooks=hooks, constants=constants)
    changed = Game(rules, game.variant, game.backend, game.notices)
    _check_evaluation(changed, label)
    return changed


def _find_evaluation(game: Game, evaluation: Evaluation) -> tuple[Mapping[str, Any], str]:
    """Return the names that an evaluation defines, and what to call it in messages."""
    if isinstance(evaluation, ModuleType):
        return vars(evaluation), evaluation.__name__
    if isinstance(evaluation, FunctionType):
        return {"evaluate": evaluation}, f"function '{evaluation.__name__}'"
    if not isinstance(evaluation, str):
        raise PlyforgeError(
            f"{evaluation!r} is not an evaluation; give a file, a name or a function"
        )
    if evaluation == NONE:
        return {"evaluate": _zero}, NONE
    if evaluation.endswith(".py"):
        return vars(import_file(Path(evaluation), f"give {_A_FILE}")), evaluation
    known = game.rules.constant("EVALUATIONS")
    if evaluation not in known:
        if not known:
            raise PlyforgeError(
                f"unknown evaluation '{evaluation}'; {game.name} lists none by name; give {_A_FILE}"
            )
        raise UnknownName("evaluation", evaluation, known)
    return vars(known[evaluation]), f"{game.name}'s evaluation '{evaluation}'"


def _check_function(label: str, name: str, function: Any, stateful: bool) -> Callable[..., Any]:
    count = len(HOOKS[name].arguments) + (name == "evaluate" and stateful)
    if not isinstance(function, FunctionType):
        raise GameFileError(f"{label}: '{name}' must be a plain function, not {function!r}")
    if len(inspect.signature(function).parameters) != count:
        arguments = "(position, state)" if count == 2 else f"({', '.join(HOOKS[name].arguments)})"
        raise GameFileError(f"{label}: '{name}' must take {arguments}")
    return function


def _check_evaluation(game: Game, label: str) -> None:
    """Check the constants, and evaluate the start position to see whether the game fits."""
    bounds = game.rules.constant("EVALUATION_RANGE")
    if not is_range(bounds):
        raise GameFileError(f"{label}: EVALUATION_RANGE is {bounds!r}; it must be {A_RANGE}")
    meaning = game.rules.constant("EVALUATION_MEANING")
    if meaning not in MEANINGS:
        raise GameFileError(
            f"{label}: EVALUATION_MEANING is {meaning!r}; it must be one of {MEANINGS}"
        )
    try:
        game.evaluation(game.initial())
    except PlyforgeError as error:
        raise GameFileError(f"{label} does not fit {game.name}: {error}") from error
    except Exception as error:
        raise GameFileError(f"{label} does not fit {game.name}: {error!r}") from error

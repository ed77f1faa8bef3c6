"""Variants: arguments for a game's `initial`, written after the colon.

`connect4:5x4` and `connect4:columns=5,rows=4` both call `initial(columns=5, rows=4)`; a flag is
set by its name alone, as in `hex:11,swap`.
"""

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.core.errors import VariantError, clip
from plyforge.core.rules import Rules

_MAX_CHARACTERS = 200


def describe(initial: Callable[..., Any]) -> str:
    """Return the parameters with their defaults, as `columns=7, rows=6`."""
    return ", ".join(f"{p.name}={p.default}" for p in _parameters(initial))


def _parameters(initial: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(initial).parameters.values())


def read_variant(game: str, text: str, initial: Callable[..., Any]) -> dict[str, Any]:
    """Return the arguments for `initial` that a variant stands for."""
    parameters = {p.name: p for p in _parameters(initial)}
    if len(text) > _MAX_CHARACTERS:
        raise VariantError(
            f"'{game}:{clip(text)}' is too long; a variant has at most {_MAX_CHARACTERS} characters"
        )
    if not text.strip():
        raise VariantError(f"'{game}:' names no variant; add one or leave out the colon")
    if not parameters:
        raise VariantError(f"{game} has no variants; write '{game}', not '{game}:{text}'")
    arguments: dict[str, Any] = {}
    for word in _words(text):
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals:
            name, value = _positional(word, parameters, arguments, game, initial)
        if name not in parameters:
            raise VariantError(
                f"'{game}:{text}': {game} has no parameter '{name}'; it has {describe(initial)}"
            )
        if name in arguments:
            raise VariantError(f"'{game}:{text}': '{name}' is given twice")
        arguments[name] = _convert(value, parameters[name], game)
    return arguments


def initial_position(rules: Rules, variant: str | None) -> Any:
    """Return the start position of a variant; None stands for the default one."""
    initial = rules.hooks["initial"]
    arguments = {} if variant is None else read_variant(rules.name, variant, initial)
    try:
        with np.errstate(over="ignore"):
            return initial(**arguments)
    except ValueError as error:
        if variant is None:
            with rules.blame("initial"):
                raise
        raise VariantError(f"variant '{rules.name}:{variant}': {error}") from error
    except Exception:
        with rules.blame("initial"):
            raise


def _words(text: str) -> list[str]:
    if re.fullmatch(r"\d+x\d+(,.*)?", text):
        text = text.replace("x", ",", 1)
    return [word.strip() for word in text.split(",")]


def _positional(
    word: str,
    parameters: dict[str, inspect.Parameter],
    taken: dict[str, Any],
    game: str,
    initial: Callable[..., Any],
) -> tuple[str, str]:
    if word in parameters and isinstance(parameters[word].default, bool):
        return word, "true"
    for name, parameter in parameters.items():
        if name not in taken and not isinstance(parameter.default, bool):
            return name, word
    raise VariantError(
        f"'{word}' is one value too many for a variant of {game}; it has {describe(initial)}"
    )


def _convert(value: str, parameter: inspect.Parameter, game: str) -> Any:
    default = parameter.default
    try:
        if isinstance(default, bool):
            return {"true": True, "1": True, "false": False, "0": False}[value.lower()]
        if isinstance(default, int):
            return int(value)
        if isinstance(default, float):
            return float(value)
        return value
    except (KeyError, ValueError):
        kind = {bool: "true or false", int: "an integer", float: "a number"}[type(default)]
        raise VariantError(
            f"variant of {game}: {parameter.name} must be {kind}, not '{value}'"
        ) from None

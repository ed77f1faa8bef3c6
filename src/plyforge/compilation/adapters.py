"""Adapters between a game's hooks and a kernel, as templates.

A template is instantiated with `rule`, the game's function, and with conversions that fix its
types.  Both backends use the same templates: compiled, `float64` is Numba's; uncompiled, it is
Python's.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

rule: Any = None
float64: Any = None
int64: Any = None
uint64: Any = None
as_position: Any = None


def _moves_from_generator(position: Any, out: Any) -> Any:
    return rule(out, 0, position)


def _moves_from_buffer(position: Any, out: Any) -> Any:
    return int64(rule(position, out))


def _outcomes_from_generator(position: Any, out: Any, probabilities: Any) -> Any:
    return rule(out, probabilities, 0, position)


def _outcomes_from_buffer(position: Any, out: Any, probabilities: Any) -> Any:
    return int64(rule(position, out, probabilities))


def _position_after(position: Any, move: Any) -> Any:
    return as_position(rule(position, move))


def _score(position: Any) -> Any:
    return float64(rule(position))


def _score_of_move(position: Any, move: Any) -> Any:
    return float64(rule(position, move))


def _score_in_window(position: Any, low: Any, high: Any, words: Any) -> Any:
    return float64(rule(position, low, high, words))


def _int(position: Any) -> Any:
    return int64(rule(position))


def _int_of_move(position: Any, move: Any) -> Any:
    return int64(rule(position, move))


def _bool(position: Any) -> Any:
    return bool(rule(position))


def _bool_of_move(position: Any, move: Any) -> Any:
    return bool(rule(position, move))


def _key(position: Any) -> Any:
    return uint64(rule(position))


TEMPLATES: dict[tuple[str, int], Callable[..., Any]] = {
    ("position", 2): _position_after,
    ("score", 1): _score,
    ("score", 2): _score_of_move,
    ("score", 4): _score_in_window,
    ("int", 1): _int,
    ("int", 2): _int_of_move,
    ("bool", 1): _bool,
    ("bool", 2): _bool_of_move,
    ("key", 1): _key,
    ("generator", 1): _moves_from_generator,
    ("buffer", 2): _moves_from_buffer,
    ("outcome generator", 1): _outcomes_from_generator,
    ("outcome buffer", 3): _outcomes_from_buffer,
}
"""The adapter by what a hook returns and its number of arguments."""


def instantiate(template: Callable[..., Any], name: str, scope: dict[str, Any]) -> FunctionType:
    """Copy a template under another name, with `scope` as its globals."""
    assert isinstance(template, FunctionType)
    function = FunctionType(template.__code__, scope, name)
    function.__qualname__ = name
    return function

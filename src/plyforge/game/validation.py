"""Reading rules from a module, with a check of each hook and constant against the contract."""

import difflib
import inspect
import re
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from plyforge.core.contract import CONSTANTS, HOOKS, SHAPES, Hook
from plyforge.core.errors import GameFileError, PlyforgeError, clip
from plyforge.core.rules import Rules, describe_error
from plyforge.core.scores import SCORE_LIMIT
from plyforge.game.forms import install_evaluation, read_evaluation, takes_weights

REPETITIONS = ("draw", "loss", "illegal", None)
MEANINGS = ("points", "probability", "score")
A_RANGE = "a pair of numbers (minimum, maximum) within ±2^23"
MAX_MOVES_LIMIT = 65_536
STATE_TYPES = ("int8", "int16", "int32", "int64", "float32", "float64")
MAX_STATE = 65_536
_COMPANIONS = (
    ("chance", "chance_outcomes"),
    ("chance_outcomes", "chance"),
    ("chance", "turn"),
    ("information", "turn"),
)
"""Pairs of hooks: a game that defines the first must define the second."""
_DATABASE = "Database"
_NAME_OF_PLAYER = re.compile(r"[A-Za-z0-9_-]+")


def read_module(name: str, module: ModuleType) -> Rules:
    """Read the rules in an imported module; raise `GameFileError` if they break the contract."""
    file = str(getattr(module, "__file__", name))
    try:
        return _read_rules(name, file, module)
    except PlyforgeError:
        raise
    except Exception as error:  # objects of the file may raise when they are inspected
        raise GameFileError(
            f"{file}: while reading its functions and constants: {describe_error(error)}"
        ) from error


def _read_rules(name: str, file: str, module: ModuleType) -> Rules:
    wanted = [hook for hook in HOOKS.values() if hook.group != _DATABASE or _indexes(module)]
    functions = {hook.name: _read_hook(file, module, hook) for hook in wanted}
    hooks = {name: function for name, function in functions.items() if function is not None}
    constants = {
        constant: getattr(module, constant) for constant in CONSTANTS if hasattr(module, constant)
    }
    evaluation = read_evaluation(vars(module), file)
    rules = install_evaluation(Rules(name, module, hooks, constants), evaluation)
    _check_constants(rules)
    _check_companions(file, hooks)
    check_state(file, rules.hooks, rules.constant("STATE"))
    return rules


def _check_companions(file: str, hooks: Mapping[str, Any]) -> None:
    """Raise an error unless hooks of chance and hidden information have those that they need."""
    for one, other in _COMPANIONS:
        if one in hooks and other not in hooks:
            raise GameFileError(
                f"{file}: '{one}' needs '{other}(position)': {HOOKS[other].summary}; define it, too"
            )


def _indexes(module: ModuleType) -> bool:
    """Whether a module defines an index of its positions; `index` alone may mean anything."""
    return all(hasattr(module, name) for name in ("slices", "index", "unindex"))


def check_state(label: str, hooks: Mapping[str, Any], state: Any) -> None:
    """Raise an error unless `begin`, `advance` and STATE fit together."""
    given = {
        "begin": "begin" in hooks,
        "advance": "advance" in hooks,
        "STATE": state is not None,
    }
    if any(given.values()) and not all(given.values()):
        missing = next(name for name, there in given.items() if not there)
        present = next(name for name, there in given.items() if there)
        raise GameFileError(
            f"{label}: '{present}' needs '{missing}': 'begin' and 'advance' write the array that"
            " STATE declares; define all three or none"
        )
    if state is not None and not _is_state(state):
        raise GameFileError(
            f"{label}: STATE is {clip(repr(state))}; it must be a pair of type and size, such as"
            f" ('int16', 64), with a type of {', '.join(STATE_TYPES)} and a size between 1 and"
            f" {MAX_STATE}"
        )


def _is_state(state: Any) -> bool:
    return (
        isinstance(state, tuple)
        and len(state) == 2
        and state[0] in STATE_TYPES
        and _is_int(state[1])
        and 1 <= state[1] <= MAX_STATE
    )


def _read_hook(file: str, module: ModuleType, hook: Hook) -> Callable[..., Any] | None:
    call = f"{hook.name}({', '.join(hook.arguments)})"
    value = getattr(module, hook.name, None)
    if value is None or isinstance(value, ModuleType):  # a folder's file may share a hook's name
        if hook.required:
            hint = _misspelling_hint(hook.name, module)
            raise GameFileError(f"{file}: no function '{call}': {hook.summary}{hint}")
        return None
    if not callable(value):
        raise GameFileError(f"{file}: '{hook.name}' must be a function {call}, not {value!r}")
    plain = inspect.unwrap(getattr(value, "py_func", value))
    if not inspect.isfunction(plain):
        raise GameFileError(f"{file}: '{hook.name}' must be a plain function {call}")
    if hook.name == "initial":
        _check_defaults(file, plain)
    else:
        count = len(inspect.signature(plain).parameters)
        if count not in _argument_counts(hook, module):
            line = plain.__code__.co_firstlineno
            raise GameFileError(
                f"{file}, line {line}: '{hook.name}' takes {count} arguments;"
                f" the contract requires {call}"
            )
        generates = inspect.isgeneratorfunction(plain)
        if hook.returns == "outcomes" and generates != (count == 1):
            line = plain.__code__.co_firstlineno
            raise GameFileError(
                f"{file}, line {line}: '{call}' must yield pairs (outcome, probability); only"
                f" '{hook.name}(position, out, probabilities)' stores them and returns how many"
            )
        if hook.returns == "moves" and generates != (count == 1):
            line = plain.__code__.co_firstlineno
            raise GameFileError(
                f"{file}, line {line}: '{call}' must yield its moves; only"
                f" '{hook.name}(position, out)' stores them in 'out' and returns how many"
            )
    return plain


def _check_defaults(file: str, initial: Callable[..., Any]) -> None:
    """Check that every parameter of `initial` has a default: the variant is optional."""
    for parameter in inspect.signature(initial).parameters.values():
        if parameter.default is parameter.empty:
            raise GameFileError(
                f"{file}, line {initial.__code__.co_firstlineno}: 'initial' has the parameter"
                f" '{parameter.name}' without a default; give it one, as {parameter.name}=5"
            )


def _argument_counts(hook: Hook, module: ModuleType) -> set[int]:
    count = len(hook.arguments)
    if hook.returns == "moves":
        return {count, count + 1}
    if hook.returns == "outcomes":
        return {count, count + 2}
    if hook.name == "evaluate" and (hasattr(module, "STATE") or takes_weights(vars(module))):
        return {count + 1}
    return {count}


def _misspelling_hint(name: str, module: ModuleType) -> str:
    """Return a hint at a name of the module that may be a misspelling of `name`."""
    close = difflib.get_close_matches(name, [n for n in vars(module) if n[0] != "_"], n=1)
    return f" (is '{close[0]}' meant to be '{name}'?)" if close else ""


def _check_constants(rules: Rules) -> None:
    def require(name: str, valid: bool, expected: str) -> None:
        if not valid:
            raise GameFileError(
                f"{rules.file}: {name} is {rules.constant(name)!r}; it must be {expected}"
            )

    max_moves = rules.constant("MAX_MOVES")
    require(
        "MAX_MOVES",
        _is_int(max_moves) and 1 <= max_moves <= MAX_MOVES_LIMIT,
        f"an int between 1 and {MAX_MOVES_LIMIT}",
    )
    slots = rules.constant("MOVE_SLOTS")
    require("MOVE_SLOTS", _is_int(slots) and 1 <= slots <= 1 << 20, "an int between 1 and 1048576")
    players = rules.constant("PLAYERS")
    require(
        "PLAYERS",
        isinstance(players, tuple)
        and len(players) == 2
        and all(isinstance(p, str) and p.isprintable() for p in players),
        "a pair of names",
    )
    _check_pieces(rules)
    limit = rules.constant("NO_PROGRESS_LIMIT")
    require(
        "NO_PROGRESS_LIMIT",
        limit is None or (_is_int(limit) and limit > 0),
        "None or a positive int",
    )
    require(
        "REPETITION",
        rules.constant("REPETITION") in REPETITIONS,
        "'draw', 'loss', 'illegal' or None",
    )
    leaves = rules.constant("FINISHED_LEAVES")
    require("FINISHED_LEAVES", _is_int(leaves) and leaves in (0, 1), "0 or 1")
    require("SILENT_PASS", isinstance(rules.constant("SILENT_PASS"), bool), "True or False")
    count = rules.constant("REPETITION_COUNT")
    require("REPETITION_COUNT", _is_int(count) and count >= 2, "an int of at least 2")
    require(
        "EVALUATION_MEANING", rules.constant("EVALUATION_MEANING") in MEANINGS, f"one of {MEANINGS}"
    )
    require("EVALUATIONS", isinstance(rules.constant("EVALUATIONS"), dict), "a dict of modules")
    require("SEARCH", isinstance(rules.constant("SEARCH"), dict), "a dict with on, off and set")
    solving = rules.constant("SOLVE")
    known = isinstance(solving, dict) and set(solving) <= {"method", "on", "off", "driver"}
    require("SOLVE", known, "a dict with method, on, off and driver")
    named = rules.constant("NAMED_PLAYERS")
    require(
        "NAMED_PLAYERS",
        isinstance(named, dict)
        and all(isinstance(text, str) for item in named.items() for text in item)
        and all(_NAME_OF_PLAYER.fullmatch(name) for name in named),
        "a dict of descriptions by name, as {'quick': 'engine:depth=4'}, with names of letters,"
        " digits, '-' and '_'",
    )
    openings = rules.constant("OPENINGS")
    require(
        "OPENINGS",
        isinstance(openings, dict)
        and all(isinstance(text, str) and text for item in openings.items() for text in item),
        "a dict of names by lines of moves, as {'11-15 24-20': 'Ayrshire Lassie'}",
    )
    require("EVALUATION_RANGE", is_range(rules.constant("EVALUATION_RANGE")), A_RANGE)
    ahead = rules.constant("AHEAD")
    require(
        "AHEAD", ahead is None or (_is_number(ahead) and ahead > 0), "None or a positive number"
    )
    clocks = rules.constant("CLOCKS")
    require("CLOCKS", isinstance(clocks, tuple), "a tuple of field names, such as ('clock',)")
    alternating = rules.constant("ALTERNATING")
    require("ALTERNATING", alternating in (True, False, None), "True or False")


def _check_pieces(rules: Rules) -> None:
    pieces = rules.constant("PIECES")
    if not isinstance(pieces, dict):
        raise GameFileError(
            f"{rules.file}: PIECES is {clip(repr(pieces))}; it must be a dict of letters, such"
            " as {'k': (1, 'king')}"
        )
    for letter, look in pieces.items():
        if not isinstance(letter, str) or not letter:
            raise GameFileError(
                f"{rules.file}: PIECES has the letter {letter!r}; it must be a string"
            )
        pair = isinstance(look, tuple) and len(look) == 2
        if not pair or not (look[0] is None or (_is_int(look[0]) and look[0] in (0, 1))):
            raise GameFileError(
                f"{rules.file}: PIECES[{letter!r}] is {clip(repr(look))}; it must be a pair of"
                " side (0, 1 or None) and shape, as (1, 'king')"
            )
        if look[1] not in SHAPES:
            raise GameFileError(
                f"{rules.file}: PIECES[{letter!r}] has the shape {clip(repr(look[1]))}; it must"
                f" be one of {', '.join(SHAPES)}"
            )


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_range(bounds: Any) -> bool:
    """Return whether a value is valid as EVALUATION_RANGE; `A_RANGE` describes it."""
    return (
        isinstance(bounds, tuple)
        and len(bounds) == 2
        and all(isinstance(b, (int, float)) and abs(b) <= SCORE_LIMIT for b in bounds)
        and bounds[0] < bounds[1]
    )

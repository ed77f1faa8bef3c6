"""Mistakes in a step's functions that can be seen before they run.

Compiled code reports them without the line in the user's file, or not at all.
"""

import builtins
import dis
from types import CodeType, FunctionType
from typing import Any

from plyforge.core.errors import GameFileError, clip


def check_code(function: FunctionType, label: str, returns_value: bool) -> None:
    """Raise an error that names the line of an undefined name, or of a wrong constant returned."""
    for line, name in _undefined_names(function):
        raise GameFileError(f"{label}, line {line}: the name '{name}' is not defined")
    if not returns_value:
        return
    for line, value in _returned_constants(function.__code__):
        if value is None:
            raise GameFileError(
                f"{label}, line {line}: '{function.__name__}' returns None; it must return a value"
                " on every path"
            )
        if not isinstance(value, (int, float)):
            raise GameFileError(
                f"{label}, line {line}: '{function.__name__}' returns {clip(repr(value))}, which is"
                " not a number"
            )


def _undefined_names(function: FunctionType) -> list[tuple[int | None, str]]:
    known = {*function.__globals__, *dir(builtins)}
    return [
        (_line(instruction), instruction.argval)
        for instruction in dis.get_instructions(function)
        if instruction.opname == "LOAD_GLOBAL" and instruction.argval not in known
    ]


def _returned_constants(code: CodeType) -> list[tuple[int | None, Any]]:
    """Return the constants that a function returns, with their lines; `None` at its end, too."""
    found = []
    before: dis.Instruction | None = None
    for instruction in dis.get_instructions(code):
        if instruction.opname == "RETURN_CONST":  # Python 3.12 and 3.13
            found.append((_line(instruction), instruction.argval))
        elif instruction.opname == "RETURN_VALUE" and before and before.opname == "LOAD_CONST":
            found.append((_line(before), before.argval))
        before = instruction
    return found


def _line(instruction: dis.Instruction) -> int | None:
    return None if instruction.positions is None else instruction.positions.lineno

"""Explain Numba's errors to the author of a game: the line, what is wrong, a remedy."""

import re
from collections.abc import Iterable
from pathlib import Path

RULES = "the rules: "
"""The prefix of a message that is about the rules already and needs no explanation."""

_NOISE = re.compile(r"\s*(Failed in|During:|For more|>>>|There are \d+|- Of which)")
_PLACE = re.compile(r'File "([^"]+)", line (\d+)|(\S+\.py) \((\d+)\)')
_FROZEN = re.compile(r"The use of a (.+?) type, assigned to variable '(\w+)' in globals")
_GLOBAL = re.compile(
    r"Untyped global name '(\w+)':.*?Cannot determine Numba type of <class '([\w.]+)'>", re.DOTALL
)
_ATTRIBUTE = re.compile(r"Unknown attribute '(\w+)' of type (.+)")
_UNIFY = re.compile(r"Can't unify return type from the following types: (.+)")
_VARIABLE = re.compile(r"Cannot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?'")
_MISSING = re.compile(r"missing a required argument: '(\w+)'|too many positional arguments")
_FUNCTION = re.compile(r"Use of unsupported NumPy function '?([\w.]+)'?")
_NAME = re.compile(r"NameError: name '(\w+)' is not defined")
_OPCODE = re.compile(r"unsupported opcode \((\w+)\)")
_OPCODES = {
    "GET_YIELD_FROM_ITER": "'yield from' in a generator that a 'for' loop consumes",
    "LOAD_BUILD_CLASS": "a class inside a function",
    "UNPACK_EX": "a starred name on the left of an assignment",
}
_EMPTY = re.compile(r"Untyped global name '(\w+)':\s*Cannot type empty (\w+)")
_FIELD = re.compile(r"Cannot resolve setattr: \((\w+)\)\.(\w+) =")
_METHOD = re.compile(r"Invalid use of BoundFunction\((\w+)\.(\w+) for ")
_RECORD = re.compile(r"\b(Context|Node)_[0-9a-f]{16}\b")
_POSITION = re.compile(r"Position_[0-9a-f]{32}(?:\([^)]*\))?")


def explain(error: Exception, files: Iterable[str]) -> str:
    """Return `file, line N: what is wrong`; `files` are the rules' files, the game's own first."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    return (
        f"{_place(text, list(files))}: Numba cannot compile this: {_describe(text)}"
        " (--backend python runs the rules uncompiled)"
    )


def _place(text: str, files: list[str]) -> str:
    """Find the innermost line of the rules; Numba lists places from the inside out."""
    for named, line, short, number in _PLACE.findall(text):
        file = str(Path(named or short).resolve())
        for own in files:
            if file == str(Path(own).resolve()):
                return f"{own}, line {line or number}"
    return files[0]


def _describe(text: str) -> str:
    if match := re.search(RULES + "(.+)", text):
        return _type(match[1])
    if match := _GLOBAL.search(text):
        name, kind = match.groups()
        if kind.endswith("lru_cache_wrapper"):
            return f"'{name}' is wrapped by functools.cache; compiled rules call plain functions"
        if kind == "builtin_function_or_method":
            return f"the built-in function '{name}' has no compiled form"
        return _unreadable_global(name, kind)
    if match := _FROZEN.search(text):
        return _unreadable_global(match[2], match[1].removeprefix("reflected ").split("(")[0])
    if match := _EMPTY.search(text):
        return _unreadable_global(match[1], match[2])
    match = _ATTRIBUTE.search(text) or _FIELD.search(text)
    if match and (record := _RECORD.search(match[0])):
        return _missing_field(record[1].lower(), match[2 if match.re is _FIELD else 1])
    if match := _METHOD.search(text):
        kind, name = match.groups()
        return f"'{name}' of a {kind} is called with another type; it holds values of one type"
    if match := _ATTRIBUTE.search(text):
        return f"{_type(match[2])} has no attribute '{match[1]}' in compiled code"
    if match := _UNIFY.search(text):
        return f"it returns values of different types: {_types(match[1])}; return one type always"
    if match := _VARIABLE.search(text):
        one, other, name = match.groups()
        return (
            f"'{name}' is {_type(one)} on one path and {_type(other)} on another; give it one type"
        )
    if match := _OPCODE.search(text):
        return f"{_OPCODES.get(match[1], match[1])} has no compiled form"
    if match := _FUNCTION.search(text):
        return f"{match[1]} has no compiled form"
    if match := _NAME.search(text):
        return f"the name '{match[1]}' is not defined"
    if match := _MISSING.search(text):
        what = f"argument '{match[1]}' is missing" if match[1] else "too many arguments"
        return f"a call does not match its function: {what}"
    return _shorten(text)


def _unreadable_global(name: str, kind: str) -> str:
    return f"'{name}' is a {kind}; compiled rules read ints, floats, tuples and NumPy arrays"


def _missing_field(record: str, name: str) -> str:
    declared = "; a step declares its own by PARAMETERS, COUNTERS and ARRAYS"
    return f"the {record} has no field '{name}'" + (declared if record == "context" else "")


def _shorten(text: str) -> str:
    message = text.split('\nFile "')[0].split("\nDuring: ")[0]
    message = re.sub(r"\.?\s*Raised from .*", "", message)
    lines = [line.strip() for line in message.splitlines() if line and not _NOISE.match(line)]
    return _POSITION.sub("a position", " ".join(lines))[:400]


def _type(text: str) -> str:
    text = _POSITION.sub("a position", text.strip())
    text = _RECORD.sub(lambda match: match[1].lower(), text)
    return re.sub(r"Literal\[(\w+)\]\([^)]*\)", r"\1", text)


def _types(text: str) -> str:
    return " and ".join(dict.fromkeys(_type(part) for part in _split(text)))


def _split(text: str) -> list[str]:
    """Split a list of types at the commas outside of parentheses."""
    return re.split(r",\s*(?![^(\[]*[)\]])", text)

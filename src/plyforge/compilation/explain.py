"""Numba's errors in the words of a game's author: the line, what is wrong, a remedy."""

import re
from collections.abc import Iterable
from pathlib import Path

RULES = "the rules: "
"""Begins a message that is about the rules and needs no explanation."""

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
_POSITION = re.compile(r"Position_[0-9a-f]{32}(?:\([^)]*\))?")


def explained(error: Exception, files: Iterable[str]) -> str:
    """`file, line N: what is wrong`; `files` are those of the rules, the game's own first."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    return (
        f"{_place(text, list(files))}: Numba cannot compile this: {_what(text)}"
        " (--backend python runs the rules uncompiled)"
    )


def _place(text: str, files: list[str]) -> str:
    """The innermost line of the rules; Numba tells the places from the inside to the outside."""
    for named, line, short, number in _PLACE.findall(text):
        file = str(Path(named or short).resolve())
        for own in files:
            if file == str(Path(own).resolve()):
                return f"{own}, line {line or number}"
    return files[0]


def _what(text: str) -> str:
    if found := re.search(RULES + "(.+)", text):
        return _type(found[1])
    if found := _GLOBAL.search(text):
        name, kind = found.groups()
        if kind.endswith("lru_cache_wrapper"):
            return f"'{name}' is wrapped by functools.cache; compiled rules call plain functions"
        if kind == "builtin_function_or_method":
            return f"the built-in function '{name}' has no compiled form"
        return _not_readable(name, kind)
    if found := _FROZEN.search(text):
        return _not_readable(found[2], found[1].removeprefix("reflected ").split("(")[0])
    if found := _ATTRIBUTE.search(text):
        return f"{_type(found[2])} has no attribute '{found[1]}' in compiled code"
    if found := _UNIFY.search(text):
        return f"it returns values of different types: {_types(found[1])}; return one type always"
    if found := _VARIABLE.search(text):
        one, other, name = found.groups()
        return (
            f"'{name}' is {_type(one)} on one path and {_type(other)} on another; give it one type"
        )
    if found := _OPCODE.search(text):
        return f"{_OPCODES.get(found[1], found[1])} has no compiled form"
    if found := _FUNCTION.search(text):
        return f"{found[1]} has no compiled form"
    if found := _NAME.search(text):
        return f"the name '{found[1]}' is not defined"
    if found := _MISSING.search(text):
        what = f"argument '{found[1]}' is missing" if found[1] else "too many arguments"
        return f"a call does not match its function: {what}"
    return _shortened(text)


def _not_readable(name: str, kind: str) -> str:
    return f"'{name}' is a {kind}; compiled rules read ints, floats, tuples and NumPy arrays"


def _shortened(text: str) -> str:
    told = text.split('\nFile "')[0].split("\nDuring: ")[0]
    told = re.sub(r"\.?\s*Raised from .*", "", told)
    lines = [line.strip() for line in told.splitlines() if line and not _NOISE.match(line)]
    return _POSITION.sub("a position", " ".join(lines))[:400]


def _type(text: str) -> str:
    text = _POSITION.sub("a position", text.strip())
    return re.sub(r"Literal\[(\w+)\]\([^)]*\)", r"\1", text)


def _types(text: str) -> str:
    return " and ".join(dict.fromkeys(_type(part) for part in _split(text)))


def _split(text: str) -> list[str]:
    """A list of types, at the commas outside of parentheses."""
    return re.split(r",\s*(?![^(\[]*[)\]])", text)

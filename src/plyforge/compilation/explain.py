"""Explain Numba's errors to the author of a game: the line, what is wrong and a remedy."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from plyforge.compilation import source_lines

RULES = "the rules: "
"""The prefix of a message that is about the rules already and needs no explanation."""

_NOISE = re.compile(r"\s*(Failed in|During:|For more|>>>|There are \d+|- Of which)")
_PLACE = re.compile(r'File "([^"]+)", line (\d+)|(\S+\.py) \((\d+)\)')
_OPCODES = {
    "GET_YIELD_FROM_ITER": "'yield from' in a generator that a 'for' loop consumes",
    "LOAD_BUILD_CLASS": "a class inside a function",
    "UNPACK_EX": "a starred name on the left of an assignment",
}
_RECORD = re.compile(r"\b(Context|Node)_[0-9a-f]{16}\b")
_POSITION = re.compile(r"Position_[0-9a-f]{32}(?:\([^)]*\))?")
_READABLE = "compiled rules read ints, floats, tuples and NumPy arrays"
_INSTEAD = {
    "_replace": "write a new position with all of its fields",
    "_asdict": "write a new position with all of its fields",
    "bit_count": "use popcount(...) from plyforge.rules",
    "bit_length": "use 64 - clz(...) from plyforge.rules",
}
"""What to write instead of methods that are not compiled."""
_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "contains": "in",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}  # fmt: skip


@dataclass(frozen=True)
class _Explanation:
    """What is wrong, and where to look for its line if Numba names no line or only the function."""

    text: str
    matches: Callable[[str], source_lines.Matcher] | None = None
    """Returns, for a file, what to look for in it."""


def explain(error: Exception, files: Iterable[str]) -> str:
    """Return `file, line N: what is wrong`; `files` are the rules' files, the game's own first."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    known = list(files)
    file, line = _place(text, known)
    explanation = _describe(text)
    if explanation.matches is not None:
        file, line = _find(explanation.matches, file, line, known)
    where = file if line is None else f"{file}, line {line}"
    return (
        f"{where}: Numba cannot compile this: {explanation.text}"
        " (--backend python runs the rules uncompiled)"
    )


def _place(text: str, files: list[str]) -> tuple[str, int | None]:
    """Find the innermost line of the rules; Numba lists places from the inside out."""
    for named, line, short, number in _PLACE.findall(text):
        file = str(Path(named or short).resolve())
        for own in files:
            if file == str(Path(own).resolve()):
                return own, int(line or number)
    return files[0], None


def _find(
    matches: Callable[[str], source_lines.Matcher], file: str, line: int | None, files: list[str]
) -> tuple[str, int | None]:
    """Look for a line in the function at a place, or in all files if there is no place."""
    for candidate in [file] if line is not None else files:
        found = source_lines.find_line(candidate, matches(candidate), line)
        if found is not None:
            return candidate, found
    return file, line


def _describe(text: str) -> _Explanation:
    if match := re.search(RULES + "(.+)", text):
        return _describe_rules(_type(match[1]))
    for pattern, describe in _PATTERNS:
        if match := pattern.search(text):
            described = describe(match)
            if described is not None:
                return described if isinstance(described, _Explanation) else _Explanation(described)
    reason = "it gives no reason; does a function return or a variable hold different types?"
    return _Explanation(_shorten(text) or reason)


def _describe_rules(message: str) -> _Explanation:
    if re.search(r"(returns|is) float\b", message) and "declared float" not in message:
        return _Explanation(
            f"{message}; divide with //, because / makes a float, or convert with int(...)",
            lambda _: source_lines.divides,
        )
    if match := re.search(r"returns list for the field '(\w+)', which is declared array", message):
        return _Explanation(
            f"{message}; write {match[1]} = position.{match[1]}.copy() and change it"
        )
    if "for the field" in message and "returns array of float" in message:
        return _Explanation(f"{message}; keep its type with .astype(...), and use // for /")
    if "a move must be an int" in message and "tuple" in message:
        return _Explanation(f"{message}; write one number, such as 8 * start + target")
    return _Explanation(message)


def _global(match: re.Match[str]) -> str:
    name, kind = match.groups()
    if kind.endswith("lru_cache_wrapper"):
        return f"'{name}' is wrapped by functools.cache; compiled rules call plain functions"
    if kind == "builtin_function_or_method":
        return f"the built-in function '{name}' has no compiled form"
    return _unreadable_global(name, kind)


def _unreadable_global(name: str, kind: str) -> str:
    if kind in ("dict", "list", "set"):
        instead = "a tuple" if kind == "list" else "a tuple or a NumPy array"
        return f"'{name}' is a {kind}; {_READABLE}: make it {instead}"
    if kind == "type":
        return f"'{name}' is a class; {_READABLE}, and create positions only"
    return f"'{name}' is a {kind.rpartition('.')[2]}; {_READABLE}"


def _missing_record_field(match: re.Match[str]) -> str | None:
    record = _RECORD.search(match[0])
    if record is None:
        return None
    kind = record[1].lower()
    name = match["field"]
    declared = "; a step declares its own by PARAMETERS, COUNTERS and ARRAYS"
    return f"the {kind} has no field '{name}'" + (declared if kind == "context" else "")


def _attribute(match: re.Match[str]) -> str:
    name, owner = match["field"], match["owner"]
    if module := re.match(r"Module\(<module '([\w.]+)'", owner):
        return f"{module[1]}.{name} has no compiled form"
    instead = f"; {_INSTEAD[name]}" if name in _INSTEAD else ""
    return f"{_with_article(_type(owner))} has no attribute '{name}' in compiled code{instead}"


def _assignment(match: re.Match[str]) -> _Explanation:
    name = match[1]
    return _Explanation(
        f"a position cannot be changed: '{name}' is assigned; return a new position with all of its"
        " fields, as Position(..., side=1 - position.side)",
        lambda _: source_lines.assigns_attribute(name),
    )


def _variable(match: re.Match[str]) -> str:
    one, other, name = match.groups()
    what = "a value" if name.startswith("$") else f"'{name.split('.')[0]}'"
    remedy = "give it one type"
    if {_type(one), _type(other)} == {"u64", "int"}:
        remedy = "give it one type: u64(0), not 0"
    return f"{what} is {_type(one)} on one path and {_type(other)} on another; {remedy}"


def _returns(match: re.Match[str]) -> str:
    names = _types(match[1])
    remedy = "return one type always"
    if "a position" in names and "tuple" in names:
        remedy += ", as Position(...)"
    return f"it returns values of different types: {names}; {remedy}"


def _missing_argument(match: re.Match[str]) -> _Explanation:
    name = match[1]
    if not name:
        return _Explanation("a call does not match its function: too many arguments")
    return _Explanation(
        f"a call does not match its function: argument '{name}' is missing",
        lambda file: source_lines.calls_without(name, file),
    )


def _undefined(match: re.Match[str]) -> _Explanation:
    name = match[1]
    return _Explanation(
        f"the name '{name}' is not defined", lambda _: source_lines.reads_name(name)
    )


def _implementation(match: re.Match[str]) -> str:
    function = match[1].split()[-1].strip("'")
    kinds = _split(match[2])
    named = [_type(kind) for kind in kinds]
    if function == "exception_match":
        return "an 'except' with a certain exception; compiled rules cannot catch it: test first"
    if function == "setitem" and "position" in kinds[0].lower():
        return "a position cannot be changed; return a new position with all of its fields"
    if function == "setitem" and named[0] == "tuple":
        return "a tuple cannot be changed; use a NumPy array, and copy it before you change it"
    if function == "getitem" and named[0] == "tuple":
        return (
            "an index into a tuple whose entries have different types; give all entries one type,"
            " and rows of a table one length (padded with -1)"
        )
    if any(name.startswith("enum ") for name in named):
        return (
            f"'{_OPERATORS.get(function, function)}' of {' and '.join(named)}; use plain int"
            " constants, or an IntEnum"
        )
    if function in _OPERATORS:
        return f"'{_OPERATORS[function]}' of {' and '.join(named)} has no compiled form"
    return f"{function}({', '.join(named)}) has no compiled form"


_PATTERNS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str | _Explanation | None]]] = [
    (
        re.compile(
            r"Untyped global name '(\w+)':.*?Cannot determine Numba type of <class '([\w.]+)'>",
            re.DOTALL,
        ),
        _global,
    ),
    (
        re.compile(
            r"The use of a (?P<kind>.+?) type, assigned to variable '(?P<name>\w+)' in globals"
        ),
        lambda m: _unreadable_global(m["name"], m["kind"].removeprefix("reflected ").split("(")[0]),
    ),
    (
        re.compile(r"Untyped global name '(\w+)':\s*Cannot type empty (\w+)"),
        lambda m: _unreadable_global(m[1], m[2]),
    ),
    (re.compile(r"Unknown attribute '(?P<field>\w+)' of type .+"), _missing_record_field),
    (re.compile(r"Cannot resolve setattr: \(\w+\)\.(?P<field>\w+) ="), _missing_record_field),
    (
        re.compile(r"(?:lowering|resolve setattr:) .*?Position_\w+(?:\([^)]*\))*\.(\w+) ="),
        _assignment,
    ),
    (
        re.compile(r"Invalid use of BoundFunction\((\w+)\.(\w+) for "),
        lambda m: f"'{m[2]}' of a {m[1]} is called with another type; it holds values of one type",
    ),
    (re.compile(r"Unknown attribute '(?P<field>\w+)' of type (?P<owner>.+)"), _attribute),
    (
        re.compile(r"Can't unify return type from the following types: (.+)"),
        _returns,
    ),
    (re.compile(r"Cannot unify (.+?) and (.+?) for '([$\w.]+?)'"), _variable),
    (
        re.compile(r"unsupported opcode \((\w+)\)"),
        lambda m: f"{_OPCODES.get(m[1], m[1])} has no compiled form",
    ),
    (
        re.compile(r"Use of unsupported NumPy function '?([\w.]+)'?"),
        lambda m: f"{m[1]} has no compiled form",
    ),
    (re.compile(r"NameError: name '(\w+)' is not defined"), _undefined),
    (
        re.compile(r"missing a required argument: '(\w+)'|too many positional arguments"),
        _missing_argument,
    ),
    (
        re.compile(
            r"No implementation of function Function\(<(.+?)(?: at 0x\w+)?>\) found for signature:"
            r".*?With argument\(s\): '\((.*?)\)':",
            re.DOTALL,
        ),
        _implementation,
    ),
    (
        re.compile(r"\*args in function call should be a tuple, got (\S+)"),
        lambda m: f"the * before a {_type(m[1])}; write out the arguments of the call",
    ),
    (
        re.compile(r"use of yield in a closure"),
        lambda m: (
            "a generator expression, such as sum(... for ...), has no compiled form; write a"
            " loop, or a list in brackets"
        ),
    ),
    (
        re.compile(r"'with \(context manager\)"),
        lambda m: _Explanation(
            "a 'with' statement has no compiled form", lambda _: source_lines.uses_with
        ),
    ),
]
"""What Numba's messages look like, and their explanations; the first that fits is used."""


def _shorten(text: str) -> str:
    message = text.split('\nFile "')[0].split("\nDuring: ")[0]
    message = re.sub(r"\.?\s*Raised from .*", "", message)
    lines = [line.strip() for line in message.splitlines() if line and not _NOISE.match(line)]
    return _POSITION.sub("a position", " ".join(lines))[:400]


_TYPES = {
    r"Literal\[(\w+)\]\([^)]*\)": r"\1",
    r"\barray\((\w+), \w+, \w+\)": r"array of \1",
    r"\blist\([^()]*(?:\([^()]*\))?\)(<iv=\w+>)?": "list",
    r"\b(Uni)?Tuple\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)": "tuple",
    r"\bIntEnum<\w+>\((\w+)\)|\bEnum<\w+>\((\w+)\)": r"enum \1\2",
    r"\b(int64|intp)\b": "int",
    r"\buint64\b": "u64",
    r"\bfloat64\b": "float",
    r"\bboolean\b": "bool",
    r"\bunicode_type\b": "str",
    r"\bnone\b": "None",
}
"""Numba's names of types, and how a Python programmer would say it."""


def _type(text: str) -> str:
    """Return a text with types in plain words.

    >>> _type("UniTuple(int64 x 2) and array(float64, 1d, C)")
    'tuple and array of float'
    """
    text = _POSITION.sub("a position", text.strip())
    text = _RECORD.sub(lambda match: match[1].lower(), text)
    for pattern, name in _TYPES.items():
        text = re.sub(pattern, name, text)
    return text


def _with_article(name: str) -> str:
    if name.startswith("a "):
        return name
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _types(text: str) -> str:
    return " and ".join(dict.fromkeys(_type(part) for part in _split(text)))


def _split(text: str) -> list[str]:
    """Split a list of types at the commas outside of parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([<") - (letter in ")]>")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]

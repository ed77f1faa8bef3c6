"""A kernel's name depends on its code and what it reads, and on nothing else."""

import ast
import enum
import functools
import math
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from plyforge.compilation.fingerprint import (
    Fingerprint,
    Unhashable,
    compiler_sources,
    global_names,
    toolchain,
    without_prose,
)


def name_of(value: Any) -> str:
    digest = Fingerprint()
    digest.value(value)
    return digest.hexdigest()


def function(source: str, **scope: Any) -> Any:
    exec(source, scope)
    return scope["f"]


def name_of_reader(name: str, value: Any) -> str:
    """Return the name of a function that reads one global, or attributes of one."""
    return name_of(function(f"def f():\n    return {name}", **{name.split(".")[0]: value}))


class Pair(NamedTuple):
    left: int
    right: int


class ReversedPair(NamedTuple):
    right: int
    left: int


ReversedPair.__name__ = "Pair"


def module(**content: Any) -> types.ModuleType:
    helper = types.ModuleType("helper")
    vars(helper).update(content)
    return helper


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 2),
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        ("a", b"a"),
        ((1, 2), (2, 1)),
        ((1, (2,)), ((1, 2),)),
        (np.int64(1), np.uint64(1)),
        (np.array([1, 2]), np.array([2, 1])),
        (np.array([1, 2]), np.array([1, 2], np.int32)),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (np.zeros((2, 3)), np.zeros((2, 3), order="F")),
        (np.zeros(2, [("a", "i8"), ("b", "i8")]), np.zeros(2, [("b", "i8"), ("a", "i8")])),
        (Pair(1, 2), Pair(2, 1)),
        (Pair(1, 2), ReversedPair(1, 2)),
        (Pair, ReversedPair),
        (math.sqrt, math.floor),
        (slice(1, 2), slice(1, 3)),
        (enum.IntEnum("E", "A B"), enum.IntEnum("E", "B A")),
        (
            enum.IntEnum("E", [("A", 1), ("B", 2), ("C", 1)]),
            enum.IntEnum("E", [("A", 1), ("B", 2), ("C", 2)]),
        ),
        (module(x=1), module(x=2)),
        (module(x=np.arange(3)), module(x=np.arange(4))),
    ],
    ids=str,
)
def test_different_values_of_a_global_give_different_names(one: Any, other: Any) -> None:
    name = "helper.x" if isinstance(one, types.ModuleType) else "value"
    assert name_of_reader(name, one) != name_of_reader(name, other)


def test_the_name_covers_what_a_called_function_reads() -> None:
    def caller(constant: int) -> str:
        inner = function("def f(x):\n    return x + C", C=constant)
        return name_of(function("def f(x):\n    return g(x)", g=inner))

    assert caller(1) != caller(2)
    assert caller(1) == caller(1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(x):\n    return x + 1", "def f(x):\n    return x + 2"),
        ("def f(x):\n    return x + 1", "def f(x):\n    return x - 1"),
        ("def f(x, y=1):\n    return y", "def f(x, y=2):\n    return y"),
        ("def f(x, *, y=1):\n    return y", "def f(x, *, y=2):\n    return y"),
        ("def f(x, y):\n    return x", "def f(y, x):\n    return x"),
        ("def f(x):\n    return x.a", "def f(x):\n    return x.b"),
        ("def f(x):\n    return [i for i in x]", "def f(x):\n    return [-i for i in x]"),
    ],
)
def test_different_code_gives_different_names(one: str, other: str) -> None:
    assert name_of(function(one)) != name_of(function(other))


def test_comments_and_lines_do_not_matter() -> None:
    plain = function("def f(x):\n    return x + 1")
    decorated = function("\n\n# why\ndef f(x):\n    # how\n\n    return x + 1")
    assert name_of(plain) == name_of(decorated)


def test_the_text_of_a_docstring_does_not_matter() -> None:
    one = function("def f(x):\n    'One.'\n    return x + 1")
    other = function("def f(x):\n    'Other.'\n    return x + 1")
    assert name_of(one) == name_of(other)


def test_a_docstring_that_the_code_uses_matters() -> None:
    one = function("def f(x):\n    'One.'\n    return 'One.'")
    other = function("def f(x):\n    'Other.'\n    return 'Other.'")
    assert name_of(one) != name_of(other)


def without_docstrings(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [statement for statement in node.body if not is_text(statement)]
    return ast.dump(tree)


def is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


@pytest.mark.parametrize("file", compiler_sources(), ids=lambda file: file.stem)
def test_the_sources_of_the_compiler_count_without_their_prose_only(file: Path) -> None:
    source = file.read_text("utf-8")
    short = without_prose(source)
    assert without_docstrings(short) == without_docstrings(source)
    docstring = ast.get_docstring(ast.parse(source))
    assert docstring
    assert docstring[:20] in source
    assert docstring[:20] not in short


def test_running_a_function_does_not_change_its_name() -> None:
    """Python rewrites the bytecode of functions that run often."""
    warm = function("def f(x):\n    return x + C", C=1)
    before = name_of(warm)
    for number in range(1000):
        warm(number)
    assert name_of(warm) == before


def test_closures_are_covered() -> None:
    def make(value: Any) -> Callable[[], Any]:
        return lambda: value.x if isinstance(value, types.ModuleType) else value

    assert name_of(make(1)) != name_of(make(2))
    assert name_of(make(module(x=1))) != name_of(make(module(x=2)))


def test_functions_that_call_each_other_have_a_name() -> None:
    scope: dict[str, Any] = {}
    exec("def f(n):\n    return g(n)\ndef g(n):\n    return f(n)", scope)
    assert name_of(scope["f"]) == name_of(scope["f"])


def test_modules_that_import_each_other_have_a_name() -> None:
    one, two = types.ModuleType("one"), types.ModuleType("two")
    vars(one).update(two=two, x=1)
    vars(two).update(one=one, y=2)
    read = function("def f():\n    return one.x + two.y", one=one, two=two)
    before = name_of(read)
    two.y = 3  # type: ignore[attr-defined]
    assert name_of(read) != before


def test_an_attribute_is_not_a_use_of_a_global_of_the_same_name() -> None:
    read = function("def f(position):\n    return position.board", board={"a": 1})
    assert global_names(read.__code__) == set()
    assert name_of(read) == name_of(function("def f(position):\n    return position.board"))


def test_globals_are_found_in_nested_code_and_beyond_256_names() -> None:
    many = " + ".join(f"a{i}" for i in range(300))
    read = function(f"def f():\n    return [z for i in range(3)] + {many}")
    assert global_names(read.__code__) == {"z", "range", *(f"a{i}" for i in range(300))}


class Opaque:
    pass


@functools.cache
def cached(x: int) -> int:
    return x


@pytest.mark.parametrize(
    "value",
    [{1: 2}, {1, 2}, Opaque(), Opaque, cached, np.array([None]), np.random.default_rng(1), [{}]],
    ids=["dict", "set", "object", "class", "cached", "objects", "generator", "list"],
)
def test_a_value_that_cannot_be_hashed_is_refused_with_its_user_and_name(value: Any) -> None:
    read = function("def f():\n    return TABLE", TABLE=value)
    with pytest.raises(Unhashable, match=r"'f' reads 'TABLE'.*use ints, floats, tuples"):
        name_of(read)


def test_functions_of_numpy_are_identified_by_name() -> None:
    assert name_of(np.ones) != name_of(np.zeros)
    assert name_of(np.uint64) != name_of(np.int64)


NAMES = """
import numpy as np
from plyforge.compilation.fingerprint import Fingerprint, toolchain
from plyforge.game.kernels.perft import PERFT
digest = Fingerprint()
digest.text(*toolchain())
digest.value(PERFT.entry)
digest.value((frozenset("abcdef"), np.arange(9), np.sum, 1.5))
print(digest.hexdigest())
"""


def test_names_are_the_same_in_every_process() -> None:
    names = {
        subprocess.run(
            [sys.executable, "-c", NAMES],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(names) == 1


def test_the_toolchain_names_its_parts() -> None:
    import numba

    assert numba.__version__ in toolchain()
    assert np.__version__ in toolchain()


def test_changes_within_a_process_change_the_name() -> None:
    """What is remembered about code must not hide what the code reads now."""
    weights, scope = np.zeros(3), {"level": 1}
    scope["weights"] = weights
    read = function("def f(n=1):\n    return level + weights[0] + n", **scope)
    names = [name_of(read)]
    read.__globals__["level"] = 2
    names.append(name_of(read))
    weights[0] = 5.0
    names.append(name_of(read))
    read.__defaults__ = (2,)
    names.append(name_of(read))
    read.__code__ = function("def f(n=1):\n    return level - weights[0] + n").__code__
    names.append(name_of(read))
    assert len(set(names)) == len(names)
    assert name_of(read) == names[-1]

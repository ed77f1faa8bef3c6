"""Rules may refer to values and functions of many kinds; both backends count the same."""

from collections.abc import Callable
from typing import Any

import pytest

import plyforge
from plyforge.compilation.hooks_api import evaluate, key
from plyforge.compilation.kernel import Kernel, build, kernel_name
from plyforge.compilation.notices import SilentNotices
from plyforge.core.errors import CompileError, GameFileError
from plyforge.game.kernels.perft import PERFT
from tests.compilation.conftest import TAKE_AWAY, Sandbox
from tests.games.tiers import with_long

Load = Callable[..., Any]


def with_limit(limit: str, head: str = "") -> str:
    """Take-away in which an expression limits what may be taken."""
    return head + "\n" + TAKE_AWAY.replace("LIMIT + 1)", f"({limit}) + 1)")


FORMS = {
    "a closure": (
        "3 - extra(position.left) + 2",
        "def make(n):\n    def extra(left):\n        return n if left > 4 else n - 1\n"
        "    return extra\n"
        "extra = make(2)\n",
    ),
    "a closure over a function": (
        "outer(3)",
        "def make(f):\n    def outer(x):\n        return f(x)\n    return outer\n"
        "def same(x):\n    return x\nouter = make(same)\n",
    ),
    "a tuple": ("STEPS[position.left % 3]", "STEPS = (3, 2, 1)\n"),
    "a tuple of tuples": ("STEPS[1][position.left % 2]", "STEPS = ((0, 0), (3, 2))\n"),
    "an array": (
        "TABLE[position.left % 2, 1]",
        "import numpy as np\nTABLE = np.array([[1, 2], [2, 3]], np.int8)\n",
    ),
    "an IntEnum": (
        "Limit.HIGH",
        "from enum import IntEnum\nclass Limit(IntEnum):\n    LOW = 1\n    HIGH = 3\n",
    ),
    "a member of an IntEnum": (
        "HIGH",
        "from enum import IntEnum\nclass Limit(IntEnum):\n    LOW = 1\n    HIGH = 3\n"
        "HIGH = Limit.HIGH\n",
    ),
    "a NamedTuple": (
        "pair(1, 2).right + LIMITS.left",
        "from typing import NamedTuple\nclass Pair(NamedTuple):\n    left: int\n    right: int\n"
        "LIMITS = Pair(1, 9)\ndef pair(a, b):\n    return Pair(right=b, left=a)\n",
    ),
    "keyword and default arguments": (
        "limited(b=1, a=position.left)",
        "def limited(a, b=5, c=2):\n    return min(a, b + c)\n",
    ),
    "a decorated function": (
        "fast(3)",
        "import numba\n@numba.njit\ndef fast(n):\n    return n\n",
    ),
    "typing.cast": ("cast(int, 3)", "from typing import cast\n"),
    "functions of numpy and math": (
        "int(ones(3).sum() + math.sqrt(4.0) - sqrt(4.0))",
        "import math\nfrom math import sqrt\nfrom numpy import ones\n",
    ),
    "a string": ("3 if MODE == 'easy' else 2", "MODE = 'easy'\n"),
    "None": ("3 if OPTION is None else 2", "OPTION = None\n"),
    "a float": ("int(3 * SHARE)", "SHARE = 0.7\n"),
    "a lambda": ("small(3)", "small = lambda n: n - 1\n"),
    "a recursive function": (
        "depth(position.left)",
        "def depth(n):\n    if n <= 4:\n        return 2\n    return depth(n - 4) + 0\n",
    ),
    "a recursive function called with a constant": (
        "depth(9, 0)",
        "def depth(n, m):\n    if n <= 4:\n        return 2 + m\n    return depth(n - 4, 1)\n",
    ),
    "functions that call each other": (
        "even(position.left)",
        "def even(n):\n    if n <= 0:\n        return 2\n    return odd(n - 1)\n"
        "def odd(n):\n    if n <= 0:\n        return 3\n    return even(n - 1)\n",
    ),
}
TOGETHER = 2
"""The number of kernels in which the fast tier tests all forms."""


@pytest.mark.parametrize("first", range(TOGETHER))
def test_both_backends_count_the_same_with_several_forms(load: Load, first: int) -> None:
    """Several forms in one file need one kernel; no two of these define the same name."""
    forms = list(FORMS.values())[first::TOGETHER]
    total = " + ".join(f"({limit})" for limit, _ in forms)
    game = load(with_limit(f"({total}) % 4", "".join(head for _, head in forms)))
    start = game.initial()
    assert game.perft(start, 4) == game.perft(start, 4, backend="python")


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_both_backends_count_the_same(load: Load, form: str) -> None:
    game = load(with_limit(*FORMS[form]))
    start = game.initial()
    assert game.perft(start, 4) == game.perft(start, 4, backend="python")


@pytest.mark.parametrize(
    "form",
    with_long(["functions that call each other"], ["a recursive function called with a constant"]),
)
def test_a_kernel_with_recursive_rules_is_stored_and_loads(
    load: Load, form: str, sandbox: Sandbox, private_cache: Any
) -> None:
    """Numba fills in addresses of recursive functions after loading (Numba issue 6061)."""
    game = load(with_limit(*FORMS[form]))
    count = game.perft(game.initial(), 4)
    assert len(list(private_cache.glob("*.kernel"))) == 1
    (report,) = sandbox.run(sandbox.folder / "game" / "game.py", depth=4)["games"]
    assert (report["compiled"], report["fresh"]) == (count, False)


FAILING = """
def checked(left):
    if left < 11:
        raise ValueError("too few", left)
    return left
"""


def test_an_exception_of_the_rules_keeps_its_arguments(load: Load, private_cache: Any) -> None:
    game = load(with_limit("checked(position.left) % 4 + 1", FAILING))
    with pytest.raises(GameFileError, match=r"ValueError: \('too few', 10\)"):
        game.perft(game.initial(), 4)


def test_a_function_that_is_passed_to_another_calls_functions_of_the_rules(load: Load) -> None:
    """Numba compiles it by its own compiler, and links it with everything that it calls."""
    source = (
        "def twice(n):\n    return once(n) + once(n)\n"
        "def once(n):\n    return n + 1\n"
        "def apply(function, n):\n    return function(n)\n"
        "def outer(n):\n    def inner(m):\n        return twice(m) - m\n"
        "    return apply(inner, n)\n"
    )
    game = load(with_limit("outer(position.left) % 3 + 1", source))
    assert game.perft(game.initial(), 4) == game.perft(game.initial(), 4, backend="python")


def test_modules_that_import_each_other_can_be_used(load: Load) -> None:
    source = with_limit("one.limit(two.BASE)", "import one\nimport two\n")
    one = "import two\nSCALE = 2\ndef limit(n):\n    return two.shifted(n)\n"
    two = "import one\nBASE = 1\ndef shifted(n):\n    return n * one.SCALE\n"
    game = load(source, one=one, two=two)
    assert game.perft(game.initial(), 3) == 8


def test_the_position_class_may_be_defined_in_another_module(load: Load) -> None:
    """Its annotations are texts, which are evaluated in the module that defines it."""
    types = (
        "from __future__ import annotations\nfrom typing import NamedTuple\n"
        "from plyforge.rules import u64\n"
        "class Position(NamedTuple):\n    left: u64\n    taken: int\n"
    )
    body = TAKE_AWAY[TAKE_AWAY.index("def initial") :]
    head = "import kinds\nfrom kinds import Position\nLIMIT = 3\nMAX_MOVES = 8\n"
    body = body.replace("left - move", "left - kinds.u64(move)")
    body = body.replace("return Position(position", "return kinds.Position(position")
    game = load(head + body, kinds=types)
    assert game.position_type.compilable
    assert game.perft(game.initial(), 3) == game.perft(game.initial(), 3, backend="python") == 27


def test_position_classes_of_two_games_may_have_the_same_name(load: Load) -> None:
    one = load(TAKE_AWAY, "one")
    swapped = TAKE_AWAY.replace("    left: int\n    taken: int", "    taken: int\n    left: int")
    other = swapped.replace("Position(12, 0)", "Position(0, 12)").replace(
        "Position(position.left - move, position.taken + move)",
        "Position(position.taken + move, position.left - 2 * move)",
    )
    two = load(other, "two")
    for _ in range(2):
        for game in (one, two):
            count = game.perft(game.initial(), 5)
            assert count == game.perft(game.initial(), 5, backend="python")


def test_a_file_that_changes_between_loads_counts_as_it_was_each_time(load: Load) -> None:
    games = [load(TAKE_AWAY), load(TAKE_AWAY.replace("LIMIT = 3", "LIMIT = 2")), load(TAKE_AWAY)]
    assert type(games[0].initial()) is not type(games[2].initial())
    assert [game.perft(game.initial(), 3) for game in games] == [27, 8, 27]


def test_siblings_of_the_same_name_in_different_folders_do_not_mix(load: Load) -> None:
    source = with_limit("helper.limit()", "import helper\n")
    games = [
        load(source, name, helper=f"def limit():\n    return {limit}\n")
        for name, limit in (("one", 1), ("two", 2), ("three", 3))
    ]
    assert [game.perft(game.initial(), 2) for game in games] == [1, 4, 9]


def test_a_sibling_takes_precedence_over_an_imported_module_of_the_same_name(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys
    import types

    stranger = types.ModuleType("helper")
    monkeypatch.setitem(sys.modules, "helper", stranger)
    game = load(with_limit("helper.LIMIT", "import helper\n"), helper="LIMIT = 2\n")
    assert game.perft(game.initial(), 2) == 4
    assert sys.modules["helper"] is stranger


def test_a_field_named_like_a_hook_does_not_keep_the_kernel_from_the_cache(load: Load) -> None:
    source = TAKE_AWAY.replace("taken", "board") + (
        "LETTERS = {0: 'a'}\ndef board(position):\n    return LETTERS[0]\n"
    )
    game = load(source)
    assert kernel_name(PERFT, game.rules, game.position_type)[1] == ""
    assert game.perft(game.initial(), 2) == 9


REFUSED = {
    "a dict": ("STEPS[1]", "STEPS = {1: 2}", r"line \d+: .*'STEPS' is a dict; compiled rules read"),
    "a list": ("STEPS[1]", "STEPS = [1, 2]", r"line \d+: .*'STEPS' is a list; compiled rules read"),
    "a set": ("len(STEPS)", "STEPS = {1, 2}", r"line \d+: .*'STEPS' is a set; compiled rules read"),
    "an object": (
        "STEPS.x",
        "class A:\n    x = 3\nSTEPS = A()",
        r"line \d+: .*'STEPS' is a .*A; compiled rules read",
    ),
    "a cached function": (
        "limit(3)",
        "import functools\n@functools.cache\ndef limit(n):\n    return n",
        r"line \d+: .*'limit' is wrapped by functools.cache; compiled rules call plain",
    ),
    "keyword-only arguments": (
        "limit(n=3)",
        "def limit(*, n):\n    return n",
        r"line \d+: 'limit' has keyword-only arguments.*leave the '\*' out",
    ),
    "an unsupported built-in": ("id(3) * 0 + 3", "", r"line \d+: .*"),
    "an unsupported function of numpy": (
        "np.einsum('i,i', ONES, ONES)",
        "import numpy as np\nONES = np.ones(3)",
        r"line \d+: .*numpy.einsum has no compiled form",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_compiled_is_reported_with_its_line_and_runs_uncompiled(
    load: Load, what: str
) -> None:
    limit, head, message = REFUSED[what]
    game = load(with_limit(f"int({limit})", head))
    with pytest.raises(CompileError, match=message):
        game.perft(game.initial(), 2)
    assert game.perft(game.initial(), 2, backend="python") in (1, 4, 9)


PLAYS = {
    "an unknown attribute": (
        "    return Position(position.lef - move, 0)",
        r"line \d+: .*a position has no attribute 'lef'",
    ),
    "different types": (
        "    if move:\n        return position\n    return 5",
        r"line \d+: .*it returns values of different types: .*return one type always",
    ),
    "nothing on one path": (
        "    if move:\n        return position",
        r"line \d+: .*'play' returns no position on one of its paths",
    ),
    "too few fields": (
        "    return (position.left - move,)",
        r"line \d+: .*'play' returns 1 fields instead of 2: left, taken",
    ),
    "too many fields": (
        "    return (position.left - move, 0, 0)",
        r"line \d+: .*'play' returns 3 fields instead of 2: left, taken",
    ),
    "too few arguments": (
        "    return Position(position.left - move)",
        r"line 26: .*argument 'taken' is missing",
    ),
    "no tuple": ("    return position.left - move", "'play' returns int instead of a position"),
    "a float for an int": (
        "    return Position(position.left / 1 - move, 0)",
        r"line 26: .*'play' returns float for the field 'left', .* declared int; divide with //",
    ),
    "an assignment to a field": (
        "    position.taken = move\n    return position",
        r"line 26: .*a position cannot be changed: 'taken' is assigned; return a new position",
    ),
    "an assignment to an entry": (
        "    position[0] = move\n    return position",
        r"line 26: .*a position cannot be changed; return a new position",
    ),
    "a new position of another form": (
        "    return position._replace(left=position.left - move)",
        r"line 26: .*no attribute '_replace'.*; write a new position with all of its fields",
    ),
    "a position or a tuple": (
        "    if move:\n        return (move, move)\n    return Position(move, move)",
        "it returns values of different types: .*; return one type always, as Position",
    ),
    "a text or an int": (
        "    return Position(1 if ('a' if move else 1) == 'a' else 0, 0)",
        r"line 26: .*a value is int on one path and str on another; give it one type",
    ),
    "a bit count": (
        "    return Position(position.left.bit_count(), 0)",
        r"line 26: .*an int has no attribute 'bit_count'.*; use popcount\(...\)",
    ),
    "a sum of a generator": (
        "    return Position(sum(i for i in range(move)), 0)",
        r"line 26: .*a generator expression.*; write a loop",
    ),
    "a conversion of a text": (
        "    return Position(int(str(move)), 0)",
        r"line 26: .*int\(str\) has no compiled form",
    ),
    "a certain exception": (
        "    try:\n        return Position(1 // move, 0)\n    except ZeroDivisionError:\n"
        "        return position",
        r"line 28: .*compiled rules cannot catch it",
    ),
    "a with statement": (
        "    with open('x') as file:\n        return position",
        r"line 26: .*a 'with' statement has no compiled form",
    ),
    "an undefined name": (
        "    return Position(forgotten, 0)",
        r"line 26: .*'forgotten' is not defined",
    ),
}
SLOWEST_PLAY = "a conversion of a text"


@pytest.mark.parametrize(
    "what", with_long([what for what in PLAYS if what != SLOWEST_PLAY], [SLOWEST_PLAY])
)
def test_a_wrong_play_is_explained(load: Load, what: str) -> None:
    body, message = PLAYS[what]
    game = load(TAKE_AWAY[: TAKE_AWAY.index("    return Position(position.left")] + body + "\n")
    with pytest.raises(CompileError, match=message) as caught:
        game.perft(game.initial(), 2)
    text = str(caught.value)
    assert text.startswith(game.rules.file)
    assert "plyforge_kernel" not in text
    assert "--backend python runs the rules uncompiled" in text


VALUES = {
    "nothing on one path": (
        "evaluate(position):\n    if position.left:\n        return 1",
        "'evaluate' returns None on one of its paths; return a number on every path",
    ),
    "nothing at all": ("evaluate(position):\n    pass", "'evaluate' returns None on one of its"),
    "no number": ("evaluate(position):\n    return position", "'evaluate' returns .* a number"),
    "no int": ("key(position):\n    return 0.5", "'key' returns float instead of an int"),
}


@pytest.mark.parametrize("what", VALUES)
def test_a_hook_that_returns_no_number_is_reported_with_its_line(load: Load, what: str) -> None:
    hook, message = VALUES[what]
    game = load(f"{TAKE_AWAY}\ndef {hook}\n")
    line = TAKE_AWAY.count("\n") + 2
    with pytest.raises(CompileError, match=f"game.py, line {line}: .*{message}"):
        build(EVALUATE_AND_KEY, game.rules, game.position_type, notices=SilentNotices())


def _score(position: Any) -> Any:
    return evaluate(position, 0, 0, 0) + key(position)


EVALUATE_AND_KEY = Kernel("score", _score, "float64(position)")


@pytest.mark.parametrize("move", ["1.5", "None", "(1, 2)"])
def test_a_move_that_is_not_an_int_is_reported_with_its_line(load: Load, move: str) -> None:
    source = TAKE_AWAY.replace("yield take", f"yield {move}")
    line = source[: source.index("yield")].count("\n") + 1
    game = load(source)
    with pytest.raises(CompileError, match=f"game.py, line {line}: .*a move must be an int"):
        game.perft(game.initial(), 1)


def test_moves_that_neither_yield_nor_take_a_buffer_are_refused(load: Load) -> None:
    with pytest.raises(GameFileError, match=r"line \d+: .*must yield its moves"):
        load(TAKE_AWAY.replace("            yield take", "            return [take]"))


def test_with_the_compiler_disabled_the_python_backend_is_suggested(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numba

    game = load(TAKE_AWAY)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    with pytest.raises(CompileError, match=r"NUMBA_DISABLE_JIT is set.*backend 'python'"):
        game.perft(game.initial(), 2)
    assert game.perft(game.initial(), 2, backend="python") == 9


def test_the_loader_does_not_unload_installed_packages(sandbox: Sandbox) -> None:
    """A folder of packages in the game's folder contains no siblings of the game."""
    import sys

    sandbox.write("venv/lib/package_of_a_venv/__init__.py", "VALUE = 3\n")
    path = str(sandbox.folder / "venv" / "lib")
    source = f"import sys\nsys.path.append({path!r})\nimport package_of_a_venv\n" + TAKE_AWAY
    try:
        plyforge.load(str(sandbox.write("game.py", source)))
        assert "package_of_a_venv" in sys.modules
    finally:
        sys.path.remove(path)
        sys.modules.pop("package_of_a_venv", None)

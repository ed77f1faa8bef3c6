"""Generators rewritten into functions that fill a buffer, compared with the generators."""

import itertools
import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge.compilation import generators
from plyforge.compilation.generators import filler_code
from plyforge.core.errors import CompileError
from plyforge.evaluate import random_positions
from tests.compilation.conftest import TAKE_AWAY
from tests.games.tiers import with_long

ROOM = 1 << 16
_numbers = itertools.count()


def functions(source: str) -> dict[str, Any]:
    """Return the functions of a text, as if it were a file."""
    name = f"<rules {next(_numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"__name__": "rules"}
    exec(compile(source, name, "exec", dont_inherit=True), scope)
    return scope


def filler(generator: FunctionType) -> Callable[..., int]:
    """Return the rewritten generator, to be run by Python."""
    code, delegates = filler_code(generator)
    scope = {**generator.__globals__, generators.AS_MOVE: int}
    scope[generators.LIMIT] = ROOM
    scope |= {name: filler(helper) for name, helper in delegates.items()}
    function = FunctionType(code, scope, generator.__name__, generator.__defaults__)
    function.__kwdefaults__ = generator.__kwdefaults__
    return function


def fill(generator: FunctionType, *arguments: Any) -> list[int]:
    out: dict[int, int] = {}
    count = filler(generator)(out, 0, *arguments)
    return [out[index] for index in range(count)]


def check_same(source: str, *arguments: Any) -> list[int]:
    """Check that both forms give the same moves, and return them."""
    generator = functions(source)["moves"]
    expected = list(generator(*arguments))
    assert fill(generator, *arguments) == expected
    return expected


FORMS = {
    "nested loops": """
def moves(n):
    for i in range(n):
        for j in range(i):
            if (i + j) % 2:
                yield i * j
            else:
                yield -1
""",
    "while, break, continue": """
def moves(n):
    i = 0
    while True:
        i += 1
        if i == 2:
            continue
        if i > n:
            break
        yield i
""",
    "for-else": """
def moves(n):
    for i in range(n):
        if i == 7:
            break
        yield i
    else:
        yield 100
    yield 200
""",
    "try": """
def moves(n):
    try:
        yield 1
        yield 10 // (n - n)
        yield 2
    except ZeroDivisionError:
        yield 3
    finally:
        yield 4
""",
    "return in the middle": """
def moves(n):
    for i in range(n):
        if i == 3:
            return
        yield i
    yield 99
""",
    "return of a value": """
def moves(n):
    yield 1
    if n:
        return n
    yield 2
""",
    "docstring": '''
def moves(n):
    """Moves that yield
    nothing else."""
    yield n
''',
    "several lines": """
def moves(
    n,
    /,
    more=(1,
          2),
):
    yield (
        n
        + more[0]
    )
""",
    "lambda and comprehension": """
def moves(n):
    double = lambda x: 2 * x
    for i in [double(j) for j in range(n) if j % 2]:
        yield i
""",
    "walrus": """
def moves(n):
    while n:
        yield (n := n - 1)
""",
    "match": """
def moves(n):
    match n % 3:
        case 0:
            yield 0
        case other:
            yield other
""",
    "annotations": """
from collections.abc import Iterator
def moves(n: int, m: "int" = 3, *, k: int = 4) -> Iterator[int]:
    total: int = n + m + k
    yield total
""",
    "decorated": """
def same(function):
    return function
@same
@same
def moves(n):
    yield n
""",
    "delegation": """
def moves(n):
    yield 0
    yield from several(n, 2)
    yield from several(1, times=3)
    yield from several(n)
    yield 0
def several(n, times=1, *, sign=-1):
    for i in range(times):
        yield from signed(n + i, sign)
def signed(n, sign):
    yield sign * n
    if n > 2:
        return
    yield n
""",
    "delegation to a method": """
import types
helper = types.SimpleNamespace(moves=lambda n: range(n))
def moves(n):
    yield from helper.moves(n)
""",
    "delegation to anything iterable": """
STEPS = (1, 2, 3)
def moves(n):
    yield from STEPS
    yield from range(n)
    yield from [n, n + 1]
    yield from (i * i for i in range(n))
""",
    "a generator consumed by a loop": """
def moves(n):
    for move in candidates(n):
        if move % 2:
            yield move
def candidates(n):
    for i in range(n):
        yield i
""",
    "a statement after the last yield": """
def moves(n):
    seen = 0
    for i in range(n):
        yield i
        seen += i
    yield seen
""",
}


@pytest.mark.parametrize("form", FORMS)
def test_the_rewritten_form_gives_the_same_moves(form: str) -> None:
    for n in (0, 1, 5, 10):
        check_same(FORMS[form], n)


def test_delegation_to_a_function_of_another_module() -> None:
    scope = functions(FORMS["delegation"])
    import types

    helper = types.ModuleType("helper")
    vars(helper).update(scope)
    user = functions("def moves(n):\n    yield from helper.several(n, 2)\n    yield 7\n")["moves"]
    user.__globals__["helper"] = helper
    assert fill(user, 1) == list(user(1))


REFUSED = {
    "def moves(n):\n    x = yield n\n": "line 2: the value of a 'yield' cannot be used",
    "def moves(n):\n    yield (yield n)\n": "line 2: the value of a 'yield'",
    "def moves(n):\n    x = yield from range(n)\n": "line 2: the value of a 'yield'",
    "def moves(n):\n    yield\n": "line 2: a bare 'yield' gives no move",
    "def moves(n):\n    def inner():\n        pass\n    yield n\n": "line 2: a function inside",
}


@pytest.mark.parametrize("source", REFUSED)
def test_what_cannot_be_rewritten_is_refused_with_its_line(source: str) -> None:
    with pytest.raises(CompileError, match=REFUSED[source]):
        filler_code(functions(source)["moves"])


def test_a_closure_is_refused() -> None:
    source = "def outer(k):\n    def moves(n):\n        yield k\n    return moves\n"
    with pytest.raises(CompileError, match="line 2: generator 'moves' is a closure"):
        filler_code(functions(source)["outer"](1))


def test_a_generator_without_source_is_refused() -> None:
    scope: dict[str, Any] = {}
    exec("def moves(n):\n    yield n", scope)
    with pytest.raises(CompileError, match="define it in a file"):
        filler_code(scope["moves"])


@pytest.mark.parametrize(
    "now", ["def moves(n):\n    yield n + 1\n", "def moves(n):\n    yield (\n", "x = 1\n", "\n"]
)
def test_a_file_that_changed_after_loading_is_refused(now: str) -> None:
    """Its machine code would be stored under the name of the old text."""
    generator = functions("def moves(n):\n    yield n\n")["moves"]
    name = generator.__code__.co_filename
    linecache.cache[name] = (len(now), None, now.splitlines(keepends=True), name)
    with pytest.raises(CompileError, match="has changed since 'moves' was loaded"):
        filler_code(generator)


@pytest.mark.parametrize(
    "recursive",
    [
        "def f(n):\n    if n:\n        yield n\n        yield from f(n - 1)\n",
        "def f(n):\n    if n:\n        yield from g(n)\n"
        "def g(n):\n    yield n\n    yield from f(n - 1)\n",
    ],
    ids=["itself", "each other"],
)
def test_recursion_is_refused_with_a_remedy(load: Callable[..., Any], recursive: str) -> None:
    source = TAKE_AWAY.replace("            yield take\n", "            yield from f(take)\n")
    game = load(source + recursive)
    with pytest.raises(CompileError, match=r"game.py, line \d+: .*calls itself.*list of work"):
        game.perft(game.initial(), 2)


def test_two_paths_to_one_generator_are_not_a_recursion(load: Callable[..., Any]) -> None:
    diamond = (
        "def f(n):\n    yield from h(n)\ndef g(n):\n    yield from h(-n)\ndef h(n):\n    yield n\n"
    )
    source = TAKE_AWAY.replace(
        "            yield take\n",
        "            yield from f(take)\n            yield from g(take)\n",
    )
    game = load(source.replace("left - move", "left - abs(move)") + diamond)
    start = game.initial()
    assert game.perft(start, 3) == game.perft(start, 3, backend="python") == 6**3


def test_compiled_generators_take_default_and_keyword_arguments(load: Callable[..., Any]) -> None:
    source = TAKE_AWAY.replace(
        "            yield take\n",
        "            yield from f(take)\n            yield from helper.g(take, b=0)\n"
        "            yield from range(take)\n            for move in f(1):\n"
        "                yield move\n",
    ).replace("MAX_MOVES = 8", "import helper\nMAX_MOVES = 64")
    helper = "def g(a, b=1, c=2):\n    yield a * 0 + b\n    yield c\n"
    game = load(source + "def f(a, b=0):\n    yield a\n    yield b\n", helper=helper)
    for depth in (1, 2, 3):
        count = game.perft(game.initial(), depth)
        assert count == game.perft(game.initial(), depth, backend="python")


@pytest.mark.parametrize("extra", with_long([1], [0, 50]))
def test_more_moves_than_declared_are_an_error_and_overwrite_nothing(
    load: Callable[..., Any], extra: int
) -> None:
    source = TAKE_AWAY.replace("LIMIT = 3", f"LIMIT = {8 + extra}").replace("(12, 0)", "(99, 0)")
    game = load(source)
    if extra == 0:
        assert game.perft(game.initial(), 2) == 64
        return
    from plyforge.core.errors import GameFileError

    for backend in ("compiled", "python"):
        with pytest.raises(GameFileError, match="MAX_MOVES is 8; raise it"):
            game.perft(game.initial(), 2, backend=backend)


# Random generators


def indent(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


expressions = st.sampled_from(["a", "b", "a + b", "a * 2 - b", "(a := a + 1)", "7", "-a % 5", "i"])
conditions = st.sampled_from(["a < b", "a % 2", "b", "not a", "i > 1", "a == b"])


def blocks(depth: int) -> st.SearchStrategy[list[str]]:
    simple = st.one_of(
        expressions.map(lambda e: [f"yield {e}"]),
        expressions.map(lambda e: [f"b = {e}"]),
        st.just(["a -= 1"]),
        st.just(["return"]),
        st.just(["pass"]),
        st.just(["yield from helper(a, b)"]),
        st.just(["yield from helper(b=a, a=b)"]),
        st.just(["yield from (a, b)"]),
    )
    if depth == 0:
        return simple
    inner = st.lists(blocks(depth - 1), min_size=1, max_size=3).map(
        lambda blocks: [line for block in blocks for line in block]
    )

    def conditional(parts: tuple[str, list[str], list[str]]) -> list[str]:
        condition, yes, no = parts
        return [f"if {condition}:", *indent(yes), "else:", *indent(no)]

    def loop(parts: tuple[int, list[str], list[str], bool]) -> list[str]:
        times, body, after, leaves = parts
        stop = ["if i == 1:", "    break"] if leaves else []
        return [f"for i in range({times}):", *indent(body + stop), "else:", *indent(after)]

    def guarded(parts: tuple[list[str], list[str]]) -> list[str]:
        body, after = parts
        return [
            "try:",
            *indent([*body, "b //= a"]),
            "except ZeroDivisionError:",
            *indent(after),
        ]

    return st.one_of(
        simple,
        st.tuples(conditions, inner, inner).map(conditional),
        st.tuples(st.integers(0, 3), inner, inner, st.booleans()).map(loop),
        st.tuples(inner, inner).map(guarded),
    )


@st.composite
def sources(draw: st.DrawFn) -> str:
    lines = [line for block in draw(st.lists(blocks(2), max_size=4)) for line in block]
    helper = [line for block in draw(st.lists(blocks(1), max_size=2)) for line in block]
    helper = [line for line in helper if "helper" not in line]
    return "\n".join(
        [
            "def moves(a, b=2):",
            *indent(["i = 0", *lines, "yield a"]),
            "def helper(a, b=3):",
            *indent(["i = 0", *_complete(helper), "yield b"]),
            "",
        ]
    )


def _complete(lines: list[str]) -> list[str]:
    """Add `pass` to blocks that lost their only statement."""
    result: list[str] = []
    for line, following in itertools.zip_longest(lines, lines[1:], fillvalue=""):
        result.append(line)
        depth = len(line) - len(line.lstrip())
        if line.endswith(":") and len(following) - len(following.lstrip()) <= depth:
            result.append(" " * (depth + 4) + "pass")
    return result


@settings(max_examples=150, deadline=None)
@given(sources(), st.integers(-2, 4), st.integers(-2, 4))
def test_random_generators_give_the_same_moves(source: str, a: int, b: int) -> None:
    generator = functions(source)["moves"]
    first = list(itertools.islice(generator(a, b), 5000))
    assert fill(generator, a, b) == first


@pytest.mark.parametrize("name", ["tictactoe", "checkers", "othello", "hex:5", "kalah"])
def test_a_counter_counts_what_a_generator_yields(name):
    game = plyforge.load(name, backend="python")
    count = generators.move_counter(game.rules.hooks["moves"])
    for position in random_positions(game, 40):
        assert count(position) == len(list(game.rules.hooks["moves"](position)))


def split(low, high):
    if high - low > 1:
        middle = (low + high) // 2
        yield from split(low, middle)
        yield from split(middle, high)
    elif low % 3 == 0:
        return
    else:
        yield low
    yield from range(low % 2)


def test_a_counter_follows_generators_that_it_delegates_to():
    assert generators.move_counter(split)(0, 20) == len(list(split(0, 20)))

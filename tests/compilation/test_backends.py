"""The compiled and the Python backend agree: on counts, on keys, on positions."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge.compilation import hooks_api
from plyforge.compilation.kernel import Kernel, build
from plyforge.compilation.notices import SilentNotices
from plyforge.core.errors import GameFileError, PositionError
from tests.compilation.conftest import TAKE_AWAY
from tests.games.tiers import with_long

Load = Callable[..., Any]


@pytest.mark.parametrize("name", [name for name in plyforge.names() if name != "tree"])
@pytest.mark.parametrize("depth", [1, 3, pytest.param(4, marks=pytest.mark.long)])
def test_built_in_games_count_the_same_in_both_backends(name: str, depth: int) -> None:
    # Uncompiled, the 200 million leaves of depth 4 on an 11x11 board take minutes.
    game = plyforge.load("hex:5" if name == "hex" else name, notices=SilentNotices())
    start = game.initial()
    assert game.perft(start, depth) == game.perft(start, depth, backend="python")


@pytest.mark.parametrize(
    "division", with_long(["1 // (take - 2)"], ["1 % (take - 2)", "1 / (take - 2)"])
)
@pytest.mark.parametrize("backend", ["compiled", "python"])
def test_a_division_by_zero_is_an_error_in_both_backends(
    load: Load, division: str, backend: str
) -> None:
    source = TAKE_AWAY.replace("yield take", f"yield take if {division} < 9 else 3")
    game = load(source)
    with pytest.raises(GameFileError, match=r"ZeroDivisionError: .*by zero"):
        game.perft(game.initial(), 2, backend=backend)


FIELDS = {
    "int": ("x: int", ["0", "-1", "2**62", "-2**63"]),
    "u64": ("x: u64", ["u64(0)", "u64(2**64 - 1)", "u64(2**63)"]),
    "bool": ("x: bool", ["True", "False"]),
    "float": ("x: float", ["0.0", "-0.0", "1.5", "-1e300", "float('inf')"]),
    "mixed": ("x: u64\n    y: int\n    z: bool", ["u64(7), -7, True", "u64(7), 7, False"]),
    "bytes": ("x: NDArray[np.int8]", ["np.array([1, -1, 3], np.int8)", "np.zeros(3, np.int8)"]),
    "bools": ("x: NDArray[np.bool_]", ["np.array([True, False])"]),
    "words": ("x: NDArray[np.uint64]", ["np.array([2**64 - 1, 1], np.uint64)"]),
    "floats": ("x: NDArray[np.float64]", ["np.array([0.5, -0.0])", "np.array([0.5, 0.0])"]),
    "single floats": ("x: NDArray[np.float32]", ["np.array([0.1, -2.5], np.float32)"]),
    "a plane": ("x: NDArray[np.int16]", ["np.arange(6, dtype=np.int16).reshape(2, 3)"]),
    "a transposed plane": (
        "x: NDArray[np.int16]",
        ["np.arange(6, dtype=np.int16).reshape(2, 3).T"],
    ),
    "array and ints": ("x: NDArray[np.int64]\n    y: int", ["np.arange(4), 3"]),
    "one of each": (
        "x: NDArray[np.int8]\n    y: u64\n    z: bool\n    a: float\n    b: NDArray[np.float32]"
        "\n    c: NDArray[np.int16]",
        [
            "np.zeros(3, np.int8), u64(2**64 - 1), True, -1e300, np.ones(2, np.float32),"
            " np.arange(6, dtype=np.int16).reshape(2, 3)",
            "np.ones(3, np.int8), u64(2**63), False, 1.5, np.array([0.1, -2.5], np.float32),"
            " np.arange(6, dtype=np.int16).reshape(2, 3).T",
        ],
    ),
}
FAST_FIELDS = ["float", "one of each"]

GAME = """
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyforge.rules import u64

CLOCKS = ("clock",)


class Position(NamedTuple):
    clock: int
    {fields}


POSITIONS = [Position(number, {made}) for number in range(2)]


def initial():
    return POSITIONS[0]


def moves(position):
    yield 0


def play(position, move):
    return Position(position.clock + 1, {copied})
"""


def _kernel(hook: Any, name: str, signature: str) -> Kernel:
    arguments = "position" if name == "key" else "position, 0"
    scope: dict[str, Any] = {name: hook, "__name__": __name__}
    exec(f"def entry(position):\n    return {name}({arguments})", scope)
    return Kernel(name, scope["entry"], signature)


KEY = _kernel(hooks_api.key, "key", "uint64(position)")
PLAY = _kernel(hooks_api.play, "play", "position(position)")


@pytest.mark.parametrize(
    "kind", with_long(FAST_FIELDS, [kind for kind in FIELDS if kind not in FAST_FIELDS])
)
def test_default_keys_and_positions_are_equal_in_both_backends(load: Load, kind: str) -> None:
    fields, examples = FIELDS[kind]
    copied = ", ".join(f"position.{field.split(':')[0].strip()}" for field in fields.split("\n"))
    game = load(GAME.format(fields=fields, made=examples[0], copied=copied))
    kind_of = game.position_type
    key, play = (build(k, game.rules, kind_of, notices=SilentNotices()).call for k in (KEY, PLAY))
    seen = set()
    for example in examples:
        values = eval(f"({example},)", vars(game.rules.module))
        early, late = (kind_of.cast(kind_of.python_class(clock, *values)) for clock in (0, 9))
        assert key(early) == key(late) == game.key(early) == game.key(late)
        assert kind_of.equal(play(early), game.play(early, 0))
        assert not kind_of.equal(play(early), early)
        assert [type(value) for value in play(early)] == [type(value) for value in early]
        seen.add(game.key(early))
    equal = kind in ("float", "floats")  # 0.0 == -0.0
    assert len(seen) == len(examples) - equal


def test_a_position_with_a_read_only_array_can_be_counted(load: Load) -> None:
    source = (
        GAME.format(
            fields="x: NDArray[np.int8]", made="np.zeros(3, np.int8)", copied="position.x.copy()"
        )
        + "POSITIONS[0].x.setflags(write=False)\n"
    )
    game = load(source)
    assert game.perft(game.initial(), 3) == game.perft(game.initial(), 3, backend="python") == 1


WRONG = {
    "a float for an int": ("x: int", "0", (0, 1.5), "'x'.*is a float"),
    "a float for a u64": ("x: u64", "u64(0)", (0, 1.5), "'x'.*is a float"),
    "a negative u64": ("x: u64", "u64(0)", (0, -1), "'x'.*not a uint64"),
    "too large an int": ("x: int", "0", (0, 2**63), "'x'.*does not fit"),
    "too few fields": ("x: int", "0", (0,), "is not a position; its fields are clock, x"),
    "an array of another shape": (
        "x: NDArray[np.int8]",
        "np.zeros(3, np.int8)",
        (0, np.zeros((2, 2), np.int8)),
        "(?s)'x'.*2 dimensions instead of 1",
    ),
    "an array with values too large": (
        "x: NDArray[np.int8]",
        "np.zeros(3, np.int8)",
        (0, np.array([1, 2, 300])),
        "'x'.*do not fit int8",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_position_that_does_not_fit_is_refused(load: Load, what: str) -> None:
    fields, made, values, message = WRONG[what]
    game = load(GAME.format(fields=fields, made=made, copied="position.x"))
    with pytest.raises(PositionError, match=message):
        game.perft(values, 2)


@pytest.mark.parametrize("annotation", ["NDArray", "np.ndarray", "NDArray[np.str_]", "list", "Any"])
def test_other_fields_run_uncompiled_and_say_why(load: Load, annotation: str) -> None:
    source = GAME.format(fields=f"x: {annotation}", made="[1]", copied="position.x")
    game = load(source.replace("import NamedTuple", "import Any, NamedTuple"))
    assert game.backend == "python"
    assert "field 'x' is declared" in game.position_type.obstacle
    assert game.perft(game.initial(), 3) == 1


def test_words_distinguish_floats(load: Load) -> None:
    game = load(GAME.format(fields="x: float", made="0.25", copied="position.x"))
    one = game.initial()
    assert game.position_type.to_hashable(one) != game.position_type.to_hashable(
        one._replace(x=0.5)
    )

"""Functions of a kernel that depend on no game are stored and linked into other kernels."""

import pickle
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.bytecode import FunctionIdentity

from plyforge.compilation import kernel as kernel_module
from plyforge.compilation import shared
from plyforge.compilation.hooks_api import can_move, move_limit, pointer
from plyforge.compilation.kernel import Kernel, build, hooks_of
from plyforge.compilation.notices import SilentNotices
from plyforge.compilation.passes import KernelLowering
from plyforge.compilation.store import Store
from tests.compilation.conftest import TAKE_AWAY
from tests.games.tiers import with_long

Load = Callable[..., Any]
OTHER = TAKE_AWAY.replace("LIMIT = 3", "LIMIT = 2").replace("MAX_MOVES = 8", "MAX_MOVES = 9")


def double(number: Any) -> Any:
    return number + number


def add_double(number: Any, other: Any) -> Any:
    return double(number) + other


def first_word(address: Any) -> Any:
    return pointer(address)[0]


def plus_limit(number: Any) -> Any:
    return number + move_limit()


def taken(position: Any) -> Any:
    return position.taken + 1


def pair(number: Any) -> Any:
    return number, number + 0.5


def movable(position: Any) -> Any:
    return int(can_move(position))


def entry(position: Any, number: Any, address: Any) -> Any:
    whole, half = pair(add_double(number, 3))
    rest = taken(position) + movable(position) + first_word(address)
    return plus_limit(whole) + int(2 * half) + rest


KERNEL = Kernel("sum", entry, "int64(position, int64, address)")
SHARED = {"double", "add_double", "first_word", "pair"}
"""The functions of the kernel that depend on no game."""


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the functions of the kernel that were compiled."""
    names: set[str] = set()
    run_pass = KernelLowering.run_pass

    def note(self: Any, state: Any) -> bool:
        name = re.sub("_[0-9a-f]{32}$", "", state.func_id.func_name)
        names.update({name} & {f.__name__ for f in globals().values() if callable(f)})
        return bool(run_pass(self, state))

    monkeypatch.setattr(KernelLowering, "run_pass", note)
    return names


def call(game: Any, kernel: Kernel = KERNEL) -> int:
    """Build the kernel for a game, without what this process has built before, and call it."""
    kernel_module._compiled.clear()
    built = build(kernel, game.rules, game.position_type, notices=SilentNotices())
    word = np.array([1000])
    return int(built.call(game.initial(), 7, word.ctypes.data))


def functions_file(folder: Path) -> Path:
    (path,) = folder.glob("functions-*.kernel")
    return path


def stored_functions(folder: Path) -> dict[str, Any]:
    data = Store(folder).load(functions_file(folder).stem)
    assert data is not None
    functions: dict[str, Any] = pickle.loads(data)
    return functions


def test_a_second_game_links_the_functions_that_depend_on_no_game(
    load: Load, private_cache: Path, lowered: set[str]
) -> None:
    one = load(TAKE_AWAY, "one")
    assert call(one) == 17 + 8 + 35 + 1 + 1000
    assert lowered >= {"entry", "plus_limit", "taken", "movable", *SHARED}
    lowered.clear()
    assert call(load(OTHER, "two")) == 17 + 9 + 35 + 1 + 1000
    assert lowered >= {"entry", "plus_limit", "taken", "movable"}
    assert not lowered & SHARED


def test_functions_with_a_hook_or_a_position_are_not_stored(
    load: Load, private_cache: Path
) -> None:
    call(load(TAKE_AWAY))
    names = {re.sub(r"_[0-9a-f]{32}\(.*", "", name) for name in stored_functions(private_cache)}
    assert names & {f.__name__ for f in KERNEL_FUNCTIONS} == SHARED


KERNEL_FUNCTIONS = (double, add_double, first_word, plus_limit, taken, pair, movable, entry)


def test_a_kernel_is_the_same_code_with_and_without_stored_functions(
    load: Load, private_cache: Path, lowered: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(TAKE_AWAY)

    def code() -> str:
        lowered.clear()
        # Numba numbers the functions that are compiled in a process; symbols contain the number.
        monkeypatch.setattr(FunctionIdentity, "_unique_ids", count(1_000_000))
        call(game)
        (machine_code,) = kernel_module._compiled.values()
        for path in private_cache.glob("sum-*.kernel"):
            path.unlink()
        return re.sub("v100[0-9]{4}", "", machine_code.result.library.get_llvm_str())

    compiled = code()
    assert lowered >= SHARED
    assert code() == compiled
    assert not lowered & SHARED


def make_kernel(step: int) -> Kernel:
    """A kernel whose functions differ only in a variable of an outer function."""

    def added(number: Any) -> Any:
        return number + step

    def start(position: Any, number: Any, address: Any) -> Any:
        return added(number)

    return Kernel("sum", start, "int64(position, int64, address)")


def test_a_function_with_another_constant_is_another_function(
    load: Load, private_cache: Path
) -> None:
    game = load(TAKE_AWAY)
    kernels = [make_kernel(step) for step in (1, 2, 1, 3)]
    assert [call(game, kernel) for kernel in kernels] == [8, 9, 8, 10]


def test_hooks_are_found_in_closures_and_modules() -> None:
    import plyforge.compilation.hooks_api as api

    def inner(position: Any) -> Any:
        return can_move(position)

    def outer(position: Any) -> Any:
        return inner(position) + api.key(position)

    assert hooks_of([outer]) == {"can_move", "key"}


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="empty", marks=pytest.mark.long),
        pytest.param(lambda data: data[: len(data) // 2], id="truncated"),
        pytest.param(lambda data: b"garbage" * 1000, id="garbage", marks=pytest.mark.long),
    ],
)
def test_a_damaged_file_of_functions_is_replaced(
    load: Load, private_cache: Path, lowered: set[str], damage: Callable[[bytes], bytes]
) -> None:
    one, two = load(TAKE_AWAY, "one"), load(OTHER, "two")
    call(one)
    path = functions_file(private_cache)
    path.write_bytes(damage(path.read_bytes()))
    lowered.clear()
    assert call(two) == 17 + 9 + 35 + 1 + 1000
    assert lowered >= SHARED
    assert stored_functions(private_cache)


@pytest.mark.parametrize(
    "contents", with_long([b"no pickle"], [pickle.dumps([1]), pickle.dumps({"a": 1})])
)
def test_a_file_with_other_contents_is_replaced(
    load: Load, private_cache: Path, contents: bytes
) -> None:
    one, two = load(TAKE_AWAY, "one"), load(OTHER, "two")
    call(one)
    path = functions_file(private_cache)
    functions = stored_functions(private_cache)
    Store(private_cache).save(path.stem, contents)
    assert call(two) == 17 + 9 + 35 + 1 + 1000
    assert stored_functions(private_cache).keys() == functions.keys()


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param(
            lambda symbol, tags, result, code, callees: (symbol, tags, result, code[:99], callees),
            id="code cut",
        ),
        pytest.param(
            lambda symbol, tags, result, code, callees: (symbol, tags, result, b"garbage", callees),
            id="other code",
            marks=pytest.mark.long,
        ),
        pytest.param(
            lambda symbol, tags, result, code, callees: (symbol, tags, result, None, callees),
            id="no code",
            marks=pytest.mark.long,
        ),
        pytest.param(
            lambda symbol, tags, result, code, callees: (symbol, tags, b"garbage", code, callees),
            id="type",
        ),
        pytest.param(
            lambda symbol, tags, result, code, callees: (symbol, tags, "Unknown", code, callees),
            id="unknown type",
            marks=pytest.mark.long,
        ),
        pytest.param(
            lambda symbol, tags, result, code, callees: (symbol, 7, result, code, callees),
            id="tags",
            marks=pytest.mark.long,
        ),
        pytest.param(
            lambda symbol, tags, result, code, callees: ("other", tags, result, code, callees),
            id="symbol",
            marks=pytest.mark.long,
        ),
        pytest.param(
            lambda symbol, tags, result, code, callees: (symbol, tags, result, code, ("unknown",)),
            id="callees",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_damaged_function_is_compiled_and_replaced(
    load: Load, private_cache: Path, lowered: set[str], fields: Callable[..., Any]
) -> None:
    call(load(TAKE_AWAY, "one"))
    path = functions_file(private_cache)
    functions = stored_functions(private_cache)
    (name,) = (name for name in functions if name.startswith("pair_"))
    Store(private_cache).save(path.stem, pickle.dumps(functions | {name: fields(*functions[name])}))
    lowered.clear()
    assert call(load(OTHER, "two")) == 17 + 9 + 35 + 1 + 1000
    assert "pair" in lowered
    assert stored_functions(private_cache) == functions


def test_a_function_whose_callee_is_missing_is_compiled(
    load: Load, private_cache: Path, lowered: set[str]
) -> None:
    call(load(TAKE_AWAY, "one"))
    path = functions_file(private_cache)
    functions = stored_functions(private_cache)
    kept = {name: data for name, data in functions.items() if not name.startswith("double_")}
    assert len(kept) < len(functions)
    Store(private_cache).save(path.stem, pickle.dumps(kept))
    lowered.clear()
    assert call(load(OTHER, "two")) == 17 + 9 + 35 + 1 + 1000
    assert lowered & SHARED == {"double", "add_double"}
    assert stored_functions(private_cache).keys() == functions.keys()


def test_two_builds_at_once_leave_a_file_that_later_ones_use(
    load: Load, private_cache: Path, lowered: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may store its functions between the start and the end of a build."""
    game, save = load(TAKE_AWAY), shared.SharedFunctions.save

    def save_second(self: shared.SharedFunctions) -> None:
        monkeypatch.setattr(shared.SharedFunctions, "save", save)
        assert call(game, make_kernel(2)) == 9
        save(self)

    monkeypatch.setattr(shared.SharedFunctions, "save", save_second)
    assert call(game) == 17 + 8 + 35 + 1 + 1000
    for path in private_cache.glob("sum-*.kernel"):
        path.unlink()
    lowered.clear()
    assert call(game) == 17 + 8 + 35 + 1 + 1000
    assert not lowered & SHARED
    assert call(game, make_kernel(2)) == 9
    assert any(name.startswith("added_") for name in stored_functions(private_cache))


def test_the_file_keeps_functions_of_other_kernels_up_to_a_size(
    load: Load, private_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(TAKE_AWAY)

    def names() -> set[str]:
        return {name for name in stored_functions(private_cache) if name.startswith("added_")}

    call(game, make_kernel(1))
    first = names()
    call(game, make_kernel(2))
    assert len(names()) == 2
    monkeypatch.setattr(shared, "MAX_BYTES", 0)
    call(game, make_kernel(3))
    assert len(names()) == 1
    assert names() != first

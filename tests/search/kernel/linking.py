"""Building each kernel once for a game and all its variants.

Finding a kernel in the cache takes 50 ms, because all sources that it depends on are checked.
During a run of the tests no source changes, and they make thousands of searchers.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from plyforge.compilation.kernel import Backend, BuiltKernel, Kernel, build
from plyforge.core.positions import PositionType
from plyforge.core.rules import Rules
from plyforge.search import searcher

_built: dict[Any, BuiltKernel] = {}
_CONSTANTS = ("MAX_MOVES", "CLOCKS", "ALTERNATING", "MOVE_SLOTS")


def build_once(
    kernel: Kernel, rules: Rules, position: PositionType, backend: Backend = "compiled", **more: Any
) -> BuiltKernel:
    cycles = (rules.constant("REPETITION"), rules.constant("NO_PROGRESS_LIMIT")) != (None, None)
    constants = tuple(rules.constant(name) for name in _CONSTANTS)
    hooks = tuple(sorted((name, id(hook)) for name, hook in rules.hooks.items()))
    shape = position.python_class, str(position.fields)
    name = (id(kernel), rules.file, hooks, cycles, constants, shape, backend)
    if name not in _built:
        _built[name] = build(kernel, rules, position, backend, **more)
    return _built[name]


@pytest.fixture(autouse=True, scope="package")
def kernels_built_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searcher, "build", build_once)
        yield

"""Kernels, which are declared once as plain Python and built for each game.

A kernel is a function that calls the names in `hooks_api`.  It declares machine signatures for
itself and for every recursive function in it, so that each is compiled once.  In the backend
`compiled` a kernel is machine code, loaded from the store on disk if it was built before; in the
backend `python` it is the same source, uncompiled.
"""

import gc
import multiprocessing
import re
import sys
import threading
import time
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Literal

from plyforge.compilation import keys, serialization
from plyforge.compilation.derived import DERIVED
from plyforge.compilation.explain import explain
from plyforge.compilation.fingerprint import (
    Fingerprint,
    Unhashable,
    referenced_values,
    toolchain,
)
from plyforge.compilation.interruptible import keep_interrupts
from plyforge.compilation.locks import kernel_lock
from plyforge.compilation.notices import Notices
from plyforge.compilation.numba_version import check_numba
from plyforge.compilation.records import Record, describe
from plyforge.compilation.store import Store
from plyforge.core import defaults
from plyforge.core.errors import CompileError
from plyforge.core.positions import PositionType
from plyforge.core.rules import Rules

if TYPE_CHECKING:
    from plyforge.compilation.linker import Linker

Backend = Literal["compiled", "python"]
BACKENDS: tuple[Backend, ...] = ("compiled", "python")


@dataclass(frozen=True)
class Kernel:
    """A kernel's entry function and its machine signatures.

    Signatures are texts such as `int64(position, int64, words)`, where `words` is a pointer to
    int64, `address` any pointer as a number, and `context` the kernel's own record.
    """

    name: str
    entry: Callable[..., Any]
    signature: str
    recursive: Mapping[Callable[..., Any], str] = field(default_factory=dict)
    context: type[Record] = Record
    """The record that `hooks_api.context_at` finds at an address."""
    replacements: Mapping[Callable[..., Any], Callable[..., Any]] = field(default_factory=dict)
    """Declarations in the kernel, and the functions that take their places."""
    authored: frozenset[Callable[..., Any]] = frozenset()
    """Functions from users' files, whose mistakes are reported like those of rules."""
    seldom: tuple[str, ...] = ()
    """Modules of functions that run seldom; what they call is not inlined into them."""
    wrappers: Mapping[Callable[..., Any], Callable[..., Any]] = field(default_factory=dict)
    """Functions of the kernel, and decorators for them, which record calls.  They act in the
    backend `python` only."""


@dataclass(frozen=True)
class BuiltKernel:
    """A kernel for one game."""

    call: Callable[..., Any]
    """The entry function, which takes positions of the game's own class."""
    enter: Callable[..., Any]
    """The same for positions whose fields have their declared types, as those of a history."""
    seconds: float
    """The processor time of compiling; 0 if nothing was compiled."""
    findings: tuple[str, ...] = ()
    """The findings of the integer lint, if the kernel was compiled in this process."""


@dataclass(frozen=True)
class _MachineCode:
    """A compiled kernel, shared by all games with equal rules."""

    result: Any
    """Numba's compile result, which owns the machine code."""
    seconds: float
    findings: tuple[str, ...]


_compiled: dict[str, _MachineCode] = {}
_uncompiled: set[str] = set()
"""Files whose rules cannot be compiled, of which this process has warned."""
_lock = threading.RLock()


def build(
    kernel: Kernel,
    rules: Rules,
    position: PositionType,
    backend: Backend = "compiled",
    *,
    store: Store | None = None,
    notices: Notices | None = None,
) -> BuiltKernel:
    """Build the kernel for these rules: compile it at most once a process, and keep it on disk."""
    if backend == "python":
        from plyforge.compilation import interpreted

        # Worker processes leave the warning to the process that started them.
        first = rules.file not in _uncompiled and multiprocessing.parent_process() is None
        if not position.compilable and first:
            _uncompiled.add(rules.file)
            (notices or Notices()).warn(
                f"{rules.name} runs uncompiled, 100 to 1000 times slower: {position.obstacle};"
                f" to compile it, {position.remedy}"
            )
        call = interpreted.link(kernel, rules, position)
        return BuiltKernel(call, call, 0.0)
    if not position.compilable:
        raise CompileError(
            f"{rules.file}: cannot be compiled: {position.obstacle}; {position.remedy}"
        )
    check_numba()
    with _lock:
        name, obstacle = kernel_name(kernel, rules, position)
        code = _compiled.get(name)
        if code is None:
            builder = _Builder(kernel, rules, position, name)
            code = builder.build(store or Store(), obstacle, notices or Notices())
            _compiled[name] = code
    enter = code.result.entry_point
    return BuiltKernel(_wrap(enter, position), enter, code.seconds, code.findings)


def kernel_name(kernel: Kernel, rules: Rules, position: PositionType) -> tuple[str, str]:
    """Return the kernel's name in the store, and why it cannot be stored (empty if it can)."""
    digest = Fingerprint()
    digest.text("kernel", kernel.name, kernel.signature, describe(kernel.context), *toolchain())
    obstacle = ""
    try:
        digest.value(position.python_class)
        digest.text(position.fields)
        functions = [kernel.entry, *kernel.recursive, *kernel.replacements.values()]
        for function in functions:
            digest.value(function)
        for text in kernel.recursive.values():
            digest.text(text)
        # The functions of a user's file may change what they call; ours do not.
        hooks = hooks_of(functions) if kernel.authored else _known_hooks(tuple(functions))
        for hook in sorted(hooks):
            digest.text(hook)
            needed: tuple[str, ...] = (hook,)
            if hook in DERIVED:
                source, needed = DERIVED[hook](rules)
                digest.text(source)
            for name in needed:
                digest.value(rules.hooks.get(name) or getattr(defaults, name, None))
        digest.value(keys.mix)
        for constant in ("MAX_MOVES", "CLOCKS", "ALTERNATING"):
            digest.text(constant, rules.constant(constant))
    except Unhashable as error:
        digest.text(error, time.time_ns())
        obstacle = str(error)
    return f"{kernel.name}-{digest.hexdigest()}", obstacle


@lru_cache(maxsize=64)
def _known_hooks(functions: tuple[Callable[..., Any], ...]) -> frozenset[str]:
    return frozenset(hooks_of(functions))


def hooks_of(functions: Iterable[Callable[..., Any]]) -> set[str]:
    """Return the names of `hooks_api` that a kernel's functions use, directly or indirectly."""
    names: set[str] = set()
    seen: set[FunctionType] = set()
    stack: list[Any] = list(functions)
    while stack:
        function = stack.pop()
        if not isinstance(function, FunctionType) or function in seen:
            continue
        seen.add(function)
        if function.__module__ == "plyforge.compilation.hooks_api":
            names.add(function.__name__)
            continue
        stack += referenced_values(function)
    return names


class _Builder:
    """Builds one kernel for one game."""

    def __init__(self, kernel: Kernel, rules: Rules, position: PositionType, name: str) -> None:
        self.kernel, self.rules, self.position, self.name = kernel, rules, position, name
        # Symbols and pickles name this module; its name must be the same in every process.
        self.module = ModuleType("plyforge_kernel_" + name.rsplit("-", 1)[-1])
        sys.modules[self.module.__name__] = self.module
        self.twin = self._make_twin()

    def _make_twin(self) -> type:
        name = "Position_" + self.name.rsplit("-", 1)[-1]
        twin = namedtuple(name, [field.name for field in self.position.fields])  # type: ignore[misc]
        twin.__module__ = self.module.__name__
        setattr(self.module, name, twin)
        return twin

    def build(self, store: Store, obstacle: str, notices: Notices) -> _MachineCode:
        if obstacle:
            return self._compile_and_store(store, obstacle, notices)
        code = self._load(store)
        if code is not None:
            return code
        with kernel_lock(store.lock_file(self.name), lambda: self._announce_waiting(notices)):
            # Another process may have stored it in the meantime.
            return self._load(store) or self._compile_and_store(store, obstacle, notices)

    def _announce_waiting(self, notices: Notices) -> None:
        notices.wait(f"{self.kernel.name} for {self.rules.name}")

    def _load(self, store: Store) -> _MachineCode | None:
        stored = store.load(self.name)
        if stored is None:
            return None
        result = serialization.from_bytes(stored)
        if result is None:
            store.discard(self.name)
            return None
        return _MachineCode(result, 0.0, ())

    def _compile_and_store(self, store: Store, obstacle: str, notices: Notices) -> _MachineCode:
        from plyforge.compilation.contexts import load_registries
        from plyforge.compilation.inlining import inline_single_calls
        from plyforge.compilation.linker import Linker
        from plyforge.compilation.shared import SharedFunctions

        linker = Linker(self.kernel, self.rules, self.position, self.module, self.twin)
        shared = SharedFunctions(store, self.twin.__name__)
        compiling = notices.compiling(self.rules.name, self.kernel.name)
        with compiling as timer, keep_interrupts(), _without_collecting():
            entry = linker.link(self.kernel.entry, entry=True)
            inline_single_calls(linker.dispatchers())
            shared.attach(linker.kernel_functions())
            load_registries()
            for function, text in self.kernel.recursive.items():
                self._compile(linker, linker.link(function), text)
            result = _set_environments(self._compile(linker, entry, self.kernel.signature))
        shared.save()
        obstacle = obstacle or self._obstacle(result)
        if obstacle:
            notices.warn(f"{obstacle}; the kernel is not stored, it compiles at every start")
        else:
            store.save(self.name, serialization.to_bytes(result))
        return _MachineCode(result, timer.seconds, self._lint(linker, notices))

    def _signature(self, linker: "Linker", text: str) -> Any:
        from numba import types

        from plyforge.compilation.intrinsics import WORDS
        from plyforge.compilation.record_types import record_type

        known = {
            "position": linker.position_numba,
            "words": WORDS,
            "address": types.int64,
            "bool": types.boolean,
            "context": record_type(self.kernel.context),
        }
        returns, *arguments = re.findall(r"\w+", text)
        kinds = [known.get(word) or getattr(types, word) for word in (returns, *arguments)]
        return kinds[0](*kinds[1:])

    def _compile(self, linker: "Linker", dispatcher: Any, signature: str) -> Any:
        try:
            dispatcher.compile(self._signature(linker, signature))
        except CompileError:
            raise
        except Exception as error:  # Numba raises many kinds, TypeError and AttributeError too
            raise CompileError(explain(error, linker.files)) from error
        if len(dispatcher.overloads) != 1:
            signatures = ", ".join(map(str, dispatcher.overloads))
            raise CompileError(f"kernel {self.name} was specialised more than once: {signatures}")
        (result,) = dispatcher.overloads.values()
        return result

    def _obstacle(self, result: Any) -> str:
        """Return why a compiled kernel would crash in another process; empty if it would not."""
        file = self.rules.file
        if result.library.has_dynamic_globals:
            return f"{file}: an array of the rules is over a megabyte, too large to be stored"
        return ""

    def _lint(self, linker: "Linker", notices: Notices) -> tuple[str, ...]:
        from plyforge.compilation.lint import lint

        findings = tuple(lint(linker))
        for finding in findings:
            notices.warn(finding)
        return findings


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Pause the search for cyclic garbage, which takes about 4 % of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _set_environments(result: Any) -> Any:
    """Give the linked functions their Python objects, which exceptions need, and keep these."""
    environments = tuple(result._find_referenced_environments())
    for environment in environments:
        result.codegen.set_env(environment.env_name, environment)
    return result._replace(referenced_envs=environments)


def _wrap(entry: Callable[..., Any], position: PositionType) -> Callable[..., Any]:
    """Return the entry, which takes and returns positions of the game's own class."""
    game_class, cast = position.python_class, position.cast

    def call(start: Any, *arguments: Any) -> Any:
        result = entry(cast(start), *arguments)
        return cast(game_class(*result)) if isinstance(result, tuple) else result

    return call

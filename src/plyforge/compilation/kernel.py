"""Kernels: declared once as plain Python, built per game in one of two backends.

A kernel is a function over the names in `hooks_api`.  It declares explicit machine signatures for
itself and for every function in it that recurses: an inferred recursive type crashes when loaded
from disk (Numba issue 6061).  In the backend `compiled` a kernel is machine code, loaded from the
store on disk if it was built before; in the backend `python` it is the same source, uncompiled.
"""

import re
import sys
import threading
import time
from collections import namedtuple
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Literal

from plyforge.compilation import keys, serialization
from plyforge.compilation.derived import DERIVED
from plyforge.compilation.explain import explained
from plyforge.compilation.fingerprint import Fingerprint, Unhashable, global_names, toolchain
from plyforge.compilation.generators import where
from plyforge.compilation.interruptible import remembering
from plyforge.compilation.notices import Notices
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
    """A kernel's entry function and the machine signatures in it.

    Signatures are texts such as `int64(position, int64, words)`, where `words` is a pointer to
    int64, `address` the number of such a pointer and `state` what the game's `begin` returns.
    """

    name: str
    entry: Callable[..., Any]
    signature: str
    recursive: dict[Callable[..., Any], str] = field(default_factory=dict)


@dataclass(frozen=True)
class Built:
    """A kernel for one game: call it with positions of the game's own class."""

    call: Callable[..., Any]
    seconds: float
    """What compiling took; 0 where nothing was compiled."""
    findings: tuple[str, ...] = ()
    """What the integer lint said, when the kernel was compiled just now."""


@dataclass(frozen=True)
class _Machine:
    """A compiled kernel; shared by all games with equal rules."""

    result: Any
    """Numba's result of the compilation, which owns the machine code."""
    seconds: float
    findings: tuple[str, ...]


_machines: dict[str, _Machine] = {}
_lock = threading.RLock()


def build(
    kernel: Kernel,
    rules: Rules,
    position: PositionType,
    backend: Backend = "compiled",
    *,
    store: Store | None = None,
    notices: Notices | None = None,
    debug: bool = False,
) -> Built:
    """The kernel for these rules; compiled at most once a process, and kept on disk."""
    if backend == "python":
        from plyforge.compilation import interpreted

        return Built(interpreted.link(kernel, rules, position), 0.0)
    if not position.compilable:
        raise CompileError(f"{rules.file}: cannot be compiled: {position.obstacle}")
    _require_jit()
    with _lock:
        name, obstacle = kernel_name(kernel, rules, position, debug)
        machine = _machines.get(name)
        if machine is None:
            unit = _Unit(kernel, rules, position, name, debug)
            machine = unit.build(store or Store(), obstacle, notices or Notices())
            _machines[name] = machine
    return Built(_bordered(machine, position), machine.seconds, machine.findings)


def _require_jit() -> None:
    from numba import config

    if config.DISABLE_JIT:
        raise CompileError("NUMBA_DISABLE_JIT is set: unset it, or choose the backend 'python'")


def kernel_name(
    kernel: Kernel, rules: Rules, position: PositionType, debug: bool
) -> tuple[str, str]:
    """The kernel's name in the store, and what keeps it from being kept there, if anything does."""
    digest = Fingerprint()
    digest.text("kernel", kernel.name, kernel.signature, debug, *toolchain())
    obstacle = ""
    try:
        digest.value(position.python_class)
        digest.text(position.fields)
        functions = [kernel.entry, *kernel.recursive]
        for function in functions:
            digest.value(function)
        for text in kernel.recursive.values():
            digest.text(text)
        for hook in sorted(hooks_of(functions)):
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


def hooks_of(functions: Iterable[Callable[..., Any]]) -> set[str]:
    """The holes that a kernel's functions use, however deep."""
    found: set[str] = set()
    seen: set[FunctionType] = set()
    stack: list[Any] = list(functions)
    while stack:
        function = stack.pop()
        if not isinstance(function, FunctionType) or function in seen:
            continue
        seen.add(function)
        if function.__module__ == "plyforge.compilation.hooks_api":
            found.add(function.__name__)
            continue
        stack += [function.__globals__.get(name) for name in global_names(function.__code__)]
    return found


class _Unit:
    """One kernel being built for one game."""

    def __init__(
        self, kernel: Kernel, rules: Rules, position: PositionType, name: str, debug: bool
    ) -> None:
        self.kernel, self.rules, self.position, self.name = kernel, rules, position, name
        self.debug = debug
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

    def build(self, store: Store, obstacle: str, notices: Notices) -> _Machine:
        stored = None if obstacle else store.load(self.name)
        if stored is not None:
            result = serialization.from_bytes(stored)
            if result is not None:
                return _Machine(result, 0.0, ())
            store.discard(self.name)
        return self._build_anew(store, obstacle, notices)

    def _build_anew(self, store: Store, obstacle: str, notices: Notices) -> _Machine:
        from plyforge.compilation.inlining import merge_single_calls
        from plyforge.compilation.linker import Linker
        from plyforge.compilation.skip_codegen import machine_code_for

        linker = Linker(self.rules, self.position, self.module, self.twin, self.debug)
        with notices.compiling(self.rules.name, self.kernel.name) as timer, remembering():
            entry = linker.link(self.kernel.entry, entry=True)
            merge_single_calls(linker.dispatchers())
            with machine_code_for(self.kernel.entry.__name__):
                for function, text in self.kernel.recursive.items():
                    self._compile(linker, linker.link(function), text)
                result = self._compile(linker, entry, self.kernel.signature)
        obstacle = obstacle or self._obstacle(linker, result)
        if obstacle:
            notices.warn(f"{obstacle}; the kernel is not kept, it compiles at every start")
        else:
            store.save(self.name, serialization.to_bytes(result))
        return _Machine(result, timer.seconds, self._lint(linker, notices))

    def _signature(self, linker: "Linker", text: str) -> Any:
        from numba import types

        from plyforge.compilation.intrinsics import WORDS

        known = {
            "position": linker.position_numba,
            "words": WORDS,
            "address": types.int64,
            "bool": types.boolean,
        }
        if "state" in text:
            known["state"] = linker.state_numba
        returns, *arguments = re.findall(r"\w+", text)
        kinds = [known.get(word) or getattr(types, word) for word in (returns, *arguments)]
        return kinds[0](*kinds[1:])

    def _compile(self, linker: "Linker", dispatcher: Any, signature: str) -> Any:
        try:
            dispatcher.compile(self._signature(linker, signature))
        except CompileError:
            raise
        except Exception as error:  # Numba raises many kinds, TypeError and AttributeError too
            raise CompileError(explained(error, linker.files)) from error
        if len(dispatcher.overloads) != 1:
            found = ", ".join(map(str, dispatcher.overloads))
            raise CompileError(f"kernel {self.name} was specialised more than once: {found}")
        (result,) = dispatcher.overloads.values()
        return result

    def _obstacle(self, linker: "Linker", result: Any) -> str:
        """Why a compiled kernel would be wrong or crash in another process; empty if it is fine."""
        file = self.rules.file
        if result.library.has_dynamic_globals:
            return f"{file}: an array of the rules is over a megabyte, too large for a copy"
        symbols = set(re.findall(r"numba\.unresolved\$(\w+)", result.library.get_llvm_str()))
        if not symbols:
            return ""
        known = [dispatcher.py_func for dispatcher in linker.rule_dispatchers]
        named = [f for f in known if any(f"{len(f.__name__)}{f.__name__}B" in s for s in symbols)]
        if not named:
            raise CompileError(f"kernel {self.name} refers to unresolved functions: {symbols}")
        return (
            f"{where(named[0])}: '{named[0].__name__}' is recursive and called by way of another"
            " function, or with a constant among its arguments"
        )

    def _lint(self, linker: "Linker", notices: Notices) -> tuple[str, ...]:
        from plyforge.compilation.lint import lint

        findings = tuple(lint(linker))
        for finding in findings:
            notices.warn(finding)
        return findings


def _bordered(machine: _Machine, position: PositionType) -> Callable[..., Any]:
    """The entry, taking and giving positions of the game's own class."""
    entry, mine, cast = machine.result.entry_point, position.python_class, position.cast

    def call(start: Any, *arguments: Any) -> Any:
        result = entry(cast(start), *arguments)
        return cast(mine(*result)) if isinstance(result, tuple) else result

    return call

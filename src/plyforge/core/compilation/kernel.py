"""Kernels: declared once as plain Python, built per game in one of two gears.

A kernel is a function over the names in `holes`, with explicit machine signatures for itself and
for every function in it that recurses (an inferred recursive type crashes when it is loaded from
disk, Numba issue 6061).  Built in the gear `compiled` it is machine code, taken from the store on
disk where it was built before; in the gear `python` it is the same source, uncompiled.
"""

import pickle
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any, Literal

from plyforge.core.compilation.fingerprint import Fingerprint, Unhashable, all_names, toolchain
from plyforge.core.compilation.notices import Notices
from plyforge.core.compilation.store import Store
from plyforge.core.errors import CompileError
from plyforge.core.positions import PositionType
from plyforge.core.rulesfile import Rules

Gear = Literal["compiled", "python"]
GEARS: tuple[Gear, ...] = ("compiled", "python")


@dataclass(frozen=True)
class Kernel:
    """A kernel's entry function and the machine signatures in it.

    Signatures are texts such as `int64(position, int64, words)`, where `words` is a pointer to
    int64 and `address` the number of such a pointer.  The last one is the entry's.
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
    """A compiled entry and the position class it takes; shared by all games with equal rules."""

    entry: Any
    twin: type
    seconds: float
    findings: tuple[str, ...]


_machines: dict[str, _Machine] = {}
_lock = threading.RLock()


def build(
    kernel: Kernel,
    rules: Rules,
    position: PositionType,
    gear: Gear = "compiled",
    *,
    store: Store | None = None,
    notices: Notices | None = None,
    debug: bool = False,
) -> Built:
    """The kernel for these rules; compiled at most once a process, and kept on disk."""
    if gear == "python":
        from plyforge.core.compilation import interpreted

        return Built(interpreted.link(kernel, rules, position), 0.0)
    if not position.compilable:
        raise CompileError(f"{rules.file}: cannot be compiled: {position.obstacle}")
    with _lock:
        name, storable = kernel_name(kernel, rules, position, debug)
        machine = _machines.get(name)
        if machine is None:
            unit = _Unit(kernel, rules, position, name, debug)
            machine = unit.build(store or Store(), storable, notices or Notices())
            _machines[name] = machine
    return Built(_bordered(machine, position), machine.seconds, machine.findings)


def kernel_name(kernel: Kernel, rules: Rules, position: PositionType, debug: bool) -> tuple[str, bool]:
    """The kernel's name in the store, and whether it may be kept there."""
    digest = Fingerprint()
    digest.text("kernel", kernel.name, kernel.signature, debug, *toolchain())
    storable = True
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
            if hook in rules.hooks:
                digest.value(rules.hooks[hook])
        for constant in ("MAX_MOVES", "CLOCKS", "ALTERNATING"):
            digest.text(constant, rules.constant(constant))
    except Unhashable as error:
        digest.text(error, time.time_ns())
        storable = False
    return f"{kernel.name}-{digest.hexdigest()}", storable


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
        if function.__module__ == "plyforge.core.compilation.holes":
            found.add(function.__name__)
            continue
        stack += [function.__globals__.get(name) for name in all_names(function.__code__)]
    return found


class _Unit:
    """One kernel being built for one game."""

    def __init__(
        self, kernel: Kernel, rules: Rules, position: PositionType, name: str, debug: bool
    ) -> None:
        from plyforge.core.compilation.linker import Linker

        self.kernel, self.rules, self.position, self.name = kernel, rules, position, name
        # Symbols and pickles name this module; its name must be the same in every process.
        self.module = ModuleType("plyforge_kernel_" + name.rsplit("-", 1)[-1])
        sys.modules[self.module.__name__] = self.module
        self.linker = Linker(rules, position, self.module, debug)

    def build(self, store: Store, storable: bool, notices: Notices) -> _Machine:
        entry = self.linker.link(_plain(self.kernel.entry), entry=True)
        signature = self._signature(self.kernel.signature)
        payload = store.load(self.name) if storable else None
        if payload is not None:
            if self._restore(entry, payload):
                return self._machine(entry, 0.0, ())
            store.discard(self.name)
        with notices.compiling(self.rules.name, self.kernel.name) as timer:
            for function, text in self.kernel.recursive.items():
                recursive = self.linker.link(_plain(function))
                self._compile(recursive, self._signature(text))
            self._compile(entry, signature)
        findings = self._lint(notices)
        result = entry.overloads[signature.args]
        if storable and not result.library.has_dynamic_globals:
            from numba.core import serialize

            store.save(self.name, serialize.dumps(result._reduce()))
        return self._machine(entry, timer.seconds, findings)

    def _machine(self, entry: Any, seconds: float, findings: tuple[str, ...]) -> _Machine:
        entry.disable_compile()
        return _Machine(entry, self.linker.twin, seconds, findings)

    def _signature(self, text: str) -> Any:
        from numba import types

        from plyforge.core.compilation.intrinsics import WORDS

        known = {
            "position": self.linker.position_numba,
            "words": WORDS,
            "address": types.int64,
            "bool": types.boolean,
        }
        returns, *arguments = re.findall(r"\w+", text)
        kinds = [known.get(word) or getattr(types, word) for word in (returns, *arguments)]
        return kinds[0](*kinds[1:])

    def _compile(self, dispatcher: Any, signature: Any) -> None:
        from numba.core import errors

        try:
            dispatcher.compile(signature)
        except errors.NumbaError as error:
            raise CompileError(_explained(error, self.rules)) from error
        except NotImplementedError as error:
            raise CompileError(f"{self.rules.file}: Numba cannot compile this: {error}") from error
        if len(dispatcher.overloads) != 1:
            found = ", ".join(map(str, dispatcher.overloads))
            raise CompileError(f"kernel {self.name} was specialised more than once: {found}")
        for text in dispatcher.inspect_llvm().values():
            if ".numba.unresolved$" in text:
                raise CompileError(f"kernel {self.name} refers to an unresolved function")

    def _restore(self, entry: Any, payload: bytes) -> bool:
        """Install a stored kernel; False if its bytes cannot be used after all."""
        from numba.core.compiler import CompileResult

        target = entry.targetctx
        target.refresh()
        try:
            result = CompileResult._rebuild(target, *pickle.loads(payload))
        except Exception:  # whatever unpickling foreign bytes may raise
            return False
        target.insert_user_function(result.entry_point, result.fndesc, [result.library])
        entry.add_overload(result)
        return True

    def _lint(self, notices: Notices) -> tuple[str, ...]:
        from plyforge.core.compilation.lint import lint

        findings = tuple(lint(self.linker))
        for finding in findings:
            notices.warn(finding)
        return findings


def _bordered(machine: _Machine, position: PositionType) -> Callable[..., Any]:
    """The entry, taking and giving positions of the game's own class."""
    entry, twin, mine, cast = machine.entry, machine.twin, position.python_class, position.cast

    def call(start: Any, *arguments: Any) -> Any:
        result = entry(twin(*cast(start)), *arguments)
        return cast(mine(*result)) if isinstance(result, tuple) else result

    return call


def _plain(function: Callable[..., Any]) -> FunctionType:
    assert isinstance(function, FunctionType)
    return function


def _explained(error: Exception, rules: Rules) -> str:
    """A Numba error, shortened to what the author of the rules can act on."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    place = re.findall(r'File "([^"]+)", line (\d+)', text)
    mine = [(f, n) for f, n in place if f.endswith(rules.file.rsplit("/", 1)[-1])]
    file, line = (mine or place or [(rules.file, "?")])[-1]
    told = [
        line.strip(" -")
        for line in text.splitlines()
        if line.strip()
        and not re.match(r"\s*(Failed in|During:|File|def |<source|\^|This error|For more)", line)
        and "numba.readthedocs" not in line
    ]
    message = " ".join(told)[:600]
    return (
        f"{file}, line {line}: Numba cannot compile this: {message}"
        " (the gear 'python' runs the rules uncompiled)"
    )

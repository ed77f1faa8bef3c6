"""Functions of kernels that do not depend on a game, compiled once for the kernels of all games.

A third of a search kernel's functions call no hook and take no position: table, values, history,
counters.  They are the same in every game.  Their LLVM code is stored in one file, and a kernel of
another game links it instead of compiling them again.  A function is found by a digest of its code,
of everything that it reads or calls, and of the types of its arguments, so a change makes it
another function.  What is linked is the same code that would be compiled, before optimisation, so
kernels with and without stored functions are equal.
"""

import pickle
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from numba.core import types, typing
from numba.core.compiler import compile_result
from numba.core.environment import Environment
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from plyforge.compilation import intrinsics
from plyforge.compilation.fingerprint import Fingerprint, Unhashable, toolchain
from plyforge.compilation.libraries import FunctionLibrary, needs_objects
from plyforge.compilation.passes import entry_point, is_plain
from plyforge.compilation.store import FUNCTIONS, Store

MAX_BYTES: Final = 1 << 22
"""The size of the file up to which functions that the latest kernel did not use are kept."""


_INTRINSICS: Final = {
    id(value): name
    for name, value in vars(intrinsics).items()
    if isinstance(value, type(intrinsics.popcount))
}
"""The names of intrinsics without parameters; the sources of this package define them."""


class _Function(NamedTuple):
    """A stored function."""

    symbol: str
    tags: tuple[str, ...]
    """Numba's summary of the options, a part of the symbol."""
    result: bytes | str
    """The type of the result, pickled, or its name if it is found in the arguments' types."""
    bitcode: bytes
    callees: tuple[str, ...]
    """The keys of the functions that it calls."""


class SharedFunctions:
    """The stored functions, as the build of one kernel uses and extends them."""

    def __init__(self, store: Store, private: str) -> None:
        """`private` is the name of the game's position type, which no shared function may use."""
        digest = Fingerprint()
        digest.text(*toolchain())
        self._store, self._name = store, FUNCTIONS + digest.hexdigest()
        self._private = private
        self._stored = _unpack(store.load(self._name))
        self._used: dict[str, _Function] = {}
        self._libraries: dict[str, FunctionLibrary] = {}

    def attach(self, dispatchers: Iterable[Any]) -> None:
        """Let the functions that depend on no game, among a kernel's own, use this store."""
        digests = _Digests(dispatchers)
        for dispatcher in digests.dispatchers:
            digest = digests.get(dispatcher)
            if digest:
                function = dispatcher.py_func
                # Symbols contain both names; they must be the same in every process.
                function.__module__ = __name__
                function.__qualname__ = f"{function.__name__}_{digest}"
                dispatcher.stored = _Overloads(self, dispatcher)

    def save(self) -> None:
        """Store the functions of this build, and those of earlier ones that fit."""
        if self._used.items() <= self._stored.items():
            return
        functions = dict(self._used)
        size = sum(len(function.bitcode) for function in functions.values())
        for key, function in self._stored.items():
            size += len(function.bitcode)
            if size <= MAX_BYTES:
                functions.setdefault(key, function)
        plain = {key: tuple(function) for key, function in functions.items()}
        self._store.save(self._name, pickle.dumps(plain))

    def key(self, function: Any, arguments: tuple[Any, ...]) -> str:
        """Return the key of a function for arguments of these types; empty if it is private."""
        kinds = ", ".join(map(str, arguments))
        return "" if self._private in kinds else f"{function.__qualname__}({kinds})"

    def load(self, key: str) -> tuple[_Function, FunctionLibrary] | None:
        """Return a stored function and its code, if its callees are stored, too."""
        library = self._library(key)
        return library and (self._used[key], library)

    def _library(self, key: str) -> FunctionLibrary | None:
        stored = self._stored.get(key)
        if key not in self._libraries and stored is not None:
            callees = [self._library(callee) for callee in stored.callees]
            if None in callees:
                return None
            codegen = cpu_target.target_context.codegen()
            library = FunctionLibrary.from_bitcode(codegen, key, stored.bitcode)
            for callee in (*callees, rtsys.library):
                library.add_linking_library(callee)
            self._libraries[key], self._used[key] = library, stored
        return self._libraries.get(key)

    def add(self, key: str, result: Any) -> None:
        """Add a function that was compiled, if all that it needs can be stored."""
        library, descriptor = result.library, result.fndesc
        callees = [one for one in library.callees() if one is not rtsys.library]
        own = [one for one in callees if isinstance(one, FunctionLibrary)]
        kind = _pack_type(result.signature.return_type, result.signature.args)
        if kind is None or not all(one.key for one in own) or not library.is_movable():
            return
        module = library.module().clone()
        for callee in callees:
            if callee not in own:
                module.link_in(callee._get_module_for_linking(), preserve=True)
        if needs_objects(module):
            return
        self._used[key] = _Function(
            symbol=descriptor.mangled_name,
            tags=tuple(descriptor.abi_tags),
            result=kind,
            bitcode=module.as_bitcode(),
            callees=tuple(one.key for one in own),
        )
        library.key = key
        self._libraries[key] = library


class _Overloads:
    """The stored forms of one function, by the types of its arguments."""

    def __init__(self, shared: SharedFunctions, dispatcher: Any) -> None:
        self._shared, self._function = shared, dispatcher.py_func
        self._target = dispatcher.targetctx

    def load(self, arguments: tuple[Any, ...]) -> Any:
        """Return the function for these arguments; None if it is not stored, or is damaged."""
        try:
            return self._load(arguments)
        except Exception:  # unknown contents can raise anything
            return None

    def _load(self, arguments: tuple[Any, ...]) -> Any:
        loaded = self._shared.load(self._shared.key(self._function, arguments))
        if loaded is None:
            return None
        stored, library = loaded
        kind = _unpack_type(stored.result, arguments)
        descriptor = self._descriptor(arguments, kind, stored.tags)
        if kind is None or descriptor.mangled_name != stored.symbol:
            return None
        environment = Environment.from_fndesc(descriptor)
        return compile_result(
            entry_point=entry_point(descriptor, environment, library),
            environment=environment,
            fndesc=descriptor,
            library=library,
            objectmode=False,
            signature=typing.signature(kind, *arguments),
        )

    def _descriptor(self, arguments: tuple[Any, ...], kind: Any, tags: tuple[str, ...]) -> Any:
        function = self._function
        return PythonFunctionDescriptor(
            native=True,
            modname=function.__module__,
            qualname=function.__qualname__,
            unique_name=function.__qualname__,
            doc="",
            typemap=None,
            restype=kind,
            calltypes=None,
            args=function.__code__.co_varnames[: len(arguments)],
            kws=(),
            mangler=self._target.mangler,
            argtypes=arguments,
            abi_tags=tags,
            uid=0,
        )

    def save(self, result: Any) -> None:
        """Add a form that was compiled."""
        key = self._shared.key(self._function, result.signature.args)
        if key:
            self._shared.add(key, result)


class _Digests:
    """Digests of the functions that call only functions of a kernel."""

    def __init__(self, dispatchers: Iterable[Any]) -> None:
        self.dispatchers = list(dispatchers)
        # None is a function whose digest is being computed.
        self._known: dict[Any, str | None] = dict.fromkeys(self.dispatchers, "?")

    def get(self, dispatcher: Any) -> str:
        """Return a function's digest; empty if it depends on a game, or cannot be shared."""
        if self._known.get(dispatcher) == "?":
            self._known[dispatcher] = None
            self._known[dispatcher] = self._digest(dispatcher)
        return self._known.get(dispatcher) or ""

    def _digest(self, dispatcher: Any) -> str:
        digest = _Digest(self)
        try:
            if not is_plain(dispatcher.py_func):
                return ""
            digest.text(sorted(dispatcher.targetoptions.items()))
            digest.value(dispatcher.py_func)
        except Unhashable:
            return ""
        return digest.hexdigest()


class _Digest(Fingerprint):
    def __init__(self, digests: _Digests) -> None:
        super().__init__()
        self._digests = digests

    def value(self, value: Any) -> None:
        if hasattr(value, "py_func"):
            digest = self._digests.get(value)
            if not digest:
                raise Unhashable("function of a game")
            self.text("callee", digest)
        elif id(value) in _INTRINSICS:
            self.text("intrinsic", _INTRINSICS[id(value)])
        else:
            super().value(value)


def _unpack(data: bytes | None) -> dict[str, _Function]:
    try:
        functions = pickle.loads(data) if data else {}
        found = {str(key): _Function(*fields) for key, fields in functions.items()}
        return {key: one for key, one in found.items() if isinstance(one.bitcode, bytes)}
    except Exception:  # unpickling unknown bytes can raise anything
        return {}


def _pack_type(kind: Any, arguments: tuple[Any, ...]) -> bytes | str | None:
    if kind in _reachable(arguments):
        return str(kind)
    try:
        data = pickle.dumps(kind)
        return data if pickle.loads(data) == kind else None
    except Exception:  # a type of any package may fail in its own way
        return None


def _unpack_type(kind: bytes | str, arguments: tuple[Any, ...]) -> Any:
    if isinstance(kind, bytes):
        return pickle.loads(kind)
    return next((one for one in _reachable(arguments) if str(one) == kind), None)


def _reachable(kinds: Iterable[Any]) -> Iterator[Any]:
    """Yield types and the types that they consist of, such as those of a record's fields."""
    stack, seen = list(kinds), set()
    while stack:
        kind = stack.pop()
        if kind in seen:
            continue
        seen.add(kind)
        yield kind
        for part in vars(kind).values():
            parts = part.values() if isinstance(part, dict) else part
            parts = parts if isinstance(parts, Iterable) else (part,)
            stack += [one for one in parts if isinstance(one, types.Type)]

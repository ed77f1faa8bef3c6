"""Name a kernel after everything that can change its machine code.

It covers the bytecode and constants of every function that can be reached, the value of every
global they read (in any module), the position class, and the tools: Python, NumPy, Numba,
llvmlite, the processor, and the sources of this package.  It never contains an address or
anything else that differs between two processes.  Comments, docstrings and line numbers do not
matter.
"""

import enum
import hashlib
import opcode
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

FOREIGN = {"numpy", "numba", "llvmlite", "math", "builtins", "operator", "typing"}
"""Packages whose functions are identified by name; the toolchain covers their versions."""
_REPLACED = {
    "plyforge.compilation.hooks_api",
    "plyforge.compilation.mpi",
    "plyforge.core.memory",
}
"""Modules whose functions are replaced when a kernel is linked, and count with their names."""
_FOREIGN_FUNCTIONS = FOREIGN - {"typing", "builtins"}
_LOAD_GLOBAL, _EXTENDED = opcode.opmap["LOAD_GLOBAL"], opcode.opmap["EXTENDED_ARG"]
_COMMENT = re.compile(r"^ *#.*\n", re.MULTILINE)
_DOCSTRING = re.compile(r'^( *)""".*?"""$', re.DOTALL | re.MULTILINE)
_SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX")
"""Numba's settings that change machine code; they come from environment variables."""


def _remember(function: Callable[..., T]) -> Callable[..., T]:
    """Remember the results for every code object, which never changes.

    Code objects are told apart by identity: hashing one takes longer than most results.
    """
    known: dict[tuple[int, ...], tuple[types.CodeType, T]] = {}

    def remembered(code: types.CodeType, *flags: bool) -> T:
        key = (id(code), *flags)
        if key not in known:
            known[key] = code, function(code, *flags)
        return known[key][1]

    return remembered


class Unhashable(TypeError):
    """A global has a value that cannot be hashed; the kernel is then compiled but not stored."""


class Fingerprint:
    """A running digest of functions and the values they can read."""

    def __init__(self) -> None:
        self._parts: list[object] = []
        self._seen: dict[types.FunctionType, int] = {}
        self._modules: set[tuple[str, types.FunctionType]] = set()

    def hexdigest(self) -> str:
        texts = [str(part) for part in self._parts]
        joined = "".join([f"{len(text)}:{text}" for text in texts])
        return hashlib.sha256(joined.encode()).hexdigest()[:32]

    def text(self, *parts: object) -> None:
        """Add texts to the digest."""
        self._parts += parts

    def value(self, value: Any) -> None:
        """Add any value that compiled code can refer to."""
        kind = type(value)
        if kind in _SIMPLE:
            self._parts += (kind.__name__, repr(value))
            return
        if kind is types.FunctionType and value in self._seen:
            self._parts += ("again", self._seen[value])
            return
        plain = getattr(value, "py_func", value)
        if isinstance(plain, types.FunctionType) and not is_foreign(plain):
            self._function(plain)
        elif isinstance(value, types.CodeType):
            self.code(value)
        elif isinstance(value, np.ndarray):
            self._array(value)
        elif isinstance(value, enum.Enum):
            self.text("enum", type(value).__name__, value.name)
            self.value(value.value)
        elif value is None or value is ... or isinstance(value, _PLAIN):
            self.text(type(value).__name__, repr(value))
        elif isinstance(value, np.generic):
            self.text("numpy", _dtype_name(value.dtype), value.tobytes().hex())
        elif isinstance(value, np.dtype):
            self.text("dtype", value.descr)
        elif isinstance(value, (tuple, list)):
            self.text(type(value).__name__, len(value), getattr(value, "_fields", None))
            self.values(value)
        elif isinstance(value, frozenset):
            self.text("frozenset", sorted(map(repr, value)))
        elif isinstance(value, type):
            self._type(value)
        elif is_foreign(value):
            self.text("foreign", _module_of(value), _name_of(value))
        else:
            raise Unhashable(f"{type(value).__name__} value")

    def values(self, values: Iterable[Any]) -> None:
        """Add several values in order."""
        for value in values:
            self.value(value)

    def _named_values(self, values: Mapping[str, Any]) -> None:
        for name, value in sorted(values.items()):
            self.text(name)
            self.value(value)

    def _array(self, array: np.ndarray[Any, Any]) -> None:
        if array.dtype.hasobject:
            raise Unhashable("array of Python objects")
        flags = array.flags
        self.text("array", array.dtype.descr, array.shape, flags.c_contiguous, flags.f_contiguous)
        self.text(hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest())

    def _type(self, kind: type) -> None:
        if kind.__module__ in FOREIGN:
            self.text("type", kind.__module__, kind.__qualname__)
        elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
            self.text("namedtuple", kind.__name__, kind._fields)
            self._named_values(getattr(kind, "_field_defaults", {}))
        elif issubclass(kind, enum.Enum):
            self._named_values(kind.__members__)
        else:
            raise Unhashable(f"class {kind.__qualname__}")

    def _function(self, function: types.FunctionType) -> None:
        if function in self._seen:
            self.text("again", self._seen[function])
            return
        self._seen[function] = len(self._seen)
        self.text("function", function.__name__)
        if function.__module__ in _REPLACED:
            return
        code, docstring = function.__code__, function.__doc__
        has_docstring = bool(docstring) and code.co_consts[0] is docstring
        self.function_code(code, has_docstring)
        self.values(function.__defaults__ or ())
        self._named_values(function.__kwdefaults__ or {})
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            self._global(name, cell.cell_contents, function)
        for name, value in reachable_globals(function):
            self.text("global", name)
            self._global(name, value, function)

    def _global(self, name: str, value: Any, user: types.FunctionType) -> None:
        if isinstance(value, types.ModuleType):
            if value.__name__.split(".")[0] in FOREIGN:
                self.text("module", value.__name__)
                return
            if (value.__name__, user) in self._modules:
                return
            self._modules.add((value.__name__, user))
            for attribute in _sorted_names(user.__code__):
                if attribute in vars(value):
                    self.text(attribute)
                    self._global(attribute, vars(value)[attribute], user)
            return
        try:
            self.value(value)
        except Unhashable as error:
            raise Unhashable(
                f"{user.__code__.co_filename}: '{user.__name__}' reads '{name}', a {error};"
                " use ints, floats, tuples or NumPy arrays"
            ) from None

    def function_code(self, code: types.CodeType, has_docstring: bool) -> None:
        """Add what a function's code is; `has_docstring` if its first constant is one."""
        self.text(_code_digest(code, has_docstring))

    def code(self, code: types.CodeType, has_docstring: bool = False) -> None:
        """Add a function's code, without a docstring that it does not use."""
        self.text("code", code.co_code.hex(), code.co_exceptiontable.hex(), code.co_names)
        self.text(code.co_varnames, code.co_freevars, code.co_cellvars)
        self.text(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        skip = 1 if has_docstring and not _uses_first_constant(code) else 0
        self.values(code.co_consts[skip:])


_PLAIN = (int, float, complex, str, bytes, slice)
_SIMPLE = {int, float, bool, str, type(None)}


def all_names(code: types.CodeType) -> Iterator[str]:
    """Yield every global or attribute name in a function's code, nested code included."""
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from all_names(const)


@_remember
def _code_digest(code: types.CodeType, has_docstring: bool) -> str:
    """Return the fingerprint of a function's code; `has_docstring` if its first constant is one."""
    digest = Fingerprint()
    digest.code(code, has_docstring)
    return digest.hexdigest()


@_remember
def global_names(code: types.CodeType) -> frozenset[str]:
    """Return the names that a function's code reads as globals, nested code included.

    Attributes do not count: a field `board` is not a use of the hook `board`.
    """
    names = {
        code.co_names[argument >> 1]
        for operation, argument in _instructions(code)
        if operation == _LOAD_GLOBAL
    }
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            names |= global_names(const)
    return frozenset(names)


@_remember
def _sorted_global_names(code: types.CodeType) -> list[str]:
    return sorted(global_names(code))


@_remember
def _sorted_names(code: types.CodeType) -> list[str]:
    return sorted(set(all_names(code)))


def _uses_first_constant(code: types.CodeType) -> bool:
    return any(
        operation in opcode.hasconst and argument == 0
        for operation, argument in _instructions(code)
    )


def _instructions(code: types.CodeType) -> Iterable[tuple[int, int]]:
    """Return the operations of a function's code with their arguments."""
    operations, arguments = code.co_code[::2], code.co_code[1::2]
    plain = zip(operations, arguments, strict=True)
    return _extend(plain) if _EXTENDED in operations else plain


def _extend(instructions: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield instructions with arguments of more than one byte put together."""
    extension = 0
    for operation, argument in instructions:
        argument |= extension
        extension = argument << 8 if operation == _EXTENDED else 0
        yield operation, argument


def reachable_globals(function: types.FunctionType) -> list[tuple[str, Any]]:
    """Return the globals a function may read, by name, without builtins."""
    space = function.__globals__
    names = _sorted_global_names(function.__code__)
    return [(name, space[name]) for name in names if name in space]


def referenced_values(function: types.FunctionType) -> Iterator[Any]:
    """Yield what a function may read: globals, variables of outer functions, parts of modules."""
    names = set(all_names(function.__code__))
    values = [value for _, value in reachable_globals(function)]
    values += [cell.cell_contents for cell in function.__closure__ or ()]
    for value in values:
        if isinstance(value, types.ModuleType):
            yield from (part for name, part in vars(value).items() if name in names)
        else:
            yield value


def is_foreign(value: Any) -> bool:
    """Whether a value is a function, class or type that Numba supports itself.

    Plain functions such as `typing.cast` are not; they are compiled like the author's own.
    (A plain function whose module is `builtins` was made by `exec`.)
    """
    if isinstance(value, types.FunctionType):
        return _module_of(value) in _FOREIGN_FUNCTIONS
    if isinstance(value, types.ModuleType) or not _name_of(value):
        return False
    return _module_of(value) in FOREIGN


@cache
def _dtype_name(dtype: np.dtype[Any]) -> str:
    return str(dtype)


@cache
def _package_of(module: str) -> str:
    return module.split(".")[0]


def _module_of(value: Any) -> str:
    return _package_of(str(getattr(value, "__module__", None) or type(value).__module__))


def _name_of(value: Any) -> str:
    """Return the name of a function, a class or a Numba type; empty for other values."""
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if name is None and type(value).__module__.startswith("numba.core.types"):
        name = value
    return str(name or "")


def compiler_sources() -> list[Path]:
    """Return the source files that decide how a kernel becomes machine code."""
    package = Path(__file__).parent
    return [*sorted(package.glob("*.py")), package.parent / "core" / "positions.py"]


@cache
def toolchain() -> tuple[str, ...]:
    """Return everything about this machine and these tools that can change machine code."""
    import llvmlite
    import numba
    from llvmlite import binding

    digest = hashlib.sha256()
    for source in compiler_sources():
        digest.update(without_prose(source.read_text("utf-8")).encode())
    return (
        (sys.implementation.cache_tag or sys.version) + getattr(sys, "abiflags", ""),
        np.__version__,
        numba.__version__,
        llvmlite.__version__,
        str([getattr(numba.config, setting, None) for setting in _SETTINGS]),
        binding.get_process_triple(),
        str(numba.config.CPU_NAME or binding.get_host_cpu_name()),
        str(numba.config.CPU_FEATURES or binding.get_host_cpu_features().flatten()),
        digest.hexdigest(),
    )


def without_prose(source: str) -> str:
    """Return the text of a source file of this package without comment lines and docstrings."""
    return _DOCSTRING.sub(r'\1""', _COMMENT.sub("", source))

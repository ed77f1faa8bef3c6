"""The LLVM code of a kernel's functions, which is linked and optimised once, in the entry.

Numba links each function with all functions it calls, optimises the result and generates machine
code for it.  Only a kernel's entry is called from Python, so all of this is wasted for the others.
Here the code of a function stays as it was lowered, in a `FunctionLibrary`, until an `EntryLibrary`
links each function once.  For measurements see docs/decisions/0011-compile-time.md.
"""

from collections.abc import Iterator
from typing import Any, Final
from weakref import WeakValueDictionary

from llvmlite import binding, ir
from numba.core.codegen import JITCodeLibrary
from numba.core.environment import lookup_environment

from plyforge.core.errors import CompileError

UNRESOLVED: Final = ".numba.unresolved$"
"""The prefix of Numba's variables for the address of a function that is still being compiled."""


_ADDRESSES: Final = (UNRESOLVED, "numba.dynamic.globals")
"""The prefixes of variables that depend on the process."""
_ENVIRONMENT: Final = "_ZN08NumbaEnv"
"""The prefix of variables for the Python objects of a function, which few functions use."""

_by_symbol: "WeakValueDictionary[str, FunctionLibrary]" = WeakValueDictionary()


class FunctionLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one function, which refers to other libraries for the functions it calls."""

    key = ""
    """The key of a function that is stored for other kernels."""

    @classmethod
    def from_bitcode(cls, codegen: Any, key: str, bitcode: bytes) -> "FunctionLibrary":
        """Return the code of a stored function."""
        library = cls(codegen, key)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalized = True
        library.key = key
        return library

    def is_movable(self) -> bool:
        """Whether the code contains no address and nothing to do on loading."""
        names = [variable.name for variable in self._final_module.global_variables]
        return not reload_init(self) and not any(name.startswith(_ADDRESSES) for name in names)

    def define(self, symbol: str) -> None:
        """Note the symbol of the function, by which recursive calls find it."""
        _by_symbol[symbol] = self

    def finalize(self) -> None:
        """Leave the code as it is."""
        self._finalized = True

    def module(self) -> Any:
        """Return the function's own code, for linking."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """Return the code with all callees, which any other kind of library expects."""
        module = self.module().clone()
        self._link_callees(module)
        return module

    def callees(self) -> list[Any]:
        """Return the libraries of the functions that are called directly."""
        return [*self._linking_libraries, *(_by_symbol[name] for name in self.unresolved())]

    def unresolved(self) -> list[str]:
        """Return the functions that were being compiled when this one was, if they are known."""
        names = (variable.name for variable in self._final_module.global_variables)
        symbols = (name.removeprefix(UNRESOLVED) for name in names if name.startswith(UNRESOLVED))
        return [symbol for symbol in symbols if symbol in _by_symbol]

    def _link_callees(self, module: Any) -> None:
        _link_addresses(module, self.unresolved())
        # LLVM drops a function that nothing refers to yet, so callers come before their callees.
        for callee in reversed(list(_all_callees(self, {self}))):
            reload_init(self).update(reload_init(callee))
            if isinstance(callee, FunctionLibrary):
                module.link_in(callee.module(), preserve=True)
                _link_addresses(module, callee.unresolved())
            else:
                module.link_in(callee._get_module_for_linking(), preserve=True)


class EntryLibrary(FunctionLibrary):
    """The code of a whole kernel."""

    def finalize(self) -> None:
        """Link every function that the entry reaches, optimise, and generate machine code."""
        self._codegen._check_llvm_bugs()
        module = self._final_module
        own = {variable.name for variable in module.global_variables}
        self._link_callees(module)
        _require_addresses(module)
        for variable in module.global_variables:
            if variable.name.startswith(_ENVIRONMENT) and variable.name not in own:
                variable.linkage = "linkonce_odr"  # LLVM drops those that are not used
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def _get_module_for_linking(self) -> Any:
        return self.module()


def reload_init(library: Any) -> set[Any]:
    """Return what is to be called when a library is loaded; Numba 0.61 does not keep it."""
    functions: set[Any] = getattr(library, "_reload_init", set())
    return functions


def needs_objects(module: Any) -> bool:
    """Whether a function in a module uses Python objects, which exist in this process only."""
    names = [variable.name for variable in module.global_variables]
    found = [lookup_environment(name) for name in names if name.startswith(_ENVIRONMENT)]
    return any(environment.consts for environment in found if environment is not None)


def _all_callees(library: FunctionLibrary, seen: set[Any]) -> Iterator[Any]:
    """Yield the libraries that a library needs, callees before their callers."""
    for callee in library.callees():
        if callee not in seen:
            seen.add(callee)
            if isinstance(callee, FunctionLibrary):  # others contain their callees
                yield from _all_callees(callee, seen)
            yield callee


def _link_addresses(module: Any, symbols: list[str]) -> None:
    """Define the variables for addresses of functions, which Numba would fill in after loading."""
    addresses = ir.Module()
    addresses.triple, addresses.data_layout = module.triple, module.data_layout
    kind = ir.IntType(8).as_pointer()
    for symbol in symbols:
        function = ir.Function(addresses, ir.FunctionType(ir.VoidType(), ()), symbol)
        variable = ir.GlobalVariable(addresses, kind, UNRESOLVED + symbol)
        variable.initializer = function.bitcast(kind)
        variable.global_constant = True
        variable.linkage = "linkonce_odr"
    if symbols:
        module.link_in(binding.parse_assembly(str(addresses)))


def _require_addresses(module: Any) -> None:
    """Fail if a kernel would wait for the address of a function, and crash in another process."""
    names = [variable.name for variable in module.global_variables if variable.is_declaration]
    missing = [name for name in names if name.startswith(UNRESOLVED)]
    if missing:
        raise CompileError(f"a kernel refers to unknown functions: {', '.join(missing)}")

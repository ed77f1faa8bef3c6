"""Compiling functions that only other compiled functions call, at less cost.

Numba makes machine code of every function it compiles, though a kernel's functions are merged into
the kernel's own code, and nobody calls them by themselves.  Here they get none, which spares a
quarter of the time of games whose evaluation is large (Hex, Andantino, chess).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock

_UNRESOLVED: Final = ".numba.unresolved$"


@contextmanager
def machine_code_for(*entries: str) -> Iterator[None]:
    """While functions are compiled in here, only those of these names get machine code."""
    finalize, set_env = JITCodeLibrary._finalize_final_module, JITCPUCodegen.set_env
    with global_compiler_lock:  # nobody else compiles meanwhile
        JITCodeLibrary._finalize_final_module = _only_if_called(finalize, entries)
        JITCPUCodegen.set_env = _only_if_there(set_env)
        try:
            yield
        finally:
            JITCodeLibrary._finalize_final_module = finalize
            JITCPUCodegen.set_env = set_env


def _only_if_called(finalize: Callable[[Any], None], entries: tuple[str, ...]) -> Any:
    left: list[Any] = []
    recursive = False

    def leave_or_finalize(library: Any) -> None:
        nonlocal recursive
        if not recursive and _is_recursive(library):
            # Any of the others may hold the function that it waits for.
            recursive = True
            for other in left:
                finalize(other)
        if recursive or library.name in entries:
            finalize(library)
            return
        library._finalize_dynamic_globals()
        library._verify_declare_only_symbols()
        library._finalized = True
        left.append(library)

    return leave_or_finalize


def _is_recursive(library: Any) -> bool:
    """Whether it waits for the address of a function that is still being compiled."""
    variables = library._final_module.global_variables
    return any(variable.name.startswith(_UNRESOLVED) for variable in variables)


def _only_if_there(set_env: Callable[[Any, str, Any], None]) -> Any:
    """A function without machine code has no place for its environment, and needs none."""

    def set_if_there(codegen: Any, name: str, env: Any) -> None:
        if codegen._engine.is_symbol_defined(name):
            set_env(codegen, name, env)

    return set_if_there

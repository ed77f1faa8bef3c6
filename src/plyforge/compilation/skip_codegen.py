"""Skip generating machine code for functions that only other compiled functions call.

Numba generates machine code for every function it compiles.  A kernel's functions are linked into
the kernel's own code and never called alone, so their machine code is not needed.  Skipping it
saves a quarter of the compile time of games with a large evaluation (Hex, Andantino, chess).
Numba has no option for this, so two of its methods are replaced during a compilation; see
docs/decisions/0008-numba-internals.md.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock

_UNRESOLVED: Final = ".numba.unresolved$"


@contextmanager
def machine_code_for(*entries: str) -> Iterator[None]:
    """Within this block, generate machine code only for functions of these names."""
    finalize, set_env = JITCodeLibrary._finalize_final_module, JITCPUCodegen.set_env
    with global_compiler_lock:  # no other thread compiles meanwhile
        JITCodeLibrary._finalize_final_module = _finalize_entries(finalize, entries)
        JITCPUCodegen.set_env = _set_if_defined(set_env)
        try:
            yield
        finally:
            JITCodeLibrary._finalize_final_module = finalize
            JITCPUCodegen.set_env = set_env


def _finalize_entries(finalize: Callable[[Any], None], entries: tuple[str, ...]) -> Any:
    skipped: list[Any] = []
    recursive = False

    def finalize_or_skip(library: Any) -> None:
        nonlocal recursive
        if not recursive and _is_recursive(library):
            # Any skipped library may contain the function whose address it needs.
            recursive = True
            for other in skipped:
                finalize(other)
        if recursive or library.name in entries:
            finalize(library)
            return
        library._finalize_dynamic_globals()
        library._verify_declare_only_symbols()
        library._finalized = True
        skipped.append(library)

    return finalize_or_skip


def _is_recursive(library: Any) -> bool:
    """Whether a library needs the address of a function that is still being compiled."""
    variables = library._final_module.global_variables
    return any(variable.name.startswith(_UNRESOLVED) for variable in variables)


def _set_if_defined(set_env: Callable[[Any, str, Any], None]) -> Any:
    """Skip functions without machine code: they have no environment to set."""

    def set_if_defined(codegen: Any, name: str, env: Any) -> None:
        if codegen._engine.is_symbol_defined(name):
            set_env(codegen, name, env)

    return set_if_defined

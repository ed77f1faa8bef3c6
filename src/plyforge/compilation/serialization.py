"""Turn a compiled kernel into bytes, and back.

The bytes hold Numba's own serialized form of a compile result, and the names of the external
symbols that its machine code needs.  Loading code that needs an unknown symbol would end the
process, so the symbols are looked up first.  If all are known, the kernel is loaded without
Numba's registries of functions and types, which take longer to set up than the rest of a start.
"""

import pickle
from collections.abc import Iterable
from typing import Any


def to_bytes(result: Any) -> bytes:
    """Serialize Numba's compile result."""
    from numba.core import serialize

    module = result.library._final_module
    needed = [f.name for f in module.functions if f.is_declaration and _is_linked(f.name)]
    needed += [v.name for v in module.global_variables if v.is_declaration]
    return pickle.dumps((needed, serialize.dumps(result._reduce())))


def from_bytes(data: bytes) -> Any:
    """Load a compile result; return None if the bytes cannot be used."""
    from numba.core.compiler import CompileResult
    from numba.core.compiler_lock import global_compiler_lock

    try:
        needed, reduced = pickle.loads(data)
        with global_compiler_lock:
            return CompileResult._rebuild(_target(needed), *pickle.loads(reduced))
    except Exception:  # unpickling unknown bytes can raise anything
        return None


def _is_linked(function: str) -> bool:
    """Whether a function is an external symbol; LLVM's own functions become instructions."""
    return not function.startswith("llvm.")


def _target(needed: Iterable[str]) -> Any:
    from llvmlite import binding
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    target = cpu_target.target_context
    rtsys.initialize(target)
    if not all(binding.address_of_symbol(symbol) for symbol in needed):
        target.refresh()
    return target

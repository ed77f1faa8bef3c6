"""A compiled kernel as bytes, and back.

The bytes hold Numba's own form of a compilation, and the names of the symbols outside of it that
its machine code needs.  Code that needs an unknown symbol would end the process, so they are
looked up first.  Where all are known already, the kernel is put in place without Numba's registries
of functions and types: setting those up takes longer than all the rest of a start.
"""

import pickle
from collections.abc import Iterable
from typing import Any


def to_bytes(result: Any) -> bytes:
    """What `from_bytes` needs to put a compiled function in place."""
    from numba.core import serialize

    module = result.library._final_module
    needed = [f.name for f in module.functions if f.is_declaration and _is_linked(f.name)]
    needed += [v.name for v in module.global_variables if v.is_declaration]
    return pickle.dumps((needed, serialize.dumps(result._reduce())))


def from_bytes(image: bytes) -> Any:
    """The compiled function; None where the bytes cannot be used after all."""
    from numba.core.compiler import CompileResult
    from numba.core.compiler_lock import global_compiler_lock

    try:
        needed, reduced = pickle.loads(image)
        with global_compiler_lock:
            return CompileResult._rebuild(_target(needed), *pickle.loads(reduced))
    except Exception:  # whatever unpickling foreign bytes may raise
        return None


def _is_linked(function: str) -> bool:
    """LLVM's own functions become instructions."""
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

"""Turn a compiled kernel into bytes, and back.

The bytes hold Numba's own serialized form of a compile result, and the names of the external
symbols that its machine code needs.  Loading code that needs an unknown symbol would end the
process, so the symbols are looked up first.  If all are known, the kernel is loaded without
Numba's runtime and its registries of functions and types, which take longer to set up than the
rest of a start.
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
    (name, kind, (machine_code, _)), *rest = result._reduce()
    library = (name, kind, (machine_code, _outline(result)))
    return pickle.dumps((needed, serialize.dumps((library, *rest))))


def _outline(result: Any) -> bytes:
    """Return bitcode that defines only the names by which Numba finds things in machine code.

    Numba would store all of the code once more, for linking it into other functions.
    """
    from llvmlite import binding, ir

    descriptor = result.fndesc
    module = ir.Module()
    module.triple = result.library._final_module.triple
    for name in (descriptor.llvm_func_name, descriptor.llvm_cpython_wrapper_name):
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), ()), name)
        ir.IRBuilder(function.append_basic_block()).unreachable()
    bitcode: bytes = binding.parse_assembly(str(module)).as_bitcode()
    return bitcode


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
    from llvmlite.binding import address_of_symbol
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    target = cpu_target.target_context
    for provide in (_add_runtime, lambda: rtsys.initialize(target), target.refresh):
        if all(address_of_symbol(symbol) for symbol in needed):
            break
        provide()
    return target


def _add_runtime() -> None:
    """Make the C functions of Numba's runtime known, without compiling the others."""
    from llvmlite.binding import add_symbol
    from numba.core.runtime import _nrt_python

    for name, address in _nrt_python.c_helpers.items():
        add_symbol(name if name.startswith("_") else f"NRT_{name}", address)

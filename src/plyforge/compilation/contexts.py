"""Numba's contexts, which know functions and types, without repeated work for every function."""

import operator
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from numba import types
from numba.core.registry import cpu_target

_OPERATORS: Final = {
    function
    for name, function in vars(operator).items()
    if not name.startswith("_") and name not in ("pow", "ipow")
}
"""Functions whose result for numbers does not depend on which of them are constants."""


class _Context:
    """One of Numba's contexts, which is refreshed without loading all registries again."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def refresh(self) -> None:
        """Take notice of new intrinsics."""
        for registry in list(self._context._registries):
            self._context.install_registry(registry)


class TypingContext(_Context):
    """Numba's typing context, which remembers the types of calls of Numba's own functions."""

    _calls: Final[dict[Any, Any]] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call; trying all of an operator's forms takes long."""
        if not isinstance(func, types.Function):
            return self._context.resolve_function_type(func, args, kws)
        if func.typing_key in _OPERATORS:
            args = _without_constants(args)
        call = (func, tuple(args), tuple(sorted(kws.items())))
        if call not in self._calls:
            signature = self._context.resolve_function_type(func, args, kws)
            if signature is None:
                return None
            self._calls[call] = signature
        return self._calls[call]


def _without_constants(kinds: Any) -> Any:
    """Return the types of numbers without their values; other types as they are."""
    plain = tuple(types.unliteral(kind) for kind in kinds)
    numbers = all(isinstance(kind, (types.Number, types.Boolean)) for kind in plain)
    return plain if numbers else kinds


class TargetContext(_Context):
    """Numba's target context, which remembers the sizes of types."""

    _sizes: Final[dict[str, int]] = {}

    def subtarget(self, **options: Any) -> Any:
        """Return the context for one function."""
        context = self._context.subtarget(**options)
        context.refresh = self.refresh
        context.get_abi_sizeof = self.get_abi_sizeof
        return context

    def get_abi_sizeof(self, kind: Any) -> int:
        """Return the size of a type of LLVM, which Numba finds by parsing a module."""
        name = str(kind)
        if name not in self._sizes:
            self._sizes[name] = self._context.get_abi_sizeof(kind)
        return self._sizes[name]


def load_registries() -> None:
    """Load what Numba knows about functions and types, which these contexts expect."""
    _import_array_functions()
    cpu_target.target_context.refresh()


def _import_array_functions() -> None:
    """Import Numba's functions of arrays without SciPy, which takes as long as all the others.

    Numba imports SciPy to find out whether matrices can be multiplied, and again where they are.
    """
    from numba.np import linalg

    if "numba.np.arraymath" in sys.modules or find_spec("scipy") is None:
        return
    check = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = check

"""Dispatchers of a kernel's own functions, which compile each function as seldom as possible."""

from types import FunctionType
from typing import Any

from numba import types
from numba.core import sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from plyforge.compilation.passes import FullCompiler, LeanCompiler, is_plain


class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function of a kernel, compiled once for all constants among its arguments.

    Numba would compile `option(context, 3)` and `option(context, 4)` as two functions; LLVM finds
    the constants when it inlines them.
    """

    def __init__(self, function: FunctionType, **options: Any) -> None:
        options = {"nopython": True, "boundscheck": None, **options}
        compiler = LeanCompiler if is_plain(function) else FullCompiler
        super().__init__(function, {}, options, compiler)
        self.stored: Any = None
        """Where the function may be stored for other kernels, if it depends on no game."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        plain = tuple(types.unliteral(kind) for kind in args)
        return super().get_call_template(
            plain, {name: types.unliteral(kind) for name, kind in kws.items()}
        )

    def compile(self, sig: Any) -> Any:
        """Compile the function for a signature, without Numba's timers, and return its key."""
        arguments, result = sigutils.normalize_signature(sig)
        with global_compiler_lock, self._compiling_counter:
            if arguments not in self.overloads:
                self.add_overload(self._load(arguments) or self._compile(arguments, result))
        return self.overloads[arguments].entry_point

    def _load(self, arguments: Any) -> Any:
        loaded = self.stored and self.stored.load(arguments)
        if loaded:
            point, descriptor = loaded.entry_point, loaded.fndesc
            self.targetctx.insert_user_function(point, descriptor, [loaded.library])
        return loaded

    def _compile(self, arguments: Any, result: Any) -> Any:
        compiled = self._compiler.compile(arguments, result)
        if self.stored:
            self.stored.save(compiled)
        return compiled

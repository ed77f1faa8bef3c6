"""The compilers of a kernel's functions: which of Numba's passes run, and in what surroundings.

Rules are compiled with all of Numba's passes, which accept more of Python and explain what they do
not accept.  Our own functions are plain enough for half of them.
"""

import dis
from collections.abc import Iterable
from types import FunctionType
from typing import Any, Final

from numba import _dynfunc
from numba.core import compiler, typed_passes, types, untyped_passes
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.errors import new_error_context  # type: ignore[attr-defined]
from numba.core.registry import cpu_target

from plyforge.compilation.libraries import EntryLibrary, FunctionLibrary, reload_init

SHARED: Final = "plyforge.compilation.shared"
"""The module of functions whose symbols are the same in every process."""


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(typed_passes.NativeLowering):  # type: ignore[misc]
    """Translate a function to LLVM code, and an entry with all that it reaches to machine code."""

    _name = "plyforge_lowering"

    def run_pass(self, state: Any) -> bool:
        inner = state.flags.no_cpython_wrapper
        kind = FunctionLibrary if inner else EntryLibrary
        state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.flags.no_compile = inner
        super().run_pass(state)
        if inner:
            lowered = state["cr"]
            state.library.define(lowered.fndesc.mangled_name)
            point = entry_point(lowered.fndesc, lowered.env, state.library)
            state["cr"] = lowered._replace(cfunc=point)
            state.targetctx.insert_user_function(point, lowered.fndesc, [state.library])
            state.reload_init.extend(reload_init(state.library))
        return True


def entry_point(descriptor: Any, environment: Any, library: Any) -> Any:
    """Return a function object without machine code, by which Numba identifies a function."""
    name = descriptor.qualname.split(".")[-1]
    module = descriptor.lookup_module()
    return _dynfunc.make_function(module, name, "", 0, environment, (library,))


class _Passes(PassManager):  # type: ignore[misc]
    """Passes that run without Numba's timers and events, which take a tenth of the time."""

    def _runPass(self, index: int, pss: Any, internal_state: Any) -> None:  # noqa: N802
        pss.analysis = self._analysis
        with new_error_context("Pass {name}", name=pss.name()):
            pss.run_pass(internal_state)


class _TypingContext:
    """Numba's typing context, which remembers the types of calls of Numba's own functions."""

    _calls: Final[dict[Any, Any]] = {}

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def refresh(self) -> None:
        """Take notice of new intrinsics."""
        _install_new(self._context)

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call; trying all of an operator's forms takes long."""
        if not isinstance(func, types.Function):
            return self._context.resolve_function_type(func, args, kws)
        call = (func, tuple(args), tuple(sorted(kws.items())))
        if call not in self._calls:
            signature = self._context.resolve_function_type(func, args, kws)
            if signature is None:
                return None
            self._calls[call] = signature
        return self._calls[call]


class _TargetContext:
    """Numba's target context, which is refreshed without loading all registries again."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def refresh(self) -> None:
        """Take notice of new intrinsics."""
        _install_new(self._context)

    def subtarget(self, **options: Any) -> Any:
        """Return the context for one function."""
        context = self._context.subtarget(**options)
        context.refresh = self.refresh
        return context


def _install_new(context: Any) -> None:
    """Take notice of what was added to registries that are loaded already."""
    for registry in list(context._registries):
        context.install_registry(registry)


def load_registries() -> None:
    """Load what Numba knows about functions and types, which our compilers expect."""
    cpu_target.target_context.refresh()


class _Compiler(compiler.CompilerBase):  # type: ignore[misc]
    def __init__(self, typingctx: Any, targetctx: Any, *options: Any) -> None:
        super().__init__(_TypingContext(typingctx), _TargetContext(targetctx), *options)


class FullCompiler(_Compiler):
    """All of Numba's passes."""

    def define_pipelines(self) -> list[Any]:
        usual = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        return [_manager(kind for kind, _ in usual.passes)]


class LeanCompiler(_Compiler):
    """The passes that plain functions need."""

    def define_pipelines(self) -> list[Any]:
        identity = self.state.func_id
        if identity.func.__module__ == SHARED:
            identity.unique_id = 0
        return [_manager(_PLAIN_PASSES)]


_PLAIN_PASSES: Final = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)
"""The passes for functions without closures, containers, exceptions and `with`."""
_SPECIAL: Final = {"MAKE_FUNCTION", "RAISE_VARARGS", "BUILD_LIST", "BUILD_SET", "BUILD_MAP"}


def is_plain(function: FunctionType) -> bool:
    """Whether `LeanCompiler` can compile a function of our own."""
    operations = {instruction.opname for instruction in dis.get_instructions(function)}
    return not operations & _SPECIAL and not function.__code__.co_exceptiontable


def _manager(passes: Iterable[Any]) -> PassManager:
    manager = _Passes("nopython")
    for kind in passes:
        kind = KernelLowering if kind is typed_passes.NativeLowering else kind
        manager.add_pass(kind, kind.name())
    manager.finalize()
    return manager

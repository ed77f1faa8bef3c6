"""The compilers of a kernel's functions: which of Numba's passes run.

Rules are compiled with all of Numba's passes, which accept more of Python and explain what they do
not accept.  Our own functions are plain enough for half of them.
"""

import dis
import inspect
from collections.abc import Iterable
from types import FunctionType
from typing import Any, Final

from numba import _dynfunc
from numba.core import compiler, ir, ir_utils, lowering, ssa, typed_passes, untyped_passes
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.errors import new_error_context  # type: ignore[attr-defined]

from plyforge.compilation.contexts import TargetContext, TypingContext
from plyforge.compilation.inlining import leave_uninlined, runs_seldom
from plyforge.compilation.libraries import EntryLibrary, FunctionLibrary, reload_init

SHARED: Final = "plyforge.compilation.shared"
"""The module of functions whose symbols are the same in every process."""


class _Lower(lowering.Lower):  # type: ignore[misc]
    """Translates a function; the types of its operations are not looked for again."""

    def lower_normal_function(self, fndesc: Any) -> None:
        super().lower_normal_function(fndesc)
        if runs_seldom(self.func_ir.func_id.func):
            leave_uninlined(self.function)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        if expr.static_lhs is not ir.UNDEFINED or expr.static_rhs is not ir.UNDEFINED:
            return super().lower_binop(resty, expr, op)
        kind = self.fndesc.calltypes[expr]
        values = [
            self.context.cast(self.builder, self.loadvar(one.name), self.typeof(one.name), wanted)
            for one, wanted in zip((expr.lhs, expr.rhs), kind.args, strict=True)
        ]
        typing = TypingContext(self.context.typing_context)
        function = typing.resolve_value_type(op)
        signature = typing.resolve_function_type(function, kind.args, {})
        result = self.context.get_function(function, signature)(self.builder, values)
        return self.context.cast(self.builder, result, kind.return_type, resty)


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(typed_passes.NativeLowering):  # type: ignore[misc]
    """Translate a function to LLVM code, and an entry with all that it reaches to machine code."""

    _name = "plyforge_lowering"

    @property
    def lowering_class(self) -> Any:
        return _Lower

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


class _Compiler(compiler.CompilerBase):  # type: ignore[misc]
    def __init__(self, typingctx: Any, targetctx: Any, *options: Any) -> None:
        super().__init__(TypingContext(typingctx), TargetContext(targetctx), *options)


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


@register_pass(mutates_CFG=True, analysis_only=False)
class _InsertPhis(untyped_passes.ReconstructSSA):  # type: ignore[misc]
    """Give every variable one assignment, without an analysis of lifetimes, which comes later."""

    _name = "plyforge_ssa"

    def run_pass(self, state: Any) -> bool:
        state.func_ir = ssa.reconstruct_ssa(state.func_ir)
        state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _StripPhis(typed_passes.PreLowerStripPhis):  # type: ignore[misc]
    """Undo `_InsertPhis` when types are known; `IRLegalization` analyses lifetimes."""

    _name = "plyforge_strip_phis"

    def run_pass(self, state: Any) -> bool:
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
        return True


_PLAIN_PASSES: Final = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.GenericRewrites,
    _InsertPhis,
    typed_passes.NopythonTypeInference,
    _StripPhis,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)
"""The passes for functions without closures, containers, exceptions, `with` and `yield`."""
_SPECIAL: Final = {"MAKE_FUNCTION", "RAISE_VARARGS", "BUILD_LIST", "BUILD_SET", "BUILD_MAP"}


def is_plain(function: FunctionType) -> bool:
    """Whether `LeanCompiler` can compile a function of our own."""
    operations = {instruction.opname for instruction in dis.get_instructions(function)}
    special = operations & _SPECIAL or function.__code__.co_exceptiontable
    return not special and not inspect.isgeneratorfunction(function)


def _manager(passes: Iterable[Any]) -> PassManager:
    manager = _Passes("nopython")
    for kind in passes:
        kind = KernelLowering if kind is typed_passes.NativeLowering else kind
        manager.add_pass(kind, kind.name())
    manager.finalize()
    return manager

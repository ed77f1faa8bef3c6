"""Put a game's functions into a kernel and prepare the result for compilation.

Functions are never changed.  The linker clones each one with its own globals, in which every plain
function is again a clone, every name of `hooks_api` is the game's hook, and the position class is
a twin with a unique name (two games may both call theirs `Position`).  Clones of generators fill
buffers.
"""

import inspect
from collections.abc import Callable
from types import CellType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types

from plyforge.compilation import generators, hooks_api, intrinsics, keys
from plyforge.compilation.adapters import TEMPLATES, instantiate
from plyforge.compilation.derived import DERIVED
from plyforge.compilation.dispatchers import KernelDispatcher
from plyforge.compilation.fingerprint import FOREIGN, all_names, global_names, is_foreign
from plyforge.compilation.inlining import mark_as_seldom, runs_seldom
from plyforge.compilation.kernel import Kernel
from plyforge.compilation.passes import FullCompiler
from plyforge.compilation.record_types import copy_record, record_at
from plyforge.core import defaults
from plyforge.core.contract import HOOKS
from plyforge.core.errors import CompileError
from plyforge.core.positions import Field, PositionType
from plyforge.core.rules import Rules

_MACHINE = {
    "pointer": intrinsics.pointer,
    "floats": intrinsics.floats,
    "unsigned": intrinsics.unsigned,
    "octets": intrinsics.octets,
    "shorts": intrinsics.shorts,
    "halves": intrinsics.halves,
    "offset": intrinsics.offset,
    "load_flag": intrinsics.load_flag,
    "atomic_load": intrinsics.atomic_load,
    "atomic_store": intrinsics.atomic_store,
    "atomic_add": intrinsics.atomic_add,
    "replace_if": intrinsics.replace_if,
    "pause": intrinsics.pause,
    "yield_processor": intrinsics.yield_processor,
    "sleep": intrinsics.sleep,
    "cycles": intrinsics.cycles,
    "copy_record": copy_record,
    "prefetch": intrinsics.prefetch,
}


_KERNEL_PACKAGES = (
    *("plyforge.search.", "plyforge.compilation.", "plyforge.game.kernels."),
    "plyforge.database.kernels.",
)
"""Packages of our own functions, which a user's function may call."""


class Linker:
    """Compilable clones of functions, for one game and one kernel."""

    def __init__(
        self,
        kernel: Kernel,
        rules: Rules,
        position: PositionType,
        module: ModuleType,
        twin: type,
    ) -> None:
        self.kernel = kernel
        self.rules = rules
        self.position = position
        self.module = module
        self.twin = twin
        self._done: dict[FunctionType, Any] = {}
        self._fillers: dict[FunctionType, Any] = {}
        self._hooks: dict[str, Any] = {}
        self._modules: dict[ModuleType, ModuleType] = {}
        self.rule_dispatchers: list[Any] = []
        self._inside_rules = False
        self.position_numba = self._numba_type()

    def _numba_type(self) -> Any:
        kinds = [_field_type(field) for field in self.position.fields]
        if len(set(kinds)) == 1:
            return types.NamedUniTuple(kinds[0], len(kinds), self.twin)
        return types.NamedTuple(kinds, self.twin)

    def dispatchers(self) -> list[Any]:
        """Return every linked function: the kernel's, the rules' and the adapters."""
        linked = [*self._done.values(), *self._fillers.values(), *self._hooks.values()]
        return [dispatcher for dispatcher in linked if hasattr(dispatcher, "py_func")]

    def kernel_functions(self) -> list[Any]:
        """Return the linked functions of the kernel itself."""
        return [linked for linked in self._done.values() if linked not in self.rule_dispatchers]

    def jit(self, function: FunctionType, entry: bool = False) -> Any:
        """Return a dispatcher for a function; only an entry can be called from Python."""
        options = {"nogil": True, "no_cpython_wrapper": not entry, "no_cfunc_wrapper": True}
        if runs_seldom(function):
            options["forceinline"] = False  # else a caller that is inlined would pass this on
        if not self._inside_rules:
            return KernelDispatcher(function, error_model="numpy", **options)
        # A division by zero raises in rules, as in Python; kernels never divide by zero.
        return numba.njit(error_model="python", pipeline_class=FullCompiler, **options)(function)

    def link(self, function: Callable[..., Any], entry: bool = False) -> Any:
        """Return the dispatcher for a plain function, with everything it calls linked."""
        function = self.kernel.replacements.get(function, function)
        assert isinstance(function, FunctionType)
        if function in self._done:
            return self._done[function]
        if function in intrinsics.COMPILED_FORMS:
            return intrinsics.COMPILED_FORMS[function]
        if function.__module__ == hooks_api.__name__:
            return self.hook(function.__name__)
        outside = self._inside_rules
        if function in self.kernel.authored:
            self._inside_rules = True
        elif function.__module__.startswith(_KERNEL_PACKAGES):
            self._inside_rules = False
        scope = dict(function.__globals__)
        clone = self._clone(function, function.__code__, scope)
        if function.__module__.startswith(self.kernel.seldom):
            mark_as_seldom(clone)
        self._done[function] = dispatcher = self.jit(clone, entry)
        if self._inside_rules:
            self.rule_dispatchers.append(dispatcher)
        self._relink_globals(function, scope)
        self._inside_rules = outside
        return dispatcher

    def _clone(self, function: FunctionType, code: Any, scope: dict[str, Any]) -> FunctionType:
        cells = tuple(
            CellType(self._relink(cell.cell_contents, function))
            for cell in function.__closure__ or ()
        )
        if function.__code__.co_kwonlyargcount:
            raise CompileError(
                f"{generators.where(function)}: '{function.__name__}' has keyword-only arguments,"
                " which Numba does not support; leave the '*' out"
            )
        scope["__name__"] = self.module.__name__
        clone = FunctionType(code, scope, function.__name__, function.__defaults__, cells)
        clone.__module__ = self.module.__name__
        return clone

    def _relink_globals(self, function: FunctionType, scope: dict[str, Any]) -> None:
        for name in global_names(function.__code__):
            if name in scope:
                scope[name] = self._relink(scope[name], function)

    def _relink(self, value: Any, user: FunctionType) -> Any:
        plain = getattr(value, "py_func", value)
        if isinstance(plain, FunctionType) and not is_foreign(plain):
            return self.link(plain)
        if value is self.position.python_class:
            return self.twin
        if isinstance(value, ModuleType) and value.__name__.split(".")[0] not in FOREIGN:
            return self._proxy(value, user)
        return value

    def _proxy(self, module: ModuleType, user: FunctionType) -> ModuleType:
        """Return a copy of a module whose functions the rules call as `module.function`."""
        proxy = self._modules.setdefault(module, ModuleType(module.__name__))
        for name in set(all_names(user.__code__)) & set(vars(module)):
            if not hasattr(proxy, name):
                setattr(proxy, name, None)  # modules may refer to each other
                setattr(proxy, name, self._relink(vars(module)[name], user))
        return proxy

    def hook(self, name: str) -> Any:
        """Return the game's hook, or its default, in the form that kernels call."""
        if name in _MACHINE:
            return _MACHINE[name]
        if name == "context_at":
            return record_at(self.kernel.context)
        if name not in self._hooks:
            self._hooks[name] = self.jit(self._adapter(name))
        return self._hooks[name]

    def _adapter(self, name: str) -> FunctionType:
        if name in DERIVED:
            return self._derived(name)
        if name == "key" and "key" not in self.rules.hooks:
            return self._default_key()
        rule = self.rules.hooks.get(name) or getattr(defaults, name, None)
        if rule is None:
            raise CompileError(f"{self.rules.file}: a kernel needs '{name}', which the game lacks")
        assert isinstance(rule, FunctionType)
        arity, returns = rule.__code__.co_argcount, HOOKS[name].returns
        form = "generator" if inspect.isgeneratorfunction(rule) else "buffer"
        returns = {"moves": form, "outcomes": f"outcome {form}"}.get(returns, returns)
        self._inside_rules, outside = True, self._inside_rules
        filled = returns in ("generator", "outcome generator")
        linked = self._filler(rule, returns != "generator") if filled else self.link(rule)
        self._inside_rules = outside
        return self._instance(TEMPLATES[returns, arity], name, rule, linked)

    def _derived(self, name: str) -> FunctionType:
        source, needed = DERIVED[name](self.rules)
        extra = {}
        self._inside_rules, outside = True, self._inside_rules
        for hook in needed:
            extra[f"rule_{hook}"] = self.link(self.rules.hooks[hook])
        self._inside_rules = outside
        scope: dict[str, Any] = {"__name__": self.module.__name__, **extra}
        if needed:
            scope |= _conversions(needed[0], self.rules.hooks[needed[0]])
        if self.rules.constant("STATE") is not None:
            scope["state_at"] = intrinsics.state_finder(*self.rules.constant("STATE"))
        exec(source, scope)
        function: FunctionType = scope[name]
        return function

    def _instance(
        self, template: Callable[..., Any], name: str, rule: Any, linked: Any
    ) -> FunctionType:
        scope = {
            "__name__": self.module.__name__,
            "rule": linked,
            "as_position": self._as_position,
            **_conversions(name, rule),
        }
        function = instantiate(template, name, scope)
        function.__module__ = self.module.__name__
        return function

    def _filler(self, generator: FunctionType, outcomes: bool = False) -> Any:
        """Return a move generator as a function that fills a buffer from some count on.

        With `outcomes`, it yields pairs, and fills a buffer of probabilities, too.
        """
        if generator in self._fillers:
            return self._fillers[generator]
        code, delegates = generators.filler_code(generator, outcomes)
        scope = dict(generator.__globals__)
        clone = self._clone(generator, code, scope)
        self._fillers[generator] = dispatcher = self.jit(clone)
        self.rule_dispatchers.append(dispatcher)
        self._relink_globals(generator, scope)
        scope[generators.LIMIT] = int(self.rules.constant("MAX_MOVES"))
        scope[generators.AS_MOVE] = intrinsics.as_move
        scope[generators.AS_PROBABILITY] = intrinsics.number_maker(
            types.float64, generator.__name__, _place(generator)
        )
        for name, helper in delegates.items():
            if helper in self._fillers and self._reaches(helper, generator):
                raise CompileError(
                    f"{generators.where(helper)}: generator '{helper.__name__}' calls itself;"
                    " compiled generators cannot recurse, keep a list of work instead"
                )
            scope[name] = self._filler(helper, outcomes)
        return dispatcher

    def _reaches(self, start: FunctionType, goal: FunctionType) -> bool:
        seen, stack = set(), [start]
        while stack:
            function = stack.pop()
            if function is goal:
                return True
            if function not in seen:
                seen.add(function)
                values = (function.__globals__.get(n) for n in all_names(function.__code__))
                stack += [v for v in values if isinstance(v, FunctionType)]
        return False

    @property
    def files(self) -> list[str]:
        """The files of users' functions and of the rules, in the order of suspicion.

        Rules were compiled before, for other kernels; a user's step was not.
        """
        authored = sorted({function.__code__.co_filename for function in self.kernel.authored})
        linked = (dispatcher.py_func.__code__.co_filename for dispatcher in self.rule_dispatchers)
        return list(dict.fromkeys([*authored, self.rules.file, *linked]))

    @property
    def _as_position(self) -> Any:
        if "as_position" not in self._hooks:
            place = _place(self.rules.hooks["play"])
            self._hooks["as_position"] = intrinsics.position_maker(self.position_numba, place)
        return self._hooks["as_position"]

    def _default_key(self) -> FunctionType:
        lines = ["def key(p):", "    h = uint64(0)"]
        clocks = self.rules.constant("CLOCKS")
        for index, field in enumerate(self.position.fields):
            if field.name in clocks:
                continue
            if field.kind == "array":
                word = _float_word("w") if field.dtype[0] == "f" else "w"
                lines += [f"    for w in p[{index}].flat:", f"        h = mix(h, uint64({word}))"]
            else:
                word = f"p[{index}]"
                word = _float_word(word) if field.kind == "float64" else word
                lines.append(f"    h = mix(h, uint64({word}))")
        return self._function("\n".join([*lines, "    return h\n"]), "key")

    def _function(self, source: str, name: str) -> FunctionType:
        scope: dict[str, Any] = {
            "__name__": self.module.__name__,
            "int64": np.int64,
            "uint64": types.uint64,
            "float64": np.float64,
            "mix": self.link(keys.mix),
        }
        exec(source, scope)
        function: FunctionType = scope[name]
        return function


def _conversions(hook: str, rule: Callable[..., Any]) -> dict[str, Any]:
    """Return the conversions of a hook's value, by the names that adapters use."""
    kinds = (types.float64, types.int64, types.uint64)
    return {kind.name: intrinsics.number_maker(kind, hook, _place(rule)) for kind in kinds}


def _place(function: Callable[..., Any]) -> str:
    """Return the place of a function, in the form of Numba's messages."""
    code = function.__code__
    return f'File "{code.co_filename}", line {code.co_firstlineno}'


def _float_word(source: str) -> str:
    """Return source for the bits of a float as an int; -0.0 gets those of 0.0, which it equals."""
    return f"float64({source} + 0.0).view(int64)"


def _field_type(field: Field) -> Any:
    if field.kind == "array":
        return types.Array(numba.from_dtype(np.dtype(field.dtype)), field.ndim, "C")
    return getattr(types, field.kind)

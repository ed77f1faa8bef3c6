"""Putting a game's functions into a kernel, and compiling the result.

Functions are never changed: the linker clones each one with globals of its own, in which every
plain function is again a clone, every hole is the game's hook, and the position class is a twin
with a name of its own (two games may both call theirs `Position`).
"""

import inspect
from collections import namedtuple
from collections.abc import Callable
from types import CellType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types

from plyforge.core import defaults
from plyforge.core.compilation import generators, holes, intrinsics, keys
from plyforge.core.compilation.adapters import TEMPLATES, instantiate
from plyforge.core.compilation.fingerprint import FOREIGN, all_names
from plyforge.core.contract import HOOKS
from plyforge.core.errors import CompileError
from plyforge.core.positions import Field, PositionType
from plyforge.core.rulesfile import Rules

_MACHINE = {
    "pointer": intrinsics.pointer,
    "offset": intrinsics.offset,
    "load_flag": intrinsics.load_flag,
}
_CASTS = {"int64": "int64", "uint64": "uint64", "float64": "float64", "boolean": "bool"}


class Linker:
    """Compiled clones of functions, for one game and one kernel."""

    def __init__(self, rules: Rules, position: PositionType, module: ModuleType, debug: bool) -> None:
        self.rules = rules
        self.position = position
        self.module = module
        self._options = {
            "nogil": True,
            "error_model": "numpy",
            "boundscheck": debug,
        }
        self._done: dict[FunctionType, Any] = {}
        self._fillers: dict[FunctionType, Any] = {}
        self._hooks: dict[str, Any] = {}
        self._modules: dict[ModuleType, ModuleType] = {}
        self.rule_dispatchers: list[Any] = []
        self._inside_rules = False
        self.twin = self._make_twin()
        self.position_numba = self._numba_type()

    def _make_twin(self) -> type:
        name = f"Position_{self.module.__name__.rsplit('_', 1)[-1]}"
        twin = namedtuple(name, [field.name for field in self.position.fields])  # type: ignore[misc]
        twin.__module__ = self.module.__name__
        setattr(self.module, name, twin)
        return twin

    def _numba_type(self) -> Any:
        kinds = [_field_type(field) for field in self.position.fields]
        if len(set(kinds)) == 1:
            return types.NamedUniTuple(kinds[0], len(kinds), self.twin)
        return types.NamedTuple(kinds, self.twin)

    def jit(self, function: FunctionType, entry: bool = False) -> Any:
        """A compiling function; only an entry can be called from Python."""
        wrappers = {} if entry else {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return numba.njit(**self._options, **wrappers)(function)

    def link(self, function: FunctionType, entry: bool = False) -> Any:
        """The compiled form of a plain function and of everything it calls."""
        if function in self._done:
            return self._done[function]
        if function in intrinsics.COMPILED_FORMS:
            return intrinsics.COMPILED_FORMS[function]
        if function.__module__ == holes.__name__:
            return self.hook(function.__name__)
        scope = dict(function.__globals__)
        clone = self._clone(function, function.__code__, scope)
        self._done[function] = dispatcher = self.jit(clone, entry)
        if self._inside_rules:
            self.rule_dispatchers.append(dispatcher)
        self._relink_globals(function, scope)
        return dispatcher

    def _clone(self, function: FunctionType, code: Any, scope: dict[str, Any]) -> FunctionType:
        cells = tuple(CellType(self._relink(c.cell_contents)) for c in function.__closure__ or ())
        scope["__name__"] = self.module.__name__
        clone = FunctionType(code, scope, function.__name__, function.__defaults__, cells)
        clone.__kwdefaults__ = function.__kwdefaults__
        clone.__module__ = self.module.__name__
        return clone

    def _relink_globals(self, function: FunctionType, scope: dict[str, Any]) -> None:
        for name in set(all_names(function.__code__)):
            if name in scope:
                scope[name] = self._relink(scope[name], function)

    def _relink(self, value: Any, user: FunctionType | None = None) -> Any:
        plain = getattr(value, "py_func", value)
        if isinstance(plain, FunctionType):
            return self.link(plain)
        if value is self.position.python_class:
            return self.twin
        if isinstance(value, ModuleType) and value.__name__.split(".")[0] not in FOREIGN and user:
            return self._proxy(value, user)
        return value

    def _proxy(self, module: ModuleType, user: FunctionType) -> ModuleType:
        """A stand-in for a module whose plain functions the rules call as `module.function`."""
        proxy = self._modules.setdefault(module, ModuleType(module.__name__))
        for name in set(all_names(user.__code__)) & set(vars(module)):
            if not hasattr(proxy, name):
                setattr(proxy, name, self._relink(vars(module)[name], user))
        return proxy

    def hook(self, name: str) -> Any:
        """The game's hook in the form that kernels call, or its default."""
        if name in _MACHINE:
            return _MACHINE[name]
        if name not in self._hooks:
            self._hooks[name] = self.jit(self._adapter(name))
        return self._hooks[name]

    def _adapter(self, name: str) -> FunctionType:
        if name == "move_limit":
            return _constant(int(self.rules.constant("MAX_MOVES")))
        if name == "key" and "key" not in self.rules.hooks:
            return self._default_key()
        rule = self.rules.hooks.get(name) or getattr(defaults, name, None)
        if rule is None:
            raise CompileError(f"{self.rules.file}: a kernel needs '{name}', which the game lacks")
        assert isinstance(rule, FunctionType)
        arity, returns = rule.__code__.co_argcount, HOOKS[name].returns
        if returns == "moves":
            returns = "generator" if inspect.isgeneratorfunction(rule) else "buffer"
        self._inside_rules, outside = True, self._inside_rules
        linked = self._filler(rule) if returns == "generator" else self.link(rule)
        self._inside_rules = outside
        return self._instance(TEMPLATES[returns, arity], name, rule=linked)

    def _instance(self, template: Callable[..., Any], name: str, **extra: Any) -> FunctionType:
        scope = {
            "__name__": self.module.__name__,
            "float64": types.float64,
            "int64": types.int64,
            "uint64": types.uint64,
            "as_position": self._as_position,
            **extra,
        }
        function = instantiate(template, name, scope)
        function.__module__ = self.module.__name__
        return function

    def _filler(self, generator: FunctionType) -> Any:
        """A move generator as a function that fills a buffer from a given count on."""
        if generator in self._fillers:
            return self._fillers[generator]
        code, delegates = generators.filler_code(generator)
        scope = dict(generator.__globals__)
        clone = self._clone(generator, code, scope)
        self._fillers[generator] = dispatcher = self.jit(clone)
        self.rule_dispatchers.append(dispatcher)
        self._relink_globals(generator, scope)
        scope[generators.LIMIT] = int(self.rules.constant("MAX_MOVES"))
        scope[generators.AS_MOVE] = intrinsics.as_move
        for name in delegates:
            helper = generator.__globals__.get(name)
            if not (isinstance(helper, FunctionType) and inspect.isgeneratorfunction(helper)):
                raise CompileError(
                    f"{generators.where(generator)}: 'yield from {name}(...)': '{name}' is no"
                    " generator function of this module"
                )
            if helper in self._fillers and self._reaches(helper, generator):
                raise CompileError(
                    f"{generators.where(helper)}: generator '{name}' calls itself; compiled"
                    " rules cannot recurse here, keep a list of work instead"
                )
            scope[name + generators.FILLER_SUFFIX] = self._filler(helper)
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
    def _as_position(self) -> Any:
        if "as_position" not in self._hooks:
            fields = self.position.fields
            parts = (
                f"p[{i}]" if f.kind == "array" else f"{_CASTS[f.kind]}(p[{i}])"
                for i, f in enumerate(fields)
            )
            source = f"def as_position(p):\n    return twin({', '.join(parts)})\n"
            self._hooks["as_position"] = self.jit(self._written(source, "as_position"))
        return self._hooks["as_position"]

    def _default_key(self) -> FunctionType:
        lines = ["def key(p):", "    h = uint64(0)"]
        clocks = self.rules.constant("CLOCKS")
        for index, field in enumerate(self.position.fields):
            if field.name in clocks:
                continue
            if field.kind == "array":
                word = "float64(w).view(int64_scalar)" if field.dtype[0] == "f" else "w"
                lines += [f"    for w in p[{index}].flat:", f"        h = mix(h, uint64({word}))"]
            else:
                word = f"p[{index}].view(int64_scalar)" if field.kind == "float64" else f"p[{index}]"
                lines.append(f"    h = mix(h, uint64({word}))")
        return self._written("\n".join([*lines, "    return h\n"]), "key")

    def _written(self, source: str, name: str) -> FunctionType:
        scope: dict[str, Any] = {
            "__name__": self.module.__name__,
            "twin": self.twin,
            "int64": types.int64,
            "uint64": types.uint64,
            "float64": types.float64,
            "int64_scalar": np.int64,
            "mix": self.link(keys.mix),
        }
        exec(source, scope)
        function: FunctionType = scope[name]
        return function


def _constant(value: int) -> FunctionType:
    scope: dict[str, Any] = {"VALUE": value}
    exec("def move_limit():\n    return VALUE\n", scope)
    function: FunctionType = scope["move_limit"]
    return function


def _field_type(field: Field) -> Any:
    if field.kind == "array":
        return types.Array(numba.from_dtype(np.dtype(field.dtype)), field.ndim, "C")
    return getattr(types, field.kind)

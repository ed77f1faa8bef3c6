"""The backend `python`, which runs the same kernels uncompiled.

It serves positions that are arbitrary Python objects, debuggers and coverage.  Kernels and hooks
are linked as in the compiled backend, with Python's own conversions; buffers are lists.
"""

import inspect
import time
from collections.abc import Callable, Mapping
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from plyforge.compilation import hooks_api
from plyforge.compilation.adapters import TEMPLATES, instantiate
from plyforge.compilation.derived import DERIVED
from plyforge.compilation.fingerprint import all_names
from plyforge.core import defaults, hashing
from plyforge.core.contract import HOOKS
from plyforge.core.errors import PlyforgeError
from plyforge.core.positions import PositionType
from plyforge.core.rules import Rules

if TYPE_CHECKING:
    from plyforge.compilation.kernel import Kernel

_WORD = (1 << 64) - 1


class Window:
    """The words of a buffer from some index on; the counterpart of a compiled kernel's pointer."""

    def __init__(self, words: Any, start: int = 0) -> None:
        self.words = words
        self.start = start

    def __getitem__(self, index: int) -> Any:
        return self.words[self.start + index]

    def __setitem__(self, index: int, value: Any) -> None:
        self.words[self.start + index] = value


def _offset(words: Any, count: int) -> Window:
    """Return the words of a buffer or a window from index `count` on."""
    if isinstance(words, Window):
        return Window(words.words, words.start + count)
    return Window(words, count)


def link(kernel: "Kernel", rules: Rules, position: PositionType) -> Callable[..., Any]:
    """Link a kernel to a game's hooks and return its entry."""
    linker = _Interpreter(rules, position, kernel.replacements, kernel.wrappers)
    entry = linker.link(kernel.entry)

    def call(start: Any, *arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return entry(position.cast(start), *arguments)

    return call


def hook(name: str, rules: Rules, position: PositionType) -> Callable[..., Any]:
    """Return one hook in the form that kernels call."""
    return _Interpreter(rules, position).hook(name)


class _Interpreter:
    def __init__(
        self,
        rules: Rules,
        position: PositionType,
        replacements: Mapping[Callable[..., Any], Callable[..., Any]] = MappingProxyType({}),
        wrappers: Mapping[Callable[..., Any], Callable[..., Any]] = MappingProxyType({}),
    ) -> None:
        self.rules = rules
        self.position = position
        self.replacements = replacements
        self.wrappers = wrappers
        self._done: dict[Any, Any] = {}

    def link(self, function: Any) -> Any:
        """Clone a kernel function with the game's hooks in place of `hooks_api`."""
        function = self.replacements.get(function, function)
        if function in self._done:
            return self._done[function]
        if function.__module__ == hooks_api.__name__:
            return self.hook(function.__name__)
        scope = dict(function.__globals__)
        clone = FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
        )
        clone.__kwdefaults__ = function.__kwdefaults__
        wrap = self.wrappers.get(function)
        linked = clone if wrap is None else wrap(clone)
        self._done[function] = linked
        for name in set(all_names(function.__code__)):
            if isinstance(scope.get(name), FunctionType):
                scope[name] = self.link(scope[name])
        return linked

    def hook(self, name: str) -> Callable[..., Any]:
        if name in _MACHINE:
            return _MACHINE[name]
        if name in DERIVED:
            return self._derived(name)
        if name == "key" and "key" not in self.rules.hooks:
            return self._default_key
        rule = self.rules.hooks.get(name) or getattr(defaults, name, None)
        if rule is None:
            raise PlyforgeError(f"{self.rules.file}: a kernel needs '{name}', which the game lacks")
        returns = HOOKS[name].returns
        if returns == "moves" and inspect.isgeneratorfunction(rule):
            return self._filler(rule)
        if returns == "outcomes" and inspect.isgeneratorfunction(rule):
            return self._outcome_filler(rule)
        arity = len(inspect.signature(rule).parameters)
        form = {"moves": "buffer", "outcomes": "outcome buffer"}.get(returns, returns)
        template = TEMPLATES[form, arity]
        scope = {
            "rule": rule,
            "float64": float,
            "int64": int,
            "uint64": lambda value: int(value) & _WORD,
            "as_position": self.position.cast,
        }
        return instantiate(template, name, scope)

    def _derived(self, name: str) -> Callable[..., Any]:
        source, needed = DERIVED[name](self.rules)
        scope: dict[str, Any] = {f"rule_{hook}": self.rules.hooks[hook] for hook in needed}
        scope |= {"float64": float, "int64": int, "state_at": _item}
        exec(source, scope)
        function: Callable[..., Any] = scope[name]
        return function

    def _filler(self, generator: Callable[..., Any]) -> Callable[..., Any]:
        limit = int(self.rules.constant("MAX_MOVES"))

        def fill(position: Any, out: Any) -> int:
            count = 0
            for move in generator(position):
                if count < limit:
                    out[count] = int(move)
                count += 1
            return count

        return fill

    def _outcome_filler(self, generator: Callable[..., Any]) -> Callable[..., Any]:
        limit = int(self.rules.constant("MAX_MOVES"))

        def fill(position: Any, out: Any, probabilities: Any) -> int:
            count = 0
            for outcome, probability in generator(position):
                if count < limit:
                    out[count] = int(outcome)
                    probabilities[count] = float(probability)
                count += 1
            return count

        return fill

    def _default_key(self, position: Any) -> int:
        if not self.position.compilable:
            return hashing.object_key(position)
        state = 0
        for field, value in zip(self.position.fields, position, strict=True):
            if field.name in self.rules.constant("CLOCKS"):
                continue
            if field.kind == "array":
                for word in hashing.array_words(value):
                    state = hashing.mix(state, word)
            elif field.kind == "float64":
                state = hashing.mix(state, int(np.float64(value + 0.0).view(np.int64)))
            else:
                state = hashing.mix(state, int(value))
        return state


def _item(array: Any, index: int) -> Any:
    return array[index]


def _first_word(memory: Any) -> int:
    """Return the first word of an array or a record."""
    if hasattr(memory, "__slots__"):
        return int(getattr(memory, memory.__slots__[0]))
    return int(memory[0])


def _read_word(words: Any, index: int) -> int:
    """Return a word of an array, or of a record, of which only the first is read like this."""
    memory = words.words if isinstance(words, Window) else words
    return _first_word(memory) if hasattr(memory, "__slots__") else int(words[index])


def _write_word(words: Any, index: int, value: int) -> None:
    memory = words.words if isinstance(words, Window) else words
    if hasattr(memory, "__slots__"):
        setattr(memory, memory.__slots__[0], value)
    else:
        words[index] = value


def _add_to_word(words: Any, index: int, change: int) -> int:
    before = _read_word(words, index)
    _write_word(words, index, before + change)
    return before


def _replace_if(words: Any, index: int, expected: int, value: int) -> bool:
    if _read_word(words, index) != expected:
        return False
    _write_word(words, index, value)
    return True


def _copy_record(target: Any, source: Any) -> None:
    for name in source.__slots__:
        setattr(target, name, getattr(source, name))


_MACHINE: dict[str, Callable[..., Any]] = {
    "pointer": Window,
    "floats": Window,
    "unsigned": Window,
    "octets": Window,
    "shorts": Window,
    "halves": Window,
    "offset": _offset,
    "load_flag": _first_word,
    # One thread runs all workers, one after the other, so nothing comes between.
    "atomic_load": _read_word,
    "atomic_store": _write_word,
    "atomic_add": _add_to_word,
    "replace_if": _replace_if,
    "pause": lambda: None,
    "yield_processor": lambda: None,
    "sleep": lambda microseconds: time.sleep(microseconds * 1e-6),
    "cycles": time.perf_counter_ns,
    "copy_record": _copy_record,
    "prefetch": lambda words, index: None,
    "context_at": lambda context: context,
}

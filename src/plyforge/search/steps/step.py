"""A step of the search: what its module declares, read and checked.

A step is a module, built in or a user's file.  Upper-case names declare it, and functions named
after the phases of a node (`PHASES`) are its code.
"""

import difflib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, NoReturn

from plyforge.compilation.records import Fixed, Reals, Words, fields_of
from plyforge.core.contract import HOOKS
from plyforge.core.errors import GameFileError, UnknownName, clip
from plyforge.search.fits import FitForm
from plyforge.search.kernels import phases
from plyforge.search.kernels.context import ONE_PLY, Context
from plyforge.search.parameters import Parameter, check_parameters
from plyforge.search.steps.code_check import check_code

PHASES: Final = (
    "near_end",
    "known_value",
    "at_horizon",
    "before_moves",
    "after_search",
    "score_move",
    "promote_move",
    "look_at_child",
    "plan_move",
    "search_again",
    "on_cut",
    "learn_move",
)
"""The phases at which a step may act, in the order of a node's life."""

_WITHOUT_VALUE: Final = ("on_cut", "learn_move")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PACKAGE: Final = Path(__file__).parents[2]
_DECLARED: Final = (
    "NAME", "SUMMARY", "PAPER", "EXACT", "PARAMETERS", "COUNTERS", "ARRAYS", "NEEDS", "CONFLICTS",
    "HOOKS", "MIN_DEPTH", "ON", "RULE", "SOURCE", "LOOKS_UP_CHILDREN", "ESTIMATES", "FILE",
    "FIT", "SHARED",
)  # fmt: skip


@dataclass(frozen=True)
class Sizes:
    """What the size of an array may depend on."""

    levels: int
    """Nodes on a path, at most."""
    slots: int
    """The game's `MOVE_SLOTS`."""
    max_moves: int
    """The game's `MAX_MOVES`."""


@dataclass(frozen=True)
class Array:
    """An array of integers that a step keeps between nodes: `context.NAME`."""

    name: str
    size: Callable[[Sizes], int]
    between: str = "keep"
    """What happens to it from one searched position to the next: `keep`, `clear` or `age`, which
    divides it by 8."""


@dataclass(frozen=True, eq=False)
class Step:
    """A step of the search that can be switched on and off: a row of the table."""

    name: str
    summary: str
    exact: bool
    """Whether the search still returns the minimax value, with the parameters of preset `exact`."""
    paper: str
    file: str
    parameters: tuple[Parameter, ...] = ()
    counters: Mapping[str, str] = field(default_factory=dict)
    """Counters by name, with what they count."""
    arrays: tuple[Array, ...] = ()
    needs: tuple[str, ...] = ()
    """Switches without which this one has no effect."""
    conflicts: tuple[str, ...] = ()
    """Switches that cannot be on together with this one."""
    hooks: tuple[str, ...] = ()
    """Hooks of the game that it needs."""
    min_depth: str | int = 1
    """The minimum remaining depth at which it acts: plies, or the parameter that says so."""
    in_presets: bool = True
    rule: bool = False
    """Whether it is part of the rules rather than an enhancement: `all` leaves it as it is."""
    source: str = ""
    """Its name in the parameter `order`, if it puts moves in front."""
    looks_up_children: bool = False
    """Whether `look_at_child` needs the table's entry of the child."""
    estimates: bool = False
    """Whether `look_at_child` sets `node.estimate`."""
    functions: Mapping[str, FunctionType] = field(default_factory=dict)
    """Its code by phase."""
    fit: FitForm | None = None
    """What it reads from a file that `plyforge fit` makes: `context.NAME_fit`."""
    authored: bool = False
    """Whether it comes from a user's file."""
    shared: bool = True
    """Whether a kernel that serves all choices of inexact steps has it even if it is off."""

    @property
    def field(self) -> str:
        """The name of its switch in the kernel's context."""
        return self.name.replace("-", "_")

    @property
    def bonus_field(self) -> str:
        """The name of the bonus for its moves in the kernel's context."""
        return f"{self.field}_bonus"

    @property
    def fit_parameter(self) -> str:
        """The name of the parameter that names its file of fitted numbers."""
        return f"{self.name}-fit"

    def min_depth_source(self) -> str:
        """Return the minimum depth as an expression of the kernel."""
        if isinstance(self.min_depth, str):
            return "context." + self.min_depth.replace("-", "_")
        return str(self.min_depth * ONE_PLY)

    def context_fields(self) -> dict[str, Any]:
        """Return the fields of the kernel's context that belong to it, with their types."""
        fields: dict[str, Any] = {self.field: Fixed[int]}
        for parameter in self.parameters:
            if parameter.file:
                fields[parameter.field] = Reals
            elif parameter.folder:
                fields[parameter.field] = Words
            elif not parameter.sequence:
                fields[parameter.field] = Fixed[float] if parameter.real else Fixed[int]
        fields |= dict.fromkeys(self.counters, int)
        if self.source:
            fields[self.bonus_field] = Fixed[float]
        return fields


def read_step(module: ModuleType, label: str, authored: bool = False) -> Step:
    """Return the step that a module declares, or raise an error that names what is wrong."""
    return _Reader(module, label, authored).step()


class _Reader:
    """Reads the names of a module, and checks their values."""

    def __init__(self, module: ModuleType, label: str, authored: bool) -> None:
        self._names = vars(module)
        self._label = label
        self._authored = authored

    def step(self) -> Step:
        self._check_names()
        exact = self._names.get("EXACT")
        if not isinstance(exact, bool):
            self._fail("EXACT", "True if the search still returns minimax values, else False")
        parameters = self._parameters()
        step = Step(
            self._name(),
            self._text("SUMMARY", required=True),
            exact,
            self._text("PAPER"),
            self._text("FILE") or self._file(),
            parameters,
            self._counters(),
            self._tuple("ARRAYS", Array, "a tuple of Array"),
            self._tuple("NEEDS", str, "a tuple of switches"),
            self._tuple("CONFLICTS", str, "a tuple of switches"),
            self._hooks(),
            self._min_depth(parameters),
            self._flag("ON", True),
            self._flag("RULE", False),
            self._text("SOURCE"),
            self._flag("LOOKS_UP_CHILDREN", False),
            self._flag("ESTIMATES", False),
            self._functions(),
            self._fit(),
            self._authored,
            self._flag("SHARED", True),
        )
        if self._authored and not step.functions:
            raise GameFileError(
                f"{self._label}: it defines no phase of a node; define at least one of"
                f" {', '.join(PHASES)}"
            )
        return step

    def _fail(self, name: str, expected: str) -> Any:
        if name not in self._names:
            raise GameFileError(f"{self._label}: {name} is missing; it must be {expected}")
        value = clip(repr(self._names[name]))
        raise GameFileError(f"{self._label}: {name} is {value}; it must be {expected}")

    def _check_names(self) -> None:
        """Report misspelled declarations: they would be ignored silently."""
        for name in self._names:
            if not self._authored or not name.isupper() or name in _DECLARED:
                continue
            for meant in difflib.get_close_matches(name, _DECLARED, n=1, cutoff=0.8):
                raise GameFileError(f"{self._label}: {name} is unknown; did you mean {meant}?")

    def _name(self) -> str:
        name = self._names.get("NAME")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            self._fail("NAME", "a switch's name: lower-case words with hyphens, as 'late-moves'")
        return str(name)

    def _text(self, name: str, required: bool = False) -> str:
        value = self._names.get(name, "")
        if not isinstance(value, str) or (required and not value):
            self._fail(name, "a text")
        return str(value)

    def _flag(self, name: str, default: bool) -> bool:
        value = self._names.get(name, default)
        return value if isinstance(value, bool) else bool(self._fail(name, "True or False"))

    def _tuple(self, name: str, kind: type, expected: str) -> tuple[Any, ...]:
        value = self._names.get(name, ())
        if not isinstance(value, tuple) or not all(isinstance(item, kind) for item in value):
            self._fail(name, expected)
        return tuple(value)

    def _parameters(self) -> tuple[Parameter, ...]:
        parameters = self._tuple("PARAMETERS", Parameter, "a tuple of parameters")
        form = self._fit()
        if form is not None:
            summary = f"the file of numbers that `plyforge fit GAME {form.method}` has found"
            parameters += (Parameter(f"{self._name()}-fit", "", summary, file=True),)
        if self._authored:
            check_parameters(parameters, self._fail_with)
        return parameters

    def _fit(self) -> FitForm | None:
        form = self._names.get("FIT")
        if form is not None and not isinstance(form, FitForm):
            self._fail("FIT", "a FitForm")
        return form

    def _fail_with(self, message: str) -> NoReturn:
        raise GameFileError(f"{self._label}: {message}")

    def _counters(self) -> dict[str, str]:
        value = self._names.get("COUNTERS", {})
        names = isinstance(value, dict) and all(
            isinstance(k, str) and k.isidentifier() and isinstance(v, str) for k, v in value.items()
        )
        if not names:
            self._fail("COUNTERS", "a dict of names, such as {'my_cuts': 'what it counts'}")
        return dict(value)

    def _hooks(self) -> tuple[str, ...]:
        hooks = self._tuple("HOOKS", str, "a tuple of a game's hooks")
        for hook in hooks:
            if hook not in HOOKS:
                raise GameFileError(f"{self._label}: HOOKS: {UnknownName('hook', hook, HOOKS)}")
        return hooks

    def _min_depth(self, parameters: tuple[Parameter, ...]) -> str | int:
        value = self._names.get("MIN_DEPTH", 1)
        own = {parameter.name for parameter in parameters}
        number = isinstance(value, int) and not isinstance(value, bool) and value >= 1
        if not number and value not in own:
            self._fail("MIN_DEPTH", "a number of plies of at least 1, or one of its parameters")
        return value if isinstance(value, str) else int(value)

    def _functions(self) -> dict[str, FunctionType]:
        found = {}
        for phase in PHASES:
            function = self._names.get(phase)
            if function is None or function is getattr(phases, phase):
                continue
            if not isinstance(function, FunctionType):
                raise GameFileError(f"{self._label}: '{phase}' is not a function")
            self._check_arguments(phase, function)
            if self._authored:
                check_code(function, self._label, returns_value=phase not in _WITHOUT_VALUE)
            found[phase] = function
        if ("after_search" in found) and "before_moves" not in found:
            raise GameFileError(
                f"{self._label}: 'after_search' needs 'before_moves', which asks for the search"
            )
        return found

    def _check_arguments(self, phase: str, function: FunctionType) -> None:
        given = list(inspect.signature(function).parameters)
        expected = phase_arguments(phase)
        if len(given) != len(expected):
            line = function.__code__.co_firstlineno
            raise GameFileError(
                f"{self._label}, line {line}: {phase}({', '.join(given)}) must take"
                f" ({', '.join(expected)})"
            )

    def _file(self) -> str:
        path = Path(str(self._names.get("__file__", self._label)))
        return path.relative_to(_PACKAGE).as_posix() if path.is_relative_to(_PACKAGE) else str(path)


def phase_arguments(phase: str) -> list[str]:
    """Return the names of the arguments with which a step's function is called."""
    arguments = list(inspect.signature(getattr(phases, phase)).parameters)
    return [argument for argument in arguments if argument != "step"]


CORE_FIELDS: Final = frozenset(fields_of(Context))

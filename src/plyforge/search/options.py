"""The options of a search: which enhancements are on, and their parameters."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from plyforge.core.errors import GameFileError, PlyforgeError, UnknownName
from plyforge.search.enhancements import ENHANCEMENTS, ORDER, PARAMETERS, SOURCES
from plyforge.search.parameters import Parameter
from plyforge.search.steps import BUILT_IN
from plyforge.search.steps.step import Step

_ALL: Final = frozenset(row.name for row in ENHANCEMENTS.values() if not row.rule)
_ON: Final = frozenset(row.name for row in ENHANCEMENTS.values() if row.in_presets)


@dataclass(frozen=True)
class Preset:
    """A named set of options."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    switches: frozenset[str] = _ON
    as_printed: bool = False
    """Whether it is that of a published program, which a game's `SEARCH` does not change."""


PRESETS: Final[dict[str, Preset]] = {
    "exact": Preset(),
    "play": Preset({"depth-rule": "at-least", "cycle-policy": "fast", "repeats": 2}),
    "koneru": Preset(
        {
            "parity-first": "even",
            "parity-second": "odd",
            "order": ("wins", "killers", "table", "child-eval"),
            "replace": "newer",
            "child-eval-depth": 1,
            "wins-depth": 1,
        },
        frozenset(
            {
                "table",
                "table-move",
                "killers",
                "child-eval",
                "wins",
                "horizon-moves",
                "cycles",
                "databases",
                "deepening",
            }
        ),
        as_printed=True,
    ),
}


EXACT: Final = "exact"
"""The preset of analyses on the command line and in Python."""
PLAY: Final = "play"
"""The preset of players and of analyses in the browser."""


def preset(name: str) -> Preset:
    """Return a preset by its name."""
    if name not in PRESETS:
        raise UnknownName("preset", name, PRESETS)
    return PRESETS[name]


@dataclass(frozen=True)
class Options:
    """Switches and parameters, all of them valid.

    >>> Options.preset("exact").has("pvs")
    True
    >>> sorted(Options.preset("exact").changed(off=["all"], on=["table"]).switches)
    ['cycles', 'databases', 'horizon-moves', 'table']
    """

    switches: frozenset[str] = _ON
    settings: Mapping[str, Any] = field(default_factory=dict)
    declared: Mapping[str, Parameter] = field(default_factory=lambda: PARAMETERS, repr=False)
    """The parameters of built-in steps and of the driver, by name."""
    added: tuple[Step, ...] = ()
    """Steps of users, which act after the built-in ones, in this order."""

    @classmethod
    def preset(cls, name: str = "exact") -> "Options":
        """Return a named set of options."""
        chosen = preset(name)
        return cls(chosen.switches, chosen.settings)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in the order in which they act."""
        return (*BUILT_IN, *self.added)

    @cached_property
    def kernel_steps(self) -> tuple[Step, ...]:
        """The steps that the kernel is built with.

        Built-in steps that are not exact are left out if they are off, so that the kernel compiles
        faster and does not ask for them at every node.  With `specialise=no` and one of them on,
        all are in it, and it serves every choice of them; except for those that take so long to
        compile that they are in it only if they are on.
        """
        off = {step.name for step in BUILT_IN if not (step.exact or self.has(step.name))}
        inexact = {step.name for step in BUILT_IN if not step.exact}
        idle = {step.name for step in BUILT_IN if self._lacks_folder(step)}
        if self.get("specialise") == "no" and off != inexact:
            off = {name for name in off if not self.rows[name].shared}
        return tuple(step for step in self.steps if step.name not in off | idle)

    def _lacks_folder(self, step: Step) -> bool:
        """Whether a step needs a folder and none is named."""
        return any(p.folder and not self.get(p.name) for p in step.parameters)

    @cached_property
    def rows(self) -> Mapping[str, Step]:
        """All steps by name."""
        return {step.name: step for step in self.steps}

    @cached_property
    def sources(self) -> dict[str, int]:
        """What puts moves in front, by the names that `order` uses."""
        own = [step.source for step in self.added if step.source]
        return SOURCES | {name: len(SOURCES) + place for place, name in enumerate(own)}

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """All parameters by name."""
        own = {p.name: p for step in self.added for p in step.parameters}
        return {**self.declared, **own, "order": replace(ORDER, choices=self.sources)}

    def declaring(self, parameters: Mapping[str, Parameter]) -> "Options":
        """Return these options with other parameters to set, such as those of a driver."""
        return replace(self, declared=parameters)

    def with_steps(self, steps: Iterable[Step]) -> "Options":
        """Return these options with more steps, switched on if their files say so."""
        steps, added = list(steps), list(self.added)
        for step in steps:
            for other in (*BUILT_IN, *added):
                _check_names(step, other)
            for name in (p.name for p in step.parameters if p.name in self.declared):
                raise GameFileError(
                    f"{step.file}: the parameter '{name}' is one of a driver; choose another"
                )
            added.append(step)
        switches = self.switches | {step.name for step in steps if step.in_presets}
        options = replace(self, switches=switches, added=tuple(added))
        for step in steps:
            for name in (name for name in step.needs if name not in options.rows):
                error = UnknownName("switch", name, options.rows)
                raise GameFileError(f"{step.file}: NEEDS: {error}")
        return options

    def changed(
        self,
        on: Iterable[str] = (),
        off: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> "Options":
        """Return these options with switches off (`all` for built-in ones) or on, and settings."""
        on, off = list(on), list(off)
        both = sorted(set(on) & set(off))
        if both:
            raise PlyforgeError(f"'{both[0]}' is switched both on and off; name it once")
        switches = set(self.switches)
        for name in off:
            switches -= _ALL if name == "all" else {self._step(name).name}
        for name in on:
            row = self._step(name)
            for needed in row.needs:
                if needed in off or ("all" in off and needed not in on):
                    raise PlyforgeError(
                        f"'{name}' does nothing without '{needed}'; switch that on, too"
                    )
            switches.add(row.name)
        values = dict(self.settings)
        for name, value in (settings or {}).items():
            values[name] = self._parameter(name).read(value)
        changed = replace(self, switches=frozenset(switches), settings=values)
        changed._check_conflicts()
        return changed

    def _step(self, name: str) -> Step:
        if name not in self.rows:
            raise UnknownName("switch", name, self.rows)
        return self.rows[name]

    def _parameter(self, name: str) -> Parameter:
        if name not in self.parameters:
            raise UnknownName("parameter", name, self.parameters)
        return self.parameters[name]

    def _check_conflicts(self) -> None:
        for step in self.steps:
            for other in step.conflicts:
                if step.name in self.switches and other in self.switches:
                    place = f"{step.file}: " if step.authored else ""
                    raise PlyforgeError(
                        f"{place}'{step.name}' and '{other}' cannot be on together; switch one off"
                    )

    def has(self, name: str) -> bool:
        """Whether a step is on, and all that it needs."""
        needs = self.rows[name].needs
        return name in self.switches and all(needed in self.switches for needed in needs)

    def get(self, name: str) -> Any:
        """Return a parameter's value: a number, a word or a sequence of words."""
        return self.settings.get(name, self.parameters[name].default)

    def code(self, name: str) -> int:
        """Return the number that stands for a parameter's word in the kernel."""
        return self.parameters[name].choices[self.get(name)]

    @property
    def is_exact(self) -> bool:
        """Whether every driver returns the minimax value under these options."""
        return not any(self._inexact_reasons())

    def _inexact_reasons(self) -> Iterator[str]:
        for step in self.steps:
            if not self.has(step.name):
                continue
            if not step.exact:
                yield step.name
            for parameter in step.parameters:
                matters = not parameter.only_with or self.has(parameter.only_with)
                if parameter.exact and matters and self.get(parameter.name) not in parameter.exact:
                    yield parameter.name


def _check_names(step: Step, other: Step) -> None:
    """Raise an error if two steps share a name of any kind."""
    pairs = [
        ("name", {step.name}, {other.name}),
        ("parameter", {p.name for p in step.parameters}, {p.name for p in other.parameters}),
        ("counter", set(step.counters), set(other.counters)),
        ("array", {a.name for a in step.arrays}, {a.name for a in other.arrays}),
        ("source", {step.source} - {""}, {other.source} - {""}),
    ]
    for kind, mine, theirs in pairs:
        if mine & theirs:
            raise GameFileError(
                f"{step.file}: the {kind} '{min(mine & theirs)}' is taken by the step"
                f" '{other.name}' ({other.file}); choose another"
            )

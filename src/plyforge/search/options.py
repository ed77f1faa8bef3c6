"""The options of a search: which enhancements are on, and their parameters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.search.enhancements import (
    DEPTH_RULES,
    ENHANCEMENTS,
    PARAMETERS,
    Parameter,
    enhancement,
)

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
                "deepening",
            }
        ),
        as_printed=True,
    ),
}


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
    ['cycles', 'horizon-moves', 'table']
    """

    switches: frozenset[str] = _ON
    settings: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=lambda: PARAMETERS, repr=False)
    """The parameters that can be set, by name."""

    @classmethod
    def preset(cls, name: str = "exact") -> "Options":
        """Return a named set of options."""
        chosen = preset(name)
        return cls(chosen.switches, chosen.settings)

    def declaring(self, parameters: Mapping[str, Parameter]) -> "Options":
        """Return these options with other parameters to set, such as those of a driver."""
        return replace(self, parameters=parameters)

    def changed(
        self,
        on: Iterable[str] = (),
        off: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> "Options":
        """Return these options with switches off (`all` for every one) or on, and settings."""
        on, off = list(on), list(off)
        both = sorted(set(on) & set(off))
        if both:
            raise PlyforgeError(f"'{both[0]}' is switched both on and off; name it once")
        switches = set(self.switches)
        for name in off:
            switches -= _ALL if name == "all" else {enhancement(name).name}
        for name in on:
            row = enhancement(name)
            for needed in row.needs:
                if needed in off or ("all" in off and needed not in on):
                    raise PlyforgeError(
                        f"'{name}' does nothing without '{needed}'; switch that on, too"
                    )
            switches.add(row.name)
        values = dict(self.settings)
        for name, value in (settings or {}).items():
            if name not in self.parameters:
                raise UnknownName("parameter", name, self.parameters)
            values[name] = self.parameters[name].read(value)
        return replace(self, switches=frozenset(switches), settings=values)

    def has(self, name: str) -> bool:
        """Whether an enhancement is on, and all that it needs."""
        row = ENHANCEMENTS[name]
        return name in self.switches and all(needed in self.switches for needed in row.needs)

    def get(self, name: str) -> Any:
        """Return a parameter's value: a number, a word or a sequence of words."""
        return self.settings.get(name, self.parameters[name].default)

    def code(self, name: str) -> int:
        """Return the number that stands for a parameter's word in the kernel."""
        return self.parameters[name].choices[self.get(name)]

    @property
    def is_exact(self) -> bool:
        """Whether every driver returns the minimax value under these options."""
        if self.has("table") and self.code("depth-rule") != DEPTH_RULES["equal"]:
            return False
        return not (self.has("cycles") and self.has("table") and self.get("cycle-policy") == "fast")

"""The configurations that an experiment compares."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

DEFAULT_ENTRIES: Final = 1 << 20


@dataclass(frozen=True)
class Variation:
    """A name, and the options of a search."""

    name: str
    driver: str = "pvs"
    preset: str = "exact"
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    entries: int = DEFAULT_ENTRIES
    evaluation: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """For experiments that measure in their own way."""

    @property
    def told(self) -> dict[str, Any]:
        """As plain data, to be stored with the measurements."""
        return {
            "name": self.name,
            "driver": self.driver,
            "preset": self.preset,
            "on": list(self.on),
            "off": list(self.off),
            "settings": dict(self.settings),
            "entries": self.entries,
            "evaluation": None if self.evaluation is None else str(self.evaluation),
            "extra": {name: str(value) for name, value in self.extra.items()},
        }

"""The configurations that an experiment compares."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from plyforge.engine.drivers import DEFAULT, DriverLike, find_driver

DEFAULT_ENTRIES: Final = 1 << 20


@dataclass(frozen=True)
class Variation:
    """A named set of search options."""

    name: str
    driver: DriverLike = DEFAULT
    preset: str = "exact"
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    entries: int = DEFAULT_ENTRIES
    evaluation: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Options for a custom `measure`."""

    def to_dict(self) -> dict[str, Any]:
        """Return the options as plain data, to be stored with measurements."""
        return {
            "name": self.name,
            "driver": self.driver
            if isinstance(self.driver, str)
            else find_driver(self.driver).name,
            "preset": self.preset,
            "on": list(self.on),
            "off": list(self.off),
            "settings": dict(self.settings),
            "entries": self.entries,
            "evaluation": None if self.evaluation is None else str(self.evaluation),
            "extra": {name: str(value) for name, value in self.extra.items()},
        }

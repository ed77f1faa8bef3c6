"""The configurations that an experiment compares."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from plyforge.database.files import database_files
from plyforge.engine.drivers import DEFAULT, DriverLike, find_driver
from plyforge.jobs.user_files import UserFile, file_names, read_available
from plyforge.search.steps.files import StepSource, load_step

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
    steps: tuple[StepSource, ...] = ()
    """Search steps of users, in the order in which they act: files or modules."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Options for a custom `measure`."""
    defaults: str = ""
    """The table in `lab.fixed_defaults` with the values of everything that the options leave open;
    empty for the present defaults of the game and of the search."""

    @property
    def identity(self) -> tuple[Any, ...]:
        """What makes the search of two variations the same: options, and the files as they are."""
        files = tuple(file.content for file in self.read_files())
        return (repr(self.to_dict()), self.driver, self.steps, files)

    def files(self) -> list[str]:
        """Return the names of the user's files in the options."""
        options = [value for name, value in self.to_dict().items() if name != "name"]
        database = database_files(self.settings.get("database"))
        return list(dict.fromkeys([*file_names(options), *database]))

    def read_files(self) -> list[UserFile]:
        """Read the user's files in the options; leave out those that cannot be read."""
        return read_available(self.files())

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
            "steps": [_name_step(step) for step in self.steps],
            "extra": {name: str(value) for name, value in self.extra.items()},
            "defaults": self.defaults,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "Variation":
        """Return the variation that `to_dict` described, if it names no object or file."""
        sequences = {name: tuple(stored[name]) for name in ("on", "off", "steps")}
        return cls(**{**stored, **sequences})


def _name_step(step: StepSource) -> str:
    """Return the file of a step, or its name if it is an object."""
    return str(step) if isinstance(step, (str, Path)) else load_step(step).name

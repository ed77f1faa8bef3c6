"""Parameters of steps and drivers: what values they take, and how values are read."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.search.kernels.context import ONE_PLY

MAX_PLIES: Final = 250
"""The maximum depth of a search."""
PLIES: Final = "plies"
PROBABILITY: Final = "probability"
YES_NO: Final = {"no": 0, "yes": 1}
PLAYER_SETTINGS: Final = (
    *("depth", "nodes", "time", "level", "driver", "step", "preset", "on", "off"),
    *("hash", "entries", "threads", "parallel", "evaluation", "book"),
)
"""Settings in the description of a player that uses the engine, besides parameters."""
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Parameter:
    """A parameter of an enhancement or a driver: a number, a word, a list of words or a file.

    A number lies between `minimum` and `maximum`.  A word is one of `choices`, which map to the
    numbers that stand for them in the kernel.  With `sequence`, a value is a list of different
    choices.
    """

    name: str
    default: Any
    summary: str
    minimum: float = 0
    maximum: float = 0
    choices: dict[str, int] = field(default_factory=dict)
    sequence: bool = False
    real: bool = False
    file: bool = False
    """Whether it is the name of a file."""
    folder: bool = False
    """Whether it is the name of a folder; the step that has it does nothing without one."""
    unit: str = ""
    """The unit of a number, such as `plies`."""
    exact: tuple[str, ...] = ()
    """The choices under which the search returns minimax values; empty if all do."""
    only_with: str = ""
    """The switch without which the value makes no difference."""

    @property
    def field(self) -> str:
        """The name of its field in the kernel's context."""
        return self.name.replace("-", "_")

    def to_kernel(self, value: Any) -> int | float:
        """Return a value as the kernel stores it.

        Choices become numbers, plies sixteenths of them, and a probability the number of standard
        deviations below which a normal variable stays with that probability.
        """
        if self.choices:
            return self.choices[value]
        if self.unit == PLIES and value > 0:
            return int(value) * ONE_PLY
        if self.unit == PROBABILITY:
            return NormalDist().inv_cdf(value)
        return float(value) if self.real else int(value)

    @property
    def range(self) -> str:
        """The allowed values, in words."""
        if self.file or self.folder:
            return "a file" if self.file else "a folder"
        if self.sequence:
            return "a list of " + ", ".join(self.choices)
        if self.choices:
            return ", ".join(self.choices)
        return f"{self.minimum:g} to {self.maximum:g}"

    def read(self, text: Any) -> Any:
        """Return the value that a user gave, as a text or as it is, or raise an error."""
        if self.file or self.folder:
            return str(text)
        if self.sequence:
            return self._read_sequence(text)
        if self.choices:
            word = str(text).strip().lower()
            if word not in self.choices:
                raise UnknownName(f"value of {self.name}", word, self.choices)
            return word
        try:
            number = float(text) if self.real else int(str(text).strip())
        except (TypeError, ValueError, OverflowError):
            kind = "a number" if self.real else "an integer"
            raise PlyforgeError(
                f"{self.name} must be {kind} between {self.minimum:g} and {self.maximum:g}, not"
                f" '{clip(str(text))}'"
            ) from None
        if not self.minimum <= number <= self.maximum:
            raise PlyforgeError(
                f"{self.name} must be between {self.minimum:g} and {self.maximum:g}, not {number}"
            )
        return number

    def _read_sequence(self, text: Any) -> tuple[str, ...]:
        if not isinstance(text, (str, list, tuple)):
            raise PlyforgeError(f"{self.name} must be {self.range}, not {text!r}")
        words = text.split(",") if isinstance(text, str) else text
        names = tuple(str(word).strip().lower() for word in words if str(word).strip())
        for name in names:
            if name not in self.choices:
                raise UnknownName(f"source in {self.name}", name, self.choices)
        if len(set(names)) < len(names):
            raise PlyforgeError(f"{self.name} must name each source once, not '{','.join(names)}'")
        return names


def integer(name: str, default: int, summary: str, minimum: int, maximum: int) -> Parameter:
    """Return a parameter that is an integer."""
    return Parameter(name, default, summary, minimum, maximum)


def real(name: str, default: float, summary: str, minimum: float, maximum: float) -> Parameter:
    """Return a parameter that is a real number."""
    return Parameter(name, default, summary, minimum, maximum, real=True)


def plies(name: str, default: int, summary: str, minimum: int = 0) -> Parameter:
    """Return a parameter that is a depth in plies; the kernel reads it in sixteenths of a ply."""
    return Parameter(name, default, summary, minimum, MAX_PLIES, unit=PLIES)


def probability(name: str, default: float, summary: str) -> Parameter:
    """Return a parameter that is a probability; the kernel reads it as standard deviations."""
    return Parameter(name, default, summary, 0.5, 0.999999, real=True, unit=PROBABILITY)


def choice(
    name: str,
    default: str,
    summary: str,
    choices: dict[str, int],
    exact: tuple[str, ...] = (),
    only_with: str = "",
) -> Parameter:
    """Return a parameter that is one of several words, which the kernel reads as numbers."""
    return Parameter(name, default, summary, choices=choices, exact=exact, only_with=only_with)


def check_parameters(
    parameters: Sequence[Parameter], fail: Callable[[str], Any], taken: Collection[str] = ()
) -> None:
    """Check the parameters that a user declares; `fail` gets a message that begins with which one.

    Names in `taken`, and settings of players, mean something else.
    """
    names = [parameter.name for parameter in parameters]
    for parameter in parameters:
        name = parameter.name
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            fail(f"parameter {name!r} must have a name such as 'margin' or 'first-margin'")
        if name in taken or name in (*PLAYER_SETTINGS, "name"):
            fail(f"parameter '{name}' has a name with another meaning; rename it")
        if names.count(name) > 1:
            fail(f"parameter '{name}' is declared twice")
        try:
            valid = parameter.read(parameter.default) == parameter.default
        except Exception as error:
            remedy = "" if parameter.real or parameter.choices else " (real=True for a real one)"
            fail(f"parameter '{name}' has an impossible default: {error}{remedy}")
        else:
            if not valid:
                fail(f"parameter '{name}' has an impossible default")

"""Parameters of methods: each method has a frozen dataclass of them, with ranges."""

import math
from dataclasses import dataclass, field, fields
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, UnknownName

_RANGE: Final = "range"


@dataclass(frozen=True)
class Range:
    """What a parameter means, and which values it takes."""

    summary: str
    minimum: float = -math.inf
    maximum: float = math.inf
    above: bool = False
    """Whether the minimum itself is excluded."""
    integer: bool = False
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.choices:
            return "one of " + ", ".join(self.choices)
        kind = "an integer " if self.integer else ""
        if self.maximum == math.inf:
            return f"{kind}{'more than' if self.above else 'at least'} {self.minimum:g}"
        if self.above:
            return f"{kind}more than {self.minimum:g} and at most {self.maximum:g}"
        return f"{kind}between {self.minimum:g} and {self.maximum:g}"

    def check(self, name: str, value: Any) -> None:
        """Refuse a value outside of the range."""
        if self.choices:
            if value not in self.choices:
                raise UnknownName(name, str(value), self.choices)
            return
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if self.integer and not (number and float(value).is_integer()):
            raise PlyforgeError(f"{name} must be {self}, not {value!r}")
        low = number and (value > self.minimum if self.above else value >= self.minimum)
        if not number or not math.isfinite(value) or not low or value > self.maximum:
            raise PlyforgeError(f"{name} must be {self}, not {value!r}")


def real(
    default: float, summary: str, minimum: float, maximum: float = math.inf, above: bool = False
) -> Any:
    """Declare a parameter that is a real number."""
    return field(default=default, metadata={_RANGE: Range(summary, minimum, maximum, above)})


def integer(default: int, summary: str, minimum: int, maximum: int) -> Any:
    """Declare a parameter that is an integer."""
    limits = Range(summary, minimum, maximum, integer=True)
    return field(default=default, metadata={_RANGE: limits})


def choice(default: str, summary: str, choices: tuple[str, ...]) -> Any:
    """Declare a parameter that is one of some words."""
    return field(default=default, metadata={_RANGE: Range(summary, choices=choices)})


@dataclass(frozen=True)
class Parameters:
    """The base class: it checks every value."""

    def __post_init__(self) -> None:
        for name, limits in ranges(type(self)).items():
            limits.check(name.replace("_", "-"), getattr(self, name))


def ranges(parameters: type[Parameters]) -> dict[str, Range]:
    """Return the range of every parameter, by name."""
    return {one.name: one.metadata[_RANGE] for one in fields(parameters)}


RATE: Final = "the step size: the factor of the gradient in a change of the weights"
MAX_RATE: Final = 1e12

"""The parameters of generated trees: their ranges, and the row of numbers that they make."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from plyforge.games.tree.layout import (
    EXPLICIT,
    KINDS,
    LAYERED,
    MAX_DEPTH,
    MAX_MOVES,
    NODES,
    ORDERED,
    REAL_STEPS,
    UNIFORM,
    Row,
)


@dataclass(frozen=True)
class Parameter:
    """A parameter with its range and the kinds that have it."""

    default: float
    minimum: float
    maximum: float
    kinds: frozenset[int]
    whole: bool = True

    def check(self, name: str, value: float, kind: int) -> None:
        """Raise if a tree of this kind cannot have this value."""
        if kind not in self.kinds:
            if value != self.default:
                raise ValueError(f"{name}: the kind '{KINDS[kind]}' does not use it; leave it out")
        elif not self.minimum <= value <= self.maximum:  # false for NaN too
            raise ValueError(f"{name}: {value} is not between {self.minimum} and {self.maximum}")


_ALL = frozenset(range(UNIFORM, len(KINDS)))
_GRAPHS = frozenset(range(LAYERED, len(KINDS)))
_MAX_LEVEL_NODES = 1 << 62
"""The maximum number of nodes of a level."""

PARAMETERS: Final[dict[str, Parameter]] = {
    "branching": Parameter(3, 1, MAX_MOVES, _ALL),
    "depth": Parameter(4, 1, MAX_DEPTH, _ALL),
    "seed": Parameter(1, 0, (1 << 32) - 1, _ALL),
    "values": Parameter(101, 0, 1 << 16, _ALL),
    "p": Parameter(1.0, 0, 1, frozenset({ORDERED}), whole=False),
    "width": Parameter(16, 1, 1 << 20, _GRAPHS),
}
"""In the order of the row, after the kind and the side to move."""


def kind_number(name: str) -> int:
    if name not in KINDS:
        raise ValueError(f"kind: '{name}' is not one of {', '.join(KINDS)}")
    return KINDS.index(name)


def generate_row(kind: int, values: dict[str, float], side: int = 0) -> Row:
    """Return the row of a generated tree; parameters missing from `values` have their defaults."""
    settings = {name: values.get(name, parameter.default) for name, parameter in PARAMETERS.items()}
    for name, parameter in PARAMETERS.items():
        parameter.check(name, settings[name], kind)
    branching, depth, draws = (
        int(settings["branching"]),
        int(settings["depth"]),
        int(settings["values"]),
    )
    if kind <= ORDERED and branching**depth > _MAX_LEVEL_NODES:
        raise ValueError(
            f"depth: {depth} is too deep for branching {branching};"
            f" branching^depth may be at most 2^62, which is depth {_max_depth(branching)}"
        )
    if kind == ORDERED and 0 < draws < branching:
        raise ValueError(
            f"values: {draws} does not give {branching} ordered siblings different values;"
            f" it must be 0 or at least {branching}"
        )
    row = np.zeros(NODES, np.float64)
    row[:] = [kind, side, *settings.values(), max((draws or REAL_STEPS) // branching, 1)]
    return row


def _max_depth(branching: int) -> int:
    depth = 1
    while branching ** (depth + 1) <= _MAX_LEVEL_NODES:
        depth += 1
    return depth


def to_text(row: Row) -> str:
    """`uniform,branching=3,depth=4,seed=1,values=101`: kind and parameters, as a variant has them.

    >>> to_text(from_text("ordered,p=0.5,seed=7", 0))
    'ordered,branching=3,depth=4,seed=7,values=101,p=0.5'
    """
    kind = int(row[0])
    words = [KINDS[kind]]
    for (name, parameter), value in zip(PARAMETERS.items(), row[2:], strict=False):
        if kind in parameter.kinds:
            words.append(f"{name}={int(value) if parameter.whole else float(value)}")
    return ",".join(words)


def from_text(text: str, side: int) -> Row:
    """The row of the tree that a text such as `uniform,branching=3,depth=4` describes."""
    name, *words = text.split(",")
    kind = kind_number(name)
    if kind == EXPLICIT:
        raise ValueError("an explicit tree is written as its nested lists, such as [[3,12],[2,4]]")
    values: dict[str, float] = {}
    for word in words:
        parameter, _, value = word.partition("=")
        if parameter not in PARAMETERS:
            raise ValueError(
                f"'{word}' is not a parameter; write NAME=VALUE with one of {', '.join(PARAMETERS)}"
            )
        if parameter in values:
            raise ValueError(f"{parameter} is given twice")
        values[parameter] = _number(parameter, value)
    return generate_row(kind, values, side)


def _number(name: str, text: str) -> float:
    whole = PARAMETERS[name].whole
    try:
        return int(text) if whole else float(text)
    except ValueError:
        kind = "a whole number" if whole else "a number"
        raise ValueError(f"{name}: '{text}' is not {kind}") from None

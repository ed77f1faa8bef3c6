"""The parameters of generated trees: their ranges, and the row of numbers that they make."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from plyforge.games.tree.layout import (
    DEEPEST,
    EXPLICIT,
    KINDS,
    LAYERED,
    MAX_MOVES,
    NODES,
    ORDERED,
    REAL_STEPS,
    UNIFORM,
    Row,
)


@dataclass(frozen=True)
class Parameter:
    """One parameter, with its range and the kinds that it means something for."""

    default: float
    least: float
    greatest: float
    kinds: frozenset[int]
    whole: bool = True

    def check(self, name: str, value: float, kind: int) -> None:
        """Raise if a tree of this kind cannot have this value."""
        if kind not in self.kinds:
            if value != self.default:
                raise ValueError(
                    f"{name}: {value} means nothing for the kind '{KINDS[kind]}'; leave it out"
                )
        elif not self.least <= value <= self.greatest:  # false for NaN, too
            raise ValueError(f"{name}: {value} is not from {self.least} to {self.greatest}")


_ALL = frozenset(range(UNIFORM, len(KINDS)))
_GRAPHS = frozenset(range(LAYERED, len(KINDS)))
_LARGEST_LEVEL = 1 << 62
"""Nodes of a level, which are numbered."""

PARAMETERS: Final[dict[str, Parameter]] = {
    "branching": Parameter(3, 1, MAX_MOVES, _ALL),
    "depth": Parameter(4, 1, DEEPEST, _ALL),
    "seed": Parameter(1, 0, (1 << 32) - 1, _ALL),
    "values": Parameter(101, 0, 1 << 16, _ALL),
    "p": Parameter(1.0, 0, 1, frozenset({ORDERED}), whole=False),
    "width": Parameter(16, 1, 1 << 20, _GRAPHS),
}
"""In the order of the row, behind the kind and the side to move."""


def kind_number(name: str) -> int:
    if name not in KINDS:
        raise ValueError(f"kind: '{name}' is none of {', '.join(KINDS)}")
    return KINDS.index(name)


def generated_row(kind: int, values: dict[str, float], side: int = 0) -> Row:
    """The row of a generated tree; `values` by name, those left out by default."""
    given = {name: values.get(name, parameter.default) for name, parameter in PARAMETERS.items()}
    for name, parameter in PARAMETERS.items():
        parameter.check(name, given[name], kind)
    branching, depth, draws = int(given["branching"]), int(given["depth"]), int(given["values"])
    if kind <= ORDERED and branching**depth > _LARGEST_LEVEL:
        raise ValueError(
            f"depth: {depth} is too deep for branching {branching};"
            f" branching^depth may be 2^62 at most, which is depth {_deepest(branching)}"
        )
    if kind == ORDERED and 0 < draws < branching:
        raise ValueError(
            f"values: {draws} cannot tell {branching} ordered siblings apart;"
            f" it must be 0 or at least {branching}"
        )
    row = np.zeros(NODES, np.float64)
    row[:] = [kind, side, *given.values(), max((draws or REAL_STEPS) // branching, 1)]
    return row


def _deepest(branching: int) -> int:
    depth = 1
    while branching ** (depth + 1) <= _LARGEST_LEVEL:
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
                f"'{word}' is no parameter; write NAME=VALUE with one of {', '.join(PARAMETERS)}"
            )
        if parameter in values:
            raise ValueError(f"{parameter} is given twice")
        values[parameter] = _number(parameter, value)
    return generated_row(kind, values, side)


def _number(name: str, text: str) -> float:
    whole = PARAMETERS[name].whole
    try:
        return int(text) if whole else float(text)
    except ValueError:
        kind = "a whole number" if whole else "a number"
        raise ValueError(f"{name}: '{text}' is not {kind}") from None

"""Source text of evaluations: one text for weights as constants and for weights as data.

A form writes its source once and names every weight through a `Reference`.  `Constants` puts the
numbers themselves there, `Data` reads them from memory at run time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Protocol

import numpy as np

from plyforge.core import memory
from plyforge.game.forms.rows import Feature, Row, Table
from plyforge.game.forms.weights import Numbers


class Reference(Protocol):
    """How source text names weights; every method returns an expression."""

    arguments: str
    """The arguments of the evaluation."""
    prologue: list[str]
    """Source that comes before all other."""

    def one(self, index: int) -> str:
        """A weight whose index is known."""

    def at(self, index: str) -> str:
        """The weight at an index that is an expression."""

    def part(self, start: str, size: int) -> str:
        """The weights from a start on."""

    def scale(self, block: int) -> str:
        """The scale of a block; empty for 1."""


class Constants:
    """Weights that become part of the machine code."""

    def __init__(
        self,
        numbers: Numbers,
        scales: Sequence[float],
        scope: dict[str, Any],
        stateful: bool = False,
    ) -> None:
        self.arguments = "position, state" if stateful else "position"
        # Narrower numbers would overflow where this code runs uncompiled.
        whole = np.issubdtype(numbers.dtype, np.integer)
        self._numbers = numbers.astype(np.int64 if whole else np.float64)
        self._scales, self._scope = scales, scope
        self.prologue: list[str] = []

    def one(self, index: int) -> str:
        return f"({self._numbers[index].item()!r})"

    def at(self, index: str) -> str:
        self._scope["WEIGHTS"] = self._numbers
        return f"WEIGHTS[{index}]"

    def part(self, start: str, size: int) -> str:
        if not start.isdecimal():  # it depends on the stage
            return self.at(f"{start} : {start} + {size}")
        name = f"WEIGHTS_{start}"
        self._scope[name] = self._numbers[int(start) : int(start) + size].copy()
        return name

    def scale(self, block: int) -> str:
        return "" if self._scales[block] == 1 else repr(float(self._scales[block]))


class Data:
    """Weights that are read at run time, from the block that the evaluation is given.

    `numbers` is their type, such as int16.
    """

    def __init__(self, numbers: str, scales: int, scope: dict[str, Any], state: str = "") -> None:
        for name in (f"{numbers}s", "float64s", "part"):
            scope[name] = getattr(memory, name)
        self.arguments = f"position, {state}block"
        self.prologue = [
            "scales = float64s(block, 0)",
            f"weights = {numbers}s(block, {memory.numbers_start(scales)})",
        ]

    def one(self, index: int) -> str:
        return f"weights[{index}]"

    def at(self, index: str) -> str:
        return f"weights[{index}]"

    def part(self, start: str, size: int) -> str:
        return f"part(weights, {start})"

    def scale(self, block: int) -> str:
        return f"scales[{block}]"


@dataclass(frozen=True)
class FormHooks:
    """The hooks of an evaluation.

    If the weights are read from memory, the hooks take a block of weights as their last argument,
    besides those of the contract.
    """

    hooks: dict[str, FunctionType]
    state: tuple[str, int] | None = None
    """The STATE that `begin` and `advance` write."""


def indent(lines: Iterable[str]) -> list[str]:
    """Return the lines of a block."""
    return [f"    {line}" for line in lines]


def scope_for(file: str) -> dict[str, Any]:
    """Return the globals of generated code; `file` is where the form is declared."""
    import math

    return {"__name__": "plyforge_form", "__file__": file, "math": math, "np": np}


def make_evaluation(
    reference: Reference, body: Iterable[str], scope: dict[str, Any]
) -> FunctionType:
    """Return the evaluation whose body is given; its last line returns `value`."""
    lines = [*reference.prologue, *body, "return value"]
    return make_function("evaluate", reference.arguments, lines, scope)


def make_function(
    name: str, arguments: str, body: Iterable[str], scope: dict[str, Any]
) -> FunctionType:
    """Return a function from its source."""
    exec("\n".join([f"def {name}({arguments}):", *indent(body)]), scope)
    function: FunctionType = scope[name]
    return function


def row_values(row: Row, name: str, position: str = "position") -> tuple[list[str], list[str]]:
    """Return the variables for what a row's function `name` returns, and source that sets them.

    They are the values of features, or the indices that a table's function chooses, checked.
    """
    count = row.size if isinstance(row, Feature) else row.count
    grouped = row.grouped if isinstance(row, Feature) else count > 1
    variables = [f"{name}_{index}" for index in range(count)]
    left = "".join(f"{variable}, " for variable in variables) if grouped else variables[0]
    lines = [f"{left} = {name}({position})"]
    if isinstance(row, Table) and row.by_place:
        lines = [f"{one} = {name}({position}, {place})" for place, one in enumerate(variables)]
    if isinstance(row, Table):
        for variable in variables:
            lines += check_index(variable, row.size, f"an index of table '{row.name}'")
    return variables, lines


def loop_over_places(row: Table, name: str, body: Iterable[str]) -> list[str]:
    """Return source that runs `body` with the index `index` at every place of a table."""
    check = check_index("index", row.size, f"an index of table '{row.name}'")
    lines = [f"index = {name}(position, place)", *check, *body]
    return [f"for place in range({row.count}):", *indent(lines)]


def check_index(index: str, size: int, what: str) -> list[str]:
    """Return source that refuses an index outside of a table: compiled code would not notice."""
    message = f"{what} must be between 0 and {size - 1}"
    return [f"if not 0 <= {index} < {size}:", f"    raise IndexError({message!r})"]

"""Source text of nets, which read their weights from memory and keep sums in the state.

With tables and int16 weights, `begin` adds up the rows of weights that the tables choose, `advance`
replaces the rows that have changed, and `evaluate` starts from the sums.  Otherwise `evaluate`
starts from the inputs.  All memory that this takes is in the state: nothing is allocated.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plyforge.core import memory
from plyforge.game.forms.finish import Limits
from plyforge.game.forms.layers import ACTIVATIONS, Layer
from plyforge.game.forms.netdata import index_count, multiplies_integers
from plyforge.game.forms.rows import Feature, Table
from plyforge.game.forms.source import (
    Data,
    FormHooks,
    check_index,
    indent,
    make_evaluation,
    make_function,
    row_values,
    scope_for,
)

if TYPE_CHECKING:
    from plyforge.game.forms.nets import Net

_LIST_CHANGE = [
    "changes[2 * count] = before[index]",
    "changes[2 * count + 1] = rows[index]",
    "count += 1",
]
_FUNCTIONS = ("int32s", "sum_rows", "replace_rows", "limited_dot", "add_products")
_APPLIED = {"tanh": "apply_tanh", "sigmoid": "apply_sigmoid"}
"""Activations that have a function for a whole layer, with vector instructions."""


def link_net(net: "Net", kind: str, limits: Limits, file: str) -> FormHooks:
    """Return the hooks of a net whose weights are of a kind that `netdata.data_kind` returns."""
    return _NetSource(net, kind, limits, file).link()


@dataclass(frozen=True)
class _Layout:
    """Where the parts of a state begin, in bytes."""

    rows: int
    """The rows of weights that the tables have chosen."""
    changes: int
    values: tuple[int, int]
    """The outputs of layers, of which two are needed at a time."""
    features: int
    """The values of the features."""
    size: int

    @classmethod
    def of(cls, net: "Net", sums: str) -> "_Layout":
        count = index_count(net) if sums else 0
        width = net.hidden[0] * np.dtype(sums).itemsize if sums else 0
        places = [0]
        features = sum(row.size for row in net.rows if isinstance(row, Feature))
        values = 8 * max(net.hidden)
        for size in (width, 4 * count, 8 * count, values, values, 8 * features):
            places.append(places[-1] + -(-size // memory.LINE) * memory.LINE)
        return cls(places[1], places[2], (places[3], places[4]), places[5], places[6])


class _NetSource:
    def __init__(self, net: "Net", kind: str, limits: Limits, file: str) -> None:
        self.net, self.limits = net, limits
        self.numbers, _, self.sums = kind.partition("/")
        self.integers = bool(self.sums) and multiplies_integers(net)
        self.count = index_count(net)
        self.layout = _Layout.of(net, self.sums)
        self.scope = scope_for(file)
        for number, row in enumerate(net.rows):
            self.scope[f"row_{number}"] = row.function
        for name in net.activations:
            self.scope[_name(name)] = ACTIVATIONS[name]
        for name in (*_FUNCTIONS, *_APPLIED.values(), *([f"{self.sums}s"] if self.sums else [])):
            self.scope[name] = getattr(memory, name)

    def link(self) -> FormHooks:
        reference = Data(self.numbers, len(self.net.blocks), self.scope, "state, ")
        begin, advance = ["pass"], ["pass"]
        if self.sums:
            begin = [*reference.prologue, *self._begin()]
            advance = [*reference.prologue, *self._advance()]
        hooks = {
            "begin": make_function("begin", "position, state, block", begin, self.scope),
            "advance": make_function(
                "advance", "state, position, move, child, child_state, block", advance, self.scope
            ),
            "evaluate": make_evaluation(reference, self._evaluate(), self.scope),
        }
        return FormHooks(hooks, ("int64", self.layout.size // 8))

    # Sums of the first layer

    def _begin(self) -> list[str]:
        return [*self._read_rows("position", "state"), self._sum_rows("state")]

    def _advance(self) -> list[str]:
        width = self.net.hidden[0]
        target, source = f"{self.sums}s(child_state, 0)", f"{self.sums}s(state, 0)"
        return [
            f"rows = int32s(child_state, {self.layout.rows})",
            f"before = int32s(state, {self.layout.rows})",
            f"changes = int32s(child_state, {self.layout.changes})",
            "count = 0",
            *self._change_rows(),
            # A replaced row costs two additions, a new sum one for every row.
            f"if 2 * count > {self.count}:",
            *indent([self._sum_rows("child_state")]),
            "else:",
            f"    replace_rows({target}, {source}, weights, changes, count, {width})",
        ]

    def _change_rows(self) -> list[str]:
        """Return source that writes the rows of the child to its state, and lists the changes."""
        lines: list[str] = []
        column = place = 0
        for number, row in enumerate(self.net.rows):
            if isinstance(row, Table):
                end = place + row.count
                if row.update:
                    lines += self._change_places(number, row, place, column)
                else:
                    lines += self._read_table(number, row, place, column, "child")
                    lines.append(f"for index in range({place}, {end}):")
                    lines += indent(["if rows[index] != before[index]:", *indent(_LIST_CHANGE)])
                place = end
            column += row.size
        return lines

    def _change_places(self, number: int, row: Table, first: int, column: int) -> list[str]:
        """Return source that reads only the places that a move may have changed."""
        name, update = f"row_{number}", f"update_{number}"
        self.scope[update] = row.update
        checks = [
            *check_index("place", row.count, f"a changed place of table '{row.name}'"),
            f"entry = {name}(child, place)",
            *check_index("entry", row.size, f"an index of table '{row.name}'"),
        ]
        return [
            f"for index in range({first}, {first + row.count}):",
            "    rows[index] = before[index]",
            f"for place in {update}(position, move, child):",
            "    if place != -1:",
            *indent(indent(checks)),
            f"        index = {first} + place",
            f"        if rows[index] != {column} + entry:",
            f"            rows[index] = {column} + entry",
            *indent(indent(indent(_LIST_CHANGE))),
        ]

    def _read_rows(self, position: str, state: str) -> list[str]:
        """Return source that writes the rows which the tables choose to a state."""
        lines = [f"rows = int32s({state}, {self.layout.rows})"]
        column = place = 0
        for number, row in enumerate(self.net.rows):
            if isinstance(row, Table):
                lines += self._read_table(number, row, place, column, position)
                place += row.count
            column += row.size
        return lines

    def _read_table(
        self, number: int, row: Table, first: int, column: int, position: str
    ) -> list[str]:
        """Return source that writes the rows which one table chooses."""
        if row.by_place:
            check = check_index("entry", row.size, f"an index of table '{row.name}'")
            lines = [f"entry = row_{number}({position}, place)", *check]
            lines.append(f"rows[{first} + place] = {column} + entry")
            return [f"for place in range({row.count}):", *indent(lines)]
        indices, lines = row_values(row, f"row_{number}", position)
        places = enumerate(indices, first)
        return lines + [f"rows[{place}] = {column} + {index}" for place, index in places]

    def _sum_rows(self, state: str) -> str:
        layer = self.net.layers[0]
        target = f"{self.sums}s({state}, 0)"
        arguments = f"weights, {layer.biases}, rows, {self.count}, {layer.outputs}"
        return f"sum_rows({target}, {arguments})"

    # The value

    def _evaluate(self) -> list[str]:
        layers = self.net.layers
        if self.integers:
            lines, begun = self._product_of_sums(layers[1]), 2
        else:
            lines, begun = self._first_layer(layers[0]), 1
        for number, layer in enumerate(layers[begun:], begun):
            lines += self._start(number, layer, f"weights[{layer.biases} + j]")
            lines.append(
                f"add_products(layer_{number}, layer_{number - 1}, weights, {layer.start},"
                f" {layer.inputs}, {layer.outputs})"
            )
            lines += _activate(number, layer)
        lines.append(f"total = layer_{len(layers) - 1}[0]")
        return lines + self.net.finish.lines(False, "", 1, self.limits)

    def _start(self, number: int, layer: Layer, value: str) -> list[str]:
        """Return source that gives the units of a layer their first values."""
        return [
            f"layer_{number} = float64s(state, {self.layout.values[number % 2]})",
            f"for j in range({layer.outputs}):",
            f"    layer_{number}[j] = {value}",
        ]

    def _product_of_sums(self, layer: Layer) -> list[str]:
        """Return source for the second layer, from the sums of the first one."""
        limits = np.iinfo(self.sums)
        low, high = {
            "linear": (limits.min, limits.max),
            "relu": (0, limits.max),
            "clipped relu": (0, f"min(one, {limits.max})"),
        }[self.net.activations[0]]
        factors = f"part(weights, {layer.start} + j * {layer.inputs})"
        product = f"limited_dot(sums, {factors}, {low}, {high}, {layer.inputs})"
        total = f"{product} + weights[{layer.biases} + j] * one"
        return [
            f"sums = {self.sums}s(state, 0)",
            "one = int(scales[0])",
            *self._start(1, layer, total),
            *_activate(1, layer),
        ]

    def _first_layer(self, layer: Layer) -> list[str]:
        """Return source for the first layer: biases, then tables, then features."""
        start = "sums[j]" if self.sums else f"weights[{layer.biases} + j]"
        lines = [f"sums = {self.sums}s(state, 0)"] if self.sums else []
        lines += self._start(0, layer, start)
        tables: list[str] = []
        features: list[str] = []
        column = place = 0
        for number, row in enumerate(self.net.rows):
            values, read = row_values(row, f"row_{number}")
            if isinstance(row, Feature):
                features += read
                features += [f"values[{place + i}] = {value}" for i, value in enumerate(values)]
                place += row.size
            elif not self.sums:
                tables += read
                for value in values:
                    tables.append(f"for j in range({layer.outputs}):")
                    weight = f"weights[({column} + {value}) * {layer.outputs} + j]"
                    tables.append(f"    layer_0[j] += {weight}")
            column += row.size
        if features:
            features.insert(0, f"values = float64s(state, {self.layout.features})")
        return [*lines, *tables, *features, *self._products(layer), *_activate(0, layer)]

    def _products(self, layer: Layer) -> list[str]:
        """Return source that adds the features to the first layer: one call for a run of rows."""
        runs: list[list[int]] = []
        column = place = 0
        for row in self.net.rows:
            if isinstance(row, Feature):
                if runs and runs[-1][1] + runs[-1][2] == column:
                    runs[-1][2] += row.size
                else:
                    runs.append([place, column, row.size])
                place += row.size
            column += row.size
        return [
            f"add_products(layer_0, part(values, {place}), weights, {column * layer.outputs},"
            f" {size}, {layer.outputs})"
            for place, column, size in runs
        ]


def _activate(number: int, layer: Layer) -> list[str]:
    if layer.activation in _APPLIED:
        function = _APPLIED[layer.activation]
        return [f"{function}(layer_{number}, scales[{number}], {layer.outputs})"]
    value = f"layer_{number}[j] * scales[{number}]"
    return [
        f"for j in range({layer.outputs}):",
        f"    layer_{number}[j] = {_name(layer.activation)}({value})",
    ]


def _name(activation: str) -> str:
    return activation.replace(" ", "_") + "_activation"

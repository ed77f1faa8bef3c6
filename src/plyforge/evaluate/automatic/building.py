"""The form of an automatic evaluation, from the layout of a game's positions.

The source of its functions is written from the layout, so that it compiles like an author's own.
"""

import json
import linecache
from dataclasses import replace
from hashlib import sha256
from inspect import isgeneratorfunction
from types import FunctionType
from typing import Any, Final

import numpy as np
from numpy import uint64 as u64

from plyforge.compilation.generators import move_counter
from plyforge.core.errors import PlyforgeError
from plyforge.evaluate.automatic.finding import find_layout
from plyforge.evaluate.automatic.layout import Layer, Layout
from plyforge.evaluate.automatic.shapes import Shape, find_shapes
from plyforge.game.forms import Evaluation, Sum, linear, table
from plyforge.game.game import Game

AUTOMATIC_RANGE: Final = (-10_000.0, 10_000.0)
"""Values are in hundredths of the logarithm of the odds: at 100, the chance to win is 73 %."""
_LIMIT: Final = 9999
MAX_WEIGHTS: Final = 200_000


def build_evaluation(game: Game, layout: Layout | None = None) -> Evaluation:
    """Return the evaluation of a game with weights of 0; its layout is found if it is not given."""
    layout = find_layout(game) if layout is None else layout
    _check_layout(game, layout)
    source = _Source(game, layout)
    rows: dict[str, Any] = {}
    singles = Shape("cells", tuple((cell,) for cell in range(len(layout.cells))), located=True)
    size = 0
    for shape in [singles, *find_shapes(layout.places, layout.base)]:
        entries = source.entries(shape)
        if size + entries <= MAX_WEIGHTS:
            rows[shape.name] = table(
                source.index_function(shape), entries, places=len(shape.groups)
            )
            size += entries
    mobility = source.mobility()
    if mobility is not None:
        rows["moves"] = mobility
    rows["to move"] = source.constant()
    evaluation = linear(rows, limit=_LIMIT, rounding="nearest")
    assert isinstance(evaluation.form, Sum)
    origin = json.dumps(layout.to_fields(), separators=(",", ":"))
    return replace(evaluation, form=replace(evaluation.form, origin=origin), as_data=True)


def evaluation_like(game: Game, description: dict[str, Any]) -> Evaluation | None:
    """Return the evaluation whose form a file of weights describes; None if it is another kind."""
    origin = description.get("origin")
    if origin is None:
        return None
    try:
        layout = Layout.from_fields(json.loads(origin))
    except (KeyError, TypeError, ValueError):
        return None
    return build_evaluation(game, layout)


def _check_layout(game: Game, layout: Layout) -> None:
    """Refuse a layout of other positions: compiled code would read anything."""
    position = game.initial()
    for layer in layout.layers:
        for slot in set(layer.slots):
            stored = getattr(position, slot.field, None)
            shape = np.shape(stored) if stored is not None else None
            inside = shape is not None and len(shape) == len(slot.element)
            if not inside or any(i >= n for i, n in zip(slot.element, shape or (), strict=True)):
                raise PlyforgeError(
                    f"the positions of {game.name} have no '{slot.field}' as the weights need it;"
                    " they were made for other rules"
                )
    sizes = {len(layer.slots) for layer in layout.layers} | {len(layout.cells)}
    combinations = int(np.prod([layer.mask + 1 for layer in layout.layers], dtype=np.int64))
    if len(sizes) != 1 or combinations != len(layout.digits):
        raise PlyforgeError("the description of the automatic evaluation is damaged")


class _Source:
    """Writes the functions of the form."""

    def __init__(self, game: Game, layout: Layout) -> None:
        self._game, self._layout = game, layout
        self._scope: dict[str, Any] = {
            "__name__": "plyforge_automatic",
            "__file__": str(game.rules.file),
            "u64": u64,
            "DIGITS": np.array(layout.digits, np.int64),
        }
        self._number = 0
        lines = ["combination = 0"]
        unit = 1
        for number, layer in enumerate(layout.layers):
            lines += self._layer(number, layer, unit)
            unit *= layer.mask + 1
        self._define("content", "position, cell", [*lines, "return DIGITS[combination]"])
        if layout.by_side:
            self._scope["turn"] = game.rules.hooks["turn"]

    def entries(self, shape: Shape) -> int:
        """Return the number of weights of a shape."""
        places = len(shape.groups) if shape.located else 1
        sides = 2 if self._layout.by_side else 1
        return sides * places * int(self._layout.base**shape.length)

    def index_function(self, shape: Shape) -> FunctionType:
        """Return the function that returns the index of a group of a shape."""
        self._number += 1
        cells = f"CELLS_{self._number}"
        self._scope[cells] = np.array(shape.groups, np.int64)
        lines = ["index = place"] if shape.located else ["index = 0"]
        if self._layout.by_side:
            lines.append("index = 2 * index + turn(position)")
        base = self._layout.base
        for number in range(shape.length):
            lines.append(f"index = {base} * index + content(position, {cells}[place, {number}])")
        name = f"index_{self._number}"
        return self._define(name, "position, place", [*lines, "return index"])

    def mobility(self) -> FunctionType | None:
        """Return the function that counts the moves; None if `moves` is not a generator."""
        moves = self._game.rules.hooks["moves"]
        if not isinstance(moves, FunctionType) or not isgeneratorfunction(moves):
            return None
        self._scope["moves"] = move_counter(moves)
        return self._define("count_moves", "position", ["return moves(position)"])

    def constant(self) -> FunctionType:
        """Return the function that returns 1: what it is worth to be to move."""
        return self._define("to_move", "position", ["return 1"])

    def _layer(self, number: int, layer: Layer, unit: int) -> list[str]:
        """Return source that adds the value of a layer to `combination`."""
        kinds = sorted({(slot.field, slot.equals) for slot in layer.slots})
        which = [kinds.index((slot.field, slot.equals)) for slot in layer.slots]
        self._scope[f"SHIFTS_{number}"] = np.array([slot.shift for slot in layer.slots], np.int64)
        self._scope[f"KINDS_{number}"] = np.array(which, np.int64)
        lines = []
        for index, (field, equals) in enumerate(kinds):
            word, shift = self._word(number, layer, field), f"SHIFTS_{number}[cell]"
            if equals:
                value = f"int(int({word}) == {shift})"
            elif np.asarray(getattr(self._game.initial(), field)).dtype == np.uint64:
                value = f"(int({word} >> u64({shift})) & {layer.mask})"
            else:
                value = f"(int({word}) >> {shift} & {layer.mask})"
            line = f"combination += {unit} * {value}"
            if len(kinds) > 1:
                lines += [f"if KINDS_{number}[cell] == {index}:", f"    {line}"]
            else:
                lines.append(line)
        return lines

    def _word(self, number: int, layer: Layer, field: str) -> str:
        """Return the expression for a field, or for the element of an array for `cell`."""
        dimensions = np.ndim(getattr(self._game.initial(), field))
        if not dimensions:
            return f"position.{field}"
        blank = (0,) * dimensions
        elements = [slot.element if slot.field == field else blank for slot in layer.slots]
        name = f"ELEMENTS_{number}_{field}"
        self._scope[name] = np.array(elements, np.int64)
        indices = ", ".join(f"{name}[cell, {axis}]" for axis in range(dimensions))
        return f"position.{field}[{indices}]"

    def _define(self, name: str, arguments: str, body: list[str]) -> FunctionType:
        """Make a function whose source can be read again, for its fingerprint."""
        text = "\n".join([f"def {name}({arguments}):", *(f"    {line}" for line in body), ""])
        file = f"<automatic {name} {sha256(text.encode()).hexdigest()[:16]}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec"), self._scope)
        function: FunctionType = self._scope[name]
        return function

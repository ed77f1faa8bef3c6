"""Sums and products of rows of numbers, with vector instructions.

LLVM does not vectorise these loops well by itself: the plain loops take four times as long.  The
vectors are those of LLVM, not of one processor.  Importing this module imports Numba.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from plyforge.compilation.numbers import BYTES, COMPILED_MEMORY, I64, NumbersType
from plyforge.core import memory

_I16, _I32, _DOUBLE = ir.IntType(16), ir.IntType(32), ir.DoubleType()
_LANES: Final = 16
_AT_ONCE: Final = 128
"""Numbers of a sum that are kept in registers: eight vectors of int16."""

_FLOATS_AT_ONCE: Final = 32
"""Floats of a sum that are kept in registers."""

_MANTISSA_BITS: Final = 52
_EXPONENT_BIAS: Final = 1023

_Row = Callable[[int, int], Any]
"""Loads the vector of a row at a place, with so many lanes."""


def _chunks(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the places and the sizes of vectors that cover a range of numbers."""
    while start < end:
        lanes = _LANES
        while lanes > end - start:
            lanes //= 2
        yield start, lanes
        start += lanes


class _Vectors:
    """Loads and stores vectors of numbers."""

    def __init__(self, builder: Any, kind: NumbersType) -> None:
        self._builder, self._size = builder, kind.size
        self._element = ir.IntType(kind.element.bitwidth)

    def _place(self, pointer: Any, index: Any, start: int, lanes: int) -> Any:
        """Return a pointer to the vector at `index` (of a row, in numbers) plus `start`."""
        builder = self._builder
        octets = builder.mul(builder.add(index, I64(start)), I64(self._size))
        place = cgutils.pointer_add(builder, pointer, octets, return_type=BYTES)
        return builder.bitcast(place, ir.VectorType(self._element, lanes).as_pointer())

    def load(self, pointer: Any, index: Any, start: int, lanes: int, element: Any) -> Any:
        """Load a vector, with numbers as wide as `element`."""
        place = self._place(pointer, index, start, lanes)
        value = self._builder.load(place, align=self._size)
        if element.width == self._element.width:
            return value
        return self._builder.sext(value, ir.VectorType(element, lanes))

    def store(self, value: Any, pointer: Any, start: int, lanes: int) -> None:
        place = self._place(pointer, I64(0), start, lanes)
        self._builder.store(value, place, align=self._size)


class _Floats:
    """Loads vectors of numbers of any type as float64, and stores them."""

    def __init__(self, builder: Any, kind: NumbersType) -> None:
        self._builder, self._size = builder, kind.size
        bits = kind.element.bitwidth
        self._is_float = isinstance(kind.element, types.Float)
        real = _DOUBLE if bits == 64 else ir.FloatType()
        self._element = real if self._is_float else ir.IntType(bits)

    def _place(self, pointer: Any, index: Any, lanes: int) -> Any:
        octets = self._builder.mul(index, I64(self._size))
        place = cgutils.pointer_add(self._builder, pointer, octets, return_type=BYTES)
        return self._builder.bitcast(place, ir.VectorType(self._element, lanes).as_pointer())

    def load(self, pointer: Any, index: Any, lanes: int) -> Any:
        """Load the vector at an index."""
        value = self._builder.load(self._place(pointer, index, lanes), align=self._size)
        wide = ir.VectorType(_DOUBLE, lanes)
        if not self._is_float:
            return self._builder.sitofp(value, wide)
        return value if self._element == _DOUBLE else self._builder.fpext(value, wide)

    def store(self, value: Any, pointer: Any, index: Any, lanes: int) -> None:
        """Store a vector of float64 at an index."""
        self._builder.store(value, self._place(pointer, index, lanes), align=self._size)


def _literal(width: Any) -> int:
    if not isinstance(width, types.IntegerLiteral):
        raise TypingError("the width of a row must be a constant")
    return int(width.literal_value)


def _load_integer(builder: Any, kind: NumbersType, pointer: Any, index: Any) -> Any:
    """Load one number as int64."""
    place = cgutils.pointer_add(builder, pointer, builder.mul(index, I64(kind.size)))
    element = ir.IntType(kind.element.bitwidth)
    return builder.sext(builder.load(builder.bitcast(place, element.as_pointer())), I64)


class _Sum:
    """Adds rows of a matrix to a sum, which stays in registers meanwhile."""

    def __init__(self, builder: Any, target: NumbersType, matrix: NumbersType, size: int) -> None:
        self._builder, self._size = builder, size
        self._sums, self._numbers = _Vectors(builder, target), _Vectors(builder, matrix)
        self._element = ir.IntType(target.element.bitwidth)

    def write(self, target: Any, start: _Row, count: Any, rows: Any, matrix: Any) -> None:
        """Write the sum of a row and of `count` others.

        `rows(index)` returns the place in the matrix of a row to add, and perhaps that of one to
        subtract.  The difference of both comes first, so that it need not wait for the sum.
        """
        builder, element = self._builder, self._element
        for first in range(0, self._size, _AT_ONCE):
            chunks = list(_chunks(first, min(first + _AT_ONCE, self._size)))
            slots = [
                cgutils.alloca_once(builder, ir.VectorType(element, lanes)) for _, lanes in chunks
            ]
            for slot, (place, lanes) in zip(slots, chunks, strict=True):
                builder.store(start(place, lanes), slot)
            with cgutils.for_range(builder, count) as loop:
                added, *subtracted = rows(loop.index)
                for slot, (place, lanes) in zip(slots, chunks, strict=True):
                    vector = self._numbers.load(matrix, added, place, lanes, element)
                    for row in subtracted:
                        less = self._numbers.load(matrix, row, place, lanes, element)
                        vector = builder.sub(vector, less)
                    builder.store(builder.add(builder.load(slot), vector), slot)
            for slot, (place, lanes) in zip(slots, chunks, strict=True):
                self._sums.store(builder.load(slot), target, place, lanes)

    def row(self, pointer: Any, start: Any) -> _Row:
        """Return a row of the matrix as the start of a sum."""
        return lambda place, lanes: self._numbers.load(pointer, start, place, lanes, self._element)

    def sum(self, pointer: Any) -> _Row:
        """Return another sum as the start of a sum."""
        return lambda place, lanes: self._sums.load(pointer, I64(0), place, lanes, self._element)


@intrinsic(prefer_literal=True)
def sum_rows(
    typingctx: Any, target: Any, matrix: Any, biases: Any, rows: Any, count: Any, width: Any
) -> Any:
    size = _literal(width)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        def added(index: Any) -> list[Any]:
            row = _load_integer(builder, rows, args[3], index)
            return [builder.mul(row, I64(size))]

        total = _Sum(builder, target, matrix, size)
        total.write(args[0], total.row(args[1], args[2]), args[4], added, args[1])
        return context.get_dummy_value()

    return types.none(target, matrix, types.int64, rows, types.int64, width), codegen


@intrinsic(prefer_literal=True)
def replace_rows(
    typingctx: Any, target: Any, source: Any, matrix: Any, changes: Any, count: Any, width: Any
) -> Any:
    size = _literal(width)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        def replaced(index: Any) -> list[Any]:
            at = builder.shl(index, I64(1))
            rows = [
                _load_integer(builder, changes, args[3], place)
                for place in (at, builder.add(at, I64(1)))
            ]
            old, new = (builder.mul(row, I64(size)) for row in rows)
            return [new, old]

        total = _Sum(builder, target, matrix, size)
        total.write(args[0], total.sum(args[1]), args[4], replaced, args[2])
        return context.get_dummy_value()

    return types.none(target, source, matrix, changes, types.int64, width), codegen


@intrinsic(prefer_literal=True)
def limited_dot(typingctx: Any, values: Any, factors: Any, low: Any, high: Any, width: Any) -> Any:
    size = _literal(width)
    element = ir.IntType(values.element.bitwidth)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        first, second = _Vectors(builder, values), _Vectors(builder, factors)
        low, high = (builder.trunc(limit, element) for limit in args[2:4])
        sums: dict[int, Any] = {}
        for start, lanes in _chunks(0, size):
            value = first.load(args[0], I64(0), start, lanes, element)
            for limit, relation in ((low, "<"), (high, ">")):
                bound = _repeat(builder, limit, lanes)
                outside = builder.icmp_signed(relation, value, bound)
                value = builder.select(outside, bound, value)
            wide = ir.VectorType(_I32, lanes)
            value = builder.sext(value, wide) if element.width < 32 else value
            product = builder.mul(value, second.load(args[1], I64(0), start, lanes, _I32))
            sums[lanes] = builder.add(sums[lanes], product) if lanes in sums else product
        total = I64(0)
        for lanes, vector in sums.items():
            total = builder.add(total, builder.sext(_add_up(builder, vector, lanes), I64))
        return total

    return types.int64(values, factors, types.int64, types.int64, width), codegen


@intrinsic(prefer_literal=True)
def add_products(
    typingctx: Any, target: Any, values: Any, matrix: Any, start: Any, count: Any, width: Any
) -> Any:
    size = _literal(width)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        sums, factors = _Floats(builder, target), _Floats(builder, values)
        numbers = _Floats(builder, matrix)
        for first in range(0, size, _FLOATS_AT_ONCE):
            chunks = list(_chunks(first, min(first + _FLOATS_AT_ONCE, size)))
            slots = [
                cgutils.alloca_once(builder, ir.VectorType(_DOUBLE, lanes)) for _, lanes in chunks
            ]
            for slot, (place, lanes) in zip(slots, chunks, strict=True):
                builder.store(sums.load(args[0], I64(place), lanes), slot)
            with cgutils.for_range(builder, args[4]) as loop:
                factor = builder.extract_element(factors.load(args[1], loop.index, 1), _I32(0))
                row = builder.add(args[3], builder.mul(loop.index, I64(size)))
                for slot, (place, lanes) in zip(slots, chunks, strict=True):
                    vector = numbers.load(args[2], builder.add(row, I64(place)), lanes)
                    product = builder.fmul(_repeat(builder, factor, lanes), vector)
                    builder.store(builder.fadd(builder.load(slot), product), slot)
            for slot, (place, lanes) in zip(slots, chunks, strict=True):
                sums.store(builder.load(slot), args[0], I64(place), lanes)
        return context.get_dummy_value()

    return types.none(target, values, matrix, types.int64, types.int64, width), codegen


def _polynomial(builder: Any, x: Any, terms: list[Any]) -> Any:
    """Return the sum of terms times powers of x as `memory.polynomial` computes it."""
    while len(terms) > 1:
        pairs = [
            builder.fadd(low, builder.fmul(high, x))
            for low, high in zip(terms[::2], terms[1::2], strict=False)
        ]
        terms = [*pairs, *terms[2 * len(pairs) :]]
        x = builder.fmul(x, x)
    return terms[0]


def _exponential(builder: Any, x: Any, lanes: int) -> Any:
    """Return the exponential of a vector as `memory.exponential` computes it, bit for bit."""
    integers = ir.VectorType(I64, lanes)

    def constant(value: float) -> Any:
        return ir.Constant(ir.VectorType(_DOUBLE, lanes), [value] * lanes)

    def integer(value: int) -> Any:
        return ir.Constant(integers, [value] * lanes)

    for relation, limit in ((">", -memory.MAX_EXPONENT), ("<", memory.MAX_EXPONENT)):
        inside = builder.fcmp_ordered(relation, x, constant(limit))
        x = builder.select(inside, x, constant(limit))
    sum_ = builder.fadd(builder.fmul(x, constant(memory.LOG_2_E)), constant(memory.TO_INTEGER))
    n = builder.fsub(sum_, constant(memory.TO_INTEGER))
    rest = builder.fsub(x, builder.fmul(n, constant(memory.LN_2_HIGH)))
    rest = builder.fsub(rest, builder.fmul(n, constant(memory.LN_2_LOW)))
    terms = [constant(term) for term in memory.EXPONENTIAL]
    result = _polynomial(builder, rest, terms)
    exponent = builder.add(builder.bitcast(sum_, integers), integer(_EXPONENT_BIAS))
    power_of_two = builder.shl(exponent, integer(_MANTISSA_BITS))
    return builder.fmul(result, builder.bitcast(power_of_two, x.type))


def _squashing(factor: float, height: float) -> Any:
    """Return the function that replaces x by 1 - height / (1 + exp(factor x))."""

    def apply(typingctx: Any, values: Any, scale: Any, width: Any) -> Any:
        size = _literal(width)

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            numbers = _Floats(builder, values)
            by = builder.fmul(args[1], _DOUBLE(factor))
            for place, lanes in _chunks(0, size):
                x = numbers.load(args[0], I64(place), lanes)
                product = builder.fmul(x, _repeat(builder, by, lanes))
                one, top = (ir.Constant(x.type, [value] * lanes) for value in (1.0, height))
                below = builder.fadd(_exponential(builder, product, lanes), one)
                value = builder.fsub(one, builder.fdiv(top, below))
                numbers.store(value, args[0], I64(place), lanes)
            return context.get_dummy_value()

        return types.none(values, types.float64, width), codegen

    return intrinsic(prefer_literal=True)(apply)


def _repeat(builder: Any, value: Any, lanes: int) -> Any:
    """Return a vector of equal numbers."""
    kind = ir.VectorType(value.type, lanes)
    undefined = ir.Constant(kind, ir.Undefined)
    single = builder.insert_element(undefined, value, _I32(0))
    mask = ir.Constant(ir.VectorType(_I32, lanes), [0] * lanes)
    return builder.shuffle_vector(single, undefined, mask)


def _add_up(builder: Any, vector: Any, lanes: int) -> Any:
    """Return the sum of a vector of int32."""
    name = f"llvm.vector.reduce.add.v{lanes}i32"
    kind = ir.FunctionType(_I32, [vector.type])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [vector])


COMPILED_VECTORS: dict[Any, Any] = COMPILED_MEMORY | {
    memory.sum_rows: sum_rows,
    memory.replace_rows: replace_rows,
    memory.limited_dot: limited_dot,
    memory.add_products: add_products,
    memory.apply_tanh: _squashing(2.0, 2.0),
    memory.apply_sigmoid: _squashing(1.0, 1.0),
}
"""The functions of `core.memory`, and their replacements in compiled code."""

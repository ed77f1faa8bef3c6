"""What compiled kernels need beyond Python: bit instructions, pointers and atomic access.

Importing this module imports Numba.
"""

import platform
import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from plyforge.compilation.explain import RULES
from plyforge.compilation.mpi_intrinsics import COMPILED_MPI
from plyforge.compilation.vectors import COMPILED_VECTORS
from plyforge.core import bits

_I1 = ir.IntType(1)
_I64 = ir.IntType(64)
_HAS_PAUSE = platform.machine().lower() in ("x86_64", "amd64")
_HAS_YIELD = sys.platform != "win32"
WORDS = types.CPointer(types.int64)
FLOATS = types.CPointer(types.float64)
UNSIGNED = types.CPointer(types.uint64)
OCTETS = types.CPointer(types.uint8)
SHORTS = types.CPointer(types.int16)
HALVES = types.CPointer(types.uint32)


def _word(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Widen any integer to 64 bits."""
    return context.cast(builder, value, kind, types.uint64 if kind == types.uint64 else types.int64)


def _require_integer(name: str, kind: Any) -> None:
    if not isinstance(kind, (types.Integer, types.Boolean)):
        raise TypingError(f"{name} needs an integer, not {kind}")


@intrinsic
def popcount(typingctx: Any, value: Any) -> Any:
    _require_integer("popcount", value)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(_word(context, builder, signature.args[0], args[0]))

    return types.int64(value), codegen


@intrinsic
def ctz(typingctx: Any, value: Any) -> Any:
    _require_integer("ctz", value)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(_word(context, builder, signature.args[0], args[0]), _I1(1))

    return types.int64(value), codegen


@intrinsic
def clz(typingctx: Any, value: Any) -> Any:
    _require_integer("clz", value)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(_word(context, builder, signature.args[0], args[0]), _I1(1))

    return types.int64(value), codegen


def _wide(kind: Any) -> Any:
    return types.uint64 if kind == types.uint64 else types.int64


@intrinsic
def byteswap(typingctx: Any, value: Any) -> Any:
    _require_integer("byteswap", value)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bswap(_word(context, builder, signature.args[0], args[0]))

    return _wide(value)(value), codegen


@intrinsic
def logical_shift(typingctx: Any, value: Any, count: Any) -> Any:
    _require_integer("logical_shift", value)
    _require_integer("logical_shift", count)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = _word(context, builder, signature.args[0], args[0])
        return builder.lshr(word, _word(context, builder, signature.args[1], args[1]))

    return _wide(value)(value, count), codegen


@intrinsic
def as_move(typingctx: Any, value: Any) -> Any:
    """Convert a yielded value to an int64 move; anything but an integer is the rules' error."""
    if not isinstance(value, types.Integer):
        raise TypingError(f"{RULES}a move must be an int, but this one is {value}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[0], signature.args[0], types.int64)

    return types.int64(value), codegen


def number_maker(kind: Any, hook: str, place: str) -> Any:
    """Return a function that converts what a hook returns to the expected kind of number.

    A float for an int, which may have lost bits, is an error in the rules, and so is None.
    """
    expected = "a number" if isinstance(kind, types.Float) else "an int"

    @intrinsic
    def as_number(typingctx: Any, value: Any) -> Any:
        actual = types.unliteral(value)
        if isinstance(actual, (types.Optional, types.NoneType)):
            raise TypingError(
                f"{RULES}'{hook}' returns None on one of its paths; return {expected} on every"
                f" path\n{place}"
            )
        if not _fits(actual, kind):
            raise TypingError(f"{RULES}'{hook}' returns {actual} instead of {expected}\n{place}")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return context.cast(builder, args[0], signature.args[0], kind)

        return kind(actual), codegen

    return as_number


def _pointer_to(kind: Any) -> Any:
    def at(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(kind))

        return kind(types.int64), codegen

    return intrinsic(at)


pointer = _pointer_to(WORDS)
floats = _pointer_to(FLOATS)
unsigned = _pointer_to(UNSIGNED)
octets = _pointer_to(OCTETS)
shorts = _pointer_to(SHORTS)
halves = _pointer_to(HALVES)


@intrinsic
def offset(typingctx: Any, words: Any, count: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.pointer_add(builder, args[0], builder.shl(args[1], _I64(3)))

    return words(words, types.int64), codegen


@intrinsic
def load_flag(typingctx: Any, memory: Any) -> Any:
    """Load a word atomically (relaxed), which LLVM neither tears nor moves out of a loop."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.bitcast(args[0], _I64.as_pointer())
        return builder.load_atomic(pointer, "monotonic", 8)

    return types.int64(memory), codegen


def _word_at(builder: Any, words: Any, index: Any) -> Any:
    place = cgutils.pointer_add(builder, words, builder.shl(index, _I64(3)))
    return builder.bitcast(place, _I64.as_pointer())


@intrinsic
def atomic_load(typingctx: Any, words: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_word_at(builder, args[0], args[1]), "seq_cst", 8)

    return types.int64(words, types.int64), codegen


@intrinsic
def atomic_store(typingctx: Any, words: Any, index: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _word_at(builder, args[0], args[1]), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(words, types.int64, types.int64), codegen


@intrinsic
def atomic_add(typingctx: Any, words: Any, index: Any, change: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _word_at(builder, args[0], args[1]), args[2], "seq_cst")

    return types.int64(words, types.int64, types.int64), codegen


@intrinsic
def replace_if(typingctx: Any, words: Any, index: Any, expected: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _word_at(builder, args[0], args[1])
        return builder.extract_value(
            builder.cmpxchg(place, args[2], args[3], "seq_cst", "seq_cst"), 1
        )

    return types.boolean(words, types.int64, types.int64, types.int64), codegen


def _call_llvm(builder: Any, name: str, returns: Any) -> Any:
    kind = ir.FunctionType(returns, ())
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), ())


@intrinsic
def pause(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if _HAS_PAUSE:
            _call_llvm(builder, "llvm.x86.sse2.pause", ir.VoidType())
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def yield_processor(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if _HAS_YIELD:
            _call_llvm(builder, "sched_yield", ir.IntType(32))
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def sleep(typingctx: Any, microseconds: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if _HAS_YIELD:
            number = ir.IntType(32)
            kind = ir.FunctionType(number, (number,))
            function = cgutils.get_or_insert_function(builder.module, kind, "usleep")
            builder.call(function, (builder.trunc(args[0], number),))
        return context.get_dummy_value()

    return types.void(types.int64), codegen


@intrinsic
def cycles(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _call_llvm(builder, "llvm.readcyclecounter", _I64)

    return types.int64(), codegen


@intrinsic
def prefetch(typingctx: Any, words: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), (pointer, number, number, number))
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        place = cgutils.pointer_add(builder, args[0], builder.shl(args[1], _I64(3)), pointer)
        builder.call(function, (place, number(0), number(3), number(1)))  # to read, keep, data
        return context.get_dummy_value()

    return types.void(words, types.int64), codegen


def state_finder(dtype: str, size: int) -> Any:
    """Return a function that finds the array of a level's state in the memory of all states."""
    kind = types.Array(getattr(types, dtype), 1, "C")
    item = kind.dtype.bitwidth // 8

    @intrinsic
    def state_at(typingctx: Any, states: Any, level: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            index = context.cast(builder, args[1], signature.args[1], types.int64)
            address = builder.add(args[0], builder.mul(index, _I64(item * size)))
            pointer = context.get_data_type(kind.dtype).as_pointer()
            array = make_array(kind)(context, builder)
            populate_array(
                array,
                data=builder.inttoptr(address, pointer),
                shape=cgutils.pack_array(builder, [_I64(size)]),
                strides=cgutils.pack_array(builder, [_I64(item)]),
                itemsize=_I64(item),
                meminfo=None,
            )
            return array._getvalue()

        return kind(types.int64, types.unliteral(level)), codegen

    return state_at


def position_maker(position: Any, place: str) -> Any:
    """Return a function that converts what `play` returns to a position of the declared types."""

    @intrinsic
    def as_position(typingctx: Any, value: Any) -> Any:
        _require_position(value, position, place)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = [
                context.cast(builder, builder.extract_value(args[0], index), actual, declared)
                for index, (actual, declared) in enumerate(zip(value, position, strict=True))
            ]
            result = context.make_tuple(builder, position, words)
            return impl_ret_borrowed(context, builder, position, result)

        return position(value), codegen

    return as_position


def _require_position(value: Any, position: Any, place: str) -> None:
    def error(what: str) -> TypingError:
        return TypingError(f"{RULES}'play' returns {what}\n{place}")

    fields = position.instance_class._fields
    if isinstance(value, types.Optional):
        raise error("no position on one of its paths")
    if not isinstance(value, types.BaseTuple):
        raise error(f"{value} instead of a position")
    if len(value) != len(fields):
        raise error(f"{len(value)} fields instead of {len(fields)}: {', '.join(fields)}")
    for field, actual, declared in zip(fields, value, position, strict=True):
        if not _fits(types.unliteral(actual), declared):
            raise error(f"{actual} for the field '{field}', which is declared {declared}")


def _fits(actual: Any, declared: Any) -> bool:
    if isinstance(declared, types.Array):
        return bool(actual == declared)
    if isinstance(declared, types.Float):
        return isinstance(actual, (types.Integer, types.Boolean, types.Float))
    return isinstance(actual, (types.Integer, types.Boolean))


COMPILED_FORMS: dict[Any, Any] = {
    bits.popcount: popcount,
    bits.ctz: ctz,
    bits.clz: clz,
    bits.byteswap: byteswap,
    bits.logical_shift: logical_shift,
    **COMPILED_VECTORS,
    **COMPILED_MPI,
}
"""Plain functions that rules, evaluations and kernels call, and their compiled replacements."""

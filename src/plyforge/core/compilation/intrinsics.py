"""What compiled kernels need beyond Python: bit instructions, pointers, an atomic load.

Importing this module imports Numba.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from plyforge.core import bits

_I1 = ir.IntType(1)
_I64 = ir.IntType(64)
WORDS = types.CPointer(types.int64)


def _word(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Any integer, widened to the 64 bits it has in Python."""
    return context.cast(builder, value, kind, types.uint64 if kind == types.uint64 else types.int64)


def _require_integer(name: str, kind: Any) -> None:
    if not isinstance(kind, (types.Integer, types.Boolean)):
        raise TypingError(f"{name} needs an integer, got {kind}")


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
    """A yielded value as an int64 move; anything but an integer is the author's mistake."""
    if not isinstance(value, types.Integer):
        raise TypingError(f"a move must be an int, but this one is {value}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[0], signature.args[0], types.int64)

    return types.int64(value), codegen


@intrinsic
def pointer(typingctx: Any, address: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(WORDS))

    return WORDS(types.int64), codegen


@intrinsic
def offset(typingctx: Any, words: Any, count: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.pointer_add(builder, args[0], builder.shl(args[1], _I64(3)))

    return WORDS(WORDS, types.int64), codegen


@intrinsic
def load_flag(typingctx: Any, words: Any) -> Any:
    """A relaxed atomic load: never hoisted out of a loop, never torn."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(args[0], "monotonic", 8)

    return types.int64(WORDS), codegen


COMPILED_FORMS: dict[Any, Any] = {
    bits.popcount: popcount,
    bits.ctz: ctz,
    bits.clz: clz,
    bits.byteswap: byteswap,
    bits.logical_shift: logical_shift,
}
"""Plain functions that rules may call, and what stands for them in compiled code."""

"""What compiled kernels need beyond Python: bit instructions, pointers, an atomic load.

Importing this module imports Numba.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

from plyforge.compilation.explain import RULES
from plyforge.core import bits

_I1 = ir.IntType(1)
_I64 = ir.IntType(64)
WORDS = types.CPointer(types.int64)
FLOATS = types.CPointer(types.float64)
UNSIGNED = types.CPointer(types.uint64)


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
        raise TypingError(f"{RULES}a move must be an int, but this one is {value}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[0], signature.args[0], types.int64)

    return types.int64(value), codegen


def number_maker(kind: Any, hook: str, place: str) -> Any:
    """A function from what a hook returns to exactly the kind of number that is wanted.

    A float for an int, which may have lost bits, is the author's mistake, and so is None.
    """
    wanted = "a number" if isinstance(kind, types.Float) else "an int"

    @intrinsic
    def as_number(typingctx: Any, value: Any) -> Any:
        given = types.unliteral(value)
        if isinstance(given, (types.Optional, types.NoneType)):
            raise TypingError(
                f"{RULES}'{hook}' returns None on one of its paths; return {wanted} on every"
                f" path\n{place}"
            )
        if not _fits(given, kind):
            raise TypingError(f"{RULES}'{hook}' returns {given} instead of {wanted}\n{place}")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return context.cast(builder, args[0], signature.args[0], kind)

        return kind(given), codegen

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


@intrinsic
def offset(typingctx: Any, words: Any, count: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.pointer_add(builder, args[0], builder.shl(args[1], _I64(3)))

    return words(words, types.int64), codegen


@intrinsic
def load_flag(typingctx: Any, words: Any) -> Any:
    """A relaxed atomic load: never hoisted out of a loop, never torn."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(args[0], "monotonic", 8)

    return types.int64(WORDS), codegen


@intrinsic
def unliteral(typingctx: Any, value: Any) -> Any:
    """A value whose type does not say what it is: a literal counts as a type of its own."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.return_type
        made = context.cast(builder, args[0], signature.args[0], kind)
        return impl_ret_borrowed(context, builder, kind, made)

    return types.unliteral(value)(value), codegen


def state_maker(state: Any, place: str) -> Any:
    """A function from what `advance` returns to exactly the type that `begin` returns."""

    @intrinsic
    def as_state(typingctx: Any, value: Any) -> Any:
        given = types.unliteral(value)
        numbers = isinstance(given, types.Number) and isinstance(state, types.Number)
        if given != state and not (numbers and _fits(given, state)):
            raise TypingError(
                f"{RULES}'advance' returns {given}, but 'begin' returns {state}\n{place}"
            )

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            made = context.cast(builder, args[0], signature.args[0], state)
            return impl_ret_borrowed(context, builder, state, made)

        return state(value), codegen

    return as_state


def position_maker(position: Any, place: str) -> Any:
    """A function from what `play` returns to a position of exactly the declared types."""

    @intrinsic
    def as_position(typingctx: Any, value: Any) -> Any:
        _require_position(value, position, place)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = [
                context.cast(builder, builder.extract_value(args[0], index), given, declared)
                for index, (given, declared) in enumerate(zip(value, position, strict=True))
            ]
            made = context.make_tuple(builder, position, words)
            return impl_ret_borrowed(context, builder, position, made)

        return position(value), codegen

    return as_position


def _require_position(value: Any, position: Any, place: str) -> None:
    def refuse(what: str) -> TypingError:
        return TypingError(f"{RULES}'play' returns {what}\n{place}")

    fields = position.instance_class._fields
    if isinstance(value, types.Optional):
        raise refuse("no position on one of its paths")
    if not isinstance(value, types.BaseTuple):
        raise refuse(f"{value} instead of a position")
    if len(value) != len(fields):
        raise refuse(f"{len(value)} fields instead of {len(fields)}: {', '.join(fields)}")
    for field, given, declared in zip(fields, value, position, strict=True):
        if not _fits(types.unliteral(given), declared):
            raise refuse(f"{given} for the field '{field}', which is declared {declared}")


def _fits(given: Any, declared: Any) -> bool:
    if isinstance(declared, types.Array):
        return bool(given == declared)
    if isinstance(declared, types.Float):
        return isinstance(given, (types.Integer, types.Boolean, types.Float))
    return isinstance(given, (types.Integer, types.Boolean))


COMPILED_FORMS: dict[Any, Any] = {
    bits.popcount: popcount,
    bits.ctz: ctz,
    bits.clz: clz,
    bits.byteswap: byteswap,
    bits.logical_shift: logical_shift,
}
"""Plain functions that rules may call, and what stands for them in compiled code."""

"""`core.memory` in machine code: numbers of any type at an address.

Importing this module imports Numba.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model
from numba.np.arrayobj import make_array

from plyforge.core import memory

BYTES = ir.IntType(8).as_pointer()
I64 = ir.IntType(64)


class NumbersType(types.Type):
    """A pointer to numbers, which are read as int64 or float64."""

    def __init__(self, element: Any) -> None:
        self.element = element
        self.wide = types.float64 if isinstance(element, types.Float) else types.int64
        super().__init__(f"numbers_{element}")

    @property
    def size(self) -> int:
        """The bytes of a number."""
        return int(self.element.bitwidth) // 8


@register_model(NumbersType)
class _PointerModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, BYTES)


def place_of(context: Any, builder: Any, kind: NumbersType, pointer: Any, index: Any) -> Any:
    """Return the address of the number at an index, as a pointer to bytes."""
    return cgutils.pointer_add(builder, pointer, builder.mul(index, I64(kind.size)))


@infer_global(operator.getitem)
class _GetNumber(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        numbers, index = args
        if isinstance(numbers, NumbersType) and isinstance(index, types.Integer):
            return signature(numbers.wide, numbers, types.int64)
        return None


@lower_builtin(operator.getitem, NumbersType, types.int64)
def _get_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    place = place_of(context, builder, kind, *args)
    stored = context.get_value_type(kind.element)
    value = builder.load(builder.bitcast(place, stored.as_pointer()), align=kind.size)
    return context.cast(builder, value, kind.element, kind.wide)


@infer_global(operator.setitem)
class _SetNumber(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        numbers, index, value = args
        if not isinstance(numbers, NumbersType) or not isinstance(index, types.Integer):
            return None
        if not isinstance(value, types.Number):
            return None
        return signature(types.none, numbers, types.int64, numbers.wide)


@lower_builtin(operator.setitem, NumbersType, types.int64, types.int64)
@lower_builtin(operator.setitem, NumbersType, types.int64, types.float64)
def _set_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    place = place_of(context, builder, kind, args[0], args[1])
    stored = context.get_value_type(kind.element)
    value = context.cast(builder, args[2], kind.wide, kind.element)
    builder.store(value, builder.bitcast(place, stored.as_pointer()), align=kind.size)
    return context.get_dummy_value()


def _numbers_at(element: Any) -> Any:
    """Return the function that finds numbers in a block: an address, or an array."""
    kind = NumbersType(element)

    def at(typingctx: Any, block: Any, start: Any) -> Any:
        is_array = isinstance(block, types.Array)
        if not is_array and not isinstance(block, types.Integer):
            raise TypingError(f"{block} is not a block of memory")

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            if is_array:
                data = make_array(block)(context, builder, args[0]).data
                pointer = builder.bitcast(data, BYTES)
            else:
                pointer = builder.inttoptr(args[0], BYTES)
            return cgutils.pointer_add(builder, pointer, args[1])

        return kind(block if is_array else types.int64, types.int64), codegen

    return intrinsic(at)


@intrinsic
def part(typingctx: Any, numbers: Any, start: Any) -> Any:
    if not isinstance(numbers, NumbersType):
        raise TypingError(f"{numbers} are not numbers in memory")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return place_of(context, builder, numbers, *args)

    return numbers(numbers, types.int64), codegen


COMPILED_MEMORY: dict[Any, Any] = {
    memory.int16s: _numbers_at(types.int16),
    memory.int32s: _numbers_at(types.int32),
    memory.int64s: _numbers_at(types.int64),
    memory.float32s: _numbers_at(types.float32),
    memory.float64s: _numbers_at(types.float64),
    memory.part: part,
}
"""The functions of `core.memory` about single numbers, and their replacements."""

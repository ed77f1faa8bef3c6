"""Records and arrays of records as Numba types: pointers to structs.

LLVM assumes that any two pointers may overlap, and reads everything again after every store.  Two
kinds of metadata tell it more: a field overlaps no other field, and one that is fixed is the same
whenever it is read.

Importing this module imports Numba.
"""

import ctypes
import hashlib
import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_global,
    signature,
)
from numba.extending import infer_getattr, intrinsic, models, register_model

from plyforge.compilation.records import (
    Record,
    cache,
    constants_of,
    describe,
    element_of,
    fields_of,
    fixed_fields,
    structure,
)

_BYTES = ir.IntType(8).as_pointer()
_I64 = ir.IntType(64)


class RecordType(types.Type):
    """A pointer to a record."""

    def __init__(self, record: type[Record]) -> None:
        self.record = record
        self.kinds = {name: _field_type(kind) for name, kind in fields_of(record).items()}
        self.layout = structure(record)
        self.constants = constants_of(record)
        self.fixed = fixed_fields(record)
        # Symbols contain the name, so it is short.
        digest = hashlib.sha256(describe(record).encode()).hexdigest()[:16]
        super().__init__(f"{record.__name__}_{digest}")


class RecordArray(types.Type):
    """A pointer to the first of several records."""

    def __init__(self, element: RecordType) -> None:
        self.element = element
        super().__init__(f"{element.name}_array")


@cache
def record_type(record: type[Record]) -> RecordType:
    """Return the Numba type of a record."""
    return RecordType(record)


def _field_type(kind: Any) -> Any:
    element = element_of(kind)
    if element is None:
        return types.float64 if kind is float else types.int64
    if isinstance(element, str):
        return types.CPointer(getattr(types, element))
    return RecordArray(record_type(element))


@register_model(RecordType)
@register_model(RecordArray)
class _PointerModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _BYTES)


@infer_getattr
class _Fields(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, record: RecordType, name: str) -> Any:
        return record.kinds.get(name)


def _place(context: Any, builder: Any, record: RecordType, pointer: Any, name: str) -> Any:
    """Return the address of a field; arrays are stored as addresses, which are int64."""
    kind = record.kinds[name]
    stored = context.get_data_type(kind) if isinstance(kind, types.Number) else _I64
    at = cgutils.pointer_add(builder, pointer, _I64(getattr(record.layout, name).offset))
    return builder.bitcast(at, stored.as_pointer())


@lower_getattr_generic(RecordType)
def _get_field(context: Any, builder: Any, record: RecordType, pointer: Any, name: str) -> Any:
    kind = record.kinds[name]
    if name in record.constants:
        return context.get_constant(kind, record.constants[name])
    value = builder.load(_place(context, builder, record, pointer, name))
    _separate(builder, value, record, name)
    if name in record.fixed:
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    if isinstance(kind, types.Number):
        return value
    return builder.inttoptr(value, context.get_value_type(kind))


@lower_setattr_generic(RecordType)
def _set_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    record, given = sig.args
    kind = record.kinds[name]
    if name in record.fixed:
        raise TypeError(f"'{name}' cannot be assigned: it does not change while a kernel runs")
    value = context.cast(builder, args[1], given, kind)
    store = builder.store(value, _place(context, builder, record, args[0], name))
    _separate(builder, store, record, name)


def _separate(builder: Any, access: Any, record: RecordType, name: str) -> None:
    """Mark an access as one of this field and of no other."""
    module = builder.module
    root = module.add_metadata(["plyforge fields"])
    field = module.add_metadata([f"{record.name}.{name}", root, _I64(0)])
    access.set_metadata("tbaa", module.add_metadata([field, field, _I64(0)]))


@infer_global(operator.getitem)
class _GetRecord(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        array, index = args
        if isinstance(array, RecordArray) and isinstance(index, types.Integer):
            return signature(array.element, array, types.int64)
        return None


@lower_builtin(operator.getitem, RecordArray, types.int64)
def _get_record(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    size = ctypes.sizeof(sig.args[0].element.layout)
    return cgutils.pointer_add(builder, args[0], builder.mul(args[1], _I64(size)))


def record_at(record: type[Record]) -> Any:
    """Return a function that turns an address into a record."""
    kind = record_type(record)

    @intrinsic
    def at(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], _BYTES)

        return kind(types.int64), codegen

    return at


@intrinsic
def copy_record(typingctx: Any, target: Any, source: Any) -> Any:
    if not isinstance(target, RecordType) or target != source:
        raise TypingError(f"cannot copy {source} to {target}")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        size = ctypes.sizeof(sig.args[0].layout)
        cgutils.raw_memcpy(builder, args[0], args[1], _I64(size), 1)
        return context.get_dummy_value()

    return types.void(target, source), codegen

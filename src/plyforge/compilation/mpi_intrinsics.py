"""`mpi` in compiled code: the functions of the MPI library, called by name.

Importing this module imports Numba.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from plyforge.compilation import mpi

_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_POINTER = _I8.as_pointer()
_ANY_SOURCE = -1
_FLAG, _STATUS = 0, 1
"""Where the flag and the status are in the scratch words."""


def _call(builder: Any, name: str, *arguments: Any) -> Any:
    """Call a function of the library, all of which return an error as an int."""
    kind = ir.FunctionType(_I32, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    return builder.call(function, arguments)


def _pointer(builder: Any, words: Any, index: int = 0) -> Any:
    place = builder.gep(builder.bitcast(words, _I64.as_pointer()), [_I64(index)])
    return builder.bitcast(place, _POINTER)


def _handle(builder: Any, value: Any) -> Any:
    """Turn a handle into a pointer, which it is in Open MPI."""
    return builder.inttoptr(value, _POINTER)


def _int(builder: Any, value: Any) -> Any:
    return builder.trunc(value, _I32)


def _load_flag(builder: Any, scratch: Any) -> Any:
    place = builder.bitcast(_pointer(builder, scratch, _FLAG), _I32.as_pointer())
    return builder.icmp_signed("!=", builder.load(place), _I32(0))


@intrinsic
def probe(typingctx: Any, scratch: Any, communicator: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        words, handle = args
        status = _pointer(builder, words, _STATUS)
        comm = _handle(builder, handle)
        flag = _pointer(builder, words, _FLAG)
        error = _call(builder, "MPI_Iprobe", _I32(_ANY_SOURCE), _I32(mpi.TAG), comm, flag, status)
        found = builder.and_(builder.icmp_signed("==", error, _I32(0)), _load_flag(builder, words))
        source = builder.load(builder.bitcast(status, _I32.as_pointer()))
        return builder.select(found, builder.sext(source, _I64), _I64(-1))

    return types.int64(scratch, types.int64), codegen


@intrinsic
def receive(
    typingctx: Any,
    words: Any,
    count: Any,
    source: Any,
    scratch: Any,
    communicator: Any,
    datatype: Any,
) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        buffer, size, sender, memory, comm, kind = args
        error = _call(
            builder,
            "MPI_Recv",
            _pointer(builder, buffer),
            _int(builder, size),
            _handle(builder, kind),
            _int(builder, sender),
            _I32(mpi.TAG),
            _handle(builder, comm),
            _pointer(builder, memory, _STATUS),
        )
        return builder.sext(error, _I64)

    word = types.int64
    return word(words, word, word, scratch, word, word), codegen


@intrinsic
def send(
    typingctx: Any,
    words: Any,
    count: Any,
    target: Any,
    request: Any,
    communicator: Any,
    datatype: Any,
) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        buffer, size, receiver, place, comm, kind = args
        error = _call(
            builder,
            "MPI_Isend",
            _pointer(builder, buffer),
            _int(builder, size),
            _handle(builder, kind),
            _int(builder, receiver),
            _I32(mpi.TAG),
            _handle(builder, comm),
            _pointer(builder, place),
        )
        return builder.sext(error, _I64)

    word = types.int64
    return word(words, word, word, request, word, word), codegen


@intrinsic
def is_sent(typingctx: Any, request: Any, scratch: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, memory = args
        flag = _pointer(builder, memory, _FLAG)
        status = _pointer(builder, memory, _STATUS)
        _call(builder, "MPI_Test", _pointer(builder, place), flag, status)
        return _load_flag(builder, memory)

    return types.boolean(request, scratch), codegen


COMPILED_MPI: dict[Any, Any] = {
    mpi.mpi_probe: probe,
    mpi.mpi_receive: receive,
    mpi.mpi_send: send,
    mpi.mpi_is_sent: is_sent,
}
"""The functions of `mpi` that kernels call, and their replacements in compiled code."""

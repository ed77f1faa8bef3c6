"""Messages between processes by MPI, from kernels: send, look for a message, receive.

Kernels call the functions below.  In compiled code each is a call of the MPI library's own C
function by its name (see `mpi_intrinsics`), so no address is kept in a stored kernel; the library
must have been loaded by `load_library` before a kernel that uses it is loaded.  In the backend
`python` they use mpi4py.  None of them blocks: a message is received only once it has arrived.

A message is an array of words.  Everything but `load_library` needs an MPI that was started.
"""

import ctypes
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError

TAG: Final = 7
"""The tag of all messages of kernels."""
SCRATCH_WORDS: Final = 8
"""The size of the memory for what the library reports: a flag, and a status."""
INSTALL: Final = "install mpi4py and Open MPI: pip install 'plyforge[mpi]'"


@cache
def load_library() -> str:
    """Load the MPI library for kernels, without starting MPI; return its path."""
    if sys.platform != "linux":
        raise PlyforgeError("searches on several processes need MPI, which needs Linux here")
    try:
        import mpi4py
    except ImportError:
        raise PlyforgeError(f"mpi4py is not installed; {INSTALL}") from None
    started = "mpi4py.MPI" in sys.modules
    if not started:
        mpi4py.rc.initialize = False
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise PlyforgeError(f"mpi4py cannot load an MPI library ({error}); {INSTALL}") from None
    if "Open MPI" not in MPI.Get_library_version():
        raise PlyforgeError(
            "searches on several processes need Open MPI, and mpi4py uses"
            f" {MPI.Get_library_version().splitlines()[0]}; {INSTALL}"
        )
    path = _loaded_path()
    ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
    return path


def _loaded_path() -> str:
    """Return the path of the library that mpi4py uses."""
    with Path("/proc/self/maps").open(encoding="utf-8") as lines:
        for line in lines:
            path = line.rstrip("\n").partition("/")[2]
            if path.rpartition("/")[2].startswith("libmpi.so"):
                return "/" + path
    raise PlyforgeError(f"mpi4py uses an MPI library that is not 'libmpi.so'; {INSTALL}")


def datatype_handle() -> int:
    """Return the library's handle of 64-bit integers."""
    from mpi4py import MPI

    return int(MPI.INT64_T.handle)


# Called by kernels.  `communicator` and `datatype` are handles of the library.


def mpi_probe(scratch: Any, communicator: int) -> int:
    """Return the process whose message has arrived first, or -1."""
    from mpi4py import MPI

    status = MPI.Status()
    arrived = MPI.Comm.fromhandle(communicator).iprobe(MPI.ANY_SOURCE, TAG, status)
    return int(status.Get_source()) if arrived else -1


def mpi_receive(
    words: Any, count: int, source: int, scratch: Any, communicator: int, datatype: int
) -> int:
    """Receive a message of at most `count` words that has arrived; return 0, or an error."""
    from mpi4py import MPI

    data = np.zeros(count, np.int64)
    status = MPI.Status()
    MPI.Comm.fromhandle(communicator).Recv([data, MPI.INT64_T], source, TAG, status)
    for index in range(status.Get_count(MPI.INT64_T)):
        words[index] = int(data[index])
    return 0


_pending: dict[int, Any] = {}
"""Messages of the backend `python` that are being sent, by the numbers of their requests."""


def mpi_send(
    words: Any, count: int, target: int, request: Any, communicator: int, datatype: int
) -> int:
    """Start to send words, which must stay as they are; return 0, or an error.

    The first word of `request` then identifies the message for `mpi_is_sent`.
    """
    from mpi4py import MPI

    data = np.array([words[index] for index in range(count)], np.int64)
    sending = MPI.Comm.fromhandle(communicator).Isend([data, MPI.INT64_T], target, TAG)
    number = max(_pending, default=0) + 1
    _pending[number] = sending, data
    request[0] = number
    return 0


def mpi_is_sent(request: Any, scratch: Any) -> bool:
    """Whether the words of a message may be changed again."""
    sending, _ = _pending[request[0]]
    if not sending.Test():
        return False
    del _pending[request[0]]
    return True

"""One process at a time compiles a kernel; the others wait for it and load the result."""

import importlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

fcntl: Any
try:
    fcntl = importlib.import_module("fcntl")
except ImportError:  # Windows: two processes may compile the same kernel, which is only slower
    fcntl = None

_INTERVAL: Final = 0.1
_MAX_WAIT: Final = 600.0
"""Seconds after which a process no longer waits for another one."""


@contextmanager
def kernel_lock(file: Path, announce: Callable[[], object]) -> Iterator[None]:
    """Hold the lock in a file; call `announce` once if another process holds it.

    The system releases the lock of a process that ends.  A folder that cannot be written has no
    locks.
    """
    handle = _acquire(file, announce)
    try:
        yield
    finally:
        if handle is not None:
            # Removed while it is held: who waits notices that the file is another one.
            with suppress(OSError):
                file.unlink()
            os.close(handle)


def _acquire(file: Path, announce: Callable[[], object]) -> int | None:
    if fcntl is None:
        return None
    end, announced = time.monotonic() + _MAX_WAIT, False
    while time.monotonic() < end:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(file, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_current(file, handle):
                return handle
            os.close(handle)
            continue
        except BlockingIOError:
            os.close(handle)
        except OSError:  # a file system without locks
            os.close(handle)
            return None
        if not announced:
            announced = True
            announce()
        time.sleep(_INTERVAL)
    return None


def _is_current(file: Path, handle: int) -> bool:
    """Return whether a file is still the one that was opened."""
    try:
        return os.path.samestat(file.stat(), os.fstat(handle))
    except OSError:
        return False

"""One process at a time compiles a kernel; the others wait for it and load the result."""

import errno
import importlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


fcntl: Any = _module("fcntl")
msvcrt: Any = _module("msvcrt")
"""The locks of POSIX and of Windows; the other module is None."""
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
            # Windows keeps it, and its lock counts only as long as a process holds it.
            with suppress(OSError):
                file.unlink()
            _unlock(handle)
            os.close(handle)


def _acquire(file: Path, announce: Callable[[], object]) -> int | None:
    if fcntl is None and msvcrt is None:
        return None
    end, announced = time.monotonic() + _MAX_WAIT, False
    while time.monotonic() < end:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(file, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:
            return None
        try:
            _lock(handle)
            if _is_current(file, handle):
                return handle
            _unlock(handle)
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


def _lock(handle: int) -> None:
    """Lock an open file; raise `BlockingIOError` if another process has locked it."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EDEADLK):
            raise BlockingIOError from error
        raise


def _unlock(handle: int) -> None:
    """Unlock a file; POSIX does that when it is closed."""
    if fcntl is None:
        os.lseek(handle, 0, os.SEEK_SET)
        with suppress(OSError):
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)


def _is_current(file: Path, handle: int) -> bool:
    """Return whether a file is still the one that was opened."""
    try:
        return os.path.samestat(file.stat(), os.fstat(handle))
    except OSError:
        return False

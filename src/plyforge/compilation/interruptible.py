"""Run a kernel so that Ctrl-C stops it at once.

Python handles signals in the main thread, between bytecodes; a kernel that ran there would delay
them.  So it runs in another thread, while the main thread waits and sets the stop word.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


def run(kernel: Callable[[], T], stop: Callable[[], None]) -> T:
    """Return the kernel's result; on Ctrl-C, call `stop`, which must make the kernel return."""
    if threading.current_thread() is not threading.main_thread():
        return kernel()
    result: list[T] = []
    failure: list[BaseException] = []
    # Not Thread.join: once interrupted, it treats a running thread as ended (Python 3.11, 3.12).
    done = threading.Event()

    def work() -> None:
        try:
            result.append(kernel())
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=work, name="plyforge-kernel")
    try:
        thread.start()
        _wait(done)
    except BaseException:
        stop()
        if thread.ident is not None:
            _wait(done)
        raise
    if failure:
        raise failure[0]
    return result[0]


def _wait(done: threading.Event) -> None:
    """Wait in small steps: on Windows, signals are not handled during a wait."""
    while not done.wait(0.1):
        pass


@contextmanager
def keep_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end of the block if Ctrl-C was pressed and lost inside.

    LLVM calls back into Python while it compiles; ctypes prints and drops what is raised there.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    interrupted = False
    hook = sys.unraisablehook

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        before(number, frame)

    def drop(unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            hook(unraisable)

    signal.signal(signal.SIGINT, note)
    sys.unraisablehook = drop
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = hook
    if interrupted:
        raise KeyboardInterrupt

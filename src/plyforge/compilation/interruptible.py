"""Run a kernel so that Ctrl-C stops it at once.

Python handles signals in the main thread, between bytecodes; a kernel that runs there delays them.
But Python's C handler immediately writes the number of every signal to a file descriptor, if one
is set.  One thread per process reads it, and stops the kernel of the main thread.  Meanwhile the
handler of SIGINT only notes the interrupt, so that `KeyboardInterrupt` is raised when the kernel
has returned and not somewhere in the code around it; a second Ctrl-C raises it at once.  Compiled
code that never looks at its stop flag, such as an endless loop in somebody's rules, cannot be left:
there the second Ctrl-C ends the process.

A program with handlers of its own expects them to be called while a kernel runs, and one with its
own wakeup descriptor (asyncio on Windows) expects the bytes.  There the kernel runs in a thread,
and the main thread waits for it.
"""

# The functions of `signal` turn handlers into enums and back, which takes 20 µs for each run.
import _signal  # type: ignore[import-not-found]
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any, Final, TypeVar

T = TypeVar("T")
Stop = Callable[[], None]
"""Makes a kernel return soon; called from any thread, possibly more than once."""

_INTERVAL: Final = 0.2
"""Seconds between two calls of `stop`."""
_TIME_TO_STOP = 3.0
"""Seconds that a kernel has to stop before a second Ctrl-C ends the process."""
_FLUSH: Final = 0
"""Written after all signals to learn whether they have been read; no signal has this number."""
_OTHER_SIGNALS: Final = tuple(
    int(getattr(signal, name))
    for name in ("SIGTERM", "SIGALRM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGBREAK")
    if hasattr(signal, name)
)
"""Signals whose handlers should not have to wait for a kernel."""


def run(kernel: Callable[[], T], stop: Stop) -> T:
    """Return the kernel's result; on Ctrl-C, stop the kernel and raise KeyboardInterrupt."""
    if threading.current_thread() is not threading.main_thread():
        return kernel()
    handler = _signal.getsignal(signal.SIGINT)
    if not callable(handler):  # SIGINT is ignored, or ends the process
        return kernel()
    watcher = _get_watcher()
    if watcher is not None and handler == watcher.note:
        return watcher.run_within(kernel, stop)
    if watcher is None or handler is not signal.default_int_handler or _has_other_handlers():
        return _run_in_thread(kernel, stop)
    return watcher.run(kernel, stop)


def stopper(words: Any, index: int) -> Stop:
    """Return a function that sets the word which tells a kernel to stop."""

    def stop() -> None:
        words[index] = 1

    return stop


def _has_other_handlers() -> bool:
    for number in _OTHER_SIGNALS:  # noqa: SIM110 - a generator takes three times as long
        if callable(_signal.getsignal(number)):
            return True
    return False


class _Watcher:
    """Runs kernels in the main thread, and stops them from a thread that reads signals."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        if sys.platform != "win32":  # required there, impossible here
            os.set_blocking(self._writer, False)
        self._stops: list[Stop] = []
        """How to stop the kernels that run, the innermost last."""
        self._running = threading.Lock()
        """Held by the main thread while a kernel runs."""
        self._interrupted = self._closing = False
        self._flushed = threading.Event()
        threading.Thread(target=self._watch, name="plyforge-interrupts", daemon=True).start()

    def run(self, kernel: Callable[[], T], stop: Stop) -> T:
        """Run a kernel in this thread; the handler of SIGINT is the default one."""
        self._interrupted = self._closing = False
        try:
            with self._running:
                return self._run_watched(kernel, stop)
        finally:
            if self._interrupted:
                self._flush()
                raise KeyboardInterrupt

    def _run_watched(self, kernel: Callable[[], T], stop: Stop) -> T:
        _signal.signal(signal.SIGINT, self.note)
        descriptor = -1
        try:
            self._stops.append(stop)
            descriptor = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
            if descriptor == -1:
                if self._interrupted:
                    stop()
                return kernel()
        finally:
            self._closing = True
            # In this order: `note` is called for every signal that was written.
            signal.set_wakeup_fd(descriptor)
            if _signal.getsignal(signal.SIGINT) == self.note:
                _signal.signal(signal.SIGINT, signal.default_int_handler)
            self._stops.clear()
        return _run_in_thread(kernel, stop)  # somebody else's descriptor is set

    def run_within(self, kernel: Callable[[], T], stop: Stop) -> T:
        """Run a kernel within another one's run, as a report of an analysis may."""
        self._stops.append(stop)
        try:
            if self._interrupted:
                stop()
            result = kernel()
        finally:
            self._stops.remove(stop)
        if self._interrupted:
            raise KeyboardInterrupt
        return result

    def note(self, number: int, frame: FrameType | None) -> None:
        """Handle SIGINT while a kernel runs."""
        if self._interrupted and not self._closing:
            signal.default_int_handler(number, frame)
        self._interrupted = True
        self._stop_all()

    def _stop_all(self) -> None:
        for stop in list(self._stops):
            stop()

    def _watch(self) -> None:
        while True:
            for number in os.read(self._reader, 64):
                if number == _FLUSH:
                    self._flushed.set()
                elif number == signal.SIGINT:
                    self._stop_until_ended()

    def _stop_until_ended(self) -> None:
        """Stop again and again: a kernel that was just starting may have missed it."""
        self._stop_all()
        end = monotonic() + _TIME_TO_STOP
        while not self._running.acquire(timeout=_INTERVAL):
            self._stop_all()
            if monotonic() > end and self._is_interrupted_again():
                sys.stderr.write("\nplyforge: compiled code does not stop; the process ends\n")
                os._exit(128 + signal.SIGINT)
        self._running.release()

    def _is_interrupted_again(self) -> bool:
        """Whether another Ctrl-C is waiting to be read."""
        if sys.platform == "win32" or not select.select([self._reader], [], [], 0)[0]:
            return False
        numbers = os.read(self._reader, 64)
        if _FLUSH in numbers:
            self._flushed.set()
        return signal.SIGINT in numbers

    def _flush(self) -> None:
        """Wait until the watcher has read all signals: a late one would stop the next kernel."""
        self._flushed.clear()
        os.write(self._writer, bytes([_FLUSH]))
        self._flushed.wait()


_watcher: _Watcher | None = None


def _get_watcher() -> _Watcher | None:
    """Return the watcher of this process; None if there can be none."""
    global _watcher
    if _watcher is None:
        try:
            _watcher = _Watcher()
        except (OSError, RuntimeError):  # no descriptor or thread is left
            return None
    return _watcher


def _forget_watcher() -> None:
    """Make a forked process start a watcher of its own: threads do not survive a fork."""
    global _watcher
    _watcher = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_watcher)


def _run_in_thread(kernel: Callable[[], T], stop: Stop) -> T:
    """Run a kernel in another thread, and let this one handle signals."""
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
        # In small steps: on Windows, signals are not handled during a wait.
        while not done.wait(_INTERVAL):
            pass
    except BaseException:
        stop()
        while thread.ident is not None and not done.wait(_INTERVAL):
            stop()
        raise
    if failure:
        raise failure[0]
    return result[0]


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

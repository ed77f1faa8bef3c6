"""Ctrl-C stops a kernel, and kernels run in any thread."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyforge.compilation import interruptible
from plyforge.compilation.interruptible import run
from plyforge.core.randomness import Stream
from tests.compilation.conftest import TAKE_AWAY, Sandbox
from tests.processes import popen
from tests.processes import run as run_process

DEEP = """
import sys, threading, time
import plyforge
game = plyforge.load(sys.argv[1])
game.perft(game.initial(), 2)
print("ready", flush=True)
try:
    game.perft(game.initial(), 150)
except KeyboardInterrupt:
    time.sleep(0.2)
    names = [thread.name for thread in threading.enumerate()]
    print("interrupted", names.count("plyforge-kernel"), flush=True)
    assert game.perft(game.initial(), 3) == 27
    raise
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
@pytest.mark.parametrize("times", [1, pytest.param(3, marks=pytest.mark.long)])
def test_ctrl_c_stops_a_count_that_would_take_years(sandbox: Sandbox, times: int) -> None:
    game = sandbox.game(source=TAKE_AWAY.replace("Position(12, 0)", "Position(10**9, 0)"))
    process = popen(
        [sys.executable, "-c", DEEP, str(game)],
        env={**os.environ, "PLYFORGE_CACHE": str(sandbox.cache)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.05 if times > 1 else 0)
        output, errors = process.communicate(timeout=120)
    finally:
        process.kill()
        process.wait()
    if times == 1:
        assert output == "interrupted 0\n"
    assert "KeyboardInterrupt" in errors


def test_a_kernel_runs_in_another_thread(load: Any) -> None:
    game = load(TAKE_AWAY)
    counts: list[int] = []
    threads = [
        threading.Thread(target=lambda: counts.append(game.perft(game.initial(), 4)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [81] * 4


# The ways to run a kernel

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently")


@pytest.fixture
def default_handler() -> Iterator[None]:
    """Let SIGINT raise KeyboardInterrupt; a shell may have started the tests with it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Looping:
    """A kernel that runs until it is stopped, for some seconds at most."""

    def __init__(self, seconds: float = 20.0) -> None:
        self.thread: threading.Thread | None = None
        self.stopped = False
        self._seconds = seconds

    def __call__(self) -> str:
        self.thread = threading.current_thread()
        end = time.monotonic() + self._seconds
        while not self.stopped and time.monotonic() < end:
            time.sleep(0.001)
        return "stopped" if self.stopped else "ended"

    def stop(self) -> None:
        self.stopped = True

    @property
    def in_main_thread(self) -> bool:
        return self.thread is threading.main_thread()


def press_ctrl_c(after: float = 0.05) -> None:
    threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT)).start()


@pytest.mark.parametrize("handler", ["default", "own"])
def test_an_error_in_the_kernel_reaches_the_caller(handler: str, default_handler: None) -> None:
    def fails() -> int:
        raise ValueError("inside")

    if handler == "own":
        signal.signal(signal.SIGINT, lambda number, frame: None)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ValueError, match="inside"):
        run(fails, lambda: None)
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1


@needs_signals
def test_an_interrupt_stops_a_kernel_in_the_main_thread(default_handler: None) -> None:
    kernel = Looping()
    press_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        run(kernel, kernel.stop)
    assert kernel.in_main_thread
    assert kernel.stopped
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.set_wakeup_fd(-1) == -1
    again = Looping(0.3)
    assert run(again, again.stop) == "ended"


@needs_signals
def test_an_interrupt_before_the_kernel_starts_stops_it(default_handler: None) -> None:
    def stop_at_once() -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return kernel()

    kernel = Looping()
    with pytest.raises(KeyboardInterrupt):
        run(stop_at_once, kernel.stop)
    assert kernel.stopped


@needs_signals
def test_a_second_interrupt_leaves_python_code_that_does_not_stop(default_handler: None) -> None:
    kernel = Looping()
    press_ctrl_c(0.05)
    press_ctrl_c(0.15)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run(kernel, lambda: None)
    assert time.monotonic() - started < 15
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@needs_signals
def test_an_ignored_interrupt_stops_nothing(default_handler: None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    kernel = Looping(0.3)
    press_ctrl_c()
    assert run(kernel, kernel.stop) == "ended"
    assert kernel.in_main_thread


@needs_signals
def test_another_handler_is_called_while_the_kernel_runs(default_handler: None) -> None:
    calls = []
    signal.signal(signal.SIGINT, lambda number, frame: calls.append(kernel.stopped))
    kernel = Looping(0.5)
    press_ctrl_c()
    assert run(kernel, kernel.stop) == "ended"
    assert calls == [False]
    assert not kernel.in_main_thread


@needs_signals
def test_another_handler_that_raises_stops_the_kernel(default_handler: None) -> None:
    def leave(number: int, frame: object) -> None:
        raise LookupError("own handler")

    signal.signal(signal.SIGINT, leave)
    kernel = Looping()
    press_ctrl_c()
    with pytest.raises(LookupError, match="own handler"):
        run(kernel, kernel.stop)
    assert kernel.stopped


@needs_signals
def test_handlers_of_other_signals_do_not_wait_for_the_kernel(default_handler: None) -> None:
    def leave(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, leave)
    kernel = Looping()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TimeoutError):
            run(kernel, kernel.stop)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert kernel.stopped
    assert not kernel.in_main_thread


@needs_signals
def test_a_wakeup_descriptor_of_another_library_keeps_its_bytes(default_handler: None) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    kernel = Looping()
    signal.set_wakeup_fd(writer)
    try:
        press_ctrl_c()
        with pytest.raises(KeyboardInterrupt):
            run(kernel, kernel.stop)
    finally:
        assert signal.set_wakeup_fd(-1) == writer
    assert os.read(reader, 9) == bytes([signal.SIGINT])
    assert kernel.stopped
    os.close(reader)
    os.close(writer)


@needs_signals
def test_a_kernel_within_another_is_stopped_with_it(default_handler: None) -> None:
    inner, outer = Looping(), Looping(0.0)

    def nested() -> str:
        with pytest.raises(KeyboardInterrupt):
            run(inner, inner.stop)
        return outer()

    press_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        run(nested, outer.stop)
    assert inner.stopped
    assert outer.stopped
    assert run(lambda: run(lambda: 5, outer.stop), outer.stop) == 5


@needs_signals
def test_a_handler_that_the_kernel_sets_stays(default_handler: None) -> None:
    def own(number: int, frame: object) -> None:
        pass

    run(lambda: signal.signal(signal.SIGINT, own), lambda: None)
    assert signal.getsignal(signal.SIGINT) is own


@needs_signals
def test_without_descriptors_the_kernel_runs_in_a_thread(
    default_handler: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OSError("too many open files")

    monkeypatch.setattr(interruptible, "_watcher", None)
    monkeypatch.setattr(interruptible, "_Watcher", fail)
    kernel = Looping()
    press_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        run(kernel, kernel.stop)
    assert kernel.stopped
    assert not kernel.in_main_thread


@needs_signals
def test_no_interrupt_is_lost_and_none_stops_the_next_kernel(default_handler: None) -> None:
    """Interrupts come before, within and after kernels."""
    stream = Stream(1)
    for _ in range(80):
        kernel = Looping(0.0)
        pause = stream.below(400) * 1e-6
        thread = threading.Thread(target=_press_after, args=[pause])
        try:
            thread.start()
            assert run(kernel, kernel.stop) == "ended"
            assert not kernel.stopped, "an interrupt of an earlier kernel stopped this one"
            time.sleep(20)
            raise AssertionError("an interrupt was lost")
        except KeyboardInterrupt:
            thread.join()


def _press_after(seconds: float) -> None:
    """Send SIGINT to the main thread: another thread would not wake it from its sleep."""
    time.sleep(seconds)
    main = threading.main_thread().ident
    assert main is not None
    signal.pthread_kill(main, signal.SIGINT)


IN_ASYNCIO = """
import asyncio, sys
import plyforge

async def main():
    engine = plyforge.Engine("tictactoe", backend="python", driver=loop, entries=256)
    print("ready", flush=True)
    engine.analyse(depth=3)

def loop(windows, guess):
    while True:
        windows.search(-1, 1)
        windows._useless = 0

try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted")
"""
AFTER_A_FORK = """
import os, signal, time
import plyforge
engine = plyforge.Engine("tictactoe", backend="python", entries=256)
engine.analyse(depth=1)
child = os.fork()
if child:
    print("ready", flush=True)
    time.sleep(0.5)
    os.kill(child, signal.SIGINT)
    print("interrupted" if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7 else "lost")
else:
    def loop(windows, guess):
        while True:
            windows.search(-1, 1)
            windows._useless = 0
    try:
        plyforge.Engine("tictactoe", backend="python", driver=loop, entries=256).analyse(depth=3)
    except KeyboardInterrupt:
        os._exit(7)
"""


@needs_signals
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(IN_ASYNCIO, id="asyncio"),
        pytest.param(AFTER_A_FORK, id="fork", marks=pytest.mark.long),
    ],
)
def test_interrupts_arrive_in_other_surroundings(script: str) -> None:
    process = popen(
        [sys.executable, "-W", "ignore", "-c", script], text=True, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        for _ in range(2 * (script is IN_ASYNCIO)):  # asyncio only cancels its task at the first
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert output == "interrupted\n"


def test_nothing_is_written_to_the_folder_of_a_game(sandbox: Sandbox, load: Any) -> None:
    game = load(TAKE_AWAY)
    folder = Path(game.rules.file).parent
    game.perft(game.initial(), 1)
    assert [path.name for path in folder.iterdir()] == ["game.py"]


INTERRUPTED_IN_LLVM = """
import os, signal, sys
from numba.core import codegen

hook = codegen.JITCodeLibrary._object_compiled_hook

def interrupting_hook(*arguments):
    os.kill(os.getpid(), signal.SIGINT)
    return hook(*arguments)

codegen.JITCodeLibrary._object_compiled_hook = interrupting_hook
from plyforge.__main__ import main
sys.argv = ["plyforge", "perft", "tictactoe", "--depth", "2"]
main()
"""


@pytest.mark.long
def test_an_interrupt_within_llvm_is_not_lost(tmp_path: Path) -> None:
    """LLVM calls back through ctypes, which drops what is raised there."""
    result = run_process(
        [sys.executable, "-c", INTERRUPTED_IN_LLVM],
        env={**os.environ, "PLYFORGE_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 130
    assert "Traceback" not in result.stderr


ENDLESS = """
from plyforge.compilation import interruptible
from plyforge.compilation.kernel import Kernel, build
import plyforge

def spin(position, address):
    number = 1
    while number > 0:
        number = number % 7 + 1
    return number

def run_endless():
    print("ready", flush=True)  # from here on interrupts are noted
    call(game.initial(), 0)

interruptible._TIME_TO_STOP = 0.1
game = plyforge.load("tictactoe")
kernel = Kernel("spin", spin, "int64(position, address)")
call = build(kernel, game.rules, game.position_type).call
interruptible.run(run_endless, lambda: None)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_a_second_interrupt_ends_compiled_code_that_never_ends(tmp_path: Path) -> None:
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS)
    process = popen(
        [sys.executable, str(script)],
        env={**os.environ, "PLYFORGE_CACHE": str(tmp_path)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        end = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            process.send_signal(signal.SIGINT)
            time.sleep(1.0)
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130, errors
    assert "compiled code does not stop" in errors

"""Ctrl-C stops a kernel, and kernels run in any thread."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyforge.compilation.interruptible import run
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
    end = time.monotonic() + 60
    while "plyforge-kernel" in [thread.name for thread in threading.enumerate()]:
        assert time.monotonic() < end
    print("interrupted", flush=True)
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
        assert output == "interrupted\n"
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


def test_an_error_in_the_kernel_reaches_the_caller() -> None:
    def fails() -> int:
        raise ValueError("inside")

    with pytest.raises(ValueError, match="inside"):
        run(fails, lambda: None)


def test_an_interrupt_sets_the_stop_word_and_waits_for_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    control = np.zeros(2, np.int64)
    ended = threading.Event()

    def kernel() -> int:
        while not control[1]:
            time.sleep(0.001)
        ended.set()
        return 0

    from plyforge.compilation import interruptible

    wait, waits = interruptible._wait, []

    def interrupt_once(done: threading.Event) -> None:
        waits.append(done)
        if len(waits) == 1:
            raise KeyboardInterrupt
        wait(done)

    monkeypatch.setattr(interruptible, "_wait", interrupt_once)
    with pytest.raises(KeyboardInterrupt):
        run(kernel, lambda: control.__setitem__(1, 1))
    assert ended.is_set()


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

"""Start child processes that can be interrupted, however the tests were started.

A shell starts background jobs with SIGINT ignored, and so does nohup; their children inherit
that.  A test that interrupts a process would then wait forever.
"""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def default_sigint() -> Iterator[None]:
    """Let SIGINT raise KeyboardInterrupt here, and in processes started meanwhile."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def popen(command: list[str], **options: Any) -> "subprocess.Popen[Any]":
    """Start a process as `subprocess.Popen` does, with SIGINT not ignored."""
    with default_sigint():
        return subprocess.Popen(command, **options)


def run(command: list[str], **options: Any) -> "subprocess.CompletedProcess[Any]":
    """Run a process to its end as `subprocess.run` does, with SIGINT not ignored."""
    with default_sigint():
        return subprocess.run(command, **options)

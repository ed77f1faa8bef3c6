"""Work that the tests give to processes of their own."""

import os
import threading
import time
from pathlib import Path
from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.pool import ProcessPool, Report


def square(job: int, report: Report) -> int:
    report(f"squaring {job}", None)
    return job * job


def misbehave(job: tuple[str, Any], report: Report) -> Any:
    """Do what the job says, having told of it."""
    what, value = job
    report(what, value if what == "hang" else None)
    if what == "exit":
        os._exit(value)
    if what == "abort":
        os.abort()
    if what == "raise":
        raise ValueError(value)
    if what == "wrong":
        raise PlyforgeError(value)
    if what == "leave":
        raise SystemExit(value)
    if what == "quiet death":
        threading.Timer(0.05, os._exit, (7,)).start()
    while what in ("hang", "sleep"):
        time.sleep(0.05)
    if what == "spin":
        while True:
            pass
    return value


def mark(job: tuple[str, float], report: Report) -> int:
    """Write the process's number down, then sleep."""
    folder, seconds = job
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(seconds)
    return os.getpid()


def keep_busy(folder: str) -> None:
    """A program that would take for ever, in two processes."""
    for _ in ProcessPool(mark, 2).run((folder, 1000.0) for _ in range(4)):
        pass

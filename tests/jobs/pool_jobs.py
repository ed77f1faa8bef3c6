"""Jobs that the tests run in worker processes."""

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
    """Report the action that the job names, then do it."""
    action, value = job
    report(action, value if action == "hang" else None)
    if action == "exit":
        os._exit(value)
    if action == "abort":
        os.abort()
    if action == "raise":
        raise ValueError(value)
    if action == "user error":
        raise PlyforgeError(value)
    if action == "system exit":
        raise SystemExit(value)
    if action == "delayed exit":
        threading.Timer(0.05, os._exit, (7,)).start()
    while action in ("hang", "sleep"):
        time.sleep(0.05)
    return value


def mark(job: tuple[str, float], report: Report) -> int:
    """Leave a file named after the process, then sleep."""
    folder, seconds = job
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(seconds)
    return os.getpid()


def keep_busy(folder: str) -> None:
    """Keep two processes busy for longer than any test waits."""
    for _ in ProcessPool(mark, 2).run((folder, 1000.0) for _ in range(4)):
        pass

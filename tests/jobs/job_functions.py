"""Functions that the tests run as jobs."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.executor import Report, run_jobs
from plyforge.jobs.user_files import files_fingerprint
from tests.jobs.executors import EXECUTORS


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
    if action == "return a lock":
        return threading.Lock()
    while action in ("hang", "sleep"):
        time.sleep(0.05)
    return value


def mark(job: tuple[str, float], report: Report) -> int:
    """Leave a file named after the process, then sleep."""
    folder, seconds = job
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(seconds)
    return os.getpid()


def call_answer(job: str, report: Report) -> tuple[Any, str]:
    """Import a user's file and call its function `answer`; return its result and `__file__`."""
    from plyforge.game.loading import import_file  # slow, and only needed here

    module = import_file(Path(job), "give a file")
    return module.answer(), module.__file__


def fingerprint(job: int, report: Report) -> str:
    return files_fingerprint()


class BrokenOnArrival:
    """A job that cannot be unpickled."""

    def __reduce__(self) -> Any:
        return _raise, ("not here",)


def _raise(text: str) -> None:
    raise ImportError(text)


def keep_busy(name: str, folder: str) -> None:
    """Keep two workers of an executor busy for longer than any test waits."""
    for _ in run_jobs(EXECUTORS[name].make(2), mark, ((folder, 1000.0) for _ in range(4))):
        pass


def lose_supervisor(job: tuple[str, int], report: Report) -> int:
    """Kill or stop the process that started this one, the first times that the job runs."""
    folder, times = job
    report("losing", None)
    seen = len(list(Path(folder).iterdir()))
    if seen < times:
        (Path(folder) / str(seen)).touch()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    return seen


def freeze_supervisor(job: str, report: Report) -> str:
    """Stop the process that started this one, the first time that the job runs."""
    if not (Path(job) / "frozen").exists():
        (Path(job) / "frozen").write_text(str(os.getppid()), encoding="utf-8")
        os.kill(os.getppid(), signal.SIGSTOP)
    return "done"

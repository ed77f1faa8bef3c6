"""An executor that runs jobs in this process, one after the other and unprotected."""

import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.executor import JobQueue, JobResult, Work
from plyforge.jobs.user_files import UserFile, use_files


class SerialExecutor:
    """Runs each job when its result is asked for; there is no process to start."""

    workers = 1
    place = ""

    @contextmanager
    def open(self, work: Work, files: Sequence[UserFile] = ()) -> Iterator[JobQueue]:
        yield _SerialQueue(work, files)


class _SerialQueue:
    """Jobs that wait for their turn in this process."""

    def __init__(self, work: Work, files: Sequence[UserFile]) -> None:
        self._work = work
        self._files = files
        self._waiting: dict[int, Any] = {}
        self._numbers = count()

    def submit(self, job: Any) -> int:
        number = next(self._numbers)
        self._waiting[number] = job
        return number

    def results(self) -> Iterator[JobResult]:
        while self._waiting:
            yield self._run(self._waiting.pop(next(iter(self._waiting))))

    def cancel(self, number: int) -> None:
        self._waiting.pop(number, None)

    def _run(self, job: Any) -> JobResult:
        stage = ""

        def report(name: str, seconds: float | None) -> None:
            nonlocal stage
            stage = name

        try:
            with use_files(self._files):
                return JobResult(job, self._work(job, report), stage=stage)
        except PlyforgeError:
            raise
        except Exception:
            return JobResult(job, failure="raised", stage=stage, detail=traceback.format_exc())
